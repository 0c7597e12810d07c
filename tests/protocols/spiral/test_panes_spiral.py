"""A spiral on a page: loops with what is measured beside what is scheduled, and in plain words how it ended."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from moot.core.panes import ItemList, LineChart, MatrixChart, PaneChoice, PaneItem, Panes, PaneSection, PaneTable
from moot.core.record import Record
from moot.core.verdict import Status
from moot.protocols.spiral.agreement.measures import LOOPS, scheduled_divergence
from moot.protocols.spiral.panes import panes
from tests.protocols.ended import Ended
from tests.protocols.panes_kit import check_panes, golden_record, parts_of, prefixes, texts_in
from tests.protocols.spiral.kit import UNREACHABLE, Member, panel_of, position, spiralled
from tests.protocols.spiral.test_drafting import BEST, FIRST, SLOGAN, bakers
from tests.protocols.spiral.test_self_reference import DENYING, OTHERS, examined
from tests.protocols.spiral.test_stretto import EVEN, ODD, disputed


@cache
def drafted() -> Ended:
    """Nobody contradicts anybody, and nobody accepts the draft."""
    return spiralled(panel_of(*bakers()), question=SLOGAN)


@cache
def denied() -> Ended:
    return examined(Member(OTHERS), Member(OTHERS), Member(DENYING))


@cache
def disputing() -> Ended:
    return disputed(Member(EVEN), Member(EVEN), Member(ODD))


def blocks_of(made: Panes, name: str, loop: str = "all") -> tuple[Any, ...]:
    """Return what stands in a pane, of its choice the view of a loop."""
    (block,) = next(pane.blocks for pane in made.panes if pane.name == name)
    assert isinstance(block, PaneChoice)
    return next(option.blocks for option in block.options if option.value == loop)


def items_in(value: object) -> Iterator[PaneItem]:
    return (part for part in parts_of(value) if isinstance(part, PaneItem))


@pytest.mark.parametrize("run", [drafted, denied, disputing])
def test_the_panes_hold_together_after_every_event_and_name_only_seats_of_the_panel(run: Callable[[], Ended]) -> None:
    record = run().record
    seats = {member.name for member in record.header.panel}

    for shorter in prefixes(record):
        made = panes(shorter)
        check_panes(made, shorter)
        assert {seat for item in items_in(made) for seat in item.seats} <= seats


def test_answers_that_differ_in_words_and_contradict_nothing_are_said_to_do_so_where_it_is_forced() -> None:
    done = drafted()

    made = panes(done.record)

    words = "The members all answer differently in words, and nothing is contradicted: it was forced to an end."
    assert done.verdict.status is Status.FORCED
    assert made.why[0].words.startswith(words)
    coda = next(pane for pane in made.panes if pane.name == "coda")
    assert any(text.startswith(words) for text in texts_in(coda))


def test_where_something_is_contradicted_nothing_is_said_of_answers_that_merely_differ() -> None:
    made = panes(golden_record("spiral_forced"))

    assert made.why[0].words.startswith("Seven loops passed without consensus")
    assert not [text for text in texts_in(made) if "differently in words" in text]


def test_a_draft_is_shown_with_who_wrote_it_and_who_holds_it() -> None:
    (section,) = blocks_of(panes(drafted().record), "loops", "1")

    assert isinstance(section, PaneSection)
    marked = {item.mark: item for item in items_in(section) if item.mark}
    assert (marked["draft"].words, marked["draft"].seats) == (BEST, ("m3",))
    assert "It is held as it stands by 1 member." in texts_in(section)


def test_who_accepts_a_draft_holds_it_from_then_on() -> None:
    accepting = spiralled(panel_of(*bakers("m1")), question=SLOGAN)
    running = Record(accepting.record.events[:-1])

    held = {place.seat: place.answer for place in panes(running).standing.positions}

    assert held["m1"] == held["m3"] == BEST
    assert held["m2"] != BEST


def test_a_loop_says_what_was_computed_and_who_moved_from_what_to_what() -> None:
    (section,) = blocks_of(panes(golden_record("spiral_by_an_oracle")), "loops", "4")

    items = list(items_in(section))
    (refuted,) = [item for item in items if item.mark == "false"]
    (moved,) = [item for item in items if item.mark == "moved"]
    assert (refuted.words, refuted.tone) == ("17 * 23 = 401.", "bad")
    assert "the sides are 391 and 401" in refuted.aside
    assert (moved.words, moved.seats, moved.aside) == ("391", ("m3",), "So it seems.")
    assert [(item.words, item.mark) for item in moved.under] == [("401", "from")]
    assert section.aside == "computable"


def test_a_loop_in_which_nobody_was_asked_says_why() -> None:
    (section,) = blocks_of(panes(golden_record("spiral_by_an_oracle")), "loops", "2")

    assert "Nobody was asked: no physical axiom bears on what is contradicted." in texts_in(section)


def test_axioms_stand_with_their_nearness_under_what_they_bear_on() -> None:
    (section,) = blocks_of(panes(disputing().record), "loops", "1")

    point = next(item for item in items_in(section) if item.words == EVEN["claims"][0])
    against, *axioms = point.under
    assert (against.words, against.seats, against.mark) == (ODD["claims"][0], ("m3",), "against")
    assert axioms
    assert all(axiom.quote and axiom.mark.startswith("MA") and axiom.aside.startswith("near 0.") for axiom in axioms)


def test_a_position_that_denies_what_it_rests_on_is_marked_with_the_axiom() -> None:
    (section,) = blocks_of(panes(denied().record), "loops", "5")

    (mark,) = [item for item in items_in(section) if item.mark == "denies itself"]
    assert (mark.words, mark.seats) == ("m1 says that m3 denies what it rests on.", ("m3",))
    assert mark.under[0].mark.startswith("LI")


def test_the_schedule_is_dashed_called_scheduled_and_drawn_ahead_while_it_runs() -> None:
    record = disputing().record
    events = next(at for at, event in enumerate(record.events) if getattr(event, "name", "") == "measured") + 1

    (chart,) = panes(Record(record.events[:events])).panes[0].blocks
    (whole,) = panes(record).panes[0].blocks

    assert isinstance(chart, LineChart)
    assert isinstance(whole, LineChart)
    dashed = [series for series in chart.series if series.dashed]
    assert [series.name for series in dashed] == ["D scheduled"]
    assert len(chart.places) == LOOPS + 1
    initial = dashed[0].values[0] or 0.0
    assert dashed[0].values == tuple(scheduled_divergence(initial, loop) for loop in range(LOOPS + 1))
    assert [series.values.count(None) for series in chart.series if not series.dashed] == [LOOPS] * 3
    assert "the scheduled one, which measures nothing" in whole.finding
    assert whole.places[1:3] == ("1 mathematical", "2 physical")


def test_a_pair_shows_its_parts_with_their_weights_and_who_judged_it() -> None:
    (matrix,) = blocks_of(panes(disputing().record), "pairs", "0")

    assert isinstance(matrix, MatrixChart)
    assert matrix.values[0][2] == matrix.values[2][0]
    assert matrix.parts[0][0] == ""
    for part in (
        "similarity ",
        " \u00d7 0.30",
        "entailment ",
        " \u00d7 0.40",
        "facts 0.00",
        "decided by letters alone",
    ):
        assert part in matrix.parts[0][2]


def test_matrix_loops_and_positions_are_chosen_together() -> None:
    made = panes(golden_record("spiral_by_an_oracle"))

    choices = [block for pane in made.panes for block in pane.blocks if isinstance(block, PaneChoice)]
    assert [choice.name for choice in choices] == ["loop"] * 3
    assert {tuple(option.value for option in choice.options) for choice in choices} == {("all", *"01234")}
    small = [block for block in blocks_of(made, "pairs") if isinstance(block, MatrixChart) and block.small]
    assert len(small) == 5


def test_the_positions_of_a_loop_are_those_after_it() -> None:
    made = panes(golden_record("spiral_by_an_oracle"))

    (before,), (after,) = (blocks_of(made, "positions", loop) for loop in "34")

    assert isinstance(before, PaneTable)
    assert [row.cells[1].words for row in before.rows] == ["391", "391", "401"]
    assert [row.cells[1].words for row in after.rows] == ["391", "391", "391"]
    assert [row.cells[3].mark for row in after.rows] == ["", "", "moved"]


def test_stages_that_were_not_needed_are_skipped_and_a_finished_loop_gives_way_to_the_next() -> None:
    record = golden_record("spiral_by_an_oracle")
    ended = next(at for at, event in enumerate(record.events) if getattr(event, "name", "") == "loop") + 2

    running, whole = panes(Record(record.events[:ended])), panes(record)

    assert [stage.state for stage in whole.stages] == ["done"] * 5 + ["skipped"] * 3
    assert [stage.name for stage in running.stages if stage.state == "now"] == ["loop-2"]


def test_where_it_stands_is_said_with_who_is_missing_and_the_harmony() -> None:
    silent = spiralled(panel_of(Member(position(FIRST)), Member(position(FIRST)), Member(UNREACHABLE)), question=SLOGAN)

    standing = panes(Record(silent.record.events[:-1])).standing

    assert standing.lead == "No answer came from m3."
    assert standing.agreement.startswith(f"2 of 3 say “{FIRST}”")
    assert "Harmony after " in standing.agreement
    assert panes(Record(silent.record.events[:1])).standing.lead.startswith("Nobody is heard yet")


def test_the_coda_leads_to_the_argument() -> None:
    record = golden_record("spiral_by_an_oracle")
    coda = next(pane for pane in panes(record).panes if pane.name == "coda")

    held = [item for block in coda.blocks if isinstance(block, ItemList) and block.title for item in block.items]

    assert record.verdict
    nodes = {node["id"] for node in record.verdict.detail["graph"]["nodes"]}
    assert [item.link.removeprefix("claim:") in nodes for item in held] == [True, True]
