"""Claims, slots and flags as a person sees them: what is said, and that it fits 80 columns."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from moot.cli.terminal.claims import draw, list_claims, show_flag, show_flags, show_slot
from moot.service.board import OnBoard
from tests.protocols.prism.kit import Run, output, run

WORDY = "Crows remember the faces of those who trapped them, " * 20
LONG: dict[str, Any] = {
    "claim": WORDY,
    "house": "none",
    "table": "prism-v1-solo",
    "form": "yes or no",
    "documents": {f"field notes of year {year}.txt": "" for year in range(1990, 2000)},
}


def drawn(shown: object, draw_it: Callable[..., None], **options: object) -> list[str]:
    """Return the lines that one of the functions prints."""
    printed = StringIO()
    draw_it(shown, console=Console(file=printed, highlight=False, soft_wrap=True), **options)
    return printed.getvalue().splitlines()


def flagged(note: str = WORDY) -> Run:
    """A claim of people with long names and much to say that has a flag, or that was cleared."""
    agent = "somebody whose name is as long as it may be"
    waiting = run(**LONG).go_on("L1.1/work/1", f"{agent} and first", output(1, content=WORDY))
    waiting = waiting.go_on("L1.1/consensus/1", f"{agent} and second", output(1, 0.4, content=WORDY))
    return waiting.review("redo", f"{agent} and first", note) if note else waiting


@pytest.mark.clause("ruling:P13")
def test_a_claim_that_ended_flagged_at_its_synthesis_is_drawn_with_its_votes(capsys) -> None:
    done = run({"L7.1/consensus/*": output(7, 0.62)}, on_flag="end")

    draw(OnBoard("0123456789", done.pipeline))

    shown = capsys.readouterr().out.splitlines()
    assert "no consensus; the votes: 3 accept-with-caveats" in shown
    assert not any(line.startswith("consensus  ") for line in shown)


@pytest.mark.clause("ruling:P12")
def test_whatever_is_said_the_board_keeps_to_80_columns(capsys) -> None:
    claim = OnBoard("0123456789", flagged().pipeline)

    draw(claim)
    list_claims([claim])

    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert ", one of its own agents: redo, " in " ".join(shown.split())


def test_a_slot_and_a_flag_are_shown_whole_on_any_console_within_80_columns() -> None:
    waiting = flagged("")
    [flag] = waiting.waiting
    [slot] = flagged().waiting

    as_slot, as_flag = drawn(slot, show_slot), drawn(flag, show_flag)
    listed = drawn([flag], show_flags, whole=False)

    for lines in (as_slot, as_flag, listed):
        assert max(map(len, lines)) <= 80
    assert WORDY.strip() in " ".join(" ".join(as_slot).split())
    assert "The form of answer asked for: yes or no" in as_slot
    assert "A reviewer had this layer done again: Crows remember" in "\n".join(as_slot)
    assert "What its consensus slots say" in as_flag
    assert as_flag[-1] == '  "close" to end'
