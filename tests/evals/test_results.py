"""What a folder of results says when it is read: the summary, the goals, the pictures (interrogation 5)."""

from pathlib import Path

import pytest

from moot.core.errors import UsageError
from moot.evals.arms.table import PAPER
from moot.evals.report.folder import summary_of, summary_text, write_summary
from moot.evals.runs.budget import RunLimits
from moot.evals.runs.harness import finished
from moot.evals.runs.results import Lines, Results
from moot.testing import scripted
from tests.evals.kit import ARGUMENT, MEMBER, PROSE, evaluate, failing, reply
from tests.protocols.vote_kit import number_of

ARMS = [*PAPER, "self-consistency", "frontier"]


def whole(folder: Path, **more):
    models = {MEMBER: scripted(reply), "scripted:strong": scripted(reply)}
    return evaluate(folder, ARMS, models=models, frontier="scripted:strong", calls_per_item=6, **more)


@pytest.mark.clause("evals:5.output")
@pytest.mark.clause("evals:5.metrics")
def test_the_summary_has_every_arm_with_its_figures_and_the_pictures(tmp_path: Path) -> None:
    done = whole(tmp_path)

    write_summary(done)

    text = (done.folder / "summary.md").read_text(encoding="utf-8")
    for arm in ARMS:
        assert f"| {arm} | 2 of 2 = 100% [34%, 100%] |" in text
    for word in ("cost per correct", "seconds an item", "tokens", "calls"):
        assert word in text
    pictures = {path.name for path in (done.folder / "plots").iterdir()}
    assert {"accuracy_cost.svg", "support_width_interrogation.svg"} <= pictures
    assert all(f"plots/{name}" in text for name in pictures)
    assert any(name.startswith("reliability_self-consistency_votes") for name in pictures)


@pytest.mark.clause("ruling:V2")
@pytest.mark.clause("evals:G2")
@pytest.mark.clause("evals:G3")
@pytest.mark.clause("evals:G4")
@pytest.mark.clause("evals:G5")
def test_the_goals_are_stated_with_target_measure_and_state(tmp_path: Path) -> None:
    goals = {goal.name: goal for goal in summary_of(whole(tmp_path)).goals}

    assert list(goals) == ["G1", "G2", "G3", "G4", "G5"]
    assert goals["G1"].state == "unknown" and "moot screen" in goals["G1"].why
    assert goals["G2"].state == "not met" and "+0.0 points" in goals["G2"].measured
    assert goals["G3"].state == "unknown" and "$0" in goals["G3"].why
    assert goals["G4"].state == "unknown" and "width 1: 2 of 2" in goals["G4"].measured
    assert (goals["G5"].state, goals["G5"].measured) == ("met", "2 of 2")


def test_an_arm_that_always_fails_is_0_of_n_in_the_summary(tmp_path: Path) -> None:
    text = summary_text(evaluate(tmp_path, ["single-pass"], count=3, member=scripted(failing)))

    assert "| single-pass | 0 of 3 = 0%" in text


def test_what_was_not_asked_and_what_could_not_be_read_is_in_the_summary(tmp_path: Path) -> None:
    done = evaluate(
        tmp_path, ["single-pass"], count=3, limits=RunLimits(calls=4), problems=["items.jsonl, line 9: no answer"]
    )

    text = summary_text(done)

    assert "2 of 3 items were not asked" in text
    assert "line 9: no answer" in text


def test_a_run_shown_again_reads_the_same_without_a_model(tmp_path: Path) -> None:
    done = evaluate(tmp_path, ["single-pass", "self-consistency"], calls_per_item=3)

    again = finished(Results(tmp_path / "results"))

    assert summary_text(again) == summary_text(done)


def test_a_folder_without_results_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no results"):
        finished(Results(tmp_path / "nothing"))


def test_a_run_file_that_is_no_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{")

    with pytest.raises(UsageError, match=r"run\.json is no JSON"):
        finished(Results(tmp_path))


def test_votes_are_graded_one_by_one_for_the_effective_number(tmp_path: Path) -> None:
    def divided(request):
        return PROSE if number_of(request.step, 1) % 2 else "Answer: 5"

    done = evaluate(tmp_path, ["self-consistency"], member=scripted(divided), calls_per_item=4)

    assert [row.detail["right_votes"] for row in done.rows] == [[True, False, True, False]] * 2
    (arm,) = summary_of(done).arms
    assert arm.electorate is not None


def test_a_run_that_does_not_say_is_a_vote_for_abstaining(tmp_path: Path) -> None:
    silent = {**ARGUMENT, "answer": "the documents do not say"}
    checked = {"reason": "so", "sentence": 1, "says": "say this"}
    member = scripted({"run/*": [silent, ARGUMENT, ARGUMENT], "verify/*": checked})

    (row,) = evaluate(tmp_path, ["interrogation"], count=1, member=member, settings={"n": 3}, calls_per_item=12).rows

    assert row.votes == ("(abstained)", "7", "7") and row.answer == "7"


def test_lines_that_were_added_stay_and_a_torn_one_is_cut_off(tmp_path: Path) -> None:
    lines = Lines(tmp_path / "some" / "file.jsonl")
    lines.add({"a": "ä"})
    lines.path.write_bytes(lines.path.read_bytes() + b'{"a": ')

    found, problems = lines.read()
    lines.mend()

    assert (found, problems) == ([{"a": "ä"}], [])
    assert lines.path.read_bytes().endswith(b"}\n")
