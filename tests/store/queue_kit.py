"""A queue over a real database: jobs that are put in, engines that take them, and a database that goes away."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, contextmanager
from typing import Any, LiteralString, cast

import psycopg
from procrastinate.worker import Worker
from psycopg import sql
from sqlalchemy import make_url
from store_kit import header

from moot.store import Served, Store
from moot.store.queue.engine import OnlyPutBack, engine_for
from moot.store.queue.jobs import TASK, NewJob
from moot.store.queue.names import Lane, Room, queue_name
from moot.store.queue.standing import Pace, StandingWorker
from moot.store.queue.workers import NewWorker

NOW = queue_name("now", "single", 1)
BATCH = queue_name("batch", "single", 1)
STEP = queue_name("step", "single", 1)
FAST = Pace(silent=1.0, poll=0.1, abort=0.1, drain=5.0)
DEAF = Pace(silent=1.0, poll=1000.0, abort=1000.0, drain=5.0)
"""Whatever it hears of, it was told."""

Task = Callable[[str, Any], Awaitable[None]]


async def until(happened: Callable[[], Awaitable[Any]], seconds: float = 20.0) -> Any:
    """Return what has happened, once it has."""
    async with asyncio.timeout(seconds):
        while not (value := await happened()):  # noqa: ASYNC110 - the database has no event to wait for
            await asyncio.sleep(0.02)
        return value


async def put(store: Store, name: str, *, lane: Lane = "now", key: str = "") -> None:
    """Create a deliberation and put it in, in one transaction."""
    await store.served.create(name, header(), Served(key or None), NewJob(lane, "single", 1, key))


def rows(url: str, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return what the engine's tables hold."""
    with psycopg.connect(url, autocommit=True, options="-c search_path=moot_queue,public") as connection:
        done = connection.execute(sql.SQL(cast("LiteralString", query)), values)
        return done.fetchall() if done.description else []


async def row(url: str, query: str, *values: Any) -> Any:
    """Return the first of what the engine's tables hold."""
    found = await asyncio.to_thread(rows, url, query, *values)
    return found[0] if found else None


@contextmanager
def outage(url: str):
    """Cut every session of the engine and refuse new ones, until the end."""
    name = sql.Identifier(make_url(url).database or "")
    with psycopg.connect(_elsewhere(url), autocommit=True) as connection:
        connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(name))
        cut(connection, url)
        try:
            yield
        finally:
            connection.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(name))


def cut(connection: psycopg.Connection[Any], url: str) -> None:
    """End every session of the engine."""
    connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = %s AND application_name = 'moot worker'",
        [make_url(url).database],
    )


def _elsewhere(url: str) -> str:
    return make_url(url).set(database="postgres").render_as_string(hide_password=False)


def engine(store: Store, task: Task):
    """An engine with one task, that does what is told."""
    app = engine_for(store.url)

    async def run(context: Any, deliberation: str, deaths: int = 0) -> None:
        await task(deliberation, context)

    app.task(name=TASK, pass_context=True, retry=OnlyPutBack())(run)
    return app


@asynccontextmanager
async def working(
    store: Store, task: Task, *, pace: Pace = FAST, at_once: int = 4, queues: tuple[str, ...] = (NOW, BATCH, STEP)
) -> AsyncGenerator[StandingWorker, None]:
    """Give a worker that does what is told with each deliberation, and end it gracefully."""
    assert store.workers is not None
    workers = store.workers
    async with engine(store, task).open_async() as app:

        async def registered(number: int) -> None:
            await workers.add(number, NewWorker("one", "0", queues, at_once, store.session), 0.0)

        worker = StandingWorker(app, Room(queues, at_once), pace, workers=await workers.table(), registered=registered)
        async with run_worker(worker):
            await worker.ready.wait()
            yield worker


@asynccontextmanager
async def stock(store: Store, task: Task, pace: Pace = FAST) -> AsyncGenerator[Worker, None]:
    """Give the engine's own worker, as it comes."""
    async with engine(store, task).open_async() as app:
        worker = Worker(
            app,
            queues=[NOW],
            concurrency=4,
            fetch_job_polling_interval=pace.poll,
            abort_job_polling_interval=pace.abort,
            shutdown_graceful_timeout=pace.drain,
            update_heartbeat_interval=pace.beat,
            stalled_worker_timeout=pace.silent,
            install_signal_handlers=False,
        )
        async with run_worker(worker):
            yield worker


@asynccontextmanager
async def run_worker(worker: Worker) -> AsyncGenerator[None, None]:
    running = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        worker.stop()
        await asyncio.wait([running])
        if not running.cancelled() and (error := running.exception()):
            raise error
