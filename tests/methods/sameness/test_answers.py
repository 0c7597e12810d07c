"""When two short answers are the same, held against pairs that are and pairs that only look so (ruling G12)."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.methods.sameness import Setting, answer_groups, same_answer

PAIRS = [json.loads(line) for line in (Path(__file__).parent / "answer_pairs.jsonl").read_text("utf-8").splitlines()]


def setting(row: dict[str, Any]) -> Setting | None:
    return Setting(row["question"], tuple(row["sentences"])) if "question" in row else None


def outcome(row: dict[str, Any], first: str, second: str) -> str:
    conclusions = tuple(row.get("conclusions", ("", "")))
    return same_answer(first, second, conclusions=conclusions, setting=setting(row)).outcome


def test_the_corpus_has_more_pairs_that_must_stay_apart_than_pairs_that_are_the_same() -> None:
    counts = Counter(row["expect"] for row in PAIRS)

    assert len(PAIRS) >= 240
    assert counts["apart"] > counts["same"] > 60
    assert counts["opposed"] >= 10


@pytest.mark.clause("ruling:G12")
def test_every_pair_of_the_corpus_comes_out_as_it_must_whichever_comes_first() -> None:
    wrong = []
    for row in PAIRS:
        for first, second in ((row["first"], row["second"]), (row["second"], row["first"])):
            found = outcome(row, first, second)
            right = found != "same" if row["expect"] == "apart" else found == row["expect"]
            wrong += [] if right else [(row["kind"], row["expect"], first, second, found)]

    assert not wrong


@pytest.mark.clause("ruling:G12")
def test_containment_counts_only_where_the_setting_is_given() -> None:
    rows = [row for row in PAIRS if row["kind"] == "contained" and row["expect"] == "same"]

    without = [row for row in rows if same_answer(row["first"], row["second"]).outcome == "same"]

    assert len(rows) > 10
    assert not without


SERVERS = Setting("Which server?", ("Server x9 stands in rack 7.",))
PRESIDENTS = Setting("Who was it?", ("Barack Obama was president.", "Michelle Obama wrote a book."))


@pytest.mark.clause("ruling:G12")
def test_four_spellings_of_one_answer_are_one_group_with_a_reason_each() -> None:
    found = answer_groups(["x9", "server x9", "Server x9 (rack 7)", "It is x9."], setting=SERVERS)

    (group,) = found.groups
    assert group.answer == "x9"
    assert group.places == (0, 1, 2, 3)
    assert group.reasons == ("first", "contained", "contained", "contained")


@pytest.mark.clause("ruling:G12")
def test_an_answer_that_fits_two_groups_stays_apart_and_is_named() -> None:
    found = answer_groups(
        ["Barack Obama", "Michelle Obama", "Barack Obama", "Michelle Obama", "Obama"], setting=PRESIDENTS
    )

    assert [group.places for group in found.groups] == [(0, 2), (1, 3), (4,)]
    assert found.between == ("Obama",)


@pytest.mark.clause("ruling:G12")
def test_an_answer_joins_only_what_it_is_the_same_as_every_member_of() -> None:
    found = answer_groups(["Obama", "Obama", "Barack Obama", "Michelle Obama"], setting=PRESIDENTS)

    assert [group.places for group in found.groups] == [(0, 1, 2), (3,)]


@pytest.mark.clause("ruling:G12")
def test_groups_stand_in_the_order_of_their_votes_then_of_their_first() -> None:
    found = answer_groups(["red", "blue", "green", "Blue.", "green"])

    assert [group.answer for group in found.groups] == ["blue", "green", "red"]


@pytest.mark.clause("ruling:G12")
def test_equal_conclusions_make_one_answer_but_never_of_yes_and_no_or_of_two_numbers() -> None:
    said = "The bridge holds."

    assert same_answer("beam B2", "the B2", conclusions=(said, "the bridge holds")).reason == "conclusion"
    assert same_answer("Yes", "No", conclusions=(said, said)).outcome != "same"
    assert same_answer("391", "401", conclusions=(said, said)).outcome == "opposed"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["x9", "server x9", "x8", "yes", "Yes.", "no", "5", "5.0", "five", ""]), max_size=9))
def test_every_answer_is_in_exactly_one_group(answers: list[str]) -> None:
    found = answer_groups(answers, setting=SERVERS)

    assert sorted(place for group in found.groups for place in group.places) == list(range(len(answers)))
    assert all(len(group.places) == len(group.reasons) for group in found.groups)


def test_a_hundred_kilobytes_of_answer_are_compared_in_no_time() -> None:
    long, other = "x9 " * 35_000, "server x9 " * 10_000

    assert same_answer(long, other, setting=SERVERS).outcome == "undecided"
    assert same_answer(long, long, setting=SERVERS).outcome == "same"
