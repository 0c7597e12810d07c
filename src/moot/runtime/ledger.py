"""The budget: every try is charged before it is sent, at the most it could take, and settled by its reply.

A try that brings no reply keeps its charge, because nobody knows what it took: a limit may be reached early,
and is never passed. Once something has been refused, everything is: the door stays shut.
"""

import json
from dataclasses import dataclass

from moot.core.budget import Budget
from moot.core.calls import Attempt, Usage
from moot.core.ports import Clock
from moot.core.tokens import most_tokens


@dataclass(frozen=True, slots=True)
class Charge:
    """The most that one try could take."""

    tokens: int
    usd: float | None


class Ledger:
    """What has been charged so far against a budget, over all processes that worked on a deliberation."""

    def __init__(self, budget: Budget, *, clock: Clock, active: float = 0.0, shut: bool = False) -> None:
        self._budget = budget
        self._clock = clock
        self._active_before = active
        self._began = clock.monotonic()
        self._calls = 0
        self._tokens = 0
        self._usd = 0.0
        self.shut = shut

    @property
    def active(self) -> float:
        """Seconds of work so far."""
        return self._active_before + self._clock.monotonic() - self._began

    @property
    def seconds_left(self) -> float | None:
        """Seconds that the budget leaves, or None without a limit."""
        return None if self._budget.seconds is None else max(0.0, self._budget.seconds - self.active)

    def admit(self, charge: Charge) -> str | None:
        """Charge a try; return None, or the limit that forbids it."""
        limit = "an earlier step was refused" if self.shut else self._limit_passed_by(charge)
        if limit:
            self.shut = True
            return limit
        self._add(1, charge.tokens, charge.usd)
        return None

    def settle(self, charge: Charge, usage: Usage) -> None:
        """Replace the charge of the try that brought a reply by what it took, where that is known."""
        if usage.tokens_in is not None and usage.tokens_out is not None:
            self._tokens += usage.tokens_in + usage.tokens_out - charge.tokens
        if usage.usd is not None:
            self._usd += usage.usd - (charge.usd or 0.0)

    def release(self, charge: Charge, tries: int) -> None:
        """Take back the charge of a reply that was asked for along with others and that the call did not bring."""
        self._add(-tries, -tries * charge.tokens, -tries * (charge.usd or 0.0))

    def recall(self, row: Attempt, charge: Charge) -> None:
        """Charge what an earlier process sent."""
        self._add(row.tries, row.tries * charge.tokens, row.tries * (charge.usd or 0.0))
        if row.state in ("reply", "bad"):
            self.settle(charge, row.usage)

    def _add(self, calls: int, tokens: int, usd: float | None) -> None:
        self._calls += calls
        self._tokens += tokens
        self._usd += usd or 0.0

    def _limit_passed_by(self, charge: Charge) -> str | None:
        budget = self._budget
        if budget.calls is not None and self._calls + 1 > budget.calls:
            return f"{budget.calls} calls"
        if budget.tokens is not None and self._tokens + charge.tokens > budget.tokens:
            return f"{budget.tokens} tokens"
        if budget.usd is not None and (charge.usd is None or self._usd + charge.usd > budget.usd):
            return f"{budget.usd} dollars"
        if budget.seconds is not None and self.active >= budget.seconds:
            return f"{budget.seconds:g} seconds"
        return None


def charge_for(request: str, price: tuple[float, float] | None, schema: int = 0) -> Charge:
    """Return the most that sending a journaled request could take, whatever the tokenizer.

    The names in the request stand for what a chat template adds; `schema` is the size of the reply's schema in bytes,
    which goes with the request and is not in it.
    """
    room = int(json.loads(request).get("max_tokens", 0))
    prompt = most_tokens(request) + schema
    usd = None if price is None else prompt * price[0] + room * price[1]
    return Charge(tokens=prompt + room, usd=usd)
