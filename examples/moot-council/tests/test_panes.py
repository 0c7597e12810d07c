"""A council on a page, after every one of its events."""

from collections.abc import Callable
from typing import Any

from council_kit import member
from moot_council.panes import council_panes
from moot_council.protocol import COUNCIL

from moot.protocol import PaneTable, Record


def test_one_stage_is_under_way_after_every_event_until_it_has_ended(council: Callable[..., Any]) -> None:
    order = ["Old", "New"]
    record = council(member("Old", order), member("New", order)).record

    seen = [council_panes(Record(record.events[:length])) for length in range(1, len(record.events) + 1)]

    states = ["".join(stage.state[0] for stage in panes.stages) for panes in seen]
    assert list(dict.fromkeys(states)) == ["ntt", "dnt", "ddn", "ddd"]
    assert [sum(stage.events for stage in panes.stages) for panes in seen] == list(range(1, len(seen) + 1))


def test_the_page_of_a_council_has_answers_and_the_ranking(council: Callable[..., Any]) -> None:
    order = ["Old", "New"]

    panes = council_panes(council(member("Old", order), member("New", order), member("old", order)).record)

    (table,) = panes.panes[0].blocks
    assert isinstance(table, PaneTable)
    assert [row.cells[1].words for row in table.rows] == ["Old", "New"]
    assert table.rows[0].cells[2].seats == ("m1", "m3")
    assert [position.answer for position in panes.standing.positions] == ["Old", "New", "old"]
    assert panes.standing.agreement == "2 different answers."


def test_stages_that_nobody_needs_are_skipped(council: Callable[..., Any]) -> None:
    panes = council_panes(council(member("Old"), member("old")).record)

    assert [stage.state for stage in panes.stages] == ["done", "skipped", "skipped"]
    assert (panes.rounds, panes.panes) == ("", ())
    assert COUNCIL.panes is council_panes
