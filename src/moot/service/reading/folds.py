"""The records that people look at, each folded once for all of them, and only as far as it has grown.

What is kept can be dropped and read anew at any time. Reading and folding are done in a thread: the server answers
others meanwhile. A record that takes long to fold is folded rarely, so that it never takes more than a quarter of the
time however many look at it and however fast it grows.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from moot.core.errors import NotFound
from moot.core.events import Answered, CallFacts, Embedded, Event, Started, Unanswered, event_from
from moot.core.panes import Panes
from moot.core.ports import Clock
from moot.core.record import Record, covered_seconds
from moot.service.protocol_part import ProtocolPart, protocol_part
from moot.service.reading.heads import DeliberationHead, read_head
from moot.service.reading.seats import SeatTally, Span, tallied, timed
from moot.service.service import Service

AT_ONCE = 2000
"""Events that are read from the store together."""
MOST_FOLDS = 64
MOST_EVENTS = 200_000
"""Events that all folds hold together; the one that was looked at last is kept whatever it holds."""
REST = 3.0
"""Rests for so many times as long as it took."""
HEAD_SECONDS = 1.0
PATIENCE = 1.0
LARGE = 5000
"""Whoever opens the page of a record of so many events waits for no more than a second until it is read."""


@dataclass(frozen=True, slots=True, eq=False)
class FoldedRecord:
    """A record as far as it has been read, with what its protocol shows of it."""

    id: str
    record: Record
    last: int
    """The seq of the last event in it; -1 where there is none."""
    part: ProtocolPart
    panes: Panes
    seats: Mapping[str, SeatTally]
    attempts: int
    """How many attempts its events tell of, those at vectors too."""
    tries: int
    """How often something was sent at them."""
    seconds: float
    """For how long at least one call was in flight."""
    due: float
    """The moment of the monotonic clock before which it is not folded again."""


@dataclass(slots=True, eq=False)
class _Fold:
    """What is kept of one deliberation."""

    id: str
    work: "asyncio.Task[FoldedRecord] | None" = None
    """What reads it on at present; whoever waits for it may leave, and it goes on."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    events: list[Event] = field(default_factory=list)
    seats: Mapping[str, SeatTally] = field(default_factory=dict)
    spans: dict[str, list[Span]] = field(default_factory=dict)
    """When the calls of each seat began and ended; those at vectors are of no seat."""
    attempts: int = 0
    tries: int = 0
    folded: FoldedRecord | None = None
    head: tuple[float, DeliberationHead] | None = None


class Folds:
    """The records that are looked at in one process."""

    def __init__(
        self, service: Service, clock: Clock, *, most: int = MOST_FOLDS, most_events: int = MOST_EVENTS
    ) -> None:
        self._service = service
        self._clock = clock
        self._most = most
        self._most_events = most_events
        self._folds: OrderedDict[str, _Fold] = OrderedDict()

    @property
    def kept(self) -> tuple[str, ...]:
        """The deliberations that are kept, the one looked at last at the end."""
        return tuple(self._folds)

    async def read(self, deliberation: str, last: int) -> FoldedRecord:
        """Return the record with the event of this seq in it; an older one where it is too early to fold again.

        Raises:
            NotFound: where there is none.
        """
        fold = self._fold(deliberation)
        known = fold.folded
        if known is None or (known.last < last and self._clock.monotonic() >= known.due):
            known = await asyncio.shield(self._working_on(fold))
        return known

    async def read_soon(
        self, head: DeliberationHead, *, patience: float = PATIENCE, large: int = LARGE
    ) -> FoldedRecord:
        """Return the record as `read` does; of a large one that takes too long to read, what its head alone says."""
        try:
            async with asyncio.timeout(patience if head.events >= large else None):
                return await self.read(head.id, head.events - 1)
        except TimeoutError:
            part = protocol_part(Record((Started(head.header),)), self._service.find_protocol)
            note = f"Its {head.events:,} events are being read. The rest is shown when that is done."
            return FoldedRecord(head.id, part.record, -1, part, replace(part.panes, note=note), {}, 0, 0, 0.0, 0.0)

    async def head(self, deliberation: str, last: int, *, has_ended: bool = False) -> DeliberationHead:
        """Return the head of a deliberation as it was a second ago or later, for those who look at it all the time.

        It knows of the event of this seq and, where the deliberation is known to have ended, of its end.

        Raises:
            NotFound: where there is none.
        """
        fold = self._fold(deliberation)
        async with fold.lock:
            now = self._clock.monotonic()
            since, known = fold.head or (0.0, None)
            is_fresh = known and now - since < HEAD_SECONDS and known.events > last
            if not known or not is_fresh or (has_ended and not known.status.ended):
                known = await read_head(self._service, deliberation)
                fold.head = (now, known)
            return known

    def forget_head(self, deliberation: str) -> None:
        """Read the head of a deliberation anew, at which somebody has just done something."""
        if fold := self._folds.get(deliberation):
            fold.head = None

    def forget(self, deliberation: str) -> None:
        """Drop what is kept of a deliberation."""
        self._folds.pop(deliberation, None)

    def _working_on(self, fold: _Fold) -> "asyncio.Task[FoldedRecord]":
        if fold.work is None:
            fold.work = asyncio.create_task(self._fold_on(fold), name=f"moot fold {fold.id}")
            fold.work.add_done_callback(lambda work: self._worked(fold, work))
        return fold.work

    def _worked(self, fold: _Fold, work: "asyncio.Task[FoldedRecord]") -> None:
        fold.work = None
        if work.cancelled():
            return
        if isinstance(work.exception(), NotFound):
            self.forget(fold.id)
        self._make_room()

    def _fold(self, deliberation: str) -> _Fold:
        fold = self._folds.setdefault(deliberation, _Fold(deliberation))
        self._folds.move_to_end(deliberation)
        return fold

    async def _fold_on(self, fold: _Fold) -> FoldedRecord:
        began = self._clock.monotonic()
        deliberations = self._service.store.deliberations
        while texts := await deliberations.events(fold.id, len(fold.events) - 1, AT_ONCE):
            events, seats, calls = await asyncio.to_thread(_read, [text for _, text in texts], fold.seats)
            fold.events += events
            fold.seats = seats
            for seat, call in calls:
                fold.spans.setdefault(seat, []).append((call.started, call.started + call.seconds))
            fold.attempts += len(calls)
            fold.tries += sum(call.tries for _, call in calls)
        events = tuple(fold.events) or (Started(await deliberations.header(fold.id)),)
        part = protocol_part(Record(events), self._service.find_protocol)
        panes, seats, seconds = await asyncio.to_thread(_shown, part, fold.seats, fold.spans)
        ended = self._clock.monotonic()
        fold.folded = FoldedRecord(
            id=fold.id,
            record=part.record,
            last=len(fold.events) - 1,
            part=part,
            panes=panes,
            seats=seats,
            attempts=fold.attempts,
            tries=fold.tries,
            seconds=seconds,
            due=ended + REST * (ended - began),
        )
        return fold.folded

    def _make_room(self) -> None:
        held = sum(len(fold.events) for fold in self._folds.values())
        while len(self._folds) > 1 and (len(self._folds) > self._most or held > self._most_events):
            _, dropped = self._folds.popitem(last=False)
            held -= len(dropped.events)


def _read(
    texts: Sequence[str], seats: Mapping[str, SeatTally]
) -> tuple[list[Event], Mapping[str, SeatTally], list[tuple[str, CallFacts]]]:
    events = [event_from(text) for text in texts]
    for event in events:
        seats = tallied(seats, event)
    asked = (event for event in events if isinstance(event, Answered | Unanswered | Embedded))
    calls = [("" if isinstance(event, Embedded) else event.seat, call) for event in asked for call in event.calls]
    return events, seats, calls


def _shown(
    part: ProtocolPart, seats: Mapping[str, SeatTally], spans: Mapping[str, Sequence[Span]]
) -> tuple[Panes, Mapping[str, SeatTally], float]:
    return part.panes, timed(seats, spans), covered_seconds(chain.from_iterable(spans.values()))
