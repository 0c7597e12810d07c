"""Figures of confidence and of two kinds of items, against figures worked out by hand."""

import pytest

from moot.evals.figures.discrimination import Half, auroc, fisher, most_confident_half


def test_confidence_that_parts_right_from_wrong_has_an_area_of_one() -> None:
    assert auroc([(0.9, True), (0.8, True), (0.3, False)]) == 1


def test_confidence_that_is_the_wrong_way_round_has_an_area_of_zero() -> None:
    assert auroc([(0.2, True), (0.8, False), (0.9, False)]) == 0


def test_equal_confidence_counts_half() -> None:
    # Pairs: (0.8, 0.8) half, (0.8, 0.5) one, (0.5, 0.8) none, (0.5, 0.5) half.
    assert auroc([(0.8, True), (0.5, True), (0.8, False), (0.5, False)]) == 0.5
    assert auroc([(0.8, True), (0.8, True), (0.8, False), (0.5, False)]) == 0.75


@pytest.mark.parametrize("is_right", [True, False])
def test_answers_of_one_kind_have_no_area(is_right: bool) -> None:
    assert auroc([(0.8, is_right), (0.5, is_right)]) is None


def test_the_most_confident_half_leaves_the_odd_one_out() -> None:
    held = [(0.9, True), (0.8, False), (0.7, True), (0.6, True), (0.5, False)]

    assert most_confident_half(held) == Half(1, 2)


def test_equals_at_the_edge_count_by_their_share_whatever_their_order() -> None:
    held = [(0.9, True), (0.8, True), (0.8, False), (0.8, False), (0.2, False), (0.1, False)]

    half = most_confident_half(held)

    assert half == most_confident_half(held[::-1])
    assert half is not None and half.of == 3
    assert half.right == pytest.approx(1 + 2 / 3)


def test_one_answer_has_no_half() -> None:
    assert most_confident_half([(0.9, True)]) is None


def test_fisher_agrees_with_tables_worked_out_by_hand() -> None:
    # 3 of 3 against 0 of 3: one way in C(6, 3) = 20.
    assert fisher(3, 3, 0, 3) == pytest.approx(1 / 20)
    # The tea lady's 3 of 4: (16 + 1) / 70.
    assert fisher(3, 4, 1, 4) == pytest.approx(17 / 70)
    assert fisher(0, 4, 4, 4) == 1


def test_fisher_refuses_what_is_no_proportion() -> None:
    with pytest.raises(ValueError, match="5 of 4"):
        fisher(5, 4, 0, 4)
