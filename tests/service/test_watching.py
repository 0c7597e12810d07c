"""Streams of run events: nothing missed, nothing twice, however slow the reader and wherever it is cut off."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.errors import DatabaseUnusable, NotFound
from moot.core.ports import ProgressEvent
from moot.service.watching import BufferLimits, EventHeard, StreamEnd, Subscription, Watch
from moot.store.watched import Reached

SMALL = BufferLimits(items=4, characters=24, read_at_once=3)
T = TypeVar("T")


@dataclass
class Shelf:
    """Events in memory, which take some turns of the loop to be read."""

    texts: dict[str, list[str]] = field(default_factory=lambda: {"d": []})
    status: dict[str, str] = field(default_factory=lambda: {"d": "running"})
    turns: int = 1
    reads: list[str] = field(default_factory=list)
    looks: int = 0
    broken: bool = False

    def add(self, *texts: str, to: str = "d") -> None:
        self.texts[to] += texts

    async def events(self, deliberation: str, after: int = -1, limit: int | None = None) -> list[tuple[int, str]]:
        self.reads.append(deliberation)
        await self._turns()
        if deliberation not in self.texts:
            raise NotFound(what="deliberation", name=deliberation, see="")
        stored = [(seq, text) for seq, text in enumerate(self.texts[deliberation]) if seq > after][:limit]
        await self._turns()
        return stored

    async def reached(self, watched):
        self.looks += 1
        await self._turns()
        if self.broken:
            raise DatabaseUnusable(where="shelf", problem="it fell")
        found = {id_: Reached(self.status[id_], len(self.texts[id_]) - 1) for id_ in watched if id_ in self.texts}
        await self._turns()
        return found

    async def _turns(self) -> None:
        for _ in range(self.turns):
            await asyncio.sleep(0)


class Ticks:
    """A pause that lasts until the test says so."""

    def __init__(self) -> None:
        self._tick = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        await self._tick.wait()

    def tick(self) -> None:
        self._tick.set()
        self._tick = asyncio.Event()


async def settle() -> None:
    """Let everything happen that can without a tick."""
    for _ in range(60):
        await asyncio.sleep(0)


def watched(scene: Callable[[Watch, Shelf, Ticks], Awaitable[T]], *, room: BufferLimits = SMALL, **shelf: Any) -> T:
    """Return what a scene with a watch over a shelf of its own returns."""

    async def run() -> T:
        kept, ticks = Shelf(**shelf), Ticks()
        watch = Watch(kept, pause=ticks, room=room)
        try:
            return await scene(watch, kept, ticks)
        finally:
            await watch.stop()

    return asyncio.run(run())


async def heard_by_end(stream: Subscription) -> list[object]:
    return [heard async for heard in stream]


def test_a_stream_begins_with_what_is_stored_past_its_start_and_ends_with_the_status() -> None:
    async def scene(watch, shelf, ticks):
        shelf.add(*"abcdefgh")
        shelf.status["d"] = "complete"
        return [await heard_by_end(watch.subscribe("d", after)) for after in (-1, 5, 7, 99)]

    whole, tail, nothing, beyond = watched(scene)

    assert whole == [*(EventHeard(seq, text) for seq, text in enumerate("abcdefgh")), StreamEnd("complete")]
    assert tail == [EventHeard(6, "g"), EventHeard(7, "h"), StreamEnd("complete")]
    assert nothing == beyond == [StreamEnd("complete")]


def test_what_another_process_writes_is_heard_at_the_next_tick() -> None:
    async def scene(watch, shelf, ticks):
        stream = watch.subscribe("d")
        first = asyncio.ensure_future(anext(stream))
        await settle()
        shelf.add("a")
        await settle()
        before = first.done()
        ticks.tick()
        return before, await first

    assert watched(scene) == (False, EventHeard(0, "a"))


def test_progress_is_passed_on_and_wakes_the_watch_before_its_tick() -> None:
    async def scene(watch, shelf, ticks):
        stream = watch.subscribe("d")
        hear = watch.progress_of("d")
        await settle()
        first = asyncio.ensure_future(anext(stream))
        await settle()
        shelf.add("a")
        hear(ProgressEvent("asking", "first:m1", "m1", "a model"))
        return await first, await anext(stream)

    assert watched(scene) == (ProgressEvent("asking", "first:m1", "m1", "a model"), EventHeard(0, "a"))


def test_tokens_are_passed_on_and_cost_no_look_at_the_store() -> None:
    async def scene(watch, shelf, ticks):
        stream = watch.subscribe("d")
        first = asyncio.ensure_future(anext(stream))
        await settle()
        looks = shelf.looks
        watch.progress_of("d")(ProgressEvent("tokens", "s", "m1", "17"))
        heard = await first
        await settle()
        return heard, shelf.looks - looks

    assert watched(scene) == (ProgressEvent("tokens", "s", "m1", "17"), 0)


def test_a_paused_deliberation_stays_open_and_goes_on() -> None:
    async def scene(watch, shelf, ticks):
        shelf.add("a")
        shelf.status["d"] = "paused"
        stream = watch.subscribe("d")
        first = await anext(stream)
        second = asyncio.ensure_future(anext(stream))
        await settle()
        waited = not second.done()
        shelf.add("b")
        ticks.tick()
        return first, waited, await second

    assert watched(scene) == (EventHeard(0, "a"), True, EventHeard(1, "b"))


def test_many_readers_of_one_deliberation_share_one_read_of_what_is_new() -> None:
    async def scene(watch, shelf, ticks):
        streams = [watch.subscribe("d") for _ in range(200)]
        firsts = [asyncio.ensure_future(anext(stream)) for stream in streams]
        await settle()
        before = len(shelf.reads), shelf.looks
        shelf.add("a")
        ticks.tick()
        heard = await asyncio.gather(*firsts)
        return heard, len(shelf.reads) - before[0], shelf.looks - before[1]

    heard, reads, looks = watched(scene)

    assert set(heard) == {EventHeard(0, "a")}
    assert (reads, looks) == (1, 1)


def test_nobody_looks_at_the_store_while_nobody_listens() -> None:
    async def scene(watch, shelf, ticks):
        stream = watch.subscribe("d")
        await settle()
        stream.close()
        ticks.tick()
        await settle()
        looks = shelf.looks
        ticks.tick()
        await settle()
        return shelf.looks - looks, watch.streams

    assert watched(scene) == (0, 0)


def test_a_reader_that_never_reads_holds_no_more_than_its_room_and_may_still_read_everything() -> None:
    async def scene(watch, shelf, ticks):
        hear = watch.progress_of("d")
        stream = watch.subscribe("d")
        most = 0
        for number in range(40):
            shelf.add(f"{number}")
            hear(ProgressEvent("noted", f"{number}"))
            await settle()
            most = max(most, stream.queued)
        shelf.status["d"] = "complete"
        ticks.tick()
        return most, await heard_by_end(stream)

    most, heard = watched(scene)

    assert most <= SMALL.items
    assert [item for item in heard if isinstance(item, EventHeard)] == [EventHeard(n, f"{n}") for n in range(40)]
    assert heard[-1] == StreamEnd("complete")


@pytest.mark.parametrize("turns", range(12))
def test_a_reader_that_gives_up_waiting_and_comes_back_to_its_stream_has_missed_nothing(turns: int) -> None:
    async def scene(watch, shelf, ticks):
        shelf.add(*"abcdefgh")
        shelf.status["d"] = "complete"
        stream, heard = watch.subscribe("d"), []
        while not heard or not isinstance(heard[-1], StreamEnd):
            waiting = asyncio.ensure_future(anext(stream))
            for _ in range(turns):
                await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
            heard.append(await anext(stream) if waiting.cancelled() else waiting.result())
        return heard

    heard = watched(scene, turns=2)

    assert heard == [*(EventHeard(seq, text) for seq, text in enumerate("abcdefgh")), StreamEnd("complete")]


def test_an_event_that_is_larger_than_the_room_is_still_heard() -> None:
    large = "x" * (SMALL.characters * 3)

    async def scene(watch, shelf, ticks):
        shelf.add("a", large, "b", large)
        shelf.status["d"] = "complete"
        return await heard_by_end(watch.subscribe("d"))

    heard = watched(scene)

    assert [item.text for item in heard[:-1]] == ["a", large, "b", large]


def test_a_deliberation_that_is_deleted_ends_its_streams_without_a_status() -> None:
    async def scene(watch, shelf, ticks):
        shelf.add("a")
        stream = watch.subscribe("d")
        first = await anext(stream)
        rest = asyncio.ensure_future(heard_by_end(stream))
        await settle()
        del shelf.texts["d"]
        ticks.tick()
        return first, await rest

    assert watched(scene) == (EventHeard(0, "a"), [])


def test_a_store_that_fails_is_told_once_and_the_streams_go_on_when_it_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scene(watch, shelf, ticks):
        stream = watch.subscribe("d")
        first = asyncio.ensure_future(anext(stream))
        await settle()
        shelf.broken = True
        shelf.add("a")
        for _ in range(3):
            ticks.tick()
            await settle()
        shelf.broken = False
        ticks.tick()
        return await first

    assert watched(scene) == EventHeard(0, "a")
    assert [record.getMessage() for record in caplog.records] == ["watching: database shelf: it fell."]


def test_stopping_ends_every_stream_also_one_whose_deliberation_has_ended() -> None:
    async def scene(watch, shelf, ticks):
        shelf.add(*"abcdefgh")
        shelf.texts["e"], shelf.status = ["a"], {"d": "complete", "e": "running"}
        unread, waiting = watch.subscribe("d"), watch.subscribe("e")
        await anext(unread)
        await anext(waiting)
        nothing = asyncio.ensure_future(heard_by_end(waiting))
        await settle()
        await watch.stop()
        return await nothing, await heard_by_end(unread), await heard_by_end(watch.subscribe("d")), watch.streams

    assert watched(scene) == ([], [], [], 0)


class Reader:
    """Reads one item for each that it is allowed, and begins again where it stopped when it is cut off."""

    def __init__(self, watch: Watch, start: int) -> None:
        self._watch = watch
        self._start = start
        self._allowed = asyncio.Semaphore(0)
        self._hurries = False
        self.heard: list[object] = []
        self.most = 0
        self._begin()

    def _begin(self) -> None:
        seqs = [item.seq for item in self.heard if isinstance(item, EventHeard)]
        self._stream = self._watch.subscribe("d", seqs[-1] if seqs else self._start)
        self._reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        while True:
            if not self._hurries:
                await self._allowed.acquire()
            self.most = max(self.most, self._stream.queued)
            heard = await anext(self._stream, None)
            if heard is None:
                return
            self.heard.append(heard)

    def allow(self, number: int) -> None:
        for _ in range(number):
            self._allowed.release()

    async def cut(self) -> None:
        """Stop in the middle of whatever it does."""
        self._reading.cancel()
        await asyncio.wait([self._reading])
        self._stream.close()
        self._begin()

    async def finish(self) -> None:
        self._hurries = True
        self.allow(1)
        await self._reading


ACTS = st.one_of(
    st.tuples(st.just("arrive"), st.integers(1, 9)),
    st.tuples(st.just("read"), st.integers(0, 2), st.integers(1, 6)),
    st.tuples(st.just("cut"), st.integers(0, 2)),
    st.tuples(st.just("progress"), st.sampled_from(["asking", "tokens", "noted"])),
    st.tuples(st.just("tick")),
    st.tuples(st.just("turns"), st.integers(1, 5)),
)


@settings(max_examples=300, deadline=None)
@given(
    acts=st.lists(ACTS, max_size=40),
    starts=st.tuples(*[st.integers(-3, 12)] * 3),
    turns=st.integers(0, 3),
    stored=st.integers(0, 12),
    large=st.sets(st.integers(0, 60)),
)
def test_whatever_arrives_whoever_is_slow_or_cut_each_hears_exactly_what_is_stored_past_its_start(
    acts, starts, turns, stored, large
) -> None:
    def text(seq: int) -> str:
        return f"{seq}" if seq not in large else f"{seq}".ljust(SMALL.characters, "x")

    async def scene(watch, shelf, ticks):
        shelf.add(*map(text, range(stored)))
        readers = [Reader(watch, start) for start in starts]
        hear = watch.progress_of("d")
        for name, *given_ in acts:
            match name:
                case "arrive":
                    shelf.add(*map(text, range(len(shelf.texts["d"]), len(shelf.texts["d"]) + given_[0])))
                case "read":
                    readers[given_[0]].allow(given_[1])
                case "cut":
                    await readers[given_[0]].cut()
                case "progress":
                    hear(ProgressEvent(given_[0], "s", "m1"))
                case "tick":
                    ticks.tick()
                case "turns":
                    for _ in range(given_[0]):
                        await asyncio.sleep(0)
        shelf.status["d"] = "complete"
        ending = asyncio.gather(*(reader.finish() for reader in readers))
        while not ending.done():
            ticks.tick()
            await asyncio.sleep(0)
        await ending
        return shelf.texts["d"], readers

    texts, readers = watched(scene, turns=turns)

    for start, reader in zip(starts, readers, strict=True):
        events = [(item.seq, item.text) for item in reader.heard if isinstance(item, EventHeard)]
        assert events == [(seq, text) for seq, text in enumerate(texts) if seq > start]
        assert [item for item in reader.heard if isinstance(item, StreamEnd)] == [StreamEnd("complete")]
        assert isinstance(reader.heard[-1], StreamEnd)
        assert reader.most <= SMALL.items
