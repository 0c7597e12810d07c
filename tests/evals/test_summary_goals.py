"""The table of goals: met, not met, or unknown with the reason."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from moot.evals.figures.goals import Goal, ScreenCost, goals
from moot.evals.items.items import ArmRow
from tests.evals.test_metrics import rows


def priced(outcomes: str, arm: str, *, usd: float | None = 0.01, tokens: int = 100) -> list[ArmRow]:
    return [replace(row, usd=usd, tokens_in=tokens, tokens_out=0) for row in rows(outcomes, arm)]


def goal(name: str, *arms: Sequence[ArmRow], screen: ScreenCost | None = None) -> Goal:
    told: Mapping[str, Sequence[ArmRow]] = {arm[0].arm: arm for arm in arms}
    return next(one for one in goals(told, screen) if one.name == name)


def test_with_nothing_measured_every_goal_is_unknown_with_a_reason() -> None:
    told = goals({})

    assert [one.name for one in told] == ["G1", "G2", "G3", "G4", "G5"]
    assert all(one.state == "unknown" and one.why for one in told)


@pytest.mark.clause("evals:G1")
def test_g1_is_met_by_a_whole_screen_below_a_dollar() -> None:
    assert goal("G1", screen=ScreenCost(3, 0.2, 150, 150)).state == "met"
    assert goal("G1", screen=ScreenCost(3, 1.0, 150, 150)).state == "not met"
    assert goal("G1", screen=ScreenCost(3, None, 150, 150)).state == "unknown"


@pytest.mark.clause("evals:G1")
@pytest.mark.parametrize("usd", [0.0, 7.0])
def test_g1_is_not_judged_by_a_part_of_the_screen(usd: float) -> None:
    told = goal("G1", screen=ScreenCost(2, usd, 56, 100))

    assert told.state == "unknown" and told.why.startswith("not judged: it needs the whole screen")
    assert told.measured.startswith("2 members, 56 of 100 items")


def test_g2_asks_for_five_points_above_both_rivals_at_no_more_cost() -> None:
    revisit, verbatim = priced("w" * 20, "revisit"), priced("w" * 20, "verbatim")

    assert goal("G2", priced("r" + "w" * 19, "interrogation"), revisit, verbatim).state == "met"
    assert goal("G2", priced("w" * 20, "interrogation"), revisit, verbatim).state == "not met"
    assert goal("G2", priced("r" * 20, "interrogation", usd=0.02), revisit, verbatim).state == "not met"
    assert goal("G2", priced("r" * 20, "interrogation"), revisit).why == "no results of `verbatim` in this run"


def test_g2_is_judged_by_tokens_where_nothing_costs_a_dollar() -> None:
    rivals = [priced("w" * 4, arm, usd=0.0) for arm in ("revisit", "verbatim")]

    told = goal("G2", priced("rrrr", "interrogation", usd=0.0, tokens=900), *rivals)

    assert told.state == "not met"
    assert "+100.0 points on `revisit`, 9.0 times the tokens" in told.measured


def test_g3_asks_for_twice_the_correct_answers_per_dollar() -> None:
    frontier = priced("rrrr", "frontier", usd=1.0)

    assert goal("G3", priced("rrww", "interrogation", usd=0.2), frontier).state == "met"
    assert goal("G3", priced("rrww", "interrogation", usd=0.3), frontier).state == "not met"


def test_g3_is_unknown_where_a_cost_is_unknown_or_nothing() -> None:
    frontier = priced("rrrr", "frontier", usd=1.0)

    assert goal("G3", priced("rrrr", "interrogation", usd=None), frontier).state == "unknown"
    assert "$0" in goal("G3", priced("rrrr", "interrogation", usd=0.0), frontier).why
    assert "nothing right" in goal("G3", priced("rr", "interrogation"), priced("ww", "frontier")).why


def test_g4_asks_that_wider_support_is_right_more_often() -> None:
    def wide(*pairs: tuple[int, str]) -> Goal:
        told = [replace(row, support_width=width) for width, letter in pairs for row in rows(letter, "interrogation")]
        return goal("G4", told)

    assert wide((1, "rw"), (2, "rrrrr")).state == "met"
    assert wide((1, "rr"), (2, "rw")).state == "not met"
    assert (few := wide((1, "rw"), (2, "rr"))).state == "unknown" and "chance" in few.why
    assert wide((1, "rw"), (2, "rr"), (3, "rw")).state == "not met", "not monotone"
    assert wide((1, "rw")).state == "unknown"
    assert wide((1, "rw"), (2, "rr")).measured == "width 1: 1 of 2; width 2: 2 of 2"


def test_g5_asks_that_every_conclusion_comes_with_its_graph() -> None:
    shipped = [replace(row, detail={"auditable": True}) for row in rows("rr", "interrogation")]
    silent = replace(shipped[0], answer=None)
    bare = replace(shipped[0], detail={})

    assert goal("G5", [*shipped, silent]).state == "met"
    assert goal("G5", [*shipped, silent]).why == "1 of 3 runs came to no conclusion"
    assert goal("G5", [*shipped, bare]).state == "not met"
    assert goal("G5", [silent]).state == "unknown"
