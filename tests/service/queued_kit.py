"""Servers and workers over one PostgreSQL database, each as a process of its own would be, in one loop."""

import asyncio
import gc
import warnings
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import psycopg

from moot.core.question import Question
from moot.gateway.gateway import Gateway
from moot.service.background.queued import QueuedRuns
from moot.service.background.worker import QueueWorker
from moot.service.orders import Order
from moot.service.service import Service
from moot.service.watching import Watch
from moot.store.clocks import SystemClock
from moot.store.queue.jobs import Queue
from moot.store.queue.names import LANES, Lane
from moot.store.queue.workers import Workers
from moot.store.served import Served
from moot.store.store import Store
from moot.testing import scripted
from tests.runtime.memory import SettableClock
from tests.service.runs_kit import MEMBERS, RELAY, Members, kill

SILENT = 1.0


async def until(happened: Callable[[], Awaitable[Any]], seconds: float = 20.0) -> Any:
    """Return what has happened, once it has."""
    async with asyncio.timeout(seconds):
        while not (value := await happened()):  # noqa: ASYNC110 - the database has no event to wait for
            await asyncio.sleep(0.02)
        return value


def died(url: str, deliberation: str, times: int) -> None:
    """Leave a job as a worker does that dies, after so many deaths before."""
    with psycopg.connect(url, autocommit=True, options="-c search_path=moot_queue") as connection:
        connection.execute(
            "UPDATE procrastinate_jobs SET status = 'doing', args = args || jsonb_build_object('deaths', %s::int) "
            "WHERE queueing_lock = %s",
            [times, deliberation],
        )


@dataclass
class QueueProcess:
    """A process over the database: its service, its streams, and what it puts in."""

    service: Service
    watch: Watch
    runs: QueuedRuns
    clock: SettableClock

    @property
    def store(self) -> Store:
        return self.service.store

    @property
    def queue(self) -> Queue:
        assert self.store.queue is not None
        return self.store.queue

    @property
    def workers(self) -> Workers:
        assert self.store.workers is not None
        return self.store.workers

    async def begin(
        self, question: str, *, members: tuple[str, ...] = MEMBERS, owner: str | None = None, **settings: Any
    ) -> str:
        """Create a deliberation as a server does, and put it in."""
        order = Order(Question(text=question), members=members, settings=settings, seed=1)
        plan = await self.service.planner.plan(order)
        return await self.service.start(plan, served=Served(owner), lane=self.runs.lane)

    async def status(self, deliberation: str) -> str:
        return (await self.store.deliberations.summary(deliberation)).status

    async def ended(self, deliberation: str, status: str = "complete") -> None:
        async def over() -> bool:
            return await self.status(deliberation) == status

        await until(over)

    async def state(self, deliberation: str) -> str | None:
        return (await self.runs.standing(deliberation)).state

    async def out(self, deliberation: str) -> None:
        """Wait until no worker has it and none is to."""

        async def nobodys() -> bool:
            return await self.state(deliberation) is None

        await until(nobodys)


@asynccontextmanager
async def queue_process(
    url: str, members: Members, *, every: float = 0.5, **options: Any
) -> AsyncGenerator[QueueProcess, None]:
    """Give a process over the database; when it is left, it is gone without having stopped anything."""
    clock = SettableClock()
    gateway = Gateway({}, own={name: scripted(members.say) for name in MEMBERS})
    store = Store.open(url)
    assert store.queue is not None and store.workers is not None
    service = Service(store, gateway, clock=SystemClock(), environ={}, protocols=lambda _: RELAY)
    watch = Watch(store.deliberations, every=every)
    runs = QueuedRuns(service, store.queue, store.workers, watch=watch, clock=clock, silent=SILENT, **options)
    before = asyncio.all_tasks()
    try:
        yield QueueProcess(service, watch, runs, clock)
    finally:
        with warnings.catch_warnings():
            # Who is killed in the middle of connecting leaves a connection open.
            warnings.simplefilter("ignore", ResourceWarning)
            await kill(before)
            gc.collect()
        await watch.stop()
        await store.close()
        await gateway.close()


@asynccontextmanager
async def worker_process(
    url: str,
    members: Members,
    *,
    version: int = RELAY.version,
    drain: float = 6.0,
    at_once: int = 4,
    lanes: Sequence[Lane] = LANES,
) -> AsyncGenerator[tuple[QueueWorker, QueueProcess], None]:
    """Give a worker that works; it ends gracefully."""
    async with queue_process(url, members) as process:
        worker = QueueWorker(
            process.service,
            name="one",
            clock=SystemClock(),
            protocols={RELAY.name: version},
            at_once=at_once,
            lanes=lanes,
            silent=SILENT,
            drain=drain,
        )
        running = asyncio.ensure_future(worker.run())
        await worker.ready.wait()
        yield worker, process
        await worker.stop()
        await running
