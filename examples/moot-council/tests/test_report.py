"""The report and the estimate: what is told after a run, and before it."""

from collections.abc import Callable
from typing import Any

from council_kit import AWAY, REFUSED, member
from moot_council.estimate import expected_take
from moot_council.protocol import COUNCIL
from moot_council.settings import CouncilSettings

from moot.protocol import Member, Panel, Question

Council = Callable[..., Any]


def report(result: Any) -> str:
    assert COUNCIL.report
    return COUNCIL.report(result.record)


def test_the_report_has_the_ranking_who_ranked_what_and_self_preference(council: Council) -> None:
    order = ["Old", "New"]

    text = report(council(member("Old", order), member("New", order), member("old", "A, B, A")))

    assert "| 1 | m1 and m3 | Old | 1.00 | 1.00 | 2 |" in text
    assert "m1 and m3 gave the same answer: it was ranked once." in text
    assert "- m1: m1 > m2" in text
    assert "- m3: unusable, it puts A in two places" in text
    assert "Self-preference: 1 of 2 members put their own answer first (m1); by chance it would be 1.0." in text


def test_the_report_names_the_chairman_and_whether_it_was_named(council: Council) -> None:
    order = ["Old", "New"]

    by_default = report(council(member("Old", order), member("New", order)))
    named = report(council(member("Old", order), member("New", order, AWAY), settings={"chairman": "m2"}))

    assert "Chairman: m1 (the first member: no other was named)." in by_default
    assert "Chairman: m2, who sent nothing: unreachable." in named


def test_the_report_tells_missing_and_repaired_rankings(council: Council) -> None:
    text = report(council(member("Old", ["New"]), member("New", REFUSED)))

    assert "left out, come last" in text
    assert "- m2: missing (refused)" in text


def test_an_answer_cannot_break_out_of_its_cell(council: Council) -> None:
    evil = "a | b\n## Heading <script> [x](y) " + "z" * 200

    text = report(council(member(evil, [evil, "New"]), member("New", [evil, "New"])))

    assert "a \\| b \\#\\# Heading \\<script\\> \\[x\\](y) zz" in text
    assert "…" in text


def test_an_answer_that_nobody_ranked_has_a_row_without_figures(council: Council) -> None:
    text = report(council(member("Old"), member("New"), settings={"rank_own": False}))

    assert "| - | m1 | Old | - | - | 0 |" in text
    assert "Nothing was ranked." in text


def test_a_run_without_answers_has_a_report(council: Council) -> None:
    assert "no answer to report on" in report(council(member(AWAY), member(AWAY)))


# The estimate


def panel(seats: int) -> Panel:
    return Panel(tuple(Member(f"m{seat}", f"scripted:{seat}") for seat in range(1, seats + 1)))


def test_the_estimate_has_as_many_calls_as_a_run_takes(council: Council) -> None:
    order = ["Old", "New", "Low"]
    result = council(*(member(answer, order) for answer in order))

    assert expected_take(Question(text="?"), panel(3), CouncilSettings()).calls == result.cost.calls == 7


def test_the_estimate_of_a_council_of_one_is_one_call(council: Council) -> None:
    take = expected_take(Question(text="?"), panel(1), CouncilSettings())

    assert take.calls == council(member("Old")).cost.calls == 1
    assert take.longest > take.tokens_in


def test_every_member_adds_its_answer_to_the_longest_prompt() -> None:
    small, large = (expected_take(Question(text="?"), panel(seats), CouncilSettings()) for seats in (3, 6))

    assert large.longest > small.longest + 3 * 250


def test_no_more_is_expected_than_replies_may_take() -> None:
    take = expected_take(Question(text="?"), panel(3), CouncilSettings(max_tokens=64))

    assert take.tokens_out <= 7 * 64
