"""Going on with a deliberation that its budget ended: another way from the first step that was refused."""

from dataclasses import fields, replace

from moot.core.budget import Budget, Spent, limit_named
from moot.core.errors import BadSetting, NothingRefused
from moot.core.events import Header, call_facts
from moot.core.ports import Journaled
from moot.core.record import spent_on
from moot.runtime.fork import AFTER_THE_LAST
from moot.service.orders import Fork


def extension(
    deliberation: str,
    header: Header,
    journaled: Journaled,
    budget: Budget,
    *,
    exhausted: bool,
    at: int | None = None,
) -> Fork:
    """Return the fork that goes on where the budget ended a deliberation, or at an earlier place, with larger limits.

    What was spent is counted in: a fork keeps its parent's calls up to its step, and of the rest, which it asks again
    or does not know of, each new limit is made less. A protocol that asks no more than its budget allows is refused
    nothing and yet `exhausted`: it goes on after its last step.

    Raises:
        NothingRefused: where the budget did not end it.
        BadSetting: for a limit that it has come to already, or where another one ended it.
    """
    refused = [outcome for outcome in journaled.outcomes if outcome.reason == "budget"]
    if not refused and not exhausted:
        raise NothingRefused(deliberation=deliberation)
    _check_larger(budget, _as_limits(spent_on(call_facts(journaled.attempts)), journaled.active))
    if refused:
        _check_raised(budget, min(refused, key=lambda outcome: outcome.position).detail)
    steps = {row.position: row.step for row in (*journaled.attempts, *journaled.outcomes)}
    place = min((outcome.position for outcome in refused), default=None) if at is None else at
    asked_again = [row for row in journaled.attempts if place is not None and row.position >= place]
    apart = _as_limits(spent_on(call_facts(asked_again)), journaled.active)
    step = AFTER_THE_LAST if place is None else steps[place]
    return Fork(step, budget=_less(budget, apart), seed=header.seed)


def _check_raised(budget: Budget, limit: str) -> None:
    """Refuse a budget that leaves the limit as it is which ended the deliberation."""
    name = limit_named(limit)
    if name and getattr(budget, name) is None:
        problem = f"the limit of {limit} ended it, so that limit has to be larger"
        raise BadSetting(name=f"budget-{name}", problem=problem)


def _as_limits(spent: Spent, active: float) -> Budget:
    tokens = (spent.tokens_in or 0) + (spent.tokens_out or 0)
    return Budget(spent.calls, tokens, spent.usd or 0.0, active)


def _check_larger(budget: Budget, spent: Budget) -> None:
    for limit in fields(Budget):
        given, reached = getattr(budget, limit.name), getattr(spent, limit.name)
        if given is not None and given <= reached:
            problem = f"{given:g} is no more than the {reached:g} that it has taken already; give more than that"
            raise BadSetting(name=f"budget-{limit.name}", problem=problem)


def _less(budget: Budget, apart: Budget) -> Budget:
    given = {limit.name: getattr(budget, limit.name) for limit in fields(Budget)}
    return replace(budget, **{name: value - getattr(apart, name) for name, value in given.items() if value is not None})
