"""The first sentence of a run: which arms its items tell apart, with as many throws of chance as there are pairs."""

import pytest

from moot.evals.figures.apart import apart_words, arm_pairs, holm
from tests.evals.test_metrics import rows


def finding(**outcomes: str) -> str:
    by_arm = {arm: rows(letters, arm) for arm, letters in outcomes.items()}
    return apart_words(arm_pairs(by_arm), sum(map(bool, by_arm.values())))


def test_holm_s_correction_by_hand_never_falls_and_never_passes_one() -> None:
    # 3 * 0.01, 2 * 0.02, and 1 * 0.03, which may not fall below the one before it.
    assert holm([0.01, 0.02, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_ten_items_that_differ_by_chance_tell_no_two_arms_apart() -> None:
    said = finding(a="rrrrrwwwww", b="rrrrrrrrrw")

    assert said == "10 items do not tell any two arms apart: the smallest exact McNemar p is 0.12."


def test_the_better_arm_is_named_first_whatever_the_order() -> None:
    worse_first, better_first = finding(a="w" * 10, b="r" * 10), finding(b="r" * 10, a="w" * 10)

    assert worse_first == better_first
    assert worse_first.startswith("10 items tell 1 of 1 pair of arms apart: b is right more often than a (p = 0.002).")


def test_a_small_p_among_many_pairs_is_chance_and_alone_it_is_not() -> None:
    alone = finding(a="r" * 10, b="w" * 7 + "r" * 3)
    among = finding(a="r" * 10, b="w" * 7 + "r" * 3, c="r" * 10, d="r" * 10)

    assert "tell 1 of 1 pair of arms apart" in alone
    assert among == (
        "10 items do not tell any two arms apart: the smallest exact McNemar p is 0.016, which among 6 pairs is no "
        "more than chance (0.094 by Holm)."
    )


def test_no_more_than_three_pairs_are_named_and_the_others_counted() -> None:
    said = finding(a="r" * 40, b="w" * 40, c="w" * 40, d="w" * 40, e="w" * 40)

    assert "40 items tell 4 of 10 pairs of arms apart" in said
    assert said.count("is right more often than") == 3 and ", and 1 more. p is exact McNemar's" in said


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        ({}, "Nothing has been answered yet."),
        ({"a": "", "b": ""}, "Nothing has been answered yet."),
        ({"a": "rw", "b": ""}, "Only one arm has answers: there is nothing to compare it with."),
        ({"a": "r", "b": "w"}, "1 item does not tell any two arms apart: the smallest exact McNemar p is 1."),
    ],
)
def test_where_there_is_nothing_to_compare_the_sentence_says_so(outcomes: dict[str, str], said: str) -> None:
    assert finding(**outcomes) == said
