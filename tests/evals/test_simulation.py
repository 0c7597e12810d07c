"""Simulated panels: the closed forms by hand, the simulation against them, and the label on both."""

import pytest
from benchmarks.simulation import (
    SimulatedPanel,
    majority_of,
    majority_of_independent,
    simulate,
    simulated_rows,
    simulated_votes,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.evals.figures.votes import electorate


def test_the_majority_of_three_independent_voters_by_hand() -> None:
    # All three right 0.216, two of three 3 * 0.36 * 0.4 = 0.432.
    assert majority_of_independent([0.6, 0.6, 0.6]) == pytest.approx(0.648)
    assert majority_of_independent([0.9]) == pytest.approx(0.9)
    assert majority_of_independent([0.6, 0.6]) == pytest.approx(0.6), "a tie counts half"


@settings(deadline=None)
@given(st.integers(1, 30), st.integers(0, 1000).map(lambda thousandths: thousandths / 1000))
def test_the_closed_form_is_the_binomial_of_scipy(size: int, accuracy: float) -> None:
    from scipy import stats

    found = majority_of_independent([accuracy] * size)

    tie = stats.binom.pmf(size // 2, size, accuracy) / 2 if size % 2 == 0 else 0
    assert found == pytest.approx(stats.binom.sf(size // 2, size, accuracy) + tie, abs=1e-9)


def test_a_panel_of_copies_is_as_good_as_one_member() -> None:
    assert majority_of(SimulatedPanel(9, 0.7, 1.0)) == pytest.approx(0.7)
    assert majority_of(SimulatedPanel(9, 0.7, 0.0)) == pytest.approx(majority_of_independent([0.7] * 9))


def test_members_worse_than_a_coin_are_worse_together() -> None:
    assert majority_of(SimulatedPanel(9, 0.4)) < 0.4


@pytest.mark.parametrize(
    "panel",
    [SimulatedPanel(5, 0.7), SimulatedPanel(5, 0.7, 0.4), SimulatedPanel(4, 0.6, 0.2), SimulatedPanel(3, 0.3, 0.5)],
    ids=str,
)
def test_the_simulation_comes_out_where_the_closed_form_says(panel: SimulatedPanel) -> None:
    found = simulate(panel, 4000, seed=7)

    assert found.right.right / found.right.of == pytest.approx(majority_of(panel), abs=0.025)


def test_errors_that_scatter_leave_the_right_answer_with_most_votes() -> None:
    together = simulate(SimulatedPanel(7, 0.4, wrong_answers=1), 2000, seed=3).right
    scattered = simulate(SimulatedPanel(7, 0.4, wrong_answers=10), 2000, seed=3).right

    assert together.high < 0.4 < scattered.low


def test_the_same_seed_gives_the_same_votes_and_another_seed_others() -> None:
    panel = SimulatedPanel(5, 0.6, 0.3, wrong_answers=3)

    assert simulated_votes(panel, 50, seed=1) == simulated_votes(panel, 50, seed=1)
    assert simulated_votes(panel, 50, seed=1) != simulated_votes(panel, 50, seed=2)


def test_a_simulation_always_says_that_it_is_one() -> None:
    panel = SimulatedPanel(3, 0.6)

    assert str(simulate(panel, 100, seed=1)).startswith("simulation: ")
    assert all(
        row.arm.startswith("simulation (") and row.dataset == "simulation" for row in simulated_rows(panel, 3, seed=1)
    )


def test_simulated_rows_are_rows_of_an_arm_with_votes() -> None:
    rows = simulated_rows(SimulatedPanel(5, 0.7, 0.5), 1000, seed=2)

    found = electorate([row.votes for row in rows], [row.detail["right_votes"] for row in rows])

    assert found is not None and found.effective_votes == pytest.approx(5 / (1 + 4 * 0.5), abs=0.3)


@pytest.mark.parametrize(
    "wrong",
    [(0, 0.5, 0, 1), (3, 1.5, 0, 1), (3, 0.5, -0.1, 1), (3, 0.5, 0, 0)],
    ids=["no member", "accuracy", "correlation", "no wrong answer"],
)
def test_a_panel_that_cannot_be_is_refused(wrong: tuple[int, float, float, int]) -> None:
    with pytest.raises(ValueError):
        SimulatedPanel(*wrong)


def test_there_is_no_closed_form_where_errors_scatter() -> None:
    with pytest.raises(ValueError, match="simulate"):
        majority_of(SimulatedPanel(3, 0.5, wrong_answers=4))
