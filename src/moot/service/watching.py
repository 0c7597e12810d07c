"""What happens in deliberations, for whoever listens to a stream: run events from the store, and progress.

One poller serves every stream, so a thousand readers of one deliberation cost one read. It looks at the store and not
at the runs of this process: what another process runs is heard as well. A reader that is slower than the run holds no
more than its queue: the queue takes nothing more, and the reader reads on from the store when it comes back.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from moot.core.errors import MootError, NotFound
from moot.core.ports import Progress, ProgressEvent, ProgressKind
from moot.core.verdict import Status
from moot.service.reading.in_flight import BeingAsked, InFlight, LastHeard
from moot.store.watched import Reached

QUIET: frozenset[ProgressKind] = frozenset(("begun", "speaking", "tokens", "retrying", "spent"))
"""Progress after which the store holds nothing new."""

log = logging.getLogger("moot.watch")


@dataclass(frozen=True, slots=True)
class EventHeard:
    """A run event as it is stored."""

    seq: int
    text: str


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """The deliberation has ended; nothing comes after this."""

    status: str


Heard = EventHeard | ProgressEvent | StreamEnd


@dataclass(frozen=True, slots=True)
class BufferLimits:
    """How much a stream keeps for a reader that does not read."""

    items: int = 1000
    characters: int = 250_000
    """Of run events; a single one that is larger has the queue to itself."""
    read_at_once: int = 100
    """Run events that are read from the store together."""


class Kept(Protocol):
    """What a watch reads: `store.deliberations`, or what can stand in for it."""

    async def events(self, deliberation: str, after: int = -1, limit: int | None = None) -> list[tuple[int, str]]:
        """Return the run events past a seq, in order, up to a limit."""
        ...

    async def reached(self, watched: Collection[str]) -> dict[str, Reached]:
        """Return how far each of the deliberations is; one that is gone is left out."""
        ...


Pause = Callable[[float], Awaitable[None]]


class Subscription:
    """What one reader hears of a deliberation: all stored run events past a seq, each once and in order, then news."""

    def __init__(
        self,
        deliberation: str,
        after: int,
        kept: Kept,
        room: BufferLimits,
        closed: Callable[["Subscription"], None],
        reader: str | None = None,
    ) -> None:
        """`reader` is the prefix of the key that hears it."""
        self.deliberation = deliberation
        self.reader = reader
        self._at = after
        self._kept = kept
        self._room = room
        self._closed = closed
        self._queue: deque[EventHeard | ProgressEvent] = deque()
        self._characters = 0
        self._behind = True
        self._ended: StreamEnd | None = None
        self._over = False
        self._news = asyncio.Event()

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> Heard:
        while not self._over:
            if self._queue:
                return self._taken()
            if self._behind:
                await self._read_on()
            elif self._ended:
                self.close()
                return self._ended
            else:
                self._news.clear()
                await self._news.wait()
        raise StopAsyncIteration

    def close(self) -> None:
        """Hear nothing more; whoever waits for the next is told that there is none."""
        self._over = True
        self._queue.clear()
        self._news.set()
        self._closed(self)

    @property
    def at(self) -> int:
        """The seq of the last run event that was heard or is queued."""
        return self._at

    @property
    def queued(self) -> int:
        """How much waits for the reader in memory."""
        return len(self._queue)

    @property
    def behind(self) -> bool:
        """Whether the reader has to read on from the store before it can be told anything."""
        return self._behind

    def tell(self, events: Iterable[tuple[int, str]]) -> None:
        """Queue run events; where one does not fit or one before it is missing, fall behind instead."""
        for seq, text in events:
            if seq > self._at and not self._behind:
                self._behind = seq > self._at + 1 or not self._queued(seq, text)
        self._news.set()

    def tell_progress(self, progress: ProgressEvent) -> None:
        """Queue progress, unless there is no room for it."""
        if not self._behind and len(self._queue) < self._room.items:
            self._queue.append(progress)
            self._news.set()

    def tell_end(self, status: str) -> None:
        """Let the stream end after what is queued and, where it is behind, after what is stored."""
        self._ended = StreamEnd(status)
        self._news.set()

    async def _read_on(self) -> None:
        # Not behind from here on: what is told while the store is read is queued, and skipped below.
        self._behind = False
        try:
            events = await self._kept.events(self.deliberation, self._at, self._room.read_at_once)
        except NotFound:
            self.close()
            return
        except BaseException:
            self._behind = True
            raise
        for seq, text in events:
            if seq > self._at and not self._queued(seq, text):
                self._behind = True
                return
        self._behind = self._behind or len(events) == self._room.read_at_once

    def _queued(self, seq: int, text: str) -> bool:
        fits = len(self._queue) < self._room.items and self._characters + len(text) <= self._room.characters
        if self._queue and not fits:
            return False
        self._queue.append(EventHeard(seq, text))
        self._characters += len(text)
        self._at = seq
        return True

    def _taken(self) -> EventHeard | ProgressEvent:
        heard = self._queue.popleft()
        if isinstance(heard, EventHeard):
            self._characters -= len(heard.text)
        return heard


class Watch:
    """The streams of one process, and the poller that serves them while there are any."""

    def __init__(
        self,
        kept: Kept,
        *,
        every: float = 0.5,
        pause: Pause = asyncio.sleep,
        room: BufferLimits | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._kept = kept
        self._in_flight = InFlight(now)
        self._room = room or BufferLimits()
        self._every = every
        self._pause = pause
        self._streams: set[Subscription] = set()
        self._watched: dict[str, set[Subscription]] = {}
        """Those that may still hear something new, by deliberation."""
        self._woken = asyncio.Event()
        self._poller: asyncio.Task[None] | None = None
        self._stopped = False
        self._failing = False

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return len(self._streams)

    def subscribe(self, deliberation: str, after: int = -1, reader: str | None = None) -> Subscription:
        """Return what is heard of the deliberation past a seq; whoever has heard enough closes it.

        `reader` is the prefix of a key; when that is revoked, `close_streams_of` ends it.
        """
        subscription = Subscription(deliberation, max(after, -1), self._kept, self._room, self._leave, reader)
        if self._stopped:
            subscription.close()
            return subscription
        self._streams.add(subscription)
        self._watched.setdefault(deliberation, set()).add(subscription)
        self.wake()
        if self._poller is None:
            self._poller = asyncio.create_task(self._poll(), name="moot watch")
        return subscription

    def progress_of(self, deliberation: str) -> Progress:
        """Return the ear that passes a run's progress on."""

        def hear(event: ProgressEvent) -> None:
            self._in_flight.hear(deliberation, event)
            streams = self._watched.get(deliberation, ())
            for stream in streams:
                stream.tell_progress(event)
            if streams and event.kind not in QUIET:
                self.wake()

        return hear

    def being_asked(self, deliberation: str) -> tuple[BeingAsked, ...]:
        """Return whose answers a deliberation awaits, as far as this process runs it."""
        return self._in_flight.of(deliberation)

    def last_heard(self, deliberation: str) -> tuple[LastHeard, ...]:
        """Return how the last step of each member ended, as far as this process runs the deliberation."""
        return self._in_flight.last_of(deliberation)

    def run_over(self, deliberation: str) -> None:
        """Take in that this process no longer works on a deliberation."""
        self._in_flight.forget(deliberation)
        self.wake()

    def wake(self) -> None:
        """Look at the store now."""
        self._woken.set()

    def close_streams_of(self, reader: str) -> None:
        """End every stream that a key has opened."""
        for stream in [stream for stream in self._streams if stream.reader == reader]:
            stream.close()

    async def stop(self) -> None:
        """End every stream and the poller."""
        self._stopped = True
        for stream in list(self._streams):
            stream.close()
        if self._poller:
            self._poller.cancel()
            await asyncio.wait([self._poller])

    def _leave(self, subscription: Subscription) -> None:
        self._streams.discard(subscription)
        streams = self._watched.get(subscription.deliberation, set())
        streams.discard(subscription)
        if not streams:
            self._watched.pop(subscription.deliberation, None)

    async def _poll(self) -> None:
        while True:
            self._woken.clear()
            try:
                await self._look()
                self._failing = False
            except Exception as error:
                # The streams go on when the store does; one line says since when.
                if not self._failing:
                    log.error("watching: %s", error if isinstance(error, MootError) else type(error).__name__)  # noqa: TRY400
                self._failing = True
            await self._tick()

    async def _look(self) -> None:
        """Tell every stream what is new."""
        watched = list(self._watched)
        reached = await self._kept.reached(watched) if watched else {}
        for deliberation in watched:
            if stands := reached.get(deliberation):
                # One that is deleted just now is found to be gone at the next look.
                with suppress(NotFound):
                    await self._tell(deliberation, stands)
            else:
                for stream in list(self._watched.get(deliberation, ())):
                    stream.close()

    async def _tell(self, deliberation: str, stands: Reached) -> None:
        while (first := self._first_to_tell(deliberation, stands)) is not None:
            events = await self._kept.events(deliberation, first, self._room.read_at_once)
            for stream in self._watched.get(deliberation, ()):
                stream.tell(events)
        if Status(stands.status).ended:
            for stream in self._watched.pop(deliberation, ()):
                stream.tell_end(stands.status)

    def _first_to_tell(self, deliberation: str, stands: Reached) -> int | None:
        streams = self._watched.get(deliberation, ())
        return min((stream.at for stream in streams if not stream.behind and stream.at < stands.last), default=None)

    async def _tick(self) -> None:
        waits = [asyncio.ensure_future(self._woken.wait())]
        if self._watched:
            waits.append(asyncio.ensure_future(self._pause(self._every)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
