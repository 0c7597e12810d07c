"""Deliberations that this process hands to workers and waits for: for evaluations, whose items nobody waits for."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from moot.core.errors import MootError, UsageError
from moot.core.ports import Progress
from moot.core.verdict import Status
from moot.service.background.worker import shared_queue
from moot.service.orders import Plan
from moot.service.results import Result
from moot.service.service import Created, Service, ignore_id, no_progress
from moot.store.queue.jobs import NewJob
from moot.store.served import Served

LOOK_SECONDS = 0.5


class HandedOver:
    """Asks and resumes as a service does, by whichever worker takes it. Progress is not heard of."""

    def __init__(self, service: Service, key: str, pause: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """`key` is whose turns they take.

        Raises:
            UsageError: where the database is not PostgreSQL.
        """
        self._service = service
        self._key = key
        self._queue, self._workers = shared_queue(service)
        self._pause = pause
        self._awaited: dict[str, asyncio.Future[None]] = {}

    async def places(self, silent: float) -> int:
        """Return how many deliberations the living workers run at once.

        Raises:
            UsageError: where there is no worker.
        """
        living = (await self._workers.look()).living(silent)
        if not living:
            raise UsageError(
                "no worker is at this database, so nobody would run an item; start some with `moot worker`, or leave "
                "--workers out."
            )
        return sum(worker.at_once for worker in living)

    async def ask(self, order: Plan, *, on_progress: Progress = no_progress, on_created: Created = ignore_id) -> Result:
        """Return what a new deliberation comes to. `on_created` hears its id once it waits for a worker."""
        deliberation = await self._service.start(order, served=Served(self._key), lane="batch")
        on_created(deliberation)
        return await self._ended(deliberation)

    async def resume(
        self, prefix: str, *, on_progress: Progress = no_progress, on_created: Created = ignore_id
    ) -> Result:
        """Return what a deliberation comes to that was handed over before."""
        deliberation = await self._service.store.deliberations.resolve(prefix)
        header = await self._service.store.deliberations.header(deliberation)
        if deliberation not in await self._queue.states([deliberation]):
            await self._queue.put(deliberation, NewJob.of(header, self._key, "batch"))
        return await self._ended(deliberation)

    async def look(self) -> None:
        """Look once which of those that are waited for have ended, or stopped for good."""
        reached = await self._service.store.deliberations.reached(list(self._awaited))
        for deliberation, future in list(self._awaited.items()):
            stands = reached.get(deliberation)
            if future.done():
                continue
            if stands and Status(stands.status).ended:
                future.set_result(None)
            elif (stop := await self._queue.stop_of(deliberation)) and not stop.goes_on:
                future.set_exception(MootError(stop.message))

    async def watch(self) -> None:
        """Look over and over, until it is cancelled; a store that fails ends every wait."""
        while True:
            await self._pause(LOOK_SECONDS)
            try:
                await self.look()
            except MootError as error:
                for future in self._awaited.values():
                    if not future.done():
                        future.set_exception(error)

    async def _ended(self, deliberation: str) -> Result:
        self._awaited[deliberation] = future = asyncio.get_running_loop().create_future()
        try:
            await future
        finally:
            del self._awaited[deliberation]
        return await self._service.show(deliberation)


@asynccontextmanager
async def handed_over(service: Service, key: str) -> AsyncGenerator[HandedOver, None]:
    """Give what hands deliberations to workers, and looks after them while it is open."""
    handing = HandedOver(service, key)
    watching = asyncio.ensure_future(handing.watch())
    try:
        yield handing
    finally:
        watching.cancel()
        await asyncio.wait([watching])
