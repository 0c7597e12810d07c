"""The seconds of an item are those of its calls: neither importing the SDK nor starting a server is among them.

`moot compare`, `moot evals run` and `moot screen` ask by way of the service, and show what its results say they took.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from moot.core.question import Question
from moot.evals.arms.table import Arm, ArmContext
from moot.evals.items.items import Item
from moot.gateway.client import open_client
from moot.gateway.embedded.model import EmbeddedModel
from moot.gateway.embedded.server import ChildEndpoint
from moot.gateway.gateway import Gateway
from moot.protocols import find_protocol
from moot.service.orders import Order
from moot.service.service import Service
from moot.store.store import Store
from tests.fake_server import FakeServer
from tests.runtime.memory import SettableClock

pytestmark = pytest.mark.anyio

A_MINUTE = 60.0


class SlowClock(SettableClock):
    """A clock that stands still while a call is made, and moves while somebody gets ready."""

    def __init__(self) -> None:
        super().__init__()
        self.got_ready = 0

    def get_ready(self) -> None:
        self.got_ready += 1
        self.steady += A_MINUTE
        self.wall += A_MINUTE


class SlowServer:
    """An embedded model's server that takes a minute to start."""

    def __init__(self, clock: SlowClock, url: str) -> None:
        self._clock = clock
        self._served = ChildEndpoint(url, "key", "m", 4096)

    async def start(self) -> ChildEndpoint:
        if not self._clock.got_ready:
            self._clock.get_ready()
        return self._served

    async def stop(self) -> None:
        """End what was never started."""


class SlowGateway(Gateway):
    """A gateway that takes a minute to open a client, and as long to start an embedded model."""

    def __init__(self, clock: SlowClock, url: str) -> None:
        super().__init__({})
        self._clock = clock
        self._url = url

    @override
    def _client(self, member: Any, secret: Any) -> Any:
        if member.base_url not in self._clients:
            self._clock.get_ready()
        return super()._client(member, secret)

    @override
    def _embedded(self, member: Any) -> EmbeddedModel:
        server, limit = SlowServer(self._clock, self._url), asyncio.Semaphore(1)
        given: Mapping[str, Any] = {"limit": limit, "retries": self._retries, "prices": self._prices}
        return EmbeddedModel(
            member, server, open_client=open_client, timeout=9.0, context=4096, slots=1, grammar=None, **given
        )


@pytest.mark.parametrize("kind", ["http", "embedded"])
async def test_the_first_item_has_the_seconds_of_its_calls_and_not_those_of_getting_ready(
    kind: str, tmp_path: Path
) -> None:
    clock = SlowClock()
    async with FakeServer() as server, SlowGateway(clock, server.url) as gateway:
        store = Store.open(f"sqlite:///{tmp_path}/moot.db", clock=clock)
        service = Service(store, gateway, clock=clock, environ={})
        member = server.member("m") if kind == "http" else "embedded:135m"

        result = await service.ask(Order(Question(text="Which?"), "single", (member,)))
        row = await Arm("single", find_protocol("single"))(
            Item("q1", "d", "Which?", "7", "span"), ArmContext(service, (member,))
        )
        await store.close()

    assert clock.got_ready == 1
    assert (result.spent.calls, result.spent.seconds, row.calls, row.seconds) == (1, 0.0, 1, 0.0)
