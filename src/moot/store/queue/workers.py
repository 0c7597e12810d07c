"""Who works on what waits: the workers of all machines, what each does since when, and what nobody can do."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, delete, insert, select, text, update

from moot.store import schema
from moot.store.database import Database
from moot.store.queue.installing import SCHEMA
from moot.store.queue.names import lane_of
from moot.store.writer import Writer

_table = schema.workers

# `S608`: the schema's name is a constant.
_BEATS = text(
    f"SELECT id, EXTRACT(EPOCH FROM now() - last_heartbeat) AS silent FROM {SCHEMA}.procrastinate_workers"  # noqa: S608
)
_DOING = text(
    f"""
    SELECT job.worker_id, job.queueing_lock AS deliberation,
        EXTRACT(EPOCH FROM now() - max(event.at)) AS seconds
    FROM {SCHEMA}.procrastinate_jobs job
    JOIN {SCHEMA}.procrastinate_events event ON event.job_id = job.id AND event.type = 'started'
    WHERE job.status = 'doing' GROUP BY job.id ORDER BY job.id
    """  # noqa: S608
)
_WAITING = text(
    f"""
    SELECT queue_name, count(*) AS jobs FROM {SCHEMA}.procrastinate_jobs WHERE status = 'todo' GROUP BY queue_name
    """  # noqa: S608
)
_SCHEMA = text("SELECT current_schema()")


@dataclass(frozen=True, slots=True)
class NewWorker:
    """What a worker tells of itself."""

    name: str
    moot: str
    queues: tuple[str, ...]
    at_once: int
    session: str
    """The name of the database session that holds its locks."""


@dataclass(frozen=True, slots=True)
class Doing:
    """A deliberation in the hands of a worker."""

    deliberation: str
    seconds: float


@dataclass(frozen=True, slots=True)
class KnownWorker:
    """A worker as the others see it."""

    id: int
    name: str
    moot: str
    queues: tuple[str, ...]
    at_once: int
    since: float
    draining: bool
    silent: float
    """Seconds since its last sign of life."""
    doing: tuple[Doing, ...]

    @property
    def lanes(self) -> tuple[str, ...]:
        """For whom it works."""
        return tuple(dict.fromkeys(lane_of(queue) for queue in self.queues))


@dataclass(frozen=True, slots=True)
class Workforce:
    """All workers, and what waits for them."""

    workers: tuple[KnownWorker, ...] = ()
    waiting: Mapping[str, int] = field(default_factory=dict)
    """How many jobs wait, by queue."""

    def living(self, silent: float) -> tuple[KnownWorker, ...]:
        """Return the workers that have given a sign of life within so many seconds."""
        return tuple(worker for worker in self.workers if worker.silent < silent)

    def left(self, silent: float) -> dict[str, int]:
        """Return what waits and no living worker can run, by queue."""
        served = {queue for worker in self.living(silent) for queue in worker.queues}
        return {queue: jobs for queue, jobs in self.waiting.items() if queue not in served}

    def missed(self, silent: float) -> dict[str, int]:
        """Return what is left although somebody works, by queue: where nobody does, there is no lack of the right."""
        return self.left(silent) if self.living(silent) else {}

    @property
    def doing(self) -> int:
        """How many deliberations are in the hands of workers."""
        return sum(len(worker.doing) for worker in self.workers)


class Workers:
    """The workers of one PostgreSQL database."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def add(self, number: int, worker: NewWorker, since: float) -> None:
        """Make a worker known under the engine's number; those that the engine has forgotten are forgotten."""

        def work(connection: Connection) -> None:
            known = [row.id for row in connection.execute(_BEATS)]
            connection.execute(delete(_table).where(_table.c.id.not_in([*known, number])))
            connection.execute(delete(_table).where(_table.c.id == number))
            row = {
                "id": number,
                "name": worker.name,
                "moot": worker.moot,
                "queues": json.dumps(worker.queues),
                "at_once": worker.at_once,
                "session": worker.session,
                "since": since,
                "draining": False,
            }
            connection.execute(insert(_table), row)

        await self._writer.run(work, alone="workers")

    async def drain(self, number: int) -> None:
        """Tell that a worker takes nothing more."""
        said = update(_table).where(_table.c.id == number).values(draining=True)
        await self._writer.run(lambda connection: connection.execute(said).rowcount)

    async def remove(self, number: int) -> None:
        """Forget a worker that has ended."""
        gone = delete(_table).where(_table.c.id == number)
        await self._writer.run(lambda connection: connection.execute(gone).rowcount)

    async def look(self) -> Workforce:
        """Return all workers as they stand, and what waits for them."""
        return await self._database.read(_look)

    async def table(self) -> tuple[str, str]:
        """Return schema and name of the table of workers, for whoever does not look where Moot's tables are."""
        where = await self._database.read(lambda connection: connection.execute(_SCHEMA).scalar_one())
        return where, _table.name


def _look(connection: Connection) -> Workforce:
    silent = {row.id: float(row.silent) for row in connection.execute(_BEATS)}
    doing: dict[int, list[Doing]] = {}
    for row in connection.execute(_DOING):
        doing.setdefault(row.worker_id, []).append(Doing(row.deliberation, float(row.seconds)))
    rows = connection.execute(select(_table).order_by(_table.c.id)).all()
    workers = [_known(row, silent[row.id], doing.get(row.id, ())) for row in rows if row.id in silent]
    waiting = {row.queue_name: row.jobs for row in connection.execute(_WAITING)}
    return Workforce(tuple(workers), waiting)


def _known(row: Any, silent: float, doing: Sequence[Doing]) -> KnownWorker:
    return KnownWorker(
        id=row.id,
        name=row.name,
        moot=row.moot,
        queues=tuple(json.loads(row.queues)),
        at_once=row.at_once,
        since=row.since,
        draining=row.draining,
        silent=silent,
        doing=tuple(doing),
    )
