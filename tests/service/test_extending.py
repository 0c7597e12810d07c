"""Going on where the budget ended a deliberation."""

import pytest

from moot.core.budget import Budget, limit_named
from moot.core.calls import Attempt, Outcome, Usage
from moot.core.errors import BadSetting, NothingRefused
from moot.core.ports import Journaled
from moot.runtime.fork import AFTER_THE_LAST
from moot.service.extending import extension
from tests.runtime.protocol import header

HEADER = header()


def attempt(step: str, position: int, **more: object) -> Attempt:
    return Attempt(step, 1, position, "d", "{}", "reply", usage=Usage(10, 5, 0.5), **more)  # ty: ignore[invalid-argument-type]


ENDED = Journaled(
    attempts=(attempt("a", 0), attempt("b", 1), attempt("c", 2)),
    outcomes=(
        Outcome("a", 0, "ok"),
        Outcome("d", 3, "refused", "budget", "3 calls"),
        Outcome("c", 2, "ok", "budget", salvaged=True),
        Outcome("b", 1, "dropped", "unreachable"),
    ),
    active=20.0,
)


def test_it_goes_on_at_the_first_step_that_the_budget_refused_with_the_same_seed() -> None:
    fork = extension("d", HEADER, ENDED, Budget(calls=9), exhausted=True)

    assert (fork.at, fork.seed) == ("c", HEADER.seed)


def test_what_the_fork_asks_again_or_does_not_know_of_is_counted_in() -> None:
    fork = extension("d", HEADER, ENDED, Budget(calls=9, tokens=100, usd=4.0, seconds=60.0), exhausted=True)

    assert fork.budget == Budget(calls=8, tokens=85, usd=3.5, seconds=40.0)


@pytest.mark.parametrize(
    "budget", [Budget(calls=3), Budget(9, tokens=45), Budget(9, usd=1.5), Budget(9, seconds=20.0)], ids=str
)
def test_a_limit_that_it_has_come_to_already_is_refused(budget: Budget) -> None:
    with pytest.raises(BadSetting, match="that it has taken already"):
        extension("d", HEADER, ENDED, budget, exhausted=True)


def test_a_budget_that_leaves_the_limit_which_ended_it_is_refused_by_that_limits_name() -> None:
    tokens = Journaled(ENDED.attempts, (Outcome("d", 3, "refused", "budget", "900 tokens"),))

    with pytest.raises(BadSetting, match=r"budget-tokens.*the limit of 900 tokens ended it"):
        extension("d", HEADER, tokens, Budget(calls=9), exhausted=True)


def test_one_that_asked_no_more_than_its_budget_allows_goes_on_after_its_last_step() -> None:
    cut = Journaled(ENDED.attempts, (Outcome("a", 0, "ok"),), active=20.0)

    fork = extension("d", HEADER, cut, Budget(calls=9), exhausted=True)

    assert (fork.at, fork.budget) == (AFTER_THE_LAST, Budget(calls=9))
    with pytest.raises(NothingRefused):
        extension("d", HEADER, cut, Budget(calls=9), exhausted=False)


@pytest.mark.parametrize(
    ("words", "limit"),
    [("3 calls", "calls"), ("0.5 dollars", "usd"), ("20 seconds", "seconds"), ("an earlier step was refused", "")],
)
def test_the_limit_is_known_by_the_words_of_the_ledger(words: str, limit: str) -> None:
    assert limit_named(words) == limit
