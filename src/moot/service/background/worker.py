"""A worker: takes deliberations from the queue and runs each from wherever it stands, for whichever server asked."""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from moot.core.errors import (
    AlreadyEnded,
    AlreadyRunning,
    BadSetting,
    DayUsedUp,
    ExtraMissing,
    Fenced,
    NotFound,
    StoreError,
    UsageError,
    WorkersDied,
)
from moot.core.ports import Clock, Model, Progress
from moot.core.protocol import ProtocolSpec
from moot.core.verdict import Status
from moot.protocols import all_protocols, find_protocol
from moot.runtime.dispatch import Stopped
from moot.service.background.ends import lacked, told_failure
from moot.service.background.news import News
from moot.service.background.workforce import NOT_POSTGRES, silence_of
from moot.service.configuring import read_configuration
from moot.service.opening import open_service
from moot.service.service import Service, no_progress
from moot.settings import BadValue, ProductSettings
from moot.store.queue.jobs import TASK, Queue, Stop
from moot.store.queue.names import LANES, Lane, Room, queues_for
from moot.store.queue.news import CHANNEL, packed
from moot.store.queue.workers import NewWorker, Workers
from moot.version import __version__

NEWS_SECONDS = 0.2
MOST_DEATHS = 10
"""A deliberation whose worker has died so often is left alone: it may be what kills them."""
FIRST_HELD, LONGEST_HELD = 0.2, 2.0
"""Until a deliberation that another process holds is looked at again; twice as long each time."""
FIRST_LACK, LONGEST_LACK = 5.0, 60.0
"""Until one that lacked something is; twice as long each time."""

log = logging.getLogger("moot.worker")

Hear = Callable[[str], Progress]
"""Gives, for a deliberation, the ear that its progress is told to."""


def unheard(deliberation: str) -> Progress:
    """Pass no progress on."""
    return no_progress


class QueueWorker:
    """The part of this process that works on what waits."""

    def __init__(
        self,
        service: Service,
        *,
        name: str,
        clock: Clock,
        protocols: Mapping[str, int],
        at_once: int = 8,
        lanes: Sequence[Lane] = LANES,
        silent: float = 10.0,
        drain: float = 6.0,
        hear: Hear = unheard,
        over: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`over` hears that this process no longer works on a deliberation.

        Raises:
            UsageError: where the database is not PostgreSQL, or there is no such lane.
            ExtraMissing: without the engine.
        """
        try:
            from moot.store.queue import engine, standing
        except ModuleNotFoundError:
            raise ExtraMissing(what="a worker", extra="postgres") from None
        self._engine, self._standing = engine, standing
        self._service = service
        self._clock = clock
        self._queue, self._workers = shared_queue(service)
        self._room = Room(queues_for(protocols, lanes), at_once)
        self._about = NewWorker(name, __version__, self._room.queues, at_once, service.store.session)
        self._pace = standing.Pace(silent=silent, poll=min(2.0, silent / 3), drain=drain)
        self._hear = hear
        self._over = over
        self._news = News()
        self._stopping = False
        self._number: int | None = None
        self._worker: standing.StandingWorker | None = None
        self._running: asyncio.Task[None] | None = None
        self.ready = asyncio.Event()

    @property
    def number(self) -> int | None:
        """Its number among the workers, once it has one."""
        return self._number

    @property
    def name(self) -> str:
        """What tells it from others."""
        return self._about.name

    @property
    def queues(self) -> tuple[str, ...]:
        """The queues that it takes from."""
        return self._room.queues

    async def run(self) -> None:
        """Work until `stop` is called."""
        app = self._engine.engine_for(self._service.store.url)
        app.task(name=TASK, pass_context=True, retry=self._engine.OnlyPutBack())(self._do)
        # What it says of every job at that level names the job's arguments, and says nothing that Moot does not.
        logging.getLogger("procrastinate").setLevel(logging.ERROR)
        async with app.open_async():
            self._worker = self._standing.StandingWorker(
                app, self._room, self._pace, workers=await self._workers.table(), registered=self._registered
            )
            self._running = asyncio.current_task()
            telling = asyncio.create_task(self._tell(app))
            try:
                if not self._stopping:
                    await self._worker.run()
            finally:
                telling.cancel()
                await self._tell_once(app)
        if self._number is not None:
            with contextlib.suppress(StoreError):
                await self._workers.remove(self._number)

    async def stop(self) -> None:
        """Take nothing more, send nothing more, and return once all that was under way is journaled and given back."""
        self._stopping = True
        if self._worker and self._running:
            self._worker.stop()
            if self._number is not None:
                with contextlib.suppress(StoreError):
                    await self._workers.drain(self._number)
            await asyncio.wait([self._running])

    async def _tell(self, app: Any) -> None:
        """Tell the servers what happens, several times a second."""
        while True:
            await asyncio.sleep(NEWS_SECONDS)
            await self._tell_once(app)

    async def _tell_once(self, app: Any) -> None:
        for payload in packed(self._about.session, self._news.taken()):
            try:
                await self._engine.notify(app, CHANNEL, payload)
            except self._standing.LOST as error:
                # Whoever listens looks into the store as well.
                log.info("telling of progress: %s", type(error).__name__)
                return

    async def _registered(self, number: int) -> None:
        self._number = number
        await self._workers.add(number, self._about, self._clock.now())
        self.ready.set()

    async def _do(self, context: Any, deliberation: str, deaths: int = 0) -> None:
        try:
            if deaths >= MOST_DEATHS:
                await self._keep_stop(deliberation, WorkersDied(deliberation=deliberation, times=deaths), goes_on=False)
            else:
                await self._work(deliberation, context.job.attempts)
        except asyncio.CancelledError:
            if self._standing.is_shutdown(context):
                raise self._engine.PutBack from None
            log.info("deliberation %s was cancelled", deliberation)
            raise
        finally:
            self._news.over(deliberation)
            self._over(deliberation)

    async def _work(self, deliberation: str, attempts: int) -> None:
        try:
            if await self._is_wanted(deliberation):
                hear = self._news.hear(deliberation, self._hear(deliberation))
                await self._service.run(deliberation, on_progress=hear, stopping=lambda: self._stopping)
                await self._queue.keep_stop(deliberation, None)
        except (AlreadyEnded, NotFound) as over:
            log.info("deliberation %s is left alone: %s", deliberation, type(over).__name__)
        except (AlreadyRunning, Fenced) as held:
            # Whoever has it may die: it is not taken for done.
            log.info("deliberation %s is left for a while: %s", deliberation, type(held).__name__)
            raise self._engine.PutBack(doubled(FIRST_HELD, LONGEST_HELD, attempts)) from None
        except Stopped:
            raise self._engine.PutBack from None
        except (OSError, StoreError, DayUsedUp) as error:
            await self._keep_stop(deliberation, lacked(deliberation, error), goes_on=True)
            raise self._engine.PutBack(doubled(FIRST_LACK, LONGEST_LACK, attempts)) from None
        except Exception as error:
            await self._keep_stop(deliberation, error, goes_on=False)

    async def _is_wanted(self, deliberation: str) -> bool:
        served = await self._service.store.served.read(deliberation)
        status = Status((await self._service.store.deliberations.summary(deliberation)).status)
        return (served is None or served.wanted) and not status.ended

    async def _keep_stop(self, deliberation: str, error: Exception, *, goes_on: bool) -> None:
        kept = told_failure(deliberation, error)
        # A store that is away keeps nothing; where the run goes on, that is no loss.
        with contextlib.suppress(StoreError):
            await self._queue.keep_stop(deliberation, Stop(kept.code, str(kept), goes_on))


def doubled(first: float, longest: float, times: int) -> float:
    """Return a number of seconds that has doubled so many times, up to the longest."""
    return min(longest, first * 2 ** min(times, 20))


def shared_queue(service: Service) -> tuple[Queue, Workers]:
    """Return what waits for workers, and who they are.

    Raises:
        UsageError: where the database is not PostgreSQL.
    """
    store = service.store
    if store.queue is None or store.workers is None:
        raise UsageError(NOT_POSTGRES.format(where=store.where))
    return store.queue, store.workers


def read_lanes(text: str) -> tuple[Lane, ...]:
    """Return the lanes that somebody named, by commas.

    Raises:
        UsageError: for one that there is not.
    """
    named = [part.strip() for part in text.split(",") if part.strip()]
    unknown = [name for name in named if name not in LANES]
    if unknown or not named:
        raise UsageError(f"there is no queue {', '.join(unknown) or text!r}; choose of {', '.join(LANES)}, by commas.")
    return tuple(lane for lane in LANES if lane in named)


def process_name() -> str:
    """Return what tells this process from others: its machine and its number there."""
    return f"{socket.gethostname()}:{os.getpid()}"


def known_protocols() -> dict[str, int]:
    """Return the protocols that are installed here, each with its version."""
    specs, _ = all_protocols()
    return {spec.name: spec.version for spec in specs}


@asynccontextmanager
async def open_worker(
    environ: Mapping[str, str],
    *,
    name: str,
    lanes: Sequence[Lane] = LANES,
    at_once: int | None = None,
    models: Mapping[str, Model] | None = None,
    protocols: Callable[[str], ProtocolSpec] = find_protocol,
    beside: Mapping[str, int] | None = None,
) -> AsyncGenerator[QueueWorker, None]:
    """Give a worker over the database and with the members that an environment asks for, and close both.

    Of moot.toml the product's settings and the prices hold. `beside` names protocols, with their versions, that
    `protocols` finds and no package brings.

    Raises:
        UsageError: where the database is not PostgreSQL.
    """
    configuration = read_configuration(environ).for_a_server()
    environ = configuration.environment(environ)
    settings = ProductSettings.read(environ)
    opening = open_service(environ, models=models, protocols=protocols, reads_files=False, configuration=configuration)
    async with opening as service:
        yield worker_over(service, settings, name=name, lanes=lanes, at_once=at_once, beside=beside)


def worker_over(
    service: Service,
    settings: ProductSettings,
    *,
    name: str,
    lanes: Sequence[Lane] = LANES,
    at_once: int | None = None,
    beside: Mapping[str, int] | None = None,
    hear: Hear = unheard,
    over: Callable[[str], None] = lambda _: None,
) -> QueueWorker:
    """Return a worker over a service, as the product's settings ask for it.

    Raises:
        UsageError: where the database is not PostgreSQL.
    """
    try:
        room = at_once or settings.whole("serve_runs") or 1
    except BadValue as bad:
        raise BadSetting(name=bad.name, problem=bad.problem) from None
    shared_queue(service)
    return QueueWorker(
        service,
        name=name,
        clock=service.store.clock,
        protocols={**(beside or {}), **known_protocols()},
        at_once=room,
        lanes=lanes,
        silent=silence_of(settings),
        hear=hear,
        over=over,
    )
