"""Records that are looked at: folded once for all, only as far as they have grown, and never all of the time."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from moot.core.errors import NotFound
from moot.core.events import Event, Noted, event_from, event_text
from moot.core.panes import Panes
from moot.core.record import Record, spent_on
from moot.protocols import find_protocol
from moot.service.reading.folds import Folds
from moot.service.reading.heads import DeliberationHead
from moot.service.service import Service
from tests.protocols.record_golden import GOLDEN

RECORDS = ("debate_flagged", "interrogation_whole", "spiral_forced", "prism_whole")


@dataclass
class Clock:
    """A clock that a test moves."""

    at: float = 100.0

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at


@dataclass
class Kept:
    """A store of records, which counts what is read."""

    texts: dict[str, list[str]]
    reads: list[tuple[str, int, int]] = field(default_factory=list)

    async def events(self, deliberation: str, after: int = -1, limit: int | None = None) -> list[tuple[int, str]]:
        if deliberation not in self.texts:
            raise NotFound(what="deliberation", name=deliberation, see="")
        await asyncio.sleep(0)
        chosen = list(enumerate(self.texts[deliberation]))[after + 1 :][:limit]
        self.reads.append((deliberation, after, len(chosen)))
        return chosen

    async def header(self, deliberation: str) -> Any:
        return Record((event_from(golden("debate_flagged")[0]),)).header


@dataclass
class Stage:
    """Folds over records in memory, with a protocol that counts how often it is asked for panes."""

    kept: Kept
    clock: Clock = field(default_factory=Clock)
    made: list[int] = field(default_factory=list)
    takes: float = 0.0

    @property
    def deliberations(self) -> Kept:
        return self.kept

    @property
    def store(self) -> "Stage":
        return self

    def find_protocol(self, name: str) -> Any:
        return replace(find_protocol(name), panes=self._panes)

    def _panes(self, record: Record) -> Panes:
        self.made.append(len(record.events))
        self.clock.at += self.takes
        return Panes(note=str(len(record.events)))

    def folds(self, **limits: int) -> Folds:
        return Folds(cast("Service", self), self.clock, **limits)


def golden(name: str) -> list[str]:
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if '"kind":' in line]


def stage(**records: Sequence[str]) -> Stage:
    return Stage(Kept({name: list(texts) for name, texts in records.items()}))


def note(number: int) -> str:
    return event_text(Noted(f"note {number}", {"n": number}))


def test_two_hundred_readers_of_one_deliberation_cost_one_fold() -> None:
    texts = golden("debate_flagged")
    here = stage(d=texts)
    folds = here.folds()

    async def scene() -> list[Any]:
        return await asyncio.gather(*(folds.read("d", len(texts) - 1) for _ in range(200)))

    read = asyncio.run(scene())

    assert here.made == [len(texts)]
    assert sum(count for *_, count in here.kept.reads) == len(texts)
    assert all(each is read[0] for each in read)
    assert read[0].record == Record(tuple(event_from(text) for text in texts))


def test_a_record_that_has_grown_is_read_on_and_not_read_again() -> None:
    texts = golden("debate_flagged")
    here = stage(d=texts[:5])
    folds = here.folds()

    async def scene() -> tuple[Any, Any, Any]:
        before = await folds.read("d", 4)
        here.kept.texts["d"] += texts[5:]
        same = await folds.read("d", 4)
        return before, same, await folds.read("d", len(texts) - 1)

    before, same, after = asyncio.run(scene())

    assert before is same and before.last == 4
    assert (after.last, after.panes.note) == (len(texts) - 1, str(len(texts)))
    assert [(first, count) for _, first, count in here.kept.reads if count] == [(-1, 5), (4, len(texts) - 5)]


def test_a_record_that_takes_long_to_fold_is_folded_a_quarter_of_the_time_at_most() -> None:
    here = stage(d=golden("debate_flagged")[:5])
    here.takes = 2.0
    folds = here.folds()

    async def scene() -> list[int]:
        lasts = [(await folds.read("d", 4)).last]
        for seconds in (5.9, 0.2):
            here.kept.texts["d"].append(note(len(here.kept.texts["d"])))
            here.clock.at += seconds
            lasts.append((await folds.read("d", len(here.kept.texts["d"]) - 1)).last)
        return lasts

    assert asyncio.run(scene()) == [4, 4, 6]
    assert here.made == [5, 7]


def test_what_has_not_been_looked_at_for_longest_is_dropped_and_can_be_read_again() -> None:
    texts = golden("debate_flagged")
    here = stage(a=texts, b=texts, c=texts)

    async def scene() -> tuple[Sequence[str], Sequence[str], Any]:
        few, small = here.folds(most=2), here.folds(most_events=len(texts) + 1)
        for name in "abac":
            await few.read(name, len(texts) - 1)
            await small.read(name, len(texts) - 1)
        return few.kept, small.kept, await small.read("a", len(texts) - 1)

    few, small, again = asyncio.run(scene())

    assert few == ("a", "c")
    assert small == ("c",)
    assert again.last == len(texts) - 1


def test_a_deliberation_without_an_event_has_the_record_of_its_header_and_one_that_is_gone_has_none() -> None:
    here = stage(d=[])
    folds = here.folds()

    empty = asyncio.run(folds.read("d", -1))
    assert (empty.last, empty.attempts, empty.seconds) == (-1, 0, 0.0)
    assert empty.record.header.question.text

    with pytest.raises(NotFound):
        asyncio.run(folds.read("gone", 0))
    assert folds.kept == ("d",)


def test_whoever_leaves_does_not_stop_the_reading_that_others_wait_for() -> None:
    texts = golden("debate_flagged")
    here = stage(d=texts)
    folds = here.folds()

    async def scene() -> Any:
        leaving = asyncio.ensure_future(folds.read("d", len(texts) - 1))
        await asyncio.sleep(0)
        waiting = asyncio.ensure_future(folds.read("d", len(texts) - 1))
        leaving.cancel()
        return await waiting

    assert asyncio.run(scene()).last == len(texts) - 1
    assert sum(count for *_, count in here.kept.reads) == len(texts)


def test_whoever_has_no_patience_is_told_that_the_record_is_being_read_and_finds_it_read_later() -> None:
    texts = golden("debate_flagged")
    here = stage(d=texts)
    folds = here.folds()
    header = Record((event_from(texts[0]),)).header
    head = cast("DeliberationHead", SimpleNamespace(id="d", events=len(texts), header=header))

    async def scene() -> tuple[Any, Any]:
        return await folds.read_soon(head, patience=0, large=25), await folds.read_soon(head, patience=0)

    glance, whole = asyncio.run(scene())

    assert (glance.last, glance.panes.note) == (
        -1,
        "Its 25 events are being read. The rest is shown when that is done.",
    )
    assert whole.last == 24 and here.made.count(25) == 1


@pytest.mark.parametrize("name", RECORDS)
def test_what_the_seats_took_event_by_event_is_what_the_record_says_as_a_whole(name: str) -> None:
    texts = golden(name)
    here = stage(d=texts[:7])
    folds = here.folds()

    async def scene() -> Any:
        await folds.read("d", 6)
        here.kept.texts["d"] = texts
        return await folds.read("d", len(texts) - 1)

    folded = asyncio.run(scene())

    record = Record(tuple(event_from(text) for text in texts))
    assert (folded.attempts, folded.seconds) == (len(record.calls), record.spent.seconds)
    assert folded.tries == record.spent.calls
    assert sum(seat.steps for seat in folded.seats.values()) == len(record.asked) + filled(record.events)
    for seat, tally in folded.seats.items():
        assert tally.spent == spent_on(call for event in record.asked if event.seat == seat for call in event.calls)
    for model, kept in record.compliance.items():
        seats = [seat for seat in folded.seats.values() if seat.model == model]
        assert (sum(seat.asked for seat in seats), sum(seat.first_time for seat in seats)) == (
            kept.asked,
            kept.first_time,
        )


def filled(events: Sequence[Event]) -> int:
    return sum(event.kind == "filled" for event in events)
