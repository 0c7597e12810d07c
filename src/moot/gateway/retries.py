"""What is tried again, how often and after how long: 429, 5xx, timeouts and broken connections, three times."""

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar

from moot.core.calls import Failure
from moot.core.ports import BeforeRetry
from moot.gateway.call_errors import CallError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how patiently. The sources of chance and time are given, so that a test needs neither."""

    tries: int = 3
    first_delay: float = 0.5
    longest_delay: float = 8.0
    longest_retry_after: float = 60.0
    random: Callable[[], float] = random.random
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    now: Callable[[], float] = time.time

    def delay(self, failed: int, retry_after: str | None = None) -> float:
        """Return the seconds to wait after so many failed tries: doubling, with jitter, or what the server asked."""
        asked = seconds_of(retry_after, self.now())
        if asked is not None:
            return min(self.longest_retry_after, asked + self.first_delay * self.random())
        backoff = min(self.longest_delay, self.first_delay * 2.0 ** (failed - 1))
        return backoff * (0.5 + 0.5 * self.random())


async def persist(
    send: Callable[[], Awaitable[T | CallError]],
    *,
    retries: Retries,
    before_retry: BeforeRetry,
    time_left: Callable[[], float] = lambda: math.inf,
) -> T | Failure:
    """Return what `send` brings, or the failure it came to after the tries it was worth.

    A try that only lost a parameter is sent again at once and takes none of the tries, but it is announced to
    `before_retry` like the others: it is paid like the others.
    """
    sent, failed = 1, 0
    while True:
        outcome = await send()
        if not isinstance(outcome, CallError):
            return outcome
        if outcome.rejected is None:
            failed += 1
            if not outcome.again or failed >= retries.tries:
                return Failure(outcome.kind, _after(sent, outcome.detail))
            delay = retries.delay(failed, outcome.after)
            if delay >= time_left():
                return Failure(outcome.kind, f"no time is left for another try: {outcome.detail}")
            await retries.sleep(delay)
        sent += 1
        if not await before_retry(sent):
            return Failure("budget", f"the budget allows no further try: {outcome.detail}")


def seconds_of(retry_after: str | None, now: float) -> float | None:
    """Return the seconds that a Retry-After header asks for, given as a number or as an HTTP date."""
    if not retry_after:
        return None
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(retry_after).timestamp() - now
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds) if seconds == seconds else None


def _after(sent: int, detail: str) -> str:
    return detail if sent == 1 else f"after {sent} tries: {detail}"
