"""Going on with a deliberation that its budget ended: another way from the first step that was refused."""

from dataclasses import fields, replace

from moot.core.budget import Budget, Spent
from moot.core.errors import BadSetting, NothingRefused
from moot.core.events import Header, call_facts
from moot.core.ports import Journaled
from moot.core.record import spent_on
from moot.service.orders import Fork


def extension(deliberation: str, header: Header, journaled: Journaled, budget: Budget) -> Fork:
    """Return the fork that goes on where the budget ended a deliberation, with larger limits.

    What was spent is counted in: a fork keeps its parent's calls up to its step, and of the rest, which it asks again
    or does not know of, each new limit is made less.

    Raises:
        NothingRefused: where the budget refused it nothing.
        BadSetting: for a limit that it has come to already.
    """
    refused = [outcome for outcome in journaled.outcomes if outcome.reason == "budget"]
    if not refused:
        raise NothingRefused(deliberation=deliberation)
    first = min(refused, key=lambda outcome: outcome.position)
    spent = spent_on(call_facts(journaled.attempts))
    _check_larger(budget, _as_limits(spent, journaled.active))
    asked_again = [row for row in journaled.attempts if row.position >= first.position]
    apart = _as_limits(spent_on(call_facts(asked_again)), journaled.active)
    return Fork(first.step, budget=_less(budget, apart), seed=header.seed)


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
