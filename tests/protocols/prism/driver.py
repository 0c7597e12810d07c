"""A process that takes a claim through the house, counts its calls in a file, and kills itself where it is told.

    python -m tests.protocols.prism.driver '{"url": …, "calls": FILE, "kill": "before:L2.1/consensus/1"}'

With `id` it goes on with that claim. `kill` names a slot, and whether to die before or after its submission.
"""

import asyncio
import json
import os
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from moot.core.calls import Request
from moot.gateway.gateway import Gateway
from moot.service.board import Board
from moot.service.service import Service
from moot.store.clocks import SystemClock
from moot.store.store import Store
from moot.testing import scripted
from tests.protocols.prism.board_kit import MEMBER, add, short_output


class DeadlySteps:
    """Open steps that end their process at the submission of one of them."""

    def __init__(self, steps: Any, kill: str) -> None:
        self._steps = steps
        self._when, _, self._step = kill.partition(":")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._steps, name)

    async def submit(self, step: str, agent: str, reply: Any) -> bool:
        if step == self._step and self._when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = await self._steps.submit(step, agent, reply)
        if step == self._step:
            os.kill(os.getpid(), signal.SIGKILL)
        return done


class DeadlyStore:
    """A store whose holds carry deadly steps."""

    def __init__(self, store: Store, kill: str) -> None:
        self._store = store
        self._kill = kill

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @asynccontextmanager
    async def hold(self, deliberation: str):
        async with self._store.hold(deliberation) as hold:
            deadly: Any = DeadlySteps(hold.steps, self._kill)
            hold.steps = deadly
            yield hold


async def drive(given: dict[str, Any]) -> str:
    """Begin or go on, and return the status."""
    calls = Path(given["calls"])

    def answer(request: Request) -> dict[str, Any]:
        with calls.open("a", encoding="utf-8") as file:
            file.write(f"{request.step}\n")
        return short_output(request.step)

    store: Any = Store.open(given["url"], clock=SystemClock())
    gateway = Gateway({}, own={MEMBER: scripted(answer)})
    held: Any = DeadlyStore(store, given["kill"]) if given.get("kill") else store
    service = Service(held, gateway, clock=SystemClock(), environ={})
    try:
        if given.get("id"):
            return (await service.resume(given["id"])).status.value
        return (await service.show(await add(Board(service), members=(MEMBER,)))).status.value
    finally:
        await gateway.close()
        await store.close()


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(drive(json.loads(sys.argv[1]))))
