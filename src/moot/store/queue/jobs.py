"""Putting deliberations into the queue and taking them out, in the same transaction as what is written of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, Connection, Text, bindparam, cast, column, delete, select, table, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from moot.core.events import Header
from moot.store import schema
from moot.store.database import Database
from moot.store.queue.installing import SCHEMA
from moot.store.queue.names import Lane, queue_name
from moot.store.queue.turns import next_priority
from moot.store.writer import Writer

TASK = "run"
QUEUE = "queue"
"""The name under which a process is the only one that puts jobs in."""

_served, _stops = schema.served, schema.stops

# `S608`: the schema's name is a constant, and all else is bound.
_IS_WAITING = text(
    f"SELECT 1 FROM {SCHEMA}.procrastinate_jobs WHERE queueing_lock = :deliberation AND status = 'todo'"  # noqa: S608
)
_PUT = text(
    f"""
    SELECT {SCHEMA}.procrastinate_defer_jobs_v1(ARRAY[CAST(
        ROW(:queue, '{TASK}', :priority, NULL, :deliberation, CAST(:args AS jsonb), NULL)
        AS {SCHEMA}.procrastinate_job_to_defer_v1
    )])
    """
)
_DROP = text(
    f"DELETE FROM {SCHEMA}.procrastinate_jobs WHERE queueing_lock = :deliberation AND status = 'todo'"  # noqa: S608
)
_ABORT = text(
    f"""
    UPDATE {SCHEMA}.procrastinate_jobs SET abort_requested = true
    WHERE queueing_lock = :deliberation AND status = 'doing'
    """  # noqa: S608
)
_STATES = text(
    f"""
    SELECT queueing_lock, CAST(status AS text) AS status FROM {SCHEMA}.procrastinate_jobs
    WHERE queueing_lock IN :ids AND status IN ('todo', 'doing')
    """  # noqa: S608
).bindparams(bindparam("ids", expanding=True))
_QUEUE_OF = text(
    f"SELECT queue_name FROM {SCHEMA}.procrastinate_jobs WHERE queueing_lock = :deliberation AND status = 'todo'"  # noqa: S608
)
_jobs = table(
    "procrastinate_jobs", column("queueing_lock"), column("status", Text), column("abort_requested"), schema=SCHEMA
)

JobState = Literal["queued", "running"]


@dataclass(frozen=True, slots=True)
class NewJob:
    """How a deliberation is to be put in."""

    lane: Lane
    protocol: str
    version: int
    key: str = ""
    """Whose turn it takes."""

    @classmethod
    def of(cls, header: Header, owner: str | None, lane: Lane = "now") -> "NewJob":
        """Return how a deliberation waits that is run for somebody; one without members calls no model."""
        return cls(lane if len(header.panel) else "step", header.protocol, header.protocol_version, owner or "")

    @property
    def queue(self) -> str:
        """The queue that it waits in."""
        return queue_name(self.lane, self.protocol, self.version)


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a run last stopped, where that was not as it should be."""

    code: str
    message: str
    goes_on: bool
    """Whether it is tried again by itself."""


def put(connection: Connection, deliberation: str, job: NewJob) -> bool:
    """Put a deliberation in, and return whether it was not in already; whoever calls it works `alone` as QUEUE."""
    if connection.execute(_IS_WAITING, {"deliberation": deliberation}).scalar():
        return False
    row = {
        "queue": job.queue,
        "priority": next_priority(connection, job.lane, job.key),
        "deliberation": deliberation,
        "args": json.dumps({"deliberation": deliberation}),
    }
    try:
        # A worker may give the same one back at this moment; that must not undo what else is being written.
        with connection.begin_nested():
            connection.execute(_PUT, row)
    except IntegrityError:
        return False
    return True


def take_out(connection: Connection, deliberation: str) -> bool:
    """Take a deliberation out and have its worker stop, by whoever works `alone` as QUEUE; was there anything?"""
    dropped = connection.execute(_DROP, {"deliberation": deliberation}).rowcount
    return dropped + connection.execute(_ABORT, {"deliberation": deliberation}).rowcount > 0


def is_in_no_queue(deliberation: ColumnElement[str]) -> ColumnElement[bool]:
    """Return the condition that a deliberation neither waits for a worker nor is in the hands of one."""
    held = select(_jobs.c.queueing_lock).where(
        _jobs.c.queueing_lock == deliberation, cast(_jobs.c.status, Text).in_(("todo", "doing"))
    )
    return ~held.exists()


def goes_on(deliberation: ColumnElement[str]) -> ColumnElement[bool]:
    """Return the condition that nothing has stopped a deliberation for good."""
    return ~select(_stops.c.code).where(_stops.c.deliberation == deliberation, ~_stops.c.goes_on).exists()


class Queue:
    """What waits for workers, and why runs stopped, over one PostgreSQL database."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def put(self, deliberation: str, job: NewJob, *, revive: bool = True) -> bool:
        """Put a deliberation in, and return whether it was not in already. It is wanted from now on.

        With `revive` off, one that was cancelled is left alone.
        """

        def work(connection: Connection) -> bool:
            its = _served.c.deliberation == deliberation
            if not revive and connection.execute(select(_served.c.wanted).where(its)).scalar() is False:
                return False
            connection.execute(update(_served).where(its).values(wanted=True))
            connection.execute(delete(_stops).where(_stops.c.deliberation == deliberation))
            return put(connection, deliberation, job)

        return await self._writer.run(work, touches=(deliberation,), alone=QUEUE)

    async def take_out(self, deliberation: str) -> bool:
        """Take a deliberation out, which is not wanted from now on, and have its worker stop; was there anything?"""

        def work(connection: Connection) -> bool:
            connection.execute(update(_served).where(_served.c.deliberation == deliberation).values(wanted=False))
            return take_out(connection, deliberation)

        return await self._writer.run(work, touches=(deliberation,), alone=QUEUE)

    async def unwanted(self) -> list[str]:
        """Return what waits, or runs and was not told to stop, although nobody wants it: its key was revoked, say."""
        left = (
            select(_jobs.c.queueing_lock)
            .join(_served, _served.c.deliberation == _jobs.c.queueing_lock)
            .where(~_served.c.wanted, cast(_jobs.c.status, Text).in_(("todo", "doing")), ~_jobs.c.abort_requested)
        )
        return await self._database.read(lambda connection: list(connection.execute(left.distinct()).scalars()))

    async def states(self, deliberations: Sequence[str]) -> dict[str, JobState]:
        """Return which of the deliberations wait for a worker, and which one has."""
        if not deliberations:
            return {}
        rows = await self._database.read(lambda connection: connection.execute(_STATES, {"ids": deliberations}).all())
        # One may have a job under way and another waiting behind it.
        waiting: dict[str, JobState] = {row.queueing_lock: "queued" for row in rows if row.status == "todo"}
        return waiting | {row.queueing_lock: "running" for row in rows if row.status == "doing"}

    async def queue_of(self, deliberation: str) -> str | None:
        """Return the queue in which a deliberation waits; None where it does not."""
        its = {"deliberation": deliberation}
        return await self._database.read(lambda connection: connection.execute(_QUEUE_OF, its).scalar())

    async def stop_of(self, deliberation: str) -> Stop | None:
        """Return why a run last stopped, where that was not as it should be."""
        found = select(_stops).where(_stops.c.deliberation == deliberation)
        row = await self._database.read(lambda connection: connection.execute(found).one_or_none())
        return None if row is None else Stop(row.code, row.message, row.goes_on)

    async def keep_stop(self, deliberation: str, stop: Stop | None) -> None:
        """Keep why a run stopped; None where it did not."""
        if stop is None:
            forget = delete(_stops).where(_stops.c.deliberation == deliberation)
            await self._writer.run(lambda connection: connection.execute(forget).rowcount)
            return
        row = {"code": stop.code, "message": stop.message, "goes_on": stop.goes_on}
        upsert = insert(_stops).values(deliberation=deliberation, **row)
        keep = upsert.on_conflict_do_update(index_elements=("deliberation",), set_=row)
        await self._writer.run(lambda connection: connection.execute(keep).rowcount)
