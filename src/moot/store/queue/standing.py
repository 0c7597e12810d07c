"""A worker that outlives its database and keeps what it has while it drains, and starts elsewhere what a dead one left.

The engine's own goes deaf or heartless after an outage of seconds, lets its jobs be taken while it drains, and leaves
those of a dead one where they are.
"""

import asyncio
import contextlib
import logging
import math
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from procrastinate import App, PsycopgConnector, exceptions, job_context, jobs, retry
from procrastinate.worker import Worker
from psycopg import sql
from psycopg.rows import dict_row
from psycopg_pool import PoolTimeout
from typing_extensions import override

from moot.store.locks import advisory_key
from moot.store.queue.names import Room

log = logging.getLogger("moot.worker")

LOST = (exceptions.ConnectorException, PoolTimeout, OSError)
"""What a database that is away raises."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a worker does what, in seconds; all of it follows from how long one may be silent."""

    silent: float = 10.0
    """Without a sign of life for so long, a worker counts as dead."""
    poll: float = 2.0
    """Between two looks for jobs that nobody told of."""
    abort: float = 1.0
    """Between two looks for jobs that are to be stopped."""
    drain: float = 8.0
    """For jobs under way, when the worker is told to end."""

    @property
    def beat(self) -> float:
        """Between two signs of life, and two looks for the dead."""
        return self.silent / 5


_SILENT = """
SELECT job.id, job.worker_id, job.attempts, job.queueing_lock AS deliberation, known.session
FROM procrastinate_jobs AS job
LEFT JOIN procrastinate_workers AS worker ON worker.id = job.worker_id
LEFT JOIN {workers} AS known ON known.id = job.worker_id
WHERE job.status = 'doing'
AND job.worker_id IS DISTINCT FROM %(worker)s
AND (worker.id IS NULL OR worker.last_heartbeat < now() - make_interval(secs => %(silent)s))
FOR UPDATE OF job SKIP LOCKED
"""
_REVIVE = """
UPDATE procrastinate_jobs AS job
SET status = 'todo', attempts = attempts + 1, worker_id = NULL, scheduled_at = NULL,
    args = args || jsonb_build_object('deaths', COALESCE((args->>'deaths')::int, 0) + %(deaths)s)
WHERE id = %(id)s AND NOT abort_requested AND NOT EXISTS (
    SELECT 1 FROM procrastinate_jobs AS other WHERE other.queueing_lock = job.queueing_lock AND other.status = 'todo'
)
RETURNING queue_name
"""
_DROP = "DELETE FROM procrastinate_jobs WHERE id = %(id)s AND status = 'doing'"
_NOTIFY = """
SELECT pg_notify('procrastinate_queue_v1#' || %(queue)s, '{"type": "job_inserted", "job_id": ' || %(id)s::bigint || '}')
"""
# The holder is taken out only where it is the silent worker: somebody else may have gone on with it since.
_PUT_OUT = """
SELECT pg_terminate_backend(held.pid) FROM pg_locks AS held JOIN pg_stat_activity AS session ON session.pid = held.pid
WHERE held.locktype = 'advisory' AND held.objsubid = 1 AND held.granted AND session.application_name = %(session)s
AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND ((held.classid::bigint << 32) | held.objid::bigint) = %(key)s
"""
_OWN = "SELECT id FROM procrastinate_jobs WHERE worker_id = %(worker)s AND status = 'doing'"


def is_shutdown(context: job_context.JobContext) -> bool:
    """Whether a job is stopped because its worker ends, and not because somebody said so."""
    return context.abort_reason() is job_context.AbortReason.SHUTDOWN


class StandingWorker(Worker):
    """A worker of the engine with the room of this process."""

    def __init__(
        self,
        app: App,
        room: Room,
        pace: Pace,
        *,
        workers: tuple[str, str],
        registered: Callable[[int], Awaitable[None]],
    ) -> None:
        """`workers` is the schema and the name of the table that tells which session holds a worker's locks.

        `registered` hears the number of the worker before it takes anything.
        """
        self._room = room
        super().__init__(
            app,
            name=None,
            concurrency=room.most,
            fetch_job_polling_interval=pace.poll,
            abort_job_polling_interval=pace.abort,
            shutdown_graceful_timeout=pace.drain,
            delete_jobs="always",
            install_signal_handlers=False,
            update_heartbeat_interval=pace.beat,
            stalled_worker_timeout=pace.silent,
        )
        self._pace = pace
        self._workers = sql.Identifier(*workers)
        self._registered = registered
        self._strays: set[int] = set()
        self._news = False
        self._failing: set[str] = set()
        self._away = -math.inf
        """When the database was last seen to be away, by the monotonic clock."""
        self.ready = asyncio.Event()

    @property
    @override
    def queues(self) -> list[str]:
        """The queues that there is room for; all of them while nothing runs."""
        running = getattr(self, "_running_jobs", {})
        return self._room.open_queues([context.job.queue for context in running.values()])

    @queues.setter
    @override
    def queues(self, given: object) -> None:
        """The room says it, whatever the engine is given."""

    @override
    async def _run_loop(self) -> None:
        assert self.worker_id is not None
        await self._registered(self.worker_id)
        await super()._run_loop()

    @override
    def _start_side_tasks(self) -> list[asyncio.Task[Any]]:
        sides = {
            "beat": (self._beat, self._pace.beat),
            "abort": (self._look_for_aborts, self._pace.abort),
            "listen": (self._listen, 1.0),
            "rescue": (self._rescue, self._pace.beat),
        }
        self.ready.set()
        return [asyncio.create_task(self._again(name, *side), name=name) for name, side in sides.items()]

    async def _again(self, name: str, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Do something over and over, whatever fails; one line says since when it does."""
        while True:
            try:
                await work()
                self._failing.discard(name)
            except Exception as error:
                if name not in self._failing:
                    log.error("%s: %s", name, type(error).__name__)  # noqa: TRY400 - a database that is away
                self._failing.add(name)
                self._away = time.monotonic()
            # Not all workers at the same moment.
            await asyncio.sleep(seconds * random.uniform(0.7, 1.0))

    async def _beat(self) -> None:
        assert self.worker_id is not None
        await self.app.job_manager.update_heartbeat(self.worker_id)

    async def _look_for_aborts(self) -> None:
        if self._running_jobs:
            self._handle_abort_jobs_requested(await self.app.job_manager.list_jobs_to_abort_async())

    async def _listen(self) -> None:
        # What came while nobody listened is looked for at once.
        self._wake()
        await self.app.job_manager.listen_for_jobs(on_notification=self._handle_notification, queues=self._room.queues)

    @override
    async def _fetch_and_process_jobs(self) -> None:
        try:
            self._news = True
            # What is told while the database is asked would be forgotten until the next look.
            while self._news and not self._stop_event.is_set():
                self._news = False
                await super()._fetch_and_process_jobs()
            self._failing.discard("fetch")
        except LOST as error:
            if "fetch" not in self._failing:
                log.error("taking jobs: %s", type(error).__name__)  # noqa: TRY400 - a database that is away
            self._failing.add("fetch")

    @override
    async def _process_job(self, context: job_context.JobContext) -> None:
        task = asyncio.current_task()
        assert task is not None
        # Once it is gone there is room again, perhaps for what waited for it.
        task.add_done_callback(lambda _: self._wake())
        await super()._process_job(context)

    @override
    async def _handle_notification(self, *, channel: str, notification: jobs.Notification) -> None:
        await super()._handle_notification(channel=channel, notification=notification)
        self._wake()

    def _wake(self) -> None:
        """Look for jobs now, or once more where that is being done."""
        self._news = True
        self._new_job_event.set()

    @override
    async def _persist_job_status(
        self,
        job: jobs.Job,
        status: jobs.Status,
        retry_decision: retry.RetryDecision | None,
        context: job_context.JobContext,
        job_result: job_context.JobResult | None,
    ) -> None:
        while True:
            try:
                await super()._persist_job_status(job, status, retry_decision, context, job_result)
            except LOST as error:
                # A job that nobody ends is nobody's: this process lives, and so no other would take it.
                log.info("ending job %s: %s", job.id, type(error).__name__)
                await asyncio.sleep(self._pace.abort)
            else:
                break
        if retry_decision and retry_decision.retry_at:
            # Nobody is told of a job that waits for its hour.
            later = retry_decision.retry_at.timestamp() - time.time()
            asyncio.get_running_loop().call_later(max(0.0, later) + 0.01, self._wake)

    @override
    async def _shutdown(self, side_tasks: list[asyncio.Task[Any]]) -> None:
        # Signs of life and requests to stop go on while jobs end, or others would take them.
        if self._running_jobs:
            await asyncio.wait(list(self._running_jobs), timeout=self.shutdown_graceful_timeout)
        if self._running_jobs:
            await self._abort_running_jobs()
        with contextlib.suppress(*LOST):
            await super()._shutdown(side_tasks)

    async def _rescue(self) -> None:
        """Put back what dead workers left, and what was lost on its way here."""
        connector = self.app.connector
        assert isinstance(connector, PsycopgConnector)
        async with connector.pool.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            # While the database was away nobody could give a sign of life; all have their time for one.
            if time.monotonic() - self._away >= self._pace.silent:
                await self._take_from_the_silent(cursor)
            await self._put_back_strays(cursor)

    async def _take_from_the_silent(self, cursor: Any) -> None:
        """Put back what they have, and put out whoever still holds its lock."""
        given = {"silent": self._pace.silent, "worker": self.worker_id}
        await cursor.execute(sql.SQL(_SILENT).format(workers=self._workers), given)
        for job in await cursor.fetchall():
            log.warning("deliberation %s is taken from a silent worker", job["deliberation"])
            key = advisory_key(job["deliberation"])
            await cursor.execute(_PUT_OUT, {"session": job["session"], "key": key})
            await self._revive(cursor, job["id"], deaths=1)

    async def _put_back_strays(self, cursor: Any) -> None:
        await cursor.execute(_OWN, {"worker": self.worker_id})
        own = {row["id"] for row in await cursor.fetchall()}
        strays = own - {context.job.id for context in self._running_jobs.values()}
        # A job may be on its way here; one that is not here at the second look was lost on it.
        for stray in strays & self._strays:
            await self._revive(cursor, stray, deaths=0)
        self._strays = strays - self._strays

    async def _revive(self, cursor: Any, job: int, *, deaths: int) -> None:
        await cursor.execute(_REVIVE, {"id": job, "deaths": deaths})
        row = await cursor.fetchone()
        if row:
            await cursor.execute(_NOTIFY, {"queue": row["queue_name"], "id": job})
        else:
            await cursor.execute(_DROP, {"id": job})
