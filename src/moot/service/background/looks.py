"""Deliberations that stopped for want of something outside, each looked at again after a while that doubles."""

import asyncio
from collections.abc import Callable

FIRST, LONGEST = 5.0, 60.0


class LaterLooks:
    """When each deliberation that stopped is looked at again."""

    def __init__(self, look: Callable[[str], None], first: float = FIRST, longest: float = LONGEST) -> None:
        self._look = look
        self._first = first
        self._longest = longest
        self._seconds: dict[str, float] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def put(self, deliberation: str) -> float:
        """Have a deliberation looked at again, and return in how many seconds: twice as many each time in a row."""
        seconds = min(self._longest, self._seconds.get(deliberation, self._first / 2) * 2)
        self._seconds[deliberation] = seconds
        self._stop(deliberation)
        self._timers[deliberation] = asyncio.get_running_loop().call_later(seconds, self._wake, deliberation)
        return seconds

    def forget(self, deliberation: str) -> None:
        """Hear that a deliberation needs no other look."""
        self._seconds.pop(deliberation, None)
        self._stop(deliberation)

    def close(self) -> None:
        """Look at nothing any more."""
        for deliberation in list(self._timers):
            self._stop(deliberation)

    def _wake(self, deliberation: str) -> None:
        del self._timers[deliberation]
        self._look(deliberation)

    def _stop(self, deliberation: str) -> None:
        if timer := self._timers.pop(deliberation, None):
            timer.cancel()
