"""The golden records of the protocols: stored events and journaled requests of fixed runs with scripted members.

They are compared to the byte. When a change to a protocol is meant to alter what is stored or what is asked, raise
the protocol's version, run `python -m tests.protocols.record_golden` from the project's folder, read the difference,
and commit the files with the change.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from moot.core.budget import Budget
from moot.core.canonical import canonical
from tests.protocols.coherence_kit import GOOD, IDS, unfolded
from tests.protocols.coherence_kit import run as coherence_run
from tests.protocols.debate.kit import DOCUMENTS as HARBOUR
from tests.protocols.debate.kit import debated, everybody, reference, response
from tests.protocols.ended import Ended
from tests.protocols.interrogation.kit import (
    CONTRADICTED,
    CONTRADICTING,
    INVENTED,
    IS_KESTREL,
    KESTREL,
    LEFT,
    LOUD,
    NOT_STATED,
    QUIET,
    SEEN,
    TALK,
    TOLD_KESTREL,
    TOLD_OSPREY,
    UNKNOWN,
    argument,
    interrogated,
    step,
)
from tests.protocols.interrogation.kit import states as told
from tests.protocols.prism.kit import Run as PrismRun
from tests.protocols.prism.kit import output as prism_output
from tests.protocols.prism.kit import run as prism_run
from tests.protocols.single_kit import answered
from tests.protocols.spiral.kit import UNREACHABLE, Member, panel_of, position, spiralled
from tests.protocols.vote_kit import EGGS, computes, states, voting

SCRIPT = "tests.protocols.record_golden"
GOLDEN = Path(__file__).parent / "golden"
VOTED = computes("sold = 16 - 3 - 4", "answer = sold * 2")
SEEN_BY_HIM = "The master saw Kestrel."


def interrogation_whole() -> list[str]:
    """Return graphs with a malformed reply, an ungrounded claim, a contradiction and a refutation."""
    first = argument("Kestrel", IS_KESTREL, *CONTRADICTED["steps"][:2], step("z", INVENTED, 4))
    runs = (first, TALK, CONTRADICTING, CONTRADICTED)
    return _stored(interrogated(*runs, verdicts={LOUD: "refuted"}, seats=2))


def interrogation_verified() -> list[str]:
    """Return graphs of which a claim is reinstated with its sentence, and a step does not follow from its own."""
    first = argument("Kestrel", IS_KESTREL, step("z", SEEN_BY_HIM), step("q", QUIET, 1, 3))
    second = argument("Kestrel", IS_KESTREL, step("b", SEEN, 1), lines=[("b",)])
    return _stored(
        interrogated(
            first,
            second,
            verdicts={SEEN_BY_HIM: [("supported", 4)] * 3},
            follows={QUIET: ("no", "yes", "no")},
            k=9,
            budget=Budget(calls=40),
        )
    )


def interrogation_plain() -> list[str]:
    """Return free text and numbered sentences that two waves decide, with a claim that nothing covers and dissent."""
    towed = told("Kestrel", "The tug towed Kestrel out.", LEFT)
    cited = told("Kestrel", f"[4] {SEEN}")
    said = (TOLD_KESTREL, towed, cited, TOLD_OSPREY, cited, cited, TOLD_KESTREL, told(NOT_STATED, "It is not told."))
    return _stored(interrogated(*said, form="both", stop="lead", seats=2))


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


def debate_flagged() -> list[str]:
    """Return a debate that agrees too easily, whose objection round fails and which ends with a person."""
    people = {"turn/1": ("Ada", {"text": "Think of the ice."}), "turn/2": ("Ada", {})}
    people["escalation/3"] = ("Ada", {"decision": "reject", "note": "untested"})
    return _stored(debated(everybody(response(confidence=0.9)), people=people, join=True))


def debate_in_turn() -> list[str]:
    """Return a sequential debate over documents with tools, a revision, a blocker, a silent agent and an evaluator."""
    quoting = response(
        confidence=0.8,
        epistemicClaims={"facts": ["A second pier costs 800 crowns [1]"], "inferences": ["It is worth it [1]"]},
        references=[reference(1, "costs.txt", "A second pier costs 800 crowns")],
    )
    blocking = response("no", 0.6, "BLOCKER", epistemicClaims={"facts": ["Nobody asked"]}, challenged=["C1"])

    def reply(seat: str, number: int, kind: str) -> Any:
        if kind == "lookup":
            return {"calls": [{"tool": "search", "input": "cost of a pier"}]} if seat == "m1" else None
        if kind:
            return None
        return {"m1": quoting, "m2": blocking, "m3": TALK if number == 2 else response(confidence=0.7)}[seat]

    return _stored(debated(reply, mode="adversarial", documents=HARBOUR, rounds=3))


def debate_attacked() -> list[str]:
    """Return a red-team debate in which blue is asked for a mitigation and tier 1 withholds a contribution."""
    attacked = response(vulnerabilities=[{"risk": "a storm breaks it"}])
    harmful = response(reasoning="a step-by-step way to hack the gate")
    return _stored(debated({"m1": attacked, "m2": response(), "m3": harmful}, mode="red-team-blue-team", rounds=2))


def spiral_by_an_oracle() -> list[str]:
    """Return a spiral that an oracle settles in loop 4."""
    right, wrong = position("391", "17 * 23 = 391."), position("401", "17 * 23 = 401.")
    panel = panel_of(Member(right), Member(right), Member(wrong, {"revise/4": right}))
    return _stored(spiralled(panel, embedder=None))


def spiral_forced() -> list[str]:
    """Return a spiral that comes to no consensus, with a member that fails on the way."""
    yes, no = position("It can be kept."), position("It cannot be kept.")
    panel = panel_of(Member(yes), Member(yes, {"stretto/6": UNREACHABLE}), Member(no))
    return _stored(
        spiralled(panel, structure="concert", embedder=None, question="What shall be done with the old mill?")
    )


def prism_whole() -> list[str]:
    """Return a claim with a failing agent, a flag that is redone, another that advances, and dissent at the end."""
    said = {
        "L1.1/work/1@house/m1": TALK,
        "L3.1/consensus/*": prism_output(3, 0.62),
        "L6.1/consensus/*": prism_output(6, verdict="flag"),
        "L7.1/consensus/1@*": prism_output(7, recommendation="reject", summary="It is not so."),
    }
    return _stored(prism_run(said, seats=5).review("redo").review("advance"))


def prism_closed() -> list[str]:
    """Return a claim of the small table that people carry and a reviewer closes."""
    waiting = prism_run(house="none", table="prism-v1-solo").go_on("L1.1/work/1", "Ada", prism_output(1))
    return _stored(waiting.go_on("L1.1/consensus/1", "Bea", prism_output(1, 0.4)).review("close", "Cyd"))


def vote_decided() -> list[str]:
    """Return a vote of free text and programs that two waves decide, with a false sum and a program that is ended."""
    wrong = computes("answer = 16 / 0")
    said = [states("$18"), states("17", "16 - 3 = 12"), VOTED, wrong, VOTED, VOTED, states("18"), states("18")]
    return _stored(voting(said, EGGS, seats=2))


def vote_tied() -> list[str]:
    """Return a fixed number of runs over documents, of which one abstains, that ends in a tie."""
    return _stored(voting([states(text) for text in ("x9", "x8", "server x9", "x8", "not stated")], n=5))


def single_whole() -> list[str]:
    """Return an answer over a document that comes in shape at its second try."""
    return _stored(answered(TALK, {"reasoning": "Rack 7 has x9.\nIt runs Linux.", "answer": "x9", "confidence": 0.8}))


def single_failed() -> list[str]:
    """Return a run whose member only talks."""
    return _stored(answered(TALK, TALK))


def _stored(ended: Ended | PrismRun) -> list[str]:
    """The events, and the digests of the requests: a stored run goes on only where these are the same."""
    disk = ended.course.disk
    requests = [
        canonical({"step": row.step, "attempt": row.attempt, "digest": row.digest}) for row in disk.journaled.attempts
    ]
    return [*disk.texts, *requests]


RUNS: Mapping[str, Callable[[], list[str]]] = {
    "spiral_by_an_oracle": spiral_by_an_oracle,
    "spiral_forced": spiral_forced,
    "coherence_whole": coherence_whole,
    "coherence_partial": coherence_partial,
    "interrogation_whole": interrogation_whole,
    "interrogation_verified": interrogation_verified,
    "interrogation_plain": interrogation_plain,
    "interrogation_exhausted": interrogation_exhausted,
    "interrogation_not_stated": interrogation_not_stated,
    "debate_flagged": debate_flagged,
    "debate_in_turn": debate_in_turn,
    "debate_attacked": debate_attacked,
    "vote_decided": vote_decided,
    "vote_tied": vote_tied,
    "single_failed": single_failed,
    "single_whole": single_whole,
    "prism_closed": prism_closed,
    "prism_whole": prism_whole,
}


def main() -> None:
    """Write the golden records."""
    GOLDEN.mkdir(exist_ok=True)
    for name, made in RUNS.items():
        (GOLDEN / f"{name}.jsonl").write_text("".join(f"{text}\n" for text in made()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
