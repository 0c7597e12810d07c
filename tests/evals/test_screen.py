"""The grounding screen: its items, their grading, and a screen that is stopped and goes on (ruling V1)."""

import asyncio
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from moot.core.calls import Failure, Request
from moot.core.errors import UsageError
from moot.evals.figures.goals import ScreenCost
from moot.evals.figures.recommendation import needed_right, recommendation
from moot.evals.figures.screen import ABSTAINING, ScreenItem, read_rows, screen_items, screened
from moot.evals.report.folder import screen_cost
from moot.evals.runs.budget import RunLimits
from moot.evals.runs.harness import Access
from moot.evals.runs.screening import Done, screen
from moot.testing import Scripted, scripted

ITEMS = screen_items()
LABELS = ("grounded", "memorized", "abstained")
EXAMPLES = [
    (item, label, marked.example) for item in ITEMS for label in LABELS if (marked := getattr(item, label)) is not None
]


@pytest.mark.clause("ruling:V1")
@pytest.mark.parametrize(("item", "label", "example"), EXAMPLES, ids=lambda value: getattr(value, "id", None))
def test_each_pattern_knows_its_own_example_and_not_the_others(item: ScreenItem, label: str, example: str) -> None:
    assert item.label(example) == label


@pytest.mark.clause("evals:2")
@pytest.mark.clause("ruling:V1")
def test_there_are_fifty_items_of_three_kinds_each_with_its_patterns() -> None:
    kinds = Counter(item.kind for item in ITEMS)

    assert len({item.id for item in ITEMS}) == len({item.question + item.documents[0].text for item in ITEMS}) == 50
    assert kinds == {"invented": 18, "counterfactual": 18, "unsettled": 14}
    for item in ITEMS:
        assert (item.grounded is None) == (item.kind == "unsettled")
        assert item.right == ("abstained" if item.kind == "unsettled" else "grounded")


@pytest.mark.clause("ruling:V1")
@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_documents_hold_what_is_grounded_and_nothing_of_what_is_remembered(item: ScreenItem) -> None:
    text = " ".join(document.text for document in item.documents)

    if item.grounded:
        assert re.search(item.grounded.pattern, text, re.IGNORECASE)
    # Some documents name the wrong answer as something else: the second largest, the summit with the chapel.
    named_otherwise = ("invented-sarnland", "counterfactual-planet", "counterfactual-ocean", "unsettled-lund")
    if item.kind != "invented" and item.id not in named_otherwise:
        assert item.label(text) != "memorized"


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_every_way_of_abstaining_is_known_for_every_item(item: ScreenItem) -> None:
    for text in ("The documents do not say.", "It isn't mentioned.", "I cannot tell.", "Unknown.", "No information."):
        assert item.label(text) == "abstained"


@pytest.mark.parametrize(
    ("item", "answer", "label"),
    [
        ("counterfactual-eiffel", "It stands in Lyon, not in Paris.", "grounded"),
        ("counterfactual-eiffel", "In Paris, not in Lyon.", "memorized"),
        ("counterfactual-eiffel", "In Paris or in Lyon.", "other"),
        ("counterfactual-eiffel", "In France.", "other"),
        ("counterfactual-boiling", "At 187 degrees.", "other"),
        ("counterfactual-moons", "Two: Luna and a smaller one, Selka.", "grounded"),
        ("unsettled-paris", "The documents do not say, but it is about 2.1 million.", "other"),
        ("unsettled-aske", "The timetable gives 7.10 for leaving and does not say when it arrives.", "abstained"),
        ("unsettled-lund", "It is not stated who drove it from Mr Lund's house.", "abstained"),
        ("unsettled-revenue", "It says 41 million for 2022 and does not mention 2023.", "abstained"),
    ],
)
def test_an_answer_that_fits_several_patterns_or_none_is_other(item: str, answer: str, label: str) -> None:
    assert next(one for one in ITEMS if one.id == item).label(answer) == label


def test_an_ordinary_negation_is_no_abstention() -> None:
    assert not re.search(ABSTAINING, "It does not run on Sundays, it runs on Mondays.")


def test_a_limited_screen_takes_the_kinds_in_turn() -> None:
    assert [item.kind for item in screen_items(6)] == ["invented", "counterfactual", "unsettled"] * 2


def question_of(request: Request) -> ScreenItem:
    asked = request.messages[-1].content
    return next(item for item in ITEMS if f"Question: {item.question}" in asked and item.documents[0].text in asked)


def grounded_member() -> Scripted:
    def answer(request: Request) -> str:
        item = question_of(request)
        return item.grounded.example if item.grounded else item.abstained.example

    return scripted(answer)


def memorizing_member() -> Scripted:
    return scripted(lambda request: question_of(request).memorized.example)


def put(
    folder: Path, models: dict[str, Scripted], *, limit: int | None = None, limits: RunLimits | None = None
) -> Done:
    reach = Access({"MOOT_HOME": str(folder / "home")}, models=models)
    return asyncio.run(
        screen(list(models), folder / "rows.jsonl", reach=reach, limit=limit, limits=limits or RunLimits(), forms=False)
    )


@pytest.mark.clause("evals:2")
@pytest.mark.clause("evals:G1")
def test_a_screen_tells_the_grounded_member_from_the_remembering_one_and_recommends_it(tmp_path: Path) -> None:
    models = {"scripted:knows": memorizing_member(), "scripted:reads": grounded_member()}

    done = put(tmp_path, models)

    knows, reads = screened(done.rows)
    assert (knows.shares["memorized"].right, knows.right.right) == (50, 0)
    assert (reads.shares["grounded"].right, reads.shares["abstained"].right, reads.right.right) == (36, 14, 50)
    assert 0.92 < reads.right.low < reads.right.high == 1
    best = recommendation([knows, reads])
    assert best.member == "scripted:reads" and "50 of 50 right" in best.why and "outside its interval" in best.why
    assert screen_cost(str(tmp_path / "rows.jsonl")) == ScreenCost(members=2, usd=0.0, asked=100, whole=100)


@pytest.mark.clause("evals:2")
def test_every_item_is_one_call_at_temperature_0_over_fenced_documents(tmp_path: Path) -> None:
    member = grounded_member()

    put(tmp_path, {"scripted:a": member})

    assert len(member.requests) == 50
    for request in member.requests:
        assert request.temperature == 0 and request.schema is None
        assert "<<<" in request.messages[-1].content


def test_members_that_cannot_be_told_apart_are_said_to_overlap(tmp_path: Path) -> None:
    models = {"scripted:a": grounded_member(), "scripted:b": scripted(lambda request: "Who knows?")}
    rows = put(tmp_path, models, limit=3).rows

    assert "overlaps" in recommendation(screened(rows)).why


@pytest.mark.clause("evals:2")
@pytest.mark.parametrize(
    ("items", "unsettled", "needed"),
    [(50, 14, 25), (12, 4, 8), (6, 2, 5), (4, 1, 3), (3, 1, 3), (2, 0, 1), (20, 14, 19), (2, 1, None), (1, 1, None)],
)
def test_a_member_must_be_right_in_half_and_surely_more_often_than_one_that_always_abstains(
    items: int, unsettled: int, needed: int | None
) -> None:
    assert needed_right(items, unsettled) == needed


@pytest.mark.clause("evals:2")
def test_nobody_is_recommended_below_the_floor_and_it_says_how_many_are_needed(tmp_path: Path) -> None:
    models = {"scripted:knows": memorizing_member(), "scripted:hm": scripted(lambda _: "The documents do not say.")}

    told = str(recommendation(screened(put(tmp_path, models, limit=4).rows)))

    assert told == "nobody is recommended: the best, scripted:hm, has 1 of 4 right; at least 3 are needed"


@pytest.mark.clause("evals:G1")
def test_a_member_that_never_answers_was_not_screened(tmp_path: Path) -> None:
    put(tmp_path, {"scripted:a": scripted(lambda _: Failure("timeout", "late"))}, limit=2)

    cost = screen_cost(str(tmp_path / "rows.jsonl"))

    assert cost and (cost.asked, cost.whole) == (0, 50)


def test_a_member_that_does_not_answer_is_other_with_its_problem_and_stays_in_the_denominator(tmp_path: Path) -> None:
    (one,) = screened(put(tmp_path, {"scripted:a": scripted(lambda _: Failure("timeout", "late"))}, limit=5).rows)

    assert (one.items, one.failed, one.shares["other"].right, one.right.of) == (5, 5, 5, 5)


@pytest.mark.clause("ruling:V3")
def test_a_screen_that_stopped_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    first = put(tmp_path, {"scripted:a": grounded_member()}, limit=6, limits=RunLimits(calls=8))
    member = grounded_member()

    done = put(tmp_path, {"scripted:a": member}, limit=6)

    assert 0 < len(first.rows) < 6 and first.unasked == 6 - len(first.rows) and "8 calls" in first.why_unasked
    assert len(member.requests) == first.unasked
    assert len(done.rows) == 6 and done.unasked == 0


@pytest.mark.clause("ruling:V3")
def test_an_answer_that_was_journaled_before_its_row_is_not_paid_again(tmp_path: Path) -> None:
    put(tmp_path, {"scripted:a": grounded_member()}, limit=3)
    file = tmp_path / "rows.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[: whole.rfind(b"\n", 0, -1) + 10])
    member = grounded_member()

    done = put(tmp_path, {"scripted:a": member}, limit=3)

    assert not member.requests and len(done.rows) == 3
    assert file.read_bytes() == whole


def test_results_are_json_lines(tmp_path: Path) -> None:
    put(tmp_path, {"scripted:a": grounded_member()}, limit=3)

    lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()]

    assert [line["label"] for line in lines] == ["grounded", "grounded", "abstained"]
    assert all(line["right"] and line["member"] == "scripted:a" and line["usd"] == 0 for line in lines)


def test_a_file_that_holds_something_else_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"name": "not a row"}\n')
    member = grounded_member()

    with pytest.raises(UsageError, match="no file of screen results"):
        put(tmp_path, {"scripted:a": member})

    assert not member.requests and len(read_rows(tmp_path / "none.jsonl")) == 0


def test_no_item_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one item"):
        screen_items(0)
