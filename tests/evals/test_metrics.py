"""Shares, comparisons and costs, against hand examples and scipy; a failed item is wrong and stays in every figure."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.evals.figures.metrics import Known, abstention, accuracy, compare, expense, mcnemar, overall, proportion
from moot.evals.items.items import ArmRow

ROW = ArmRow(
    arm="single-pass",
    item="i",
    dataset="d",
    answer="x",
    correct=True,
    abstained=False,
    abstain_item=False,
    status="complete",
    confidence=None,
    basis=None,
    support_width=None,
    calls=1,
    tokens_in=10,
    tokens_out=5,
    usd=0.5,
    seconds=2.0,
)


def rows(outcomes: str, arm: str = "single-pass") -> list[ArmRow]:
    """Rows of one arm from letters: `r` for an item that is right, `w` for one that is wrong."""
    return [replace(ROW, arm=arm, item=f"i{number}", correct=one == "r") for number, one in enumerate(outcomes)]


def test_wilson_s_interval_by_hand() -> None:
    # 8 of 10, z = 1.959964: centre (0.8 + 0.19207) / 1.38415, half-width 1.959964 / 1.38415 * sqrt(0.016 + 0.0096036).
    found = proportion(8, 10)

    assert (round(found.low, 4), round(found.high, 4)) == (0.4902, 0.9433)
    assert found.value == 0.8


@settings(deadline=None)
@given(st.integers(0, 300).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_wilson_s_interval_is_scipy_s_and_holds_the_share(counts: tuple[int, int]) -> None:
    from scipy import stats

    right, of = counts

    found = proportion(right, of)

    assert 0 <= found.low <= found.high <= 1
    if of:
        assert found.low <= right / of <= found.high
        theirs = stats.binomtest(right, of).proportion_ci(method="wilson")
        assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_nothing_of_nothing_has_no_share_and_the_widest_interval() -> None:
    found = proportion(0, 0)

    assert found.value is None
    assert (found.low, found.high) == (0, 1)


@pytest.mark.parametrize(("right", "of"), [(3, 2), (-1, 2)])
def test_what_is_no_proportion_is_refused(right: int, of: int) -> None:
    with pytest.raises(ValueError):
        proportion(right, of)


def test_an_arm_that_always_fails_is_0_of_n() -> None:
    failed = [replace(row, answer=None, status="failed", problem="no reply") for row in rows("w" * 7)]

    assert (accuracy(failed).right, accuracy(failed).of) == (0, 7)
    assert accuracy(failed).low == 0
    assert expense(failed).usd == 3.5
    assert expense(failed).usd_per_correct is None


def test_items_that_are_not_settled_are_counted_apart() -> None:
    unsettled = [replace(ROW, item="u1", abstain_item=True), replace(ROW, item="u2", abstain_item=True, correct=False)]
    told = [*rows("rww"), *unsettled]

    assert (accuracy(told).right, accuracy(told).of) == (1, 3)
    assert (abstention(told).right, abstention(told).of) == (1, 2)
    assert (overall(told).right, overall(told).of) == (2, 5)


def test_mcnemar_by_hand() -> None:
    # Seven items differ and one goes against: 2 * (1 + 7) / 2**7.
    assert mcnemar(1, 6) == pytest.approx(0.125)
    assert mcnemar(0, 0) == 1
    assert mcnemar(4, 4) == 1


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_binomial_test_of_scipy(only_first: int, only_second: int) -> None:
    from scipy import stats

    found = mcnemar(only_first, only_second)

    assert found == mcnemar(only_second, only_first)
    if only_first + only_second:
        assert found == pytest.approx(stats.binomtest(only_first, only_first + only_second).pvalue, abs=1e-9)


def test_two_arms_are_compared_item_by_item() -> None:
    found = compare(rows("rrrrrrrwwwrrrrr"), rows("rrrrwwwrww"))

    assert (found.both, found.only_first, found.only_second, found.neither) == (4, 3, 1, 2)
    assert found.unpaired == 5
    assert found.difference == pytest.approx(0.2)
    assert found.p_value == 0.625


def test_cost_is_that_of_all_items_over_the_right_ones() -> None:
    found = expense(rows("rrww"))

    assert (found.usd, found.usd_per_correct) == (2.0, 1.0)
    assert (found.seconds, found.seconds_per_correct, found.mean_seconds) == (8.0, 4.0, 2.0)
    assert (found.calls, found.tokens, found.tokens_per_correct) == (4, 60, 30)


@pytest.mark.clause("ruling:G10")
def test_a_total_shows_what_is_known_and_no_ratio_is_made_of_it() -> None:
    found = expense([*rows("r"), replace(ROW, usd=None, tokens_out=None)])

    assert found.usd is None and found.usd_per_correct is None and found.tokens is None
    assert found.known_usd == Known(0.5, 1)
    assert found.known_tokens == Known(15, 1)
