"""Equations of replies, recomputed."""

import pytest

from moot.methods.recomputing import recomputed


@pytest.mark.clause("ruling:I18")
def test_an_equation_that_stands_as_a_sentence_is_recomputed() -> None:
    right, wrong, rounded = recomputed("First we add.\n16 - 3 = 13\nSo 13 * 2 = 27.\n10 / 3 = 3.33\nAnswer: 27")

    assert (right.verdict, wrong.verdict, rounded.verdict) == ("true", "false", "true as rounded")
    assert wrong.reading == "13 * 2 = 27" and "26" in wrong.how


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    "text",
    [
        "In binary, 1 + 1 = 10.",
        "We count in base 2.\n1 + 1 = 10",
        "Somebody wrote this.\n2 + 2 = 5\nThat is wrong.",
        "Suppose the following.\n2 + 2 = 5",
        "She says that 2 + 2 = 5 by her count.",
        "x = 5",
    ],
)
def test_what_stands_beside_an_equation_may_change_it_and_then_nothing_is_decided(text: str) -> None:
    assert not recomputed(text)


def test_a_question_that_counts_otherwise_leaves_all_undecided() -> None:
    assert not recomputed("7 + 8 = 3", question="What is 7 + 8 modulo 12?")


def test_a_reply_of_thousands_of_sentences_is_looked_at_in_part() -> None:
    assert len(recomputed("1 + 1 = 3\n" * 5_000)) == 200


@pytest.mark.clause("ruling:I18")
def test_an_equation_among_words_is_recomputed() -> None:
    right, wrong, rounded = recomputed(
        "She sold 48/2 = 24 clips in May. Together that is 48 + 24 = 74 clips. Each got 10 / 3 = 3.33 of them."
    )

    assert (right.verdict, wrong.verdict, rounded.verdict) == ("true", "false", "true as rounded")
    assert (right.operands, right.result) == (("48", "2"), "24")
    assert wrong.sentence == "Together that is 48 + 24 = 74 clips." and "72" in wrong.how


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    "text",
    [
        "It is not true that 48 / 2 = 24.",
        "The claim 48 / 2 = 24 is wrong.",
        "It is never the case that 3 + 4 = 7 here.",
        "Instead of 3 + 4 = 7 we take another sum.",
        "Half of 10 + 20 = 15 apples.",
        "They took 3 + 4 = 7 thousand steps.",
        "We get 17 / 5 = 3 remainder 2.",
    ],
)
def test_a_denied_equation_or_one_that_goes_on_is_not_decided(text: str) -> None:
    assert not recomputed(text)


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    "text",
    [
        "If 2 + 2 = 5 holds, all is lost.",
        "He thinks that 2 + 2 = 5 here.",
        "It takes 30 * 2 = 1 hour in all.",
        "That makes 5 * 20 = $1 in all.",
        "The years 1990-1995 = 6 years in all.",
        "From there 10 + 5 = 3 pm follows.",
        "That is about 7 * 7 = 50 people.",
        "On the 12-hour clock we have 10 + 5 = 3 there.",
    ],
)
def test_a_false_equation_that_may_be_meant_otherwise_is_not_decided(text: str) -> None:
    assert not recomputed(text)


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    "text",
    [
        "She earned 5 * 3 = 16 dollars there.",
        "He sold 48/2 = 25 clips in May.",
        "The base price comes to 3 + 4 = 8 crowns.",
        "The 5 modules come to 3 + 4 = 8 crowns.",
    ],
)
def test_a_false_equation_with_nothing_to_excuse_it_is_false(text: str) -> None:
    assert [item.verdict for item in recomputed(text)] == ["false"]
