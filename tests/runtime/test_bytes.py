"""The same run gives the same bytes, whatever the order of replies, the hash seed or the day."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runtime.members import Desk
from tests.runtime.protocol import Course
from tests.runtime.record_golden import GOLDEN, RUNS, SCRIPT

BYTES = Course()
BYTES.run()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_any_order_of_completion_gives_the_same_bytes(order: int) -> None:
    course = Course(desk=Desk(order=order))

    course.run()

    assert course.disk.texts == BYTES.disk.texts


def test_shuffled_calls_do_end_in_another_order() -> None:
    ends = []
    for order in range(3):
        course = Course(desk=Desk(order=order))
        course.run()
        ends.append([event.step for event in course.heard if event.kind in ("answered", "missing")])

    assert ends[0] != ends[1] != ends[2]


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_another_hash_seed_gives_the_same_bytes(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}

    printed = subprocess.run(
        [sys.executable, "-m", SCRIPT, "--print", "full"],
        capture_output=True,
        check=True,
        env=environment,
        cwd=Path(__file__).parents[2],
    ).stdout

    assert printed.decode().splitlines() == BYTES.disk.texts


@pytest.mark.parametrize("name", sorted(RUNS))
def test_the_stored_events_are_those_of_the_golden_record(name: str) -> None:
    stored = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()

    made = RUNS[name]()

    assert made == stored, (
        f"a stored run of this protocol would come out otherwise now: raise the protocol's version, or undo the "
        f"change; if it is meant, `python -m {SCRIPT}` from the project's folder writes the golden records anew."
    )


def test_every_golden_record_has_its_run() -> None:
    files = {path.stem for path in GOLDEN.glob("*.jsonl")}

    assert files == set(RUNS)
