"""A process that runs the trial protocol over a real store and a fake server, and kills itself where it is told.

    python -m tests.service.driver '{"home": …, "url": …, "kill": "after:intend:2"}'

It begins the deliberation that `id` names, or goes on with it, fills the person's step, and prints the id and
status as one JSON line. `kill` names a write of the journal and whether to die before or after it is committed.
"""

import asyncio
import json
import os
import signal
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from moot.core.question import Question
from moot.core.verdict import Status
from moot.gateway.gateway import Gateway, GatewayOptions
from moot.gateway.retries import Retries
from moot.service.orders import Order
from moot.service.results import Result
from moot.service.service import Service
from moot.store.clocks import SystemClock
from moot.store.store import Store
from tests.runtime.protocol import TRIAL, Review

ROW = replace(TRIAL, submissions=(Review,))
SEATS = ("well", "500", "truncated", "prose", "wrong-schema", "think")


class Deadly:
    """A journal that ends its process at the n-th call of one of its writes, as no exception ever could."""

    def __init__(self, journal: Any, kill: str) -> None:
        self._journal = journal
        self._when, self._name, number = kill.split(":")
        self._left = int(number)

    def __getattr__(self, name: str) -> Any:
        write = getattr(self._journal, name)
        if name != self._name:
            return write

        async def deadly(*arguments: Any, **named: Any) -> Any:
            self._left -= 1
            is_the_one = self._left == 0
            if is_the_one and self._when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            done = await write(*arguments, **named)
            if is_the_one:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        return deadly


class DeadlyStore:
    """A store whose holds carry a deadly journal."""

    def __init__(self, store: Store, kill: str) -> None:
        self._store = store
        self._kill = kill

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @asynccontextmanager
    async def hold(self, deliberation: str):
        async with self._store.hold(deliberation) as hold:
            deadly: Any = Deadly(hold.journal, self._kill)
            hold.journal = deadly
            yield hold


async def no_wait(seconds: float) -> None:
    """Retry at once."""


async def drive(given: dict[str, Any]) -> Result:
    """Begin or go on until the run has ended."""
    store: Any = Store.open(given["database"], clock=SystemClock())
    gateway = Gateway({}, GatewayOptions(), retries=Retries(sleep=no_wait))
    held: Any = DeadlyStore(store, given["kill"]) if given.get("kill") else store
    service = Service(held, gateway, clock=SystemClock(), environ={}, protocols=lambda _: ROW)
    try:
        result = await _begin_or_go_on(service, given)
        while result.status is Status.PAUSED:
            await service.store.steps.take(result.id, "review:person", "Ada")
            await service.submit(result.id, "review:person", "Ada", {"grade": 5, "remark": "I agree"})
            result = await service.resume(result.id)
        return result
    finally:
        await gateway.close()
        await store.close()


async def _begin_or_go_on(service: Service, given: dict[str, Any]) -> Result:
    def created(deliberation: str) -> None:
        sys.stdout.write(json.dumps({"id": deliberation}) + "\n")
        sys.stdout.flush()

    if given.get("id"):
        return await service.resume(given["id"])
    order = Order(
        Question(text="Is water wet?"),
        protocol="trial",
        members=tuple(f"{given['url']}#{seat}" for seat in SEATS),
        seed=11,
    )
    return await service.ask(order, on_created=created)


def main() -> None:
    """Do what the argument says."""
    result = asyncio.run(drive(json.loads(sys.argv[1])))
    sys.stdout.write(json.dumps({"id": result.id, "status": result.status.value}) + "\n")


if __name__ == "__main__":
    main()
