"""What votes are worth together, by hand, and on simulated members whose correlation is known."""

import numpy as np
import pytest
from benchmarks.simulation import RIGHT, SimulatedPanel, simulated_votes
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.evals.figures.votes import agreement_matrix, effective_votes, electorate, error_correlation


def test_agreement_is_the_share_of_items_with_the_same_answer() -> None:
    votes = [("a", "a", "b"), ("a", "b", "b"), ("c", "c", "c"), ("a", "a", "a")]

    assert agreement_matrix(votes) == ((1, 0.75, 0.5), (0.75, 1, 0.75), (0.5, 0.75, 1))


def test_kish_s_number_of_votes_by_hand() -> None:
    assert effective_votes(5, 0) == 5
    assert effective_votes(5, 1) == 1
    assert effective_votes(6, 0.4) == pytest.approx(2)
    assert effective_votes(2, -1) is None


def test_copies_are_worth_one_vote_and_members_that_err_apart_their_number() -> None:
    copies = [(True, True), (False, False), (True, True), (False, False)]
    apart = [(True, True), (True, False), (False, True), (False, False)]

    assert error_correlation(copies) == pytest.approx(1)
    assert error_correlation(apart) == pytest.approx(0)


def test_the_correlation_of_two_members_by_hand() -> None:
    # Shares 3/4 and 2/4; covariance 2/4 - 3/8 = 1/8; mean variance (3/16 + 4/16) / 2 = 7/32.
    right = [(True, True), (True, True), (True, False), (False, False)]

    assert error_correlation(right) == pytest.approx((1 / 8) / (7 / 32))


def test_where_nothing_varies_there_is_no_correlation() -> None:
    assert error_correlation([(True, True), (True, True)]) is None
    assert error_correlation([]) is None


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.booleans()] * 4), min_size=2))
def test_the_correlation_is_mean_covariance_over_mean_variance(right: list[tuple[bool, ...]]) -> None:
    covariances = np.cov(np.array(right, dtype=float).T, bias=True)
    variance = np.trace(covariances) / 4

    found = error_correlation(right)

    if variance < 1e-12:
        assert found is None
    else:
        assert found == pytest.approx((covariances.sum() - np.trace(covariances)) / 12 / variance)


def test_an_electorate_says_how_many_items_lack_a_vote() -> None:
    votes = [("a", "a"), ("a", "b"), ("a",)]
    right = [(True, True), (True, False), (True,)]

    found = electorate(votes, right)

    assert found is not None
    assert (found.members, found.items, found.left_out) == (2, 2, 1)


def test_votes_that_could_not_be_read_agree_with_nothing_and_are_counted() -> None:
    silent = electorate([("", ""), (" ", "")], [(False, False)] * 2)
    some = electorate(
        [("a", "a", ""), ("a", "b", "b"), ("", "", "c")], [(True, True, False), (True,) * 3, (False,) * 3]
    )

    assert silent and silent.agreement == ((None, None), (None, None))
    assert (silent.items, silent.left_out, silent.unreadable, silent.effective_votes) == (0, 2, 4, None)
    assert some and some.agreement == ((1, 0.5, 0), (0.5, 1, 1), (0, 1, 1))
    assert (some.items, some.left_out, some.unreadable) == (1, 2, 3)


def test_one_vote_an_item_is_no_electorate() -> None:
    assert electorate([("a",), ()], [(True,), ()]) is None
    assert electorate([], []) is None


@pytest.mark.parametrize("correlation", [0.0, 0.3, 1.0])
def test_the_known_correlation_of_simulated_members_is_found_again(correlation: float) -> None:
    votes = simulated_votes(SimulatedPanel(5, 0.7, correlation), 4000, seed=1)

    found = error_correlation([[answer == RIGHT for answer in answers] for answers in votes])

    assert found == pytest.approx(correlation, abs=0.03)
