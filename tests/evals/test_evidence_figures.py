"""The figures of the evidence from rows made up by hand, against figures worked out by hand."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.evidence.arms import (
    ARMS,
    BOTH,
    LIVE,
    PLAIN,
    SECOND,
    adaptive,
    at_equal_tokens,
    beside,
    first,
    is_capped,
)
from benchmarks.evidence.figures import (
    arm_figures,
    covered,
    form_seconds,
    is_loaded,
    lean,
    mean,
    paired,
    runs_right,
    shares_to_right,
    two_forms,
)
from benchmarks.evidence.grading import graded
from benchmarks.evidence.items import Slice, chosen, spread
from benchmarks.evidence.page import BEGIN, END, against, around_marks, markdown, of_with_interval, written_results
from benchmarks.evidence.plan import Amendment, Plan
from benchmarks.evidence.report import report
from benchmarks.evidence.rows import Outcome, Row, RunFacts

from moot.core.errors import UsageError
from moot.evals.figures.metrics import proportion
from moot.evals.items.items import Item
from tests.evals.evidence_kit import plan_of, write_items

ARM = {arm.name: arm for arm in (*ARMS, *LIVE)}


def vote(right: bool, votes: int = 4, second: int = 0, *, replies: int = 4, tokens: int = 140, **more: Any) -> Outcome:
    """A vote that read 100 tokens and wrote the rest."""
    confidence = (votes + 1) / (replies + 2)
    told: dict[str, Any] = {"confidence": confidence, "votes": votes, "second": second, "lenient": right, **more}
    return Outcome(replies=replies, tokens_in=100, tokens_out=tokens - 100, right=right, **told)


def prefixes(right: Sequence[bool], agree: bool | None = None) -> tuple[Outcome, ...]:
    """Votes over the first 1, 2, 3 … replies, each ten tokens long, all for the leader."""
    return tuple(
        vote(is_right, size, replies=size, tokens=100 + 10 * size, agree=agree)
        for size, is_right in enumerate(right, 1)
    )


def row(item: str, both: Sequence[bool], *, agree: bool = True, **more: Any) -> Row:
    """A row of the pool whose votes over the first replies are right or wrong as they are told."""
    votes = {PLAIN: prefixes(both[:4]), SECOND: prefixes(both[:4]), BOTH: prefixes(both, agree)}
    told: dict[str, Any] = {"stage": "pool", "dataset": "sums", "kind": "number", "loads": (1.0,), "cores": 2}
    told |= {"votes": votes, **more}
    return Row(item=item, abstain_item=False, rules="", **told)


RIGHT, WRONG = (True,) * 8, (False,) * 8
GOOD, BAD = True, False


# Arms.


def test_an_arm_of_four_has_nothing_where_three_were_drawn() -> None:
    short = row("a", RIGHT[:3])

    assert first(BOTH, 4)(short) is None
    assert first(BOTH, 3)(short) == short.votes[BOTH][2]


def test_adaptive_stops_at_four_to_nothing_and_goes_on_at_three_to_one() -> None:
    decided = row("a", RIGHT)
    open_ = replace(
        decided, votes={**decided.votes, BOTH: (*prefixes(RIGHT[:3]), vote(GOOD, 3, 1), *prefixes(RIGHT)[4:])}
    )

    assert adaptive(decided) == decided.votes[BOTH][3]
    again = adaptive(open_)
    assert again is not None and again.replies == 8


def test_a_second_wave_reads_its_prompts_again() -> None:
    open_ = row("a", RIGHT)
    open_ = replace(open_, votes={BOTH: (*prefixes(RIGHT[:3]), vote(GOOD, 2, 2), *prefixes(RIGHT)[4:])})

    again = adaptive(open_)

    assert again is not None and (again.tokens_in, again.tokens_out) == (200, 80)


def test_a_vote_at_equal_tokens_has_as_many_replies_as_fit() -> None:
    votes = prefixes(RIGHT)

    assert at_equal_tokens(votes, 149) == votes[3]
    assert at_equal_tokens(votes, 150) == votes[4]
    assert at_equal_tokens(votes, 9_999) == votes[7]


def test_a_vote_at_equal_tokens_has_at_least_one_reply() -> None:
    votes = prefixes(RIGHT)

    assert at_equal_tokens(votes, 5) == votes[0]


def test_where_nobody_knows_the_tokens_there_is_no_vote_at_equal_tokens() -> None:
    votes = prefixes(RIGHT)

    assert at_equal_tokens(votes, None) is None
    assert at_equal_tokens((*votes[:3], replace(votes[3], tokens_in=None)), 500) is None


def test_an_arm_is_capped_where_it_took_more_than_all_that_was_drawn() -> None:
    dear = row("a", RIGHT, arms={"graph": vote(GOOD, tokens=181)})
    equal = row("b", RIGHT, arms={"graph": vote(GOOD, tokens=180)})

    assert [is_capped(ARM["`interrogation`, graphs"], each, BOTH) for each in (dear, equal)] == [True, False]


def test_an_arm_is_compared_item_by_item_with_the_vote_that_fits_its_tokens() -> None:
    rows = [
        row("a", (False, False, True, True, True, True, True, True), arms={"graph": vote(BAD, tokens=130)}),
        row("b", (False, False, True, True, True, True, True, True), arms={"graph": vote(GOOD, tokens=120)}),
        row("c", RIGHT),
    ]

    found = arm_figures(ARM["`interrogation`, graphs"], rows)

    assert found is not None
    assert (found.against_vote.only_first, found.against_vote.only_second, found.against_vote.items) == (1, 1, 2)
    assert found.vote_replies == 2.5
    assert beside(ARM["`interrogation`, graphs"], rows, BOTH).keys() == {"a", "b"}


# Figures.


def test_an_arms_figures_are_over_the_items_that_have_something_for_it() -> None:
    rows = [row("a", RIGHT), row("b", WRONG), row("c", RIGHT), row("d", RIGHT[:3])]

    found = arm_figures(ARM["plain 4"], rows)

    assert found is not None
    assert (found.right.right, found.right.of, found.replies) == (2, 3, 4)
    assert (found.tokens_in, found.tokens_out, found.auroc) == (100, 40, 0.5)
    assert found.brier == pytest.approx((2 * (1 / 6) ** 2 + (5 / 6) ** 2) / 3)
    assert arm_figures(ARM["`debate`"], rows) is None


def test_pairs_count_what_only_one_has_right_and_test_it_exactly() -> None:
    one = {item: vote(right) for item, right in zip("abcdef", (True, True, True, True, True, False), strict=True)}
    other = {item: vote(right) for item, right in zip("abcdeg", (False, False, False, False, True, True), strict=True)}

    found = paired(one, other)

    assert (found.both, found.only_first, found.only_second, found.neither, found.unpaired) == (1, 4, 0, 0, 2)
    assert found.p_value == pytest.approx(2 / 16)


def test_a_mean_of_which_a_part_is_unknown_is_unknown() -> None:
    assert mean([1, 2, None]) is None
    assert mean([]) is None
    assert mean([1, 2]) == 1.5


def test_shares_of_votes_are_told_from_the_highest_to_the_lowest() -> None:
    rows = [row(name, RIGHT) for name in "ab"]
    rows.append(replace(row("c", RIGHT), votes={PLAIN: (*prefixes(RIGHT[:3]), vote(BAD, 2, 2))}))

    table = shares_to_right(rows, PLAIN, ((4, 4), (3, 3), (0, 2)), 4)

    assert [(each.told, each.right.right, each.right.of) for each in table] == [
        ("4/4", 2, 2),
        ("3/4", 0, 0),
        ("0 to 2 of 4", 0, 1),
    ]


def hypothesis(agreeing: Sequence[bool], differing: Sequence[bool]) -> list[Row]:
    """Rows whose forms agree, and rows whose forms differ, right or wrong; either form is always unanimous."""
    told = [(right, True) for right in agreeing] + [(right, False) for right in differing]
    return [row(str(number), (right,) * 8, agree=agree) for number, (right, agree) in enumerate(told)]


def test_two_forms_are_confirmed_where_agreement_says_more_than_unanimity() -> None:
    found = two_forms(hypothesis([True] * 6, [False] * 4))

    assert found is not None and found.is_confirmed
    assert (found.agree.right, found.agree.of, found.differ.right, found.differ.of) == (6, 6, 0, 4)
    assert (found.plain_unanimous.right, found.plain_unanimous.of) == (6, 10)
    assert found.p_value == pytest.approx(1 / 210)


def test_two_forms_are_not_confirmed_by_chance() -> None:
    found = two_forms(hypothesis([True, True], [True, False]))

    assert found is not None and found.p_value == 0.5 and not found.is_confirmed


def test_two_forms_are_not_confirmed_where_unanimity_says_as_much() -> None:
    rows = hypothesis([True] * 6, [False] * 4)
    split = [replace(each, votes={**each.votes, PLAIN: prefixes((False, False, False))}) for each in rows[6:]]

    found = two_forms([*rows[:6], *split])

    assert found is not None and found.p_value < 0.05
    assert (found.plain_unanimous.right, found.plain_unanimous.of) == (6, 6)
    assert not found.is_confirmed


def test_a_vote_that_is_not_unanimous_is_in_no_unanimity() -> None:
    rows = hypothesis([True], [False])
    rows = [replace(each, votes={**each.votes, SECOND: (*prefixes(RIGHT[:3]), vote(GOOD, 3, 1))}) for each in rows]

    found = two_forms(rows)

    assert found is not None and found.second_unanimous.of == 0 and found.plain_unanimous.of == 2


def test_lean_is_over_the_items_that_both_have() -> None:
    one = {"a": vote(GOOD, tokens=120), "b": vote(BAD, tokens=130), "c": vote(GOOD)}
    other = {"a": vote(GOOD, tokens=180), "b": vote(GOOD, tokens=220)}

    found = lean(one, other)

    assert (found.right, found.other_right, found.items) == (1, 2, 2)
    assert found.tokens == pytest.approx(250 / 400)
    assert found.written == pytest.approx(50 / 200)


def facts(form: str = PLAIN, **more: Any) -> RunFacts:
    told: dict[str, Any] = {"group": 0, "right": True, "lenient": True, "abstains": False, "answer": ""}
    told |= {"tokens_out": 1, **more}
    return RunFacts(form=form, **told)


def test_only_plain_replies_that_were_read_beside_documents_are_covered() -> None:
    runs = (facts(naming=4, covered=3), facts(naming=0, covered=0), facts("numbered", naming=9, covered=0), facts())

    found = covered([row("a", RIGHT, runs=runs)])

    assert (found.right, found.of) == (3, 4)


def test_replies_of_a_kind_are_counted_reply_by_reply() -> None:
    runs = (facts(false_sums=1, right=False), facts(false_sums=2), facts())

    found = runs_right([row("a", RIGHT, runs=runs)], lambda run: run.false_sums > 0)

    assert (found.right, found.of) == (1, 2)


@pytest.mark.parametrize(("loads", "is_so"), [((2.9, 1.0), False), ((1.0, 3.0), True), ((), True)])
def test_a_machine_is_loaded_at_one_and_a_half_times_its_cores(loads: tuple[float, ...], is_so: bool) -> None:
    assert is_loaded([row("a", RIGHT, loads=loads)]) is is_so


def test_seconds_are_told_only_where_the_machine_was_quiet() -> None:
    quiet = [row(name, RIGHT, seconds={"plain": took}) for name, took in (("a", 10.0), ("b", 20.0), ("c", 60.0))]

    assert form_seconds(quiet) == {"plain": 20.0}
    assert form_seconds([*quiet, row("d", RIGHT, seconds={"plain": 1.0}, loads=(7.0,))]) == {}


# Grading.

TOWN = Item("1", "towns", "?", "New Orrin", "span", aliases=("Orrin Town",))


@pytest.mark.parametrize(
    ("answer", "right", "lenient"),
    [
        ("New Orrin", True, True),
        ("the new orrin.", True, True),
        ("the town of New Orrin", False, True),
        ("Orrin", False, True),
        ("New Calder Orrin", False, False),
        ("New Orr", False, False),
        ("one two three four five six seven eight nine ten eleven twelve New Orrin", False, False),
        ("the documents do not say", False, False),
        ("", False, False),
    ],
)
def test_an_answer_in_words_is_graded_by_both_rules(answer: str, right: bool, lenient: bool) -> None:
    found = graded(TOWN, answer)

    assert (found.right, found.lenient) == (right, lenient)


def test_yes_and_no_are_never_read_leniently() -> None:
    assert not graded(replace(TOWN, answer="yes", aliases=()), "yes it is").lenient
    assert not graded(replace(TOWN, answer="no man", aliases=()), "no").lenient


def test_a_number_is_never_read_leniently() -> None:
    number = Item("1", "sums", "?", "12", "number")

    assert (graded(number, "12").lenient, graded(number, "123").lenient) == (True, False)
    assert graded(number, "$12").trace == "12"


def test_on_an_item_that_is_not_settled_only_an_abstention_is_right() -> None:
    unsettled = replace(TOWN, abstain=True)

    said, kept = graded(unsettled, "the documents do not say"), graded(unsettled, "New Orrin")

    assert (said.right, said.lenient, said.abstained) == (True, True, True)
    assert (kept.right, kept.lenient, kept.abstained) == (False, False, False)


# Items.


def test_every_set_is_spread_evenly_over_the_order() -> None:
    assert spread([["a", "b", "c", "d"], ["x", "y"]]) == ("a", "x", "b", "c", "y", "d")


def test_items_that_somebody_has_seen_are_left_out_and_the_next_ones_taken(tmp_path: Path) -> None:
    write_items(tmp_path, sums=5)

    assert list(chosen(Slice("sums.jsonl", 1, 3, left_out=(2,)), tmp_path)) == ["sums[1]", "sums[3]", "sums[4]"]
    with pytest.raises(UsageError, match=r"sums\.jsonl has 3 fresh items from 1 on, and 4 are wanted"):
        chosen(Slice("sums.jsonl", 1, 4, left_out=(2,)), tmp_path)


def test_only_items_that_are_not_settled_are_taken_for_abstention(tmp_path: Path) -> None:
    write_items(tmp_path, found=2, unsettled=2)

    assert list(chosen(Slice("islands.jsonl", 0, 2, unsettled=True), tmp_path)) == ["islands[2]", "islands[3]"]
    assert list(chosen(Slice("islands.jsonl", 0, 2), tmp_path)) == ["islands[0]", "islands[1]"]


# The report.


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    write_items(tmp_path)
    return plan_of(tmp_path)


def goals(plan: Plan, rows: Sequence[Row]) -> dict[str, bool | None]:
    return {goal.name: goal.is_met for goal in report(plan, rows).goals}


def interrogated(item: str, right: bool, *, asked: bool = True, width: int | None = 1, **more: Any) -> Row:
    arms = {"vote": vote(asked), "interrogation": vote(right, 4 if right else 2, width=width)}
    return row(item, RIGHT if asked else WRONG, dataset="hotpotqa", kind="span", arms=arms, **more)


def test_what_was_not_run_meets_no_goal_and_misses_none(plan: Plan) -> None:
    assert goals(plan, []) == {"accuracy": None, "covered": None, "auroc": None, "adaptive": None}


def test_the_goal_of_accuracy_is_met_by_as_many_right_items(plan: Plan) -> None:
    even = [interrogated("a", GOOD, asked=False), interrogated("b", BAD)]

    assert goals(plan, even)["accuracy"] is True
    assert goals(plan, [*even, interrogated("c", BAD)])["accuracy"] is False


def test_the_goal_of_covering_needs_more_than_85_percent_of_hotpotqa(plan: Plan) -> None:
    runs = (facts(naming=20, covered=17),)
    enough = (facts(naming=21, covered=18),)

    assert goals(plan, [interrogated("a", GOOD, runs=runs)])["covered"] is False
    assert goals(plan, [interrogated("a", GOOD, runs=enough)])["covered"] is True
    assert goals(plan, [row("a", RIGHT, runs=enough)])["covered"] is None


def test_the_goal_of_confidence_needs_an_area_above_seven_tenths(plan: Plan) -> None:
    assert goals(plan, [interrogated("a", GOOD), interrogated("b", BAD)])["auroc"] is True
    assert goals(plan, [interrogated("a", GOOD)])["auroc"] is None


def slim(right: bool, short: bool) -> Row:
    """A row whose first wave is right or not and decides, beside eight replies that are right, cheap or dear."""
    eight = prefixes(RIGHT)
    fixed = replace(eight[7], tokens_out=1_000 if short else 80)
    return row("", RIGHT, votes={BOTH: (*eight[:3], replace(eight[3], right=right), *eight[4:7], fixed)})


@pytest.mark.parametrize(
    ("lost", "short", "is_met"), [(0, True, True), (1, True, True), (2, True, False), (0, False, False)]
)
def test_the_goal_of_adaptive_drawing_allows_one_item_and_two_thirds(
    lost: int, short: bool, is_met: bool, plan: Plan
) -> None:
    rows = [replace(slim(number >= lost, short), item=str(number)) for number in range(5)]

    assert goals(plan, rows)["adaptive"] is is_met


def test_answers_with_a_line_stand_apart_from_those_without(plan: Plan) -> None:
    rows = [
        interrogated("a", GOOD, width=2),
        interrogated("b", BAD, width=0),
        interrogated("c", GOOD, width=0),
        interrogated("d", GOOD, width=None),
    ]

    found = report(plan, rows)

    assert (found.with_line.right, found.with_line.of) == (1, 1)
    assert (found.without_line.right, found.without_line.of) == (1, 2)


def test_abstaining_rightly_and_wrongly_are_told_apart(plan: Plan) -> None:
    silent = vote(GOOD, abstained=True)
    rows = [
        replace(interrogated("a", GOOD), stage="abstention", arms={"vote": silent}),
        replace(interrogated("b", BAD), stage="abstention", arms={"vote": vote(BAD)}),
        replace(interrogated("c", BAD), arms={"vote": replace(silent, right=False)}),
        row("d", RIGHT, arms={"vote": vote(GOOD)}),
    ]

    (found,) = [each for each in report(plan, rows).abstaining if each.arm == "`vote`"]

    assert (found.rightly.right, found.rightly.of) == (1, 2)
    assert (found.wrongly.right, found.wrongly.of) == (1, 1)


def test_arms_that_ask_for_themselves_stand_beside_the_pool_on_the_same_items(plan: Plan) -> None:
    live = row("a", RIGHT, stage="graph", arms={"graph": vote(BAD, tokens=500)})

    found = report(plan, [live, row("a", RIGHT), row("b", WRONG)])

    assert {each.arm: each.right.of for each in found.graph} == {
        "`interrogation`, graphs": 1,
        "single": 1,
        "plain 4": 1,
        "both 4+4": 1,
    }


# The page.


def test_what_was_not_run_is_said(plan: Plan) -> None:
    told = markdown(plan, report(plan, [row("a", RIGHT)]))

    assert "**Not run:** 2 of the 3 items of the stage pool." in told
    assert "**Not run:** 1 of the 1 items of the stage abstention." in told
    assert "JSON graphs: not run." in told


def test_rules_that_changed_after_sampling_are_said(plan: Plan) -> None:
    change = Amendment("2026-01-03", 7, ("src/moot/methods/votes.py",), {})

    told = " ".join(markdown(replace(plan, amended=(change,)), report(plan, [])).split())

    assert "**Rules changed after sampling:** on 2026-01-03, when 7 rows had been sampled" in told
    assert "`src/moot/methods/votes.py`" in told
    assert "none was changed after sampling" not in told


def test_seconds_of_a_loaded_stage_are_not_printed(plan: Plan) -> None:
    took = {"plain": 12.0}

    quiet = markdown(plan, report(plan, [row("a", RIGHT, seconds=took)]))
    busy = markdown(plan, report(plan, [row("a", RIGHT, seconds=took, loads=(5.0,))]))

    assert "12 s for the replies in the form plain" in quiet and "was loaded" not in quiet
    assert "12 s" not in busy and "The machine was loaded in pool" in busy


def test_the_page_keeps_what_stands_around_the_marks(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(f"# Results\n\nBefore.\n\n{BEGIN}\nwhat was\n{END}\n\nAfter.\n")

    written_results(plan, [row("a", RIGHT)], path, tmp_path / "figures.json")
    written_results(plan, [row("a", RIGHT)], path, tmp_path / "figures.json")

    text = path.read_text()
    assert text.startswith("# Results\n\nBefore.\n\n") and text.endswith("\n\nAfter.\n")
    assert "what was\n" not in text and text.count("### Goals") == 1


@pytest.mark.parametrize("text", ["", BEGIN, f"{END}\n{BEGIN}", f"{BEGIN}{END}{BEGIN}{END}"])
def test_a_page_without_both_marks_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="once each"):
        around_marks(text, Path("page.md"))


def test_figures_are_written_as_people_read_them() -> None:
    assert of_with_interval(proportion(5, 10)) == "5 of 10 (24 to 76 %)"
    assert of_with_interval(proportion(0, 0)) == "none"
    assert against(paired({"a": vote(GOOD)}, {"a": vote(BAD)}), 2.5) == "+1 -0, p 1.00 (2.5)"
    assert against(paired({}, {})) == "-"
