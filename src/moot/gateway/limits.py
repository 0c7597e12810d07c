"""How many calls may be under way with one provider at a time, whichever models they go to and whichever process
makes them.

A process that shares a database with others has a share of the limit, and asks for more or gives back as it has calls
to make. While it asks it begins none, so that all together never pass the limit.
"""

import asyncio
import contextlib
from collections import deque
from typing import Protocol

from moot.core.errors import MootError

BEAT_SECONDS = 0.5
"""How often a process that has calls to make looks at its share."""


class SharedCalls(Protocol):
    """What the processes of one database may have under way with each endpoint, all together."""

    async def share(self, endpoint: str, *, wanted: int, busy: int, most: int) -> int:
        """Return how many calls this process may have under way, of the `most` that all may have."""
        ...


class CallLimit:
    """How many calls this process may have under way with an endpoint: `async with` it around each."""

    def __init__(self, endpoint: str, most: int, shared: SharedCalls | None = None, beat: float = BEAT_SECONDS) -> None:
        self._endpoint = endpoint
        self._most = most
        self._shared = shared
        self._beat_seconds = beat
        self._may = most if shared is None else 0
        self._busy = 0
        self._peak = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._beats: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()

    async def leave(self) -> None:
        """Give the share back, where nothing is under way any more."""
        if self._shared is None or self._beats is None:
            return
        self._beats.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._beats
        with contextlib.suppress(MootError):
            self._may = await self._shared.share(self._endpoint, wanted=0, busy=self._busy, most=self._most)

    async def __aenter__(self) -> None:
        self._peak = max(self._peak, self._busy + len(self._waiting) + 1)
        if self._busy < self._may and not self._waiting:
            self._busy += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._ask()
        try:
            await turn
        except asyncio.CancelledError:
            if turn in self._waiting:
                self._waiting.remove(turn)
            elif not turn.cancelled():
                self._end()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        self._busy -= 1
        self._admit()

    def _admit(self) -> None:
        while self._waiting and self._busy < self._may:
            turn = self._waiting.popleft()
            if not turn.done():
                self._busy += 1
                turn.set_result(None)

    def _ask(self) -> None:
        if self._shared is None:
            return
        self._wanted.set()
        if self._beats is None or self._beats.done():
            self._beats = asyncio.ensure_future(self._beat(self._shared))

    async def _beat(self, shared: SharedCalls) -> None:
        """Look at the share again and again, until there has been nothing to call for a while."""
        while True:
            self._wanted.clear()
            wanted, self._peak = max(self._peak, self._busy + len(self._waiting)), self._busy + len(self._waiting)
            before, self._may = self._may, 0
            try:
                self._may = await shared.share(self._endpoint, wanted=wanted, busy=self._busy, most=self._most)
            except MootError:
                # What it may is what it was told last; without its database a run ends before its next call anyway.
                self._may = before
            self._admit()
            if not (wanted or self._waiting or self._may):
                return
            await self._pause(until_wanted=self._may >= wanted)

    async def _pause(self, *, until_wanted: bool) -> None:
        if until_wanted:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), self._beat_seconds)
        else:
            await asyncio.sleep(self._beat_seconds)


class Limits:
    """One limit for each provider or endpoint, shared by all its models."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._limits: dict[str, CallLimit] = {}
        self._shared: SharedCalls | None = None

    def share(self, shared: SharedCalls) -> None:
        """Keep the limits together with the other processes of a database."""
        self._shared = shared

    def of(self, endpoint: str, usual: int) -> CallLimit:
        """Return the limit of an endpoint: the one for all, or the usual number."""
        if endpoint not in self._limits:
            self._limits[endpoint] = CallLimit(endpoint, self._most or usual, self._shared)
        return self._limits[endpoint]

    async def leave(self) -> None:
        """Give all shares back."""
        for limit in self._limits.values():
            await limit.leave()
