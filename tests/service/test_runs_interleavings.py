"""Whatever comes in whatever order: no wish is lost, no deliberation runs twice at a time, no more run than may."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.errors import AlreadyRunning, UsageError
from moot.service.runs import FREE_AT_ONCE, Runs
from moot.service.watching import Watch
from moot.store.served import Served

AT_ONCE = 2
IDS = ("paid 0", "paid 1", "paid 2", "free 0", "free 1")


@dataclass
class Claims:
    """A service and its store, as counts: of each deliberation, what was submitted and what a run has made of it.

    A run makes something only of what it saw when it began, so that each submission needs a look that comes after it.
    """

    turns: list[int]
    submitted: dict[str, int] = field(default_factory=lambda: dict.fromkeys(IDS, 0))
    done: dict[str, int] = field(default_factory=lambda: dict.fromkeys(IDS, 0))
    wanted: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(IDS, True))
    runs: dict[str, int] = field(default_factory=lambda: dict.fromkeys(IDS, 0))
    breaks: set[str] = field(default_factory=set)
    most: dict[str, int] = field(default_factory=lambda: {"paid": 0, "free": 0})
    _held: set[str] = field(default_factory=set)
    _turn: int = 0

    @property
    def store(self) -> Any:
        return SimpleNamespace(served=self, deliberations=self, steps=self)

    async def read(self, deliberation: str) -> Served:
        await self._wait()
        return Served(None, wanted=self.wanted[deliberation])

    async def unwanted(self, deliberations: Collection[str]) -> list[str]:
        return [each for each in deliberations if not self.wanted[each]]

    async def set_wanted(self, deliberation: str, wanted: bool) -> None:
        await self._wait()
        self.wanted[deliberation] = wanted
        await self._wait()

    async def header(self, deliberation: str) -> Any:
        await self._wait()
        return SimpleNamespace(panel=("a",) if deliberation.startswith("paid") else ())

    async def is_due(self, deliberation: str) -> bool:
        await self._wait()
        due = self.submitted[deliberation] > self.done[deliberation]
        await self._wait()
        return due

    async def run(self, deliberation: str, *, on_progress: Any, stopping: Any) -> None:
        if deliberation in self._held:
            raise AlreadyRunning(deliberation=deliberation)
        self._held.add(deliberation)
        for kind in self.most:
            self.most[kind] = max(self.most[kind], sum(id_.startswith(kind) for id_ in self._held))
        self.runs[deliberation] += 1
        try:
            seen = self.submitted[deliberation]
            await self._wait()
            if deliberation in self.breaks:
                self.breaks.discard(deliberation)
                raise UsageError("it broke")
            self.done[deliberation] = seen
            await self._wait()
        finally:
            self._held.discard(deliberation)

    async def _wait(self) -> None:
        self._turn += 1
        for _ in range(self.turns[self._turn % len(self.turns)]):
            await asyncio.sleep(0)


ACTS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["submit", "resume", "break", "finished"]), st.sampled_from(IDS)),
        st.tuples(st.just("turns"), st.integers(1, 6)),
    ),
    max_size=60,
)
TURNS = st.lists(st.integers(0, 4), min_size=1, max_size=7)


def runs_of(claims: Claims) -> Runs:
    service: Any = claims
    return Runs(service, watch=Watch(service), at_once=AT_ONCE, queue=100)


async def acted(claims: Claims, acts: list[tuple[str, Any]]) -> Runs:
    """Return the runs after so many acts and everything that they led to."""
    runs = runs_of(claims)
    for name, given_ in acts:
        match name:
            case "submit":
                claims.submitted[given_] += 1
                runs.resume_if_due(given_)
            case "resume":
                runs.resume(given_)
            case "break":
                claims.breaks.add(given_)
                claims.submitted[given_] += 1
                runs.resume_if_due(given_)
                await runs.finished(given_)
                claims.submitted[given_] += 1
                runs.resume_if_due(given_)
            case "cancel":
                await runs.cancel(given_)
            case "finished":
                await runs.finished(given_)
            case "turns":
                for _ in range(given_):
                    await asyncio.sleep(0)
    for id_ in IDS:
        await runs.finished(id_)
    return runs


@settings(max_examples=400, deadline=None)
@given(acts=ACTS, turns=TURNS)
def test_every_submission_is_made_something_of_and_nothing_runs_beside_itself(acts, turns) -> None:
    claims = Claims(turns)

    runs = asyncio.run(acted(claims, acts))

    assert claims.done == claims.submitted
    assert claims.most["paid"] <= AT_ONCE
    assert claims.most["free"] <= FREE_AT_ONCE
    assert (runs.running, runs.queued) == (0, 0)


@settings(max_examples=400, deadline=None)
@given(
    acts=st.lists(
        st.tuples(st.sampled_from(["submit", "resume", "cancel"]), st.sampled_from(IDS))
        | st.tuples(st.just("turns"), st.integers(1, 6)),
        max_size=60,
    ),
    turns=TURNS,
)
def test_the_last_word_decides_whether_a_deliberation_is_wanted_and_one_that_is_not_does_not_run(acts, turns) -> None:
    claims = Claims(turns)

    asyncio.run(acted(claims, acts))

    for id_ in IDS:
        words = [name for name, given_ in acts if given_ == id_ and name != "submit"]
        assert claims.wanted[id_] is (words[-1:] != ["cancel"])
        if claims.wanted[id_]:
            continue
        after = claims.runs[id_]
        claims.submitted[id_] += 1
        asyncio.run(acted(claims, [("submit", id_)]))
        assert claims.runs[id_] == after


@given(turns=TURNS, before=st.integers(0, 12))
def test_while_a_deliberation_is_being_cancelled_nobody_can_go_on_with_it(turns, before) -> None:
    async def scene():
        claims = Claims(turns)
        runs = runs_of(claims)
        runs.resume("paid 0")
        for _ in range(before):
            await asyncio.sleep(0)
        cancelling = asyncio.ensure_future(runs.cancel("paid 0"))
        await asyncio.sleep(0)
        while not cancelling.done():
            claims.submitted["paid 0"] += 1
            runs.resume_if_due("paid 0")
            runs.resume("paid 0")
            await asyncio.sleep(0)
        return runs.state("paid 0"), claims.wanted["paid 0"]

    assert asyncio.run(scene()) == (None, False)
