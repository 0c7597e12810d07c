"""The panes of a record: its protocol's own, or plain ones; no fault of a protocol stops a page."""

from dataclasses import replace
from typing import Any

import pytest

from moot.core.errors import UnknownProtocol
from moot.core.panes import Pane, PaneItem, Panes, PaneTable, Stage
from moot.core.protocol import ProtocolSpec
from moot.core.record import Record
from moot.protocols import find_protocol
from moot.service.protocol_part import ProtocolPart, protocol_part
from moot.views.plain_panes import plain_panes
from tests.protocols.panes_kit import golden_record

RECORD = golden_record("vote_tied")


def shown(**changed: Any) -> ProtocolPart:
    spec: ProtocolSpec = replace(find_protocol("vote"), **changed)
    return protocol_part(RECORD, lambda _: spec)


def raising(record: Record) -> Panes:
    raise KeyError("a record of another version")


def endless(record: Record) -> Panes:
    return endless(record)


def test_a_protocol_shows_its_own() -> None:
    made = shown().panes

    assert (made.rounds, made.note) == ("Runs", "")
    assert shown(origin="a package 1.0").panes == made


def test_without_its_own_any_record_is_shown_plainly() -> None:
    part = shown(panes=None)

    assert part.panes == plain_panes(RECORD, part.narrator)


@pytest.mark.parametrize("faulty", [raising, endless], ids=["raises", "never ends"])
def test_a_fault_in_them_gives_the_plain_ones_with_a_note(faulty: Any) -> None:
    part = shown(panes=faulty)

    made = part.panes

    assert made.note.startswith("what vote shows of its own could not be made (")
    assert made.note.endswith("): shown as any record is")
    assert replace(made, note="") == plain_panes(RECORD, part.narrator)


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "panes",
        Panes(stages=(Stage("a", "b", "soon"),)),  # ty: ignore[invalid-argument-type]
        Panes(why=(PaneItem(5),)),  # ty: ignore[invalid-argument-type]
        Panes(panes=(Pane("a", "b", ("text",)),)),  # ty: ignore[invalid-argument-type]
        Panes(panes=(Pane("a", "b", (PaneTable(("x",), (("cell",),)),)),)),  # ty: ignore[invalid-argument-type]
    ],
)
def test_what_is_of_a_wrong_type_is_seen_before_a_page_sees_it(wrong: Any) -> None:
    made = shown(panes=lambda record: wrong, origin="a package 1.0").panes

    assert made.note.startswith("what vote shows of its own could not be made (")
    assert made.stages


def test_the_record_of_a_protocol_that_is_not_here_is_shown_and_says_so() -> None:
    def nothing(name: str) -> ProtocolSpec:
        raise UnknownProtocol(name=name, known=[])

    made = protocol_part(RECORD, nothing).panes

    assert made.note == "its protocol vote is not installed here: shown without its report"
    assert made.stages[-1].state == "done"
