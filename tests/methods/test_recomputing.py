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
