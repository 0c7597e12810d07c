"""The golden records: the stored events of fixed runs of the test protocol.

They are compared to the byte by `test_bytes`. When a change to the runtime, to the events or to the test protocol
is meant to alter what is stored, run `python -m tests.runtime.record_golden` from the project's folder, read the
difference, raise the version that it belongs to, and commit the files with the change.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from moot.core.budget import Budget
from moot.core.panel import seated
from tests.runtime.protocol import Course, header

SCRIPT = "tests.runtime.record_golden"
GOLDEN = Path(__file__).parent / "golden"


def full() -> list[str]:
    """Return a run that uses the whole door."""
    course = Course()
    course.run()
    return course.disk.texts


def exhausted() -> list[str]:
    """Return a run whose budget ends in the blind round."""
    course = Course(header(budget=Budget(calls=8)))
    course.run()
    return course.disk.texts


def resumed() -> list[str]:
    """Return a run with a lost call."""
    course = Course()
    course.run(("before settle last", 1))
    return course.disk.texts


def forked() -> list[str]:
    """Return a fork with other members and settings."""
    parent = Course()
    parent.run()
    fork = parent.fork("rebut:m1", panel=seated(["script:good"] * 6), last_words="End.")
    fork.run()
    return fork.disk.texts


RUNS: Mapping[str, Callable[[], list[str]]] = {
    "full": full,
    "exhausted": exhausted,
    "resumed": resumed,
    "forked": forked,
}


def main(arguments: list[str]) -> None:
    """Write the golden records, or print one of them."""
    if arguments[:1] == ["--print"]:
        sys.stdout.buffer.write("".join(f"{text}\n" for text in RUNS[arguments[1]]()).encode())
        return
    GOLDEN.mkdir(exist_ok=True)
    for name, made in RUNS.items():
        (GOLDEN / f"{name}.jsonl").write_text("".join(f"{text}\n" for text in made()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
