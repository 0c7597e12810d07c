"""The golden records of the protocols: stored events and journaled requests of fixed runs with scripted members.

They are compared to the byte. When a change to a protocol is meant to alter what is stored or what is asked, raise
the protocol's version, run `python -m tests.protocols.record_golden` from the project's folder, read the difference,
and commit the files with the change.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from moot.core.budget import Budget
from moot.core.canonical import canonical
from tests.protocols.coherence_kit import GOOD, IDS, unfolded
from tests.protocols.coherence_kit import Run as CoherenceRun
from tests.protocols.coherence_kit import run as coherence_run
from tests.protocols.interrogation_kit import (
    CONTRADICTED,
    CONTRADICTING,
    IS_KESTREL,
    KESTREL,
    LOUD,
    UNKNOWN,
    Interrogated,
    argument,
    given,
    interrogated,
)

SCRIPT = "tests.protocols.record_golden"
GOLDEN = Path(__file__).parent / "golden"
TALK = "I would rather talk about the weather."
INVENTED = given("z", "The tug towed Kestrel out at dawn.", quote="the tug towed Kestrel out at dawn")


def interrogation_whole() -> list[str]:
    """Return a run with a malformed reply, an ungrounded given, a contradiction and a refutation."""
    first = argument("Kestrel", IS_KESTREL, *CONTRADICTED["nodes"][1:], INVENTED)
    runs = (first, TALK, CONTRADICTING, CONTRADICTED)
    return _stored(interrogated(*runs, verdicts={LOUD: "refuted"}, seats=2))


def interrogation_exhausted() -> list[str]:
    """Return a run whose budget ends it before anything is verified."""
    return _stored(interrogated(KESTREL, n=6, budget=Budget(calls=2)))


def interrogation_not_stated() -> list[str]:
    """Return a run that finds that the documents do not say."""
    return _stored(interrogated(UNKNOWN, UNKNOWN, KESTREL, passages=2))


def coherence_whole() -> list[str]:
    """Return a run in batches, with a refused row and a response that is revised once."""
    replies = [unfolded(only=IDS[:4], K1=[8]), unfolded(only=IDS[4:]), unfolded(only=IDS[:1])]
    return _stored(coherence_run(replies, ["As K10 shows, wait.", GOOD], batch=4))


def coherence_partial() -> list[str]:
    """Return a run that ends without a response, since most relations got no scores."""
    return _stored(coherence_run([unfolded(only=IDS[:2]), unfolded(only=[])]))


def _stored(ended: "Interrogated | CoherenceRun") -> list[str]:
    """The events, and the digests of the requests: a stored run goes on only where these are the same."""
    disk = ended.course.disk
    requests = [
        canonical({"step": row.step, "attempt": row.attempt, "digest": row.digest}) for row in disk.journaled.attempts
    ]
    return [*disk.texts, *requests]


RUNS: Mapping[str, Callable[[], list[str]]] = {
    "coherence_whole": coherence_whole,
    "coherence_partial": coherence_partial,
    "interrogation_whole": interrogation_whole,
    "interrogation_exhausted": interrogation_exhausted,
    "interrogation_not_stated": interrogation_not_stated,
}


def main() -> None:
    """Write the golden records."""
    GOLDEN.mkdir(exist_ok=True)
    for name, made in RUNS.items():
        (GOLDEN / f"{name}.jsonl").write_text("".join(f"{text}\n" for text in made()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
