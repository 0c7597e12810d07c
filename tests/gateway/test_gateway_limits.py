"""Calls under way with a provider: never more than its limit, in one process and over all of a database."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from moot.core.errors import DiskFull
from moot.gateway.limits import CallLimit
from moot.gateway.members import machine_wide
from tests.gateway.gateway_kit import Tries, gateway, request

pytestmark = pytest.mark.anyio


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not happened():  # noqa: ASYNC110 (nobody says when a task has come so far)
            await asyncio.sleep(0)


class Shares:
    """What a process is told that it may, and what it asked with."""

    def __init__(self, may: Callable[[int, int], int]) -> None:
        self.may = may
        self.asked: list[tuple[int, int]] = []
        self.at_its_turn: asyncio.Event | None = None

    async def share(self, endpoint: str, *, wanted: int, busy: int, most: int) -> int:
        self.asked.append((wanted, busy))
        if self.at_its_turn:
            await self.at_its_turn.wait()
        return self.may(wanted, most)


class Calls:
    """Calls through a limit that last until they are let end."""

    def __init__(self, limit: CallLimit) -> None:
        self.limit = limit
        self.busy = self.peak = 0
        self.let = asyncio.Event()

    async def call(self) -> None:
        async with self.limit:
            self.busy += 1
            self.peak = max(self.peak, self.busy)
            await self.let.wait()
            self.busy -= 1

    async def under_way(self, number: int) -> None:
        await until(lambda: self.busy == number)


@asynccontextmanager
async def calling(limit: CallLimit, number: int) -> AsyncGenerator[tuple[Calls, list[asyncio.Task[None]]]]:
    calls = Calls(limit)
    tasks = [asyncio.ensure_future(calls.call()) for _ in range(number)]
    try:
        yield calls, tasks
    finally:
        calls.let.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        await limit.leave()


async def test_one_process_has_as_many_calls_under_way_as_the_limit_says() -> None:
    async with calling(CallLimit("a", 3), 10) as (calls, tasks):
        await calls.under_way(3)
        calls.let.set()
        await asyncio.gather(*tasks)

        assert calls.peak == 3


async def test_a_process_makes_no_more_calls_than_its_share_and_more_as_it_grows() -> None:
    grown = asyncio.Event()
    shares = Shares(lambda wanted, most: min(wanted, 4 if grown.is_set() else 1))

    async with calling(CallLimit("a", 8, shares, beat=0), 6) as (calls, _):
        await calls.under_way(1)
        await until(lambda: len(shares.asked) > 4)
        before = calls.peak
        grown.set()
        await calls.under_way(4)

    assert before == 1 and calls.peak == 4


async def test_calls_that_begin_together_are_asked_for_once() -> None:
    shares = Shares(lambda wanted, most: wanted)

    async with calling(CallLimit("a", 8, shares, beat=60), 6) as (calls, _):
        await calls.under_way(6)

        assert shares.asked == [(6, 0)]


async def test_while_a_process_asks_for_its_share_it_begins_nothing() -> None:
    shares = Shares(lambda wanted, most: min(wanted, most))

    async with calling(CallLimit("a", 8, shares, beat=0), 2) as (calls, tasks):
        await calls.under_way(2)
        shares.at_its_turn = asyncio.Event()
        asked = len(shares.asked)
        await until(lambda: len(shares.asked) > asked)
        tasks.append(asyncio.ensure_future(calls.call()))
        for _ in range(20):
            await asyncio.sleep(0)
        meanwhile = calls.busy
        shares.at_its_turn.set()
        await calls.under_way(3)

    assert meanwhile == 2


async def test_a_share_is_given_back_when_there_is_nothing_to_call_and_asked_for_anew() -> None:
    shares = Shares(lambda wanted, most: min(wanted, most))
    limit = CallLimit("a", 8, shares, beat=0)

    for _ in range(2):
        async with calling(limit, 1) as (calls, tasks):
            await calls.under_way(1)
            calls.let.set()
            await asyncio.gather(*tasks)
            await until(lambda: shares.asked[-1] == (0, 0))

    assert shares.asked.count((1, 0)) >= 2


async def test_a_call_that_is_cancelled_while_it_waits_takes_nobodys_turn() -> None:
    async with calling(CallLimit("a", 1), 3) as (calls, [_, second, third]):
        await calls.under_way(1)
        second.cancel()
        calls.let.set()
        await third

    assert calls.peak == 1


async def test_a_process_whose_database_fails_keeps_the_share_that_it_had() -> None:
    def may(wanted: int, most: int) -> int:
        if len(shares.asked) > 1:
            raise DiskFull(where="moot.db")
        return wanted

    shares = Shares(may)
    async with calling(CallLimit("a", 8, shares, beat=0), 2) as (calls, tasks):
        await calls.under_way(2)
        await until(lambda: len(shares.asked) > 3)
        calls.let.set()
        await asyncio.gather(*tasks)
        again = asyncio.ensure_future(calls.call())
        await again

    assert calls.peak == 2


async def test_two_processes_pass_the_limit_of_a_provider_at_no_moment(server: Any) -> None:
    held: dict[int, int] = {}

    def of(process: int) -> Shares:
        def may(wanted: int, most: int) -> int:
            others = sum(number for other, number in held.items() if other != process)
            held[process] = min(wanted, most - others)
            return held[process]

        return Shares(may)

    tries = [Tries(), Tries()]
    server.delay = 0.01
    async with gateway(tries[0], calls_at_once=3) as one, gateway(tries[1], calls_at_once=3) as other:
        for process, each in enumerate((one, other)):
            each.limits.share(of(process))
        models = [each.model(server.member("well")) for each in (one, other)]
        await asyncio.gather(
            *(
                model.complete(request(), before_retry=tries[index].before_retry)
                for index, model in enumerate(models)
                for _ in range(6)
            )
        )
        for each in (one, other):
            await each.limits.leave()

    assert server.most_in_flight == 3


def test_what_listens_on_this_machine_alone_has_its_name() -> None:
    local, far = "http://127.0.0.1:11434/v1", "https://api.example/v1"

    assert machine_wide(far) == far
    assert machine_wide(local).endswith(f" {local}") and machine_wide(local) != local
