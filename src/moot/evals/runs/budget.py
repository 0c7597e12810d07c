"""What a whole evaluation may spend, and what of it is left."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from moot.core.errors import BadSetting
from moot.evals.items.items import ArmRow
from moot.service.orders import Plan


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What this process may do: it may be more when a run goes on."""

    calls: int | None = None
    usd: float | None = None
    concurrency: int = 1


class RunBudget:
    """What the whole run may still spend; what is under way is set aside until it has ended."""

    def __init__(self, limits: RunLimits, rows: Sequence[ArmRow]) -> None:
        self._limits = limits
        self._calls = sum(row.calls for row in rows)
        # A call that was lost has a cost that nobody knows: it counts as the dearest row of its arm.
        dearest: dict[str, float] = {}
        for row in rows:
            dearest[row.arm] = max(dearest.get(row.arm, 0.0), row.usd or 0.0)
        self._usd = sum(dearest[row.arm] if row.usd is None else row.usd for row in rows)
        self._aside: dict[tuple[str, str], tuple[int, float]] = {}
        self.ended = ""

    def share(self) -> float | None:
        """Return the dollars that the next deliberation may have: the others under way have as much."""
        if self._limits.usd is None:
            return None
        aside = sum(usd for _, usd in self._aside.values())
        free = max(1, self._limits.concurrency - len(self._aside))
        return max(0.0, self._limits.usd - self._usd - aside) / free

    def admits(self, key: tuple[str, str], plan: Plan, share: float | None, dearest: float) -> bool:
        """Set aside what a planned deliberation may take; False where the run cannot afford it at its dearest."""
        calls = plan.budget.calls or plan.expected.calls
        aside = sum(count for count, _ in self._aside.values())
        if self._limits.calls is not None and self._calls + aside + calls > self._limits.calls:
            self.ended = f"the run's budget of {self._limits.calls} calls leaves no room"
        elif share is not None and share < dearest:
            self.ended = f"the run's budget of ${self._limits.usd:g} leaves no room"
        else:
            self._aside[key] = (calls, share or 0.0)
            return True
        return False

    def settle(self, key: tuple[str, str], row: ArmRow) -> None:
        """Take what was spent, and free the rest. Where nobody knows the cost, all that was set aside is gone."""
        _, usd = self._aside.pop(key, (0, 0.0))
        self._calls += row.calls
        self._usd += usd if row.usd is None else row.usd


def dearest_usd(plan: Plan, prices: Iterable[tuple[float, float] | None]) -> float:
    """Return what a plan costs if every reply is as long as it may be: a budget is not begun that cannot end it."""
    known = [price for price in prices if price]
    longest = getattr(plan.settings, "max_tokens", None) or plan.expected.tokens_out
    cost_in, cost_out = (max((price[side] for price in known), default=0.0) for side in (0, 1))
    return plan.expected.tokens_in * cost_in + plan.expected.calls * longest * cost_out


def check_limits(limits: RunLimits) -> None:
    """Do nothing where the limits can be kept."""
    for name in ("calls", "usd", "concurrency"):
        value = getattr(limits, name)
        if value is not None and not 0 < value < float("inf"):
            option = name if name == "concurrency" else f"budget-{name}"
            raise BadSetting(name=option, problem=f"{value} is no limit that can be kept; give a positive number")
