"""What is expected before anybody is asked: of several planned deliberations, of going on, of going another way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from moot.core.budget import Budget, Expectation, Spent
from moot.core.canonical import plain
from moot.core.events import Header, call_facts
from moot.core.record import spent_on
from moot.service.orders import Fork, Plan
from moot.service.service import Service

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is expected of deliberations that belong together: those of a protocol, an arm or a member."""

    name: str
    deliberations: int
    calls: int
    tokens_in: int
    tokens_out: int
    usd: float | None
    """None where the price of a model is not known."""
    known_usd: float
    """What is known of the price."""
    most_calls: int | None
    """How many calls their budgets allow; None where one of them has no such limit."""

    def json(self) -> dict[str, Any]:
        """Return it as `--dry-run --json` prints it."""
        return {
            "name": self.name,
            "deliberations": self.deliberations,
            "calls": self.calls,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "usd": self.usd,
            "known_usd": self.known_usd,
            "most_calls": self.most_calls,
        }


def estimate_of(name: str, plans: Sequence[Plan]) -> Estimate:
    """Return what these plans are expected to take together."""
    return Estimate(
        name,
        deliberations=len(plans),
        calls=sum(plan.expected.calls for plan in plans),
        tokens_in=sum(plan.expected.tokens_in for plan in plans),
        tokens_out=sum(plan.expected.tokens_out for plan in plans),
        usd=_sum(plan.usd for plan in plans),
        known_usd=sum(plan.known_usd for plan in plans),
        most_calls=_sum(plan.budget.calls for plan in plans),
    )


def sum_of(estimates: Sequence[Estimate]) -> Estimate:
    """Return what all of them take."""
    return Estimate(
        "in all",
        deliberations=sum(one.deliberations for one in estimates),
        calls=sum(one.calls for one in estimates),
        tokens_in=sum(one.tokens_in for one in estimates),
        tokens_out=sum(one.tokens_out for one in estimates),
        usd=_sum(one.usd for one in estimates),
        known_usd=sum(one.known_usd for one in estimates),
        most_calls=_sum(one.most_calls for one in estimates),
    )


def _sum(parts: Iterable[Number | None]) -> Number | None:
    total: Any = 0
    for part in parts:
        if part is None:
            return None
        total += part
    return total


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a deliberation is expected to take in all, and what of that is spent already and not paid again."""

    header: Header
    expected: Expectation
    usd: float | None
    known_usd: float
    kept: Spent

    def json(self) -> dict[str, Any]:
        """Return it as `--dry-run --json` prints it."""
        return {
            "protocol": self.header.protocol,
            "members": plain(self.header.panel)["members"],
            "settings": plain(self.header.settings),
            "budget": plain(self.header.budget),
            "expected": {**plain(self.expected), "usd": self.usd},
            "kept": plain(self.kept),
        }


async def foresee_resumption(service: Service, prefix: str, budget: Budget) -> Foreseen:
    """Return what going on would take: within its own budget, or within a larger one where that is given.

    Raises:
        UsageError: for a deliberation that cannot be gone on with.
    """
    if budget != Budget():
        return await foresee_fork(service, prefix, await service.plan_extension(prefix, budget))
    deliberation = await service.store.deliberations.resolve(prefix)
    header, _ = await service.check_resumable(deliberation)
    return await _foreseen(service, deliberation, header, before=None)


async def foresee_fork(service: Service, prefix: str, fork: Fork) -> Foreseen:
    """Return what going another way from a step would take.

    Raises:
        UsageError: for anything in the fork that cannot be used.
    """
    deliberation = await service.store.deliberations.resolve(prefix)
    header = await service.plan_fork(deliberation, fork)
    return await _foreseen(service, deliberation, header, before=header.forked_at)


async def _foreseen(service: Service, deliberation: str, header: Header, *, before: int | None) -> Foreseen:
    spec = service.find_protocol(header.protocol)
    expected = spec.expected(header.question, header.panel, spec.settings.model_validate(header.settings))
    journaled = await service.store.journals.read(deliberation)
    ended = {outcome.step for outcome in journaled.outcomes}
    kept = [row for row in journaled.attempts if row.step in ended and (before is None or row.position < before)]
    usd = service.planner.usd(header.panel, expected, header.budget)
    known = service.planner.known_usd(header.panel, expected)
    return Foreseen(header, expected, usd, known, spent_on(call_facts(kept)))
