"""`coherence` on a page: columns, heat, paths, faults and versions; runs that failed or still run too."""

from collections.abc import Callable
from typing import Any

import pytest

from moot.core.panes import (
    ItemList,
    MatrixChart,
    Pane,
    PaneChoice,
    Panes,
    PaneTable,
    PathPicture,
    TextBlock,
    TextDiff,
)
from moot.core.record import Record
from moot.protocols.coherence.column_panes import MOST_DRAWN, MOST_ROWS
from moot.protocols.coherence.panes import panes
from tests.protocols.coherence_kit import COLUMNS, FAIR, GOOD, IDS, UNFAIR, UNREACHABLE, demanding, run, unfolded
from tests.protocols.ended import Ended
from tests.protocols.panes_kit import check_panes, golden_record, prefixes, texts_in

REPEATED = unfolded(columns=["Cost", "cost"])


def pane(made: Panes, name: str) -> Pane:
    return next(one for one in made.panes if one.name == name)


def table(made: Panes, name: str) -> list[list[str]]:
    (block,) = pane(made, name).blocks
    assert isinstance(block, PaneTable)
    return [[cell.words for cell in row.cells] for row in block.rows]


@pytest.mark.parametrize(
    "held",
    [
        lambda: run(REPEATED),
        lambda: run(UNREACHABLE),
        lambda: run([unfolded(only=IDS[:2]), UNREACHABLE]),
        lambda: run(demanding(("a letter", "rewrite the billing service")), [UNREACHABLE]),
        lambda: run(unfolded(), [GOOD], [UNREACHABLE], seats=1),
        lambda: run(unfolded(), ["**Cost of delay**: wait.", GOOD], [UNFAIR], seats=3, revisions=1),
    ],
    ids=["columns twice", "nobody", "few scores", "no response", "no judge", "faults"],
)
def test_the_panes_hold_together_after_every_event_and_name_only_seats_of_the_panel(held: Callable[[], Ended]) -> None:
    done = held()
    seats = {member.name for member in done.record.header.panel}

    for record in prefixes(done.record):
        made = panes(record)
        check_panes(made, record)
        assert {position.seat for position in made.standing.positions} <= seats


@pytest.mark.parametrize(
    ("held", "why"),
    [
        (lambda: run(UNREACHABLE), "the first member gave no usable columns"),
        (lambda: run([unfolded(only=IDS[:2]), UNREACHABLE]), "4 of 6 relations got no scores"),
        (lambda: run(unfolded(), [UNREACHABLE]), "the second member gave no response"),
    ],
)
def test_a_run_that_failed_says_why_first(held: Callable[[], Ended], why: str) -> None:
    made = panes(held().record)

    (block,) = made.panes[0].blocks
    assert isinstance(block, ItemList)
    assert why in block.items[0].words
    assert made.why == ()


def test_columns_stand_with_what_is_active_in_them() -> None:
    rows = table(panes(golden_record("coherence_whole")), "columns")

    assert rows == [
        ["Cost of delay", "3", "2", "knowledge K1, 8 of 10"],
        ["Trust in the team", "2", "1", "knowledge K10, 9 of 10"],
    ]


def test_scores_are_a_heat_of_relations_by_columns_also_before_the_engine_has_run() -> None:
    record = golden_record("coherence_whole")
    first = next(at for at, event in enumerate(record.events) if getattr(event, "step", "") == "unfold") + 1

    early, whole = (pane(panes(one), "scores").blocks[0] for one in (Record(record.events[:first]), record))

    assert isinstance(early, MatrixChart)
    assert isinstance(whole, MatrixChart)
    assert (early.rows, early.columns) == (("K1", "K2", "K3", "K10"), tuple(COLUMNS))
    assert early.values == ((None, None), (0.7, 0.2), (0.3, 0.6), (0.0, 0.9))
    assert whole.values[0] == (0.8, 0.1)
    assert whole.parts[0][0].startswith("8 of 10 in “Cost of delay”, active; knowledge K1: A report depends")


def test_the_columns_that_are_kept_have_the_scores_that_were_given_to_them() -> None:
    done = run(REPEATED)
    before_traces = next(at for at, e in enumerate(done.record.events) if getattr(e, "name", "") == "traces")

    early, whole = (
        pane(panes(one), "scores").blocks for one in (Record(done.record.events[:before_traces]), done.record)
    )

    assert early == whole
    assert isinstance(whole[0], MatrixChart)
    assert whole[0].columns == ("Cost",)


def test_paths_are_drawn_on_the_graphs_in_the_direction_in_which_they_are_walked() -> None:
    (choice,) = pane(panes(golden_record("coherence_whole")), "paths").blocks

    assert isinstance(choice, PaneChoice)
    assert [option.words for option in choice.options] == COLUMNS
    picture, words = choice.options[1].blocks
    assert isinstance(picture, PathPicture)
    assert picture.paths == (("knowledge 1", ("K10", "K3")),)
    assert ("K10", "K3", "divergence") in picture.edges
    assert len(picture.edges) == 3
    assert isinstance(words, ItemList)
    assert words.items[0].under[0].words == "divergence -> K3: A method that failed once may fail again."


def test_a_large_graph_is_drawn_in_part_and_says_so() -> None:
    many = 2 * MOST_ROWS
    lines = [f"K{number}: Relation number {number} says something." for number in range(1, many + 1)]
    lines += [f"K{number} M1 K{number + 1}" for number in range(1, many)]
    scores = [{"observed_relation": {"graph": "big", "id": f"K{n}"}, "values": [7, 7]} for n in range(1, many + 1)]
    done = run(
        {"columns": COLUMNS, "scores": scores}, graphs={"big.txt": "\n".join(lines)}, batch=1000, graph_tokens=90000
    )

    made = panes(done.record)

    (heat,), (tables,) = pane(made, "scores").blocks, pane(made, "relations").blocks
    assert isinstance(heat, MatrixChart)
    assert (heat.small, heat.rows, len(heat.columns)) == (True, tuple(COLUMNS), MOST_ROWS)
    assert heat.caption == f"big, the {MOST_ROWS} relations with the highest scores; a line for each column"
    assert heat.parts[0][0].startswith("7 of 10 in “Cost of delay”, active; big K1: Relation number 1")
    assert isinstance(tables, PaneChoice)
    (listed,) = tables.options[0].blocks
    assert isinstance(listed, PaneTable)
    assert [cell.words for cell in listed.rows[0].cells] == ["K1", "Relation number 1 says something.", "7", "7"]
    assert [cell.mark for cell in listed.rows[0].cells] == ["", "", "✓", "✓"]
    (choice,) = pane(made, "paths").blocks
    assert isinstance(choice, PaneChoice)
    picture: Any = choice.options[0].blocks[0]
    assert len(picture.nodes) == MOST_DRAWN
    assert {end for edge in picture.edges for end in edge[:2]} <= {name for name, _ in picture.nodes}


def test_faults_are_told_by_version_check_and_who_saw_them() -> None:
    done = run(unfolded(), ["As K10 shows, wait.", GOOD], [UNFAIR, FAIR], seats=3)

    made = panes(done.record)

    assert [row[:3] for row in table(made, "faults")] == [
        ["1", "no internal processing", "program"],
        ["1", "no internal processing", "judge"],
    ]
    first, second = pane(made, "versions").blocks
    assert isinstance(first, TextBlock)
    assert isinstance(second, TextDiff)
    assert (first.title, second.title) == (
        "Version 1 fails 2 checks",
        "Version 2 passes every check, given as the answer",
    )
    assert (second.before, second.after) == ("As K10 shows, wait.", GOOD)
    assert made.why[1].words == "Version 2 passes every check."


def test_versions_to_come_stand_ahead_and_are_skipped_where_one_passes() -> None:
    done = run(unfolded())

    first, ended = panes(Record(done.record.events[:1])), panes(done.record)

    assert [(stage.words, stage.state) for stage in first.stages][3:] == [
        ("Version 1", "to come"),
        ("Version 2", "to come"),
        ("Version 3", "to come"),
    ]
    assert [stage.state for stage in ended.stages] == ["done", "skipped", "done", "done", "skipped", "skipped"]


def test_a_version_that_fails_gives_way_to_the_next_and_the_last_stays() -> None:
    done = run(unfolded(), ["As K10 shows, wait.", "See K3."], [UNFAIR], revisions=1)
    verified = [at for at, event in enumerate(done.record.events) if getattr(event, "name", "") == "verified"]

    running = [panes(Record(done.record.events[: at + 1])).stages for at in verified]

    assert [[stage.name for stage in stages if stage.state == "now"] for stages in running] == [
        ["version-2"],
        ["version-2"],
    ]


def test_what_was_refused_or_counted_as_nothing_is_told() -> None:
    made = panes(golden_record("coherence_whole"))
    short = panes(golden_record("coherence_partial"))

    assert "Scores refused: row 1 (knowledge K1): it has 1 value for 2 columns." in texts_in(pane(made, "reading"))
    assert any(text.startswith("No score came, so they count as 0: knowledge K3") for text in texts_in(short))
