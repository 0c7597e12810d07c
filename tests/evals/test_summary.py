"""A summary holds every arm with its figures, the comparisons, and all that is missing."""

from dataclasses import replace

import pytest
from benchmarks.simulation import SimulatedPanel, simulated_rows

from moot.evals.items.items import ArmRow, Item
from moot.evals.report.markdown import summary_markdown
from moot.evals.report.summary import ArmSummary, EvalSummary, summarise
from tests.evals.test_metrics import ROW, rows


def arm_of(summary: EvalSummary, name: str) -> ArmSummary:
    return next(arm for arm in summary.arms if arm.arm == name)


def failed(count: int, arm: str = "revisit") -> list[ArmRow]:
    return [replace(row, answer=None, status="failed", problem="no reply") for row in rows("w" * count, arm)]


def test_an_arm_that_always_fails_is_there_with_0_of_n() -> None:
    summary = summarise([*rows("rrw"), *failed(3)])

    arm = arm_of(summary, "revisit")
    assert (arm.accuracy.right, arm.accuracy.of, arm.failed) == (0, 3, 3)
    assert "| revisit | 0 of 3 = 0% [0%, 56%] | none correct |" in summary_markdown(summary)


def test_an_arm_that_was_never_asked_is_there_and_says_so() -> None:
    summary = summarise(rows("rr"), arms=("single-pass", "arrows"), planned=5)

    assert [arm.arm for arm in summary.arms] == ["single-pass", "arrows"]
    assert [arm.unasked for arm in summary.arms] == [3, 5]
    assert "| arrows | \u2013 |" in summary_markdown(summary)


def test_arms_are_compared_with_one_call_and_with_plain_voting_each_pair_once() -> None:
    told = [*rows("rw"), *rows("rr", "self-consistency"), *rows("ww", "interrogation")]

    pairs = [(one.arm, one.baseline, one.paired.difference) for one in summarise(told).comparisons]

    assert pairs == [
        ("self-consistency", "single-pass", 0.5),
        ("interrogation", "single-pass", -0.5),
        ("interrogation", "self-consistency", -1.0),
    ]


def test_items_that_are_not_settled_are_shown_apart_and_only_where_there_are_any() -> None:
    unsettled = replace(ROW, item="u", abstain_item=True, abstained=True)
    withheld = replace(ROW, item="w", abstained=True, correct=False)

    summary = summarise([*rows("r"), unsettled, withheld])

    assert arm_of(summary, "single-pass").withheld == 1
    assert "1 of 2 = 50%" in summary_markdown(summary)
    assert "abstained rightly" in summary_markdown(summary)
    assert "abstained rightly" not in summary_markdown(summarise(rows("r")))


def test_an_unknown_cost_is_printed_as_unknown_and_0_as_0() -> None:
    unknown = summary_markdown(summarise([replace(ROW, usd=None, tokens_in=None)]))
    free = summary_markdown(summarise([replace(ROW, usd=0.0)]))
    small = summary_markdown(summarise([replace(ROW, usd=0.00002)]))

    assert "| unknown | 2.0 | unknown | unknown |" in unknown
    assert "| $0 |" in free
    assert "| $2e-05 |" in small


def test_votes_are_graded_one_by_one_against_their_items() -> None:
    items = [Item("i0", "d", "q", "4", "number"), Item("i1", "d", "q", "7", "number")]
    voted = [replace(row, votes=votes) for row, votes in zip(rows("rw"), [("4", "4"), ("7", "5")], strict=True)]

    found = arm_of(summarise(voted, items=items), "single-pass").electorate

    assert found is not None
    assert (found.members, found.items, found.agreement[0][1]) == (2, 2, 0.5)
    # Always right, and right once of two: no covariance, so two votes are two.
    assert found.effective_votes == pytest.approx(2)


def test_votes_without_their_items_are_worth_nobody_knows_what() -> None:
    voted = [replace(row, votes=("4", "4")) for row in rows("rw")]

    assert arm_of(summarise(voted), "single-pass").electorate is None


def test_problems_of_the_data_reach_the_page_counted_and_at_most_twenty_named() -> None:
    page = summary_markdown(summarise(rows("r"), problems=[f"d.jsonl:{line}: is no JSON" for line in range(25)]))

    assert "25 problems:" in page
    assert "- d.jsonl:19: is no JSON" in page and "d.jsonl:20" not in page
    assert "- and 5 more" in page


def test_the_page_says_what_was_run_and_by_what_methods() -> None:
    told = [*simulated_rows(SimulatedPanel(5, 0.7, 0.2), 40, seed=1), *rows("rw")]

    page = summary_markdown(
        summarise(told, facts={"member": "a|b"}), title="A run", plots=[("Accuracy against cost", "plots/a.svg")]
    )

    assert page.startswith("# A run\n\n- member: a\\|b\n")
    assert "![Accuracy against cost](plots/a.svg)" in page
    for method in ("Wilson", "McNemar", "Kish", "Brier", "ten bins"):
        assert method in page


def test_the_tables_have_as_many_cells_in_each_line_as_in_their_head() -> None:
    told = [*simulated_rows(SimulatedPanel(3, 0.7), 9, seed=1), *rows("rw"), *failed(2)]
    told += [replace(ROW, arm="interrogation", support_width=1, abstain_item=True)]

    lines = summary_markdown(summarise(told, arms=("arrows",), planned=3)).splitlines()

    width = 0
    for before, line in zip(["", *lines], lines, strict=False):
        if line.startswith("|") and not before.startswith("|"):
            width = line.count("|")
        assert not line.startswith("|") or line.count("|") == width, line


def test_a_run_without_rows_has_a_summary_too() -> None:
    page = summary_markdown(summarise([], arms=("single-pass",), planned=4, problems=["x: holds no items"]))

    assert "single-pass" in page and "x: holds no items" in page
