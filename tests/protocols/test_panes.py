"""What every protocol shows on a page, of every golden record after every one of its events."""

import pytest

from tests.protocols.panes_kit import (
    SCRIPT,
    check_panes,
    golden_panes,
    golden_record,
    names_of,
    panes_of,
    prefixes,
    stopped,
)
from tests.protocols.record_golden import GOLDEN

NAMES = names_of()


@pytest.mark.parametrize("name", NAMES)
def test_the_panes_hold_together_after_every_event_and_wherever_the_run_is_stopped(name: str) -> None:
    for record in prefixes(golden_record(name)):
        check_panes(panes_of(record), record)
        if len(record.events) % 4 == 0:
            check_panes(panes_of(stopped(record)), stopped(record))


@pytest.mark.parametrize("name", NAMES)
def test_the_panes_of_a_golden_record_are_those_on_file(name: str) -> None:
    stored = (GOLDEN / f"{name}.panes.json").read_text(encoding="utf-8")

    assert golden_panes(name) == stored, f"if it is meant, `python -m {SCRIPT}` writes them anew."


def test_every_file_of_golden_panes_has_its_record() -> None:
    assert {path.name.partition(".")[0] for path in GOLDEN.glob("*.panes.json")} == set(NAMES)
