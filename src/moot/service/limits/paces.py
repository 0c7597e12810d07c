"""How often each caller may come: counted by each server, and over all servers of one database twice a second."""

from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Protocol

from moot.core.errors import TooManyRequests
from moot.core.ports import Clock

BURST_SECONDS = 4
REMEMBERED = 10_000
"""Callers whose pace is remembered; the one not heard of for longest is forgotten first."""

TOLD_SECONDS = 0.5


class SharedPaces(Protocol):
    """What all servers of a database have counted together."""

    async def count(self, counted: Mapping[str, int], rate: float, most: float) -> dict[str, float]:
        """Add what one server has counted, and return how many requests each of these callers has left."""
        ...


class RateLimiter:
    """How fast each caller has been; a bucket of requests that fills with time."""

    def __init__(self, rate: float, clock: Clock, shared: SharedPaces | None = None) -> None:
        self._rate = rate
        self._most = max(1.0, rate * BURST_SECONDS)
        self._clock = clock
        self._shared = shared
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._untold: Counter[str] = Counter()

    def count(self, caller: str) -> None:
        """Count a request.

        Raises:
            TooManyRequests: for one too many, with the seconds to wait.
        """
        now = self._clock.monotonic()
        left, since = self._left.pop(caller, (self._most, now))
        left = min(self._most, left + (now - since) * self._rate)
        self._left[caller] = (left - 1 if left >= 1 else min(0.0, left), now)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        if left < 1:
            raise TooManyRequests(retry_after=(1 - left) / self._rate)
        if self._shared is not None:
            self._untold[caller] += 1

    def give_back(self, caller: str) -> None:
        """Take back what the caller's last request counted."""
        if caller in self._left:
            left, since = self._left[caller]
            self._left[caller] = (min(self._most, left + 1), since)
            if self._untold[caller]:
                self._untold[caller] -= 1

    async def tell(self) -> None:
        """Tell the other servers what was counted here, and hear what these callers have left after all of them."""
        told, self._untold = +self._untold, Counter()
        if self._shared is None or not told:
            return
        for caller, left in (await self._shared.count(told, self._rate, self._most)).items():
            # Some may have come while the others were asked.
            self._left[caller] = (left - self._untold[caller], self._clock.monotonic())
