"""A vote and a single answer on a page: who answered what, the tally, why sampling stopped, the reasoning."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from moot import ask_sync
from moot.core.budget import Budget
from moot.core.calls import Failure
from moot.core.panes import ItemList, PaneItem, Panes, PaneTable, TextBlock
from moot.core.record import Record
from moot.evals.arms.protocols import find_eval_protocol
from moot.protocols.single.protocol import SINGLE
from moot.protocols.vote.ballots import vote_progress
from moot.protocols.vote.panes import panes
from moot.testing import scripted
from tests.protocols.ended import Ended
from tests.protocols.panes_kit import check_panes, golden_record, parts_of, prefixes
from tests.protocols.vote_kit import EGGS, SERVER, computes, states, voting

AWAY = Failure("unreachable", "nobody there")
TWICE = computes("sold = 16 - 7", "answer = sold * 2")


def rows_of(made: Panes, name: str) -> list[list[str]]:
    (table,) = next(pane.blocks for pane in made.panes if pane.name == name)
    assert isinstance(table, PaneTable)
    return [[cell.words for cell in row.cells] for row in table.rows]


def stopping(made: Panes) -> list[str]:
    (items,) = next(pane.blocks for pane in made.panes if pane.name == "stopping")
    assert isinstance(items, ItemList)
    return [item.words for item in items.items]


def sampled() -> Ended:
    """Two waves of two seats in two forms, so that some runs are further replies to one prompt; one never comes."""
    return voting([states("18"), states("17"), TWICE, AWAY, states("16")], EGGS, seats=1, stop="sure", most=8)


@pytest.mark.parametrize(
    "held",
    [
        sampled,
        lambda: voting([states("18"), AWAY], EGGS, seats=3, n=7),
        lambda: voting(["I wonder."], n=2),
    ],
    ids=["in waves", "round the panel", "nobody answers"],
)
def test_the_panes_hold_together_after_every_event_and_name_only_seats_of_the_panel(held: Callable[[], Ended]) -> None:
    done = held()
    seats = {member.name for member in done.record.header.panel}

    for record in prefixes(done.record):
        made = panes(record)
        check_panes(made, record)
        named = {seat for part in parts_of(made) for seat in getattr(part, "seats", ())}
        assert named | {position.seat for position in made.standing.positions} <= seats


def test_each_run_of_a_vote_that_goes_on_is_the_one_that_the_verdict_tells_of() -> None:
    for done in (sampled(), voting([states("18"), TWICE], EGGS, seats=3, n=7)):
        running = Record(done.record.events[:-1])

        read = [(ballot.run, ballot.seat, ballot.form, ballot.answer) for ballot in vote_progress(running).ballots]

        assert read == [tuple(vote[key] for key in ("run", "seat", "form", "answer")) for vote in done.detail["votes"]]


def test_the_tally_the_runs_and_the_reason_stand_beside_each_other() -> None:
    made = panes(golden_record("vote_decided"))

    assert rows_of(made, "tally") == [["18", "6", "75%", "r1, r3, r5, r6, r7, r8"], ["17", "1", "12%", "r2"]]
    runs = rows_of(made, "runs")
    assert runs[1] == ["r2", "m2", "free text", "17", "false: 16 - 3 = 12 (arithmetic: 13 (the sides are 13 and 12))"]
    assert runs[3][3:] == ["", "line “answer = 16 / 0”: it divides by zero"]
    assert stopping(made)[1:] == ["After 4 runs: 2 to 1.", "After 8 runs: 6 to 1.", "All 8 asked: 6 to 1."]
    assert [item.words for item in made.why] == [
        "6 of 8 runs say “18”, with 1 other answer beside.",
        "All 8 asked: 6 to 1.",
        "The two ways of asking agree: free text 18, programs 18.",
    ]


def test_a_program_is_shown_line_by_line() -> None:
    lines = [part.words for part in parts_of(panes(golden_record("vote_decided"))) if isinstance(part, PaneItem)]

    assert "sold = 16 - 3 - 4 = 9" in lines


def test_a_tie_names_both_and_a_seat_stands_by_what_most_of_its_runs_say() -> None:
    tied = panes(golden_record("vote_tied"))
    decided = panes(golden_record("vote_decided"))

    assert tied.standing.agreement == "2 of 5 runs each say “x9” and “x8”, with 1 other answer beside."
    assert [(place.answer, place.aside) for place in decided.standing.positions] == [
        ("18", "3 of 4 runs"),
        ("18", "2 of 4 runs"),
    ]


def test_the_next_wave_is_to_come_until_the_vote_is_decided_and_skipped_then() -> None:
    done = voting([states("x9")], SERVER)

    first, ended = panes(Record(done.record.events[:1])), panes(done.record)

    assert [(stage.words, stage.state) for stage in first.stages] == [
        ("Runs 1 to 4", "now"),
        ("Runs 5 to 8", "to come"),
    ]
    assert [stage.state for stage in ended.stages] == ["done", "skipped"]
    assert _under_way(golden_record("vote_decided"), "counted") == ["Runs 5 to 8"]
    assert stopping(first)[0].startswith("At most 8 runs, 4 at a time. It stops as soon as the leader is ahead")


def _under_way(record: Record, note: str) -> list[str]:
    """The stage that is under way just after a finding."""
    at = next(place for place, event in enumerate(record.events) if getattr(event, "name", "") == note)
    return [stage.words for stage in panes(Record(record.events[: at + 1])).stages if stage.state == "now"]


def test_a_wave_over_further_paragraphs_is_one_more_stage() -> None:
    done = voting([states("not stated")], _long(), reads_little=True, most=4, budget=Budget(calls=12))

    made = panes(done.record)

    assert len(made.stages) > 1
    assert sum(" paragraphs are shown" in words for words in stopping(made)) == len(made.stages)


def _long() -> Any:
    paragraphs = "\n\n".join(f"Rack {number} was painted. " + "It is grey. " * 60 for number in range(12))
    return SERVER.model_copy(update={"documents": (SERVER.documents[0].model_copy(update={"text": paragraphs}),)})


def asked(tmp_path: Path, said: Any, protocol: Any = "single", **options: Any) -> Record:
    models = {"scripted:a": scripted({"*": said})}
    home = {"MOOT_HOME": str(tmp_path), "MOOT_CONFIG": "none"}
    return ask_sync(
        "Which server?", protocol=protocol, members=list(models), models=models, environ=home, **options
    ).record


def test_a_single_answer_shows_its_reasoning(tmp_path: Path) -> None:
    record = asked(tmp_path, {"reasoning": "It is written there.", "answer": "x9", "confidence": 0.8})
    assert SINGLE.panes

    for shorter in prefixes(record):
        check_panes(SINGLE.panes(shorter), shorter)
    made = SINGLE.panes(record)

    (block,) = made.panes[0].blocks
    assert isinstance(block, TextBlock)
    assert block.text == "It is written there."
    assert [(item.words, item.link) for item in made.why] == [
        ("It is written there.", "e1"),
        ("One model said so, and nobody checked.", ""),
    ]
    assert made.standing.positions[0].confidence == 0.8
    assert SINGLE.panes(Record(record.events[:1])).standing.lead == "The member is being asked."


def test_a_member_that_never_answers_leaves_no_reasoning(tmp_path: Path) -> None:
    record = asked(tmp_path, AWAY)
    assert SINGLE.panes

    made = SINGLE.panes(record)

    check_panes(made, record)
    assert (made.panes, made.why, made.standing.positions) == ((), (), ())


def test_self_consistency_is_shown_as_the_vote_that_it_is(tmp_path: Path) -> None:
    arm = find_eval_protocol("self-consistency")
    record = asked(tmp_path, states("x9"), arm, settings={"samples": 3})
    assert arm.panes

    made = arm.panes(record)

    check_panes(made, record)
    assert rows_of(made, "tally") == [["x9", "3", "100%", "r1, r2, r3"]]
    assert stopping(made)[0] == "A fixed number of runs is asked, whatever the votes say."
