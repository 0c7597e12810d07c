"""What a protocol stored yesterday, it stores today: fixed runs, compared to the byte with those on file."""

import pytest

from tests.protocols.record_golden import GOLDEN, RUNS, SCRIPT


@pytest.mark.parametrize("name", sorted(RUNS))
def test_the_stored_events_and_requests_are_those_of_the_golden_record(name: str) -> None:
    stored = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()

    made = RUNS[name]()

    assert made == stored, (
        f"a stored run of {name.split('_')[0]} would come out otherwise now: raise the protocol's version, or undo the "
        f"change; if it is meant, `python -m {SCRIPT}` from the project's folder writes the golden records anew."
    )


def test_every_golden_record_has_its_run() -> None:
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == set(RUNS)
