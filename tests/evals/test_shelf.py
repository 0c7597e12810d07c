"""The runs of a folder: by their own names alone, read anew where they changed, and told where they cannot be read."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from moot.core.errors import BadEvaluation, NotFound
from moot.evals.figures.outcomes import item_lines, outcome_of
from moot.evals.report.beside import beside
from moot.evals.report.summary_json import summary_json
from moot.evals.runs.shelf import EvalShelf
from tests.evals.test_metrics import ROW
from tests.web.evals_kit import RIGHT, eval_row, every_row, keep_run


def shelf(folder: Path) -> EvalShelf:
    return EvalShelf(folder / "evals")


def test_runs_are_listed_the_latest_first_and_a_folder_without_a_run_is_none(tmp_path: Path) -> None:
    keep_run(tmp_path, "old", started="2026-11-01T00:00:00+00:00")
    keep_run(tmp_path, "new", started="2026-11-02T00:00:00+00:00", rows=every_row()[:7])
    (tmp_path / "evals" / "empty").mkdir()
    (tmp_path / "evals" / "file").write_text("x")

    old, new = reversed(shelf(tmp_path).listed())

    assert (new.name, old.name) == ("new", "old")
    assert (new.is_whole, new.planned, new.expense and new.expense.items) == (False, 40, 7)
    assert old.is_whole and old.changed > 0
    assert EvalShelf(tmp_path / "nowhere").listed() == []


@pytest.mark.parametrize("name", ["..", ".", "", "../evals/first", "first/", "first/arms", "/etc", "FIRST", "first\0"])
def test_only_a_name_that_the_folder_itself_tells_is_a_run(tmp_path: Path, name: str) -> None:
    keep_run(tmp_path)
    keep_run(tmp_path / "evals" / "..", "beside")

    with pytest.raises(NotFound):
        shelf(tmp_path).read(name)


def test_a_run_is_read_again_only_when_a_row_has_come(tmp_path: Path) -> None:
    results = keep_run(tmp_path, rows=every_row()[:7])
    runs = shelf(tmp_path)
    first, second = runs.read("first"), runs.read("first")

    results.end(eval_row("revisit", 9, "r"))
    third = runs.read("first")

    assert first is second and third is not first
    assert (len(first.done.rows), len(third.done.rows)) == (7, 8)
    assert "8 of 10 items were not asked (not yet, or the run was stopped)" in third.done.problems[0]
    assert str(tmp_path) not in "".join(third.done.problems)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "is no JSON"),
        ('{"format": 9, "moot": "7.0"}', "written by Moot 7.0 in format 9"),
        ('{"format": 1}', "Field required"),
    ],
)
def test_a_run_that_cannot_be_read_is_listed_with_the_reason_and_without_the_server_s_path(
    tmp_path: Path, text: str, problem: str
) -> None:
    (keep_run(tmp_path).folder / "run.json").write_text(text)

    [row] = shelf(tmp_path).listed()

    assert problem in row.problem and str(tmp_path) not in row.problem
    with pytest.raises(BadEvaluation):
        shelf(tmp_path).read("first")


def test_a_line_that_is_no_row_is_told_and_a_confidence_beyond_one_stops_only_its_run(tmp_path: Path) -> None:
    results = keep_run(tmp_path)
    with (results.folder / "arms" / "revisit.jsonl").open("a") as file:
        file.write('{"arm": "revisit"}\nnonsense\n')
        file.write(f"{json.dumps({**asdict(ROW), 'arm': 'revisit', 'seconds': 'inf'})}\n")
    keep_run(tmp_path, "bad", rows=[eval_row("revisit", 0, "r", confidence=7.0, basis="votes")])

    told = {row.name: row.problem for row in shelf(tmp_path).listed()}

    problems = shelf(tmp_path).read("first").done.problems
    assert len(problems) == 3 and "line 12: it is no JSON" in problems[0]
    assert told["first"] == "" and "7.0 is no confidence" in told["bad"]


def test_each_outcome_has_its_word_and_an_abstention_in_its_place_is_right() -> None:
    rows = [eval_row("revisit", 0, letter) for letter in "rwaf"]
    unsettled = eval_row("revisit", 1, "a", correct=True, abstain_item=True)
    warned, silent = eval_row("revisit", 2, "w", problem="a caveat"), eval_row("revisit", 3, "f", problem="")

    assert [outcome_of(row) for row in rows] == ["right", "wrong", "abstained", "failed"]
    assert [outcome_of(row) for row in (unsettled, warned, silent)] == ["right", "wrong", "failed"]


def test_items_are_lines_with_the_rows_of_the_arms_and_arms_that_differ_divide_them() -> None:
    lines = {line.item: line for line in item_lines(every_row())}

    assert len(lines) == 10 and set(lines["q0"].rows) == set(RIGHT)
    assert [item for item, line in lines.items() if not line.is_divided] == ["q2", "q3", "q6", "q7", "q8", "q9"]


def test_accuracy_by_resilience_is_in_the_figures_and_what_is_itself_given_is_the_most_resilient(
    tmp_path: Path,
) -> None:
    keep_run(tmp_path)

    run = shelf(tmp_path).read("first")

    figures = summary_json(run.summary, run.done.rows)["arms"]["interrogation"]
    assert {one["claims"]: one["right"]["of"] for one in figures["resilience"]} == {
        "0": 3,
        "1": 3,
        "2": 3,
        "3 or more": 1,
    }


def test_two_runs_of_the_same_items_are_paired_arm_by_arm_and_others_are_not(tmp_path: Path) -> None:
    keep_run(tmp_path)
    keep_run(tmp_path, "second", {**RIGHT, "revisit": "r" * 10, "extra": "r" * 10}, seed=4)
    keep_run(tmp_path, "other", digest="1" * 64)
    runs = shelf(tmp_path)

    same, strange = (beside(runs.read("first"), runs.read(name)) for name in ("second", "other"))

    arms = {one.arm: one for one in same.arms}
    assert same.same_items and (paired := arms["revisit"].paired)
    assert (paired.only_first, paired.only_second) == (0, 6)
    assert arms["extra"].here is None and arms["extra"].paired is None
    assert ("seed", "0", "4") in same.facts and "members" not in {name for name, _, _ in same.facts}
    assert not strange.same_items and all(one.paired is None for one in strange.arms)
