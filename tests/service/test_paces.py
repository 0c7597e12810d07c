"""How often a key may come, at one server and at several over one database."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from typing_extensions import override

from moot.core.errors import TooManyRequests
from moot.service.limits.paces import RateLimiter
from tests.runtime.memory import SettableClock
from tests.service.queued_kit import until
from tests.web.kit import Site, at_site, environ


class Told:
    """What all servers have counted together, without a database and without time."""

    def __init__(self) -> None:
        self.left: dict[str, float] = {}
        self.asked: list[dict[str, int]] = []

    async def count(self, counted: Mapping[str, int], rate: float, most: float) -> dict[str, float]:
        self.asked.append(dict(counted))
        for caller, number in counted.items():
            self.left[caller] = self.left.get(caller, most) - number
        return {caller: self.left[caller] for caller in counted}


def admitted(pace: RateLimiter, caller: str, times: int) -> int:
    count = 0
    for _ in range(times):
        try:
            pace.count(caller)
            count += 1
        except TooManyRequests:
            pass
    return count


def test_a_key_that_is_too_quick_at_two_servers_waits_for_both() -> None:
    told, clock = Told(), SettableClock()
    one, other = (RateLimiter(10, clock, told) for _ in range(2))
    both = [admitted(pace, "moot_1", 100) for pace in (one, other)]

    for pace in (one, other):
        asyncio.run(pace.tell())
    with pytest.raises(TooManyRequests) as refused:
        other.count("moot_1")

    # Forty may come at once; the forty that came to the other server too are a debt of four seconds.
    assert both == [40, 40]
    assert refused.value.retry_after == pytest.approx(4.1)


def test_what_comes_while_the_others_are_asked_counts_too() -> None:
    clock = SettableClock()

    class Meanwhile(Told):
        @override
        async def count(self, counted: Mapping[str, int], rate: float, most: float) -> dict[str, float]:
            admitted(pace, "moot_1", 5)
            return await super().count(counted, rate, most)

    pace = RateLimiter(10, clock, told := Meanwhile())
    admitted(pace, "moot_1", 10)
    asyncio.run(pace.tell())
    assert admitted(pace, "moot_1", 100) == 25

    asyncio.run(pace.tell())

    assert told.asked == [{"moot_1": 10}, {"moot_1": 30}]


def test_a_server_that_is_alone_asks_nobody_and_where_nobody_came_nobody_is_told() -> None:
    told = Told()
    alone, quiet = RateLimiter(10, SettableClock()), RateLimiter(10, SettableClock(), told)
    admitted(alone, "moot_1", 3)

    asyncio.run(alone.tell())
    asyncio.run(quiet.tell())

    assert told.asked == []


def test_servers_on_one_database_tell_each_other_of_requests(tmp_path: Path, postgres_url: str) -> None:
    environ_ = {**environ(tmp_path, serve_rate="100"), "MOOT_DATABASE": postgres_url}

    async def scene(here: Site) -> float:
        key = await here.serving.keys.find(here.keys["agent"])
        paces = here.serving.store.paces
        assert key and paces
        for _ in range(30):
            await here.get("/offers", "agent")

        async def told() -> float:
            left = (await paces.count({key.prefix: 0}, 0.001, 400.0))[key.prefix]
            return left if left < 400 else 0.0

        return await until(told)

    # It fills while they come; somebody else's server would have heard of some of them at least.
    assert 370 <= at_site(tmp_path, scene, environ_=environ_) < 400
