"""Brier, ECE and the bins by hand; each basis by itself; accuracy by support width."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.evals.figures.calibration import (
    bin_of,
    brier,
    by_support_width,
    calibrations,
    expected_calibration_error,
    is_monotone,
    reliability,
)
from tests.evals.test_metrics import ROW

HELD = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1)


def widths(*pairs: tuple[int, bool]):
    return by_support_width(replace(ROW, support_width=width, correct=right) for width, right in pairs)


def test_brier_by_hand() -> None:
    # (0.9 - 1)^2 = 0.01, (0.6 - 0)^2 = 0.36, mean 0.185.
    assert brier([(0.9, True), (0.6, False)]) == pytest.approx(0.185)
    with pytest.raises(ValueError):
        brier([])


def test_the_expected_calibration_error_by_hand() -> None:
    # Bin 0.9 to 1: three answers, mean confidence 0.92, two right: gap 0.25333. Bin 0.5 to 0.6: one, 0.55, right: 0.45.
    held = [(0.9, True), (0.92, True), (0.94, False), (0.55, True)]

    assert expected_calibration_error(held) == pytest.approx((3 * (0.92 - 2 / 3) + 0.45) / 4)


def test_a_confidence_on_an_edge_belongs_to_the_bin_above_and_1_to_the_last() -> None:
    assert [bin_of(value) for value in (0, 0.1, 0.3, 0.7, 0.99, 1)] == [0, 1, 3, 7, 9, 9]


def test_empty_bins_are_shown_and_hold_nothing() -> None:
    bins = reliability([(0.95, True)])

    assert len(bins) == 10
    assert [part.right.of for part in bins] == [0] * 9 + [1]
    assert bins[0].mean_confidence is None


def test_a_confidence_outside_0_and_1_is_refused() -> None:
    with pytest.raises(ValueError):
        reliability([(1.2, True)])


@settings(deadline=None)
@given(HELD)
def test_brier_and_ece_lie_between_0_and_1_and_no_answer_is_lost_from_the_bins(held: list[tuple[float, bool]]) -> None:
    assert 0 <= brier(held) <= 1
    assert -1e-12 <= expected_calibration_error(held) <= 1 + 1e-12
    assert sum(part.right.of for part in reliability(held)) == len(held)


def test_each_basis_is_judged_by_itself() -> None:
    rows = [
        replace(ROW, confidence=1.0, basis="stated", correct=False),
        replace(ROW, confidence=1.0, basis="agreement"),
        replace(ROW, confidence=None, basis=None),
    ]

    agreement, stated = calibrations(rows)

    assert (agreement.basis, agreement.held, agreement.brier) == ("agreement", 1, 0)
    assert (stated.basis, stated.held, stated.brier) == ("stated", 1, 1)


def test_accuracy_is_given_for_each_support_width_and_wide_ones_are_taken_together() -> None:
    strata = widths((0, False), (1, True), (1, False), (2, True), (3, True), (5, True))

    assert [(str(part), part.right.right, part.right.of) for part in strata] == [
        ("0", 0, 1),
        ("1", 1, 2),
        ("2", 1, 1),
        ("3 or more", 2, 2),
    ]
    assert is_monotone(strata) is True


def test_accuracy_that_falls_or_never_rises_is_not_monotone() -> None:
    assert is_monotone(widths((1, True), (2, False))) is False
    assert is_monotone(widths((1, True), (2, True))) is False
    assert is_monotone(widths((1, True))) is None
