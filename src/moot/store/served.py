"""What a server runs, and for whom. A deliberation that was begun at the command line has no row here."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, insert, or_, select, update
from sqlalchemy.sql.elements import ColumnElement

from moot.core.budget import Budget
from moot.core.canonical import storable
from moot.core.errors import StoreError
from moot.core.events import Header
from moot.core.ports import Clock
from moot.store import deliberations, schema
from moot.store.database import Database
from moot.store.limits import families
from moot.store.queue.jobs import QUEUE, NewJob, goes_on, is_in_no_queue, put
from moot.store.requests import MEMORY
from moot.store.steps import is_waiting
from moot.store.writer import Writer

MOST_AT_ONCE = 500

_table = schema.served
_runs = schema.deliberations


@dataclass(frozen=True, slots=True)
class Served:
    """Whom a server runs a deliberation for."""

    owner: str | None
    """The prefix of the caller's key; None where none was needed."""
    request: str | None = None
    """The request that began it; no other can begin another while it is remembered."""
    wanted: bool = True
    """Whether a server that starts is to resume it."""


class ServedRuns:
    """The deliberations that servers run over one database."""

    def __init__(self, database: Database, writer: Writer, clock: Clock) -> None:
        self._database = database
        self._writer = writer
        self._clock = clock

    async def create(
        self,
        deliberation: str,
        header: Header,
        served: Served,
        job: NewJob | None = None,
        within: Budget = Budget(),  # noqa: B008 (frozen)
    ) -> None:
        """Write a new deliberation, as `Deliberations.create` does, whom it is run for, and its place in the queue.

        `within` is what a fork and all that it comes from may take together.

        Raises:
            NotFound: for a fork of a deliberation that does not exist.
            UsedUp: where they would hold more; nothing is written then.
            StoreError: for an id that is taken, or a request that has begun a deliberation already.
        """
        started = self._clock.now()

        def create(connection: Connection) -> None:
            _check(connection, served, started)
            with connection.begin_nested():
                deliberations.create(connection, deliberation, header, started)
                _add(connection, deliberation, served)
                families.check_within(connection, deliberation, within)
            if job:
                put(connection, deliberation, job)

        alone = [f"served/{served.request}"] if served.request else []
        alone += [await self._family_name(header.parent.id)] if header.parent else []
        await self._writer.run(
            create,
            touches=(header.parent.id,) if header.parent else (),
            alone=(*alone, QUEUE) if job else tuple(alone),
        )

    async def read(self, deliberation: str) -> Served | None:
        """Return whom a server runs the deliberation for; None for one of the command line."""
        return await self._database.read(lambda connection: _read(connection, deliberation))

    async def by_request(self, request: str) -> str | None:
        """Return the deliberation that a request began, for the day that requests are remembered."""
        now = self._clock.now()
        return await self._database.read(lambda connection: _by_request(connection, request, now))

    async def set_wanted(self, deliberation: str, wanted: bool) -> None:
        """Write whether a server that starts is to resume the deliberation.

        Raises:
            NotFound: for one that no server runs.
        """
        await self._writer.run(
            lambda connection: _set_wanted(connection, deliberation, wanted), touches=(deliberation,)
        )

    async def want(self, deliberation: str, within: Budget) -> bool:
        """Write that a deliberation is wanted again, and return whether that is new.

        Raises:
            UsedUp: where it and its forks would hold more than they may together; it is then as it was.
        """

        def want(connection: Connection) -> bool:
            served = _read(connection, deliberation)
            if served is None or served.wanted:
                return False
            with connection.begin_nested():
                _set_wanted(connection, deliberation, wanted=True)
                families.check_within(connection, deliberation, within)
            return True

        name = await self._family_name(deliberation)
        return await self._writer.run(want, touches=(deliberation,), alone=name)

    async def family(self, deliberation: str) -> tuple[str, dict[str, float]]:
        """Return the first of a deliberation's family, and what they all hold, by the limits of a budget."""
        return await self._database.read(lambda connection: _family(connection, deliberation))

    async def _family_name(self, deliberation: str) -> str:
        """The name under which only one operation at a time changes what a family holds."""
        return await self._database.read(lambda connection: f"family/{families.root_of(connection, deliberation)}")

    async def unwanted(self, deliberations: Collection[str]) -> list[str]:
        """Return those of the deliberations that no server is to go on with: cancelled, or of a revoked key."""
        return await self._database.read(lambda connection: _unwanted(connection, deliberations))

    async def to_resume(self) -> list[str]:
        """Return what a server that starts resumes: wanted, and running or waiting for nobody, oldest first."""
        stands = or_(_runs.c.status == "running", self._is_due())
        return await self._database.read(lambda connection: list(connection.execute(_wanted(stands)).scalars()))

    async def due(self) -> list[str]:
        """Return what is wanted and has paused, and waits for nobody any more, oldest first."""
        wanted = _wanted(self._is_due())
        return await self._database.read(lambda connection: list(connection.execute(wanted).scalars()))

    async def taken_up(self, deliberation: str) -> int:
        """Return how often servers that started have taken the deliberation up and died before its end."""
        wanted = select(_table.c.taken_up).where(_table.c.deliberation == deliberation)
        return await self._database.read(lambda connection: connection.execute(wanted).scalar() or 0)

    async def take_up(self, deliberation: str) -> None:
        """Count that a server that has started takes the deliberation up."""
        changed = update(_table).where(_table.c.deliberation == deliberation).values(taken_up=_table.c.taken_up + 1)
        await self._writer.run(lambda connection: connection.execute(changed).rowcount)

    async def put_down(self, deliberations: Collection[str]) -> None:
        """Forget how often these were taken up: whoever did so has come to an end of it, and lives."""
        changed = update(_table).where(_table.c.deliberation.in_(deliberations)).values(taken_up=0)
        await self._writer.run(lambda connection: connection.execute(changed).rowcount)

    async def put_left(self) -> list[str]:
        """Put into the queue what a server would resume and no worker knows of, and return it."""

        stands = or_(_runs.c.status == "running", self._is_due())
        left_out = _wanted(stands).where(is_in_no_queue(_runs.c.id), goes_on(_runs.c.id)).limit(MOST_AT_ONCE)

        def work(connection: Connection) -> list[str]:
            left = connection.execute(left_out).scalars().all()
            return [id_ for id_ in left if put(connection, id_, _job(connection, id_))]

        if not await self._database.read(lambda connection: connection.execute(left_out.limit(1)).scalar()):
            return []
        return await self._writer.run(work, alone=QUEUE)

    def _is_due(self) -> ColumnElement[bool]:
        return and_(_runs.c.status == "paused", ~is_waiting(_runs.c.id, self._clock.now()))


def _family(connection: Connection, deliberation: str) -> tuple[str, dict[str, float]]:
    root = families.root_of(connection, deliberation)
    return root, families.held_by(connection, families.members_of(connection, root))


def _check(connection: Connection, served: Served, now: float) -> None:
    """Refuse a request that has begun a deliberation which it is remembered by."""
    if served.request is None:
        return
    begun = _by_request(connection, served.request, now)
    if begun is not None:
        raise StoreError(f"this request has begun deliberation {begun} already; `moot show {begun}` shows it.")


def _add(connection: Connection, deliberation: str, served: Served) -> None:
    request = None if served.request is None else storable(served.request)
    if request is not None:
        # Whatever still has it is older than requests are remembered.
        connection.execute(update(_table).where(_table.c.request == request).values(request=None))
    row = {"deliberation": deliberation, "owner": served.owner, "wanted": served.wanted, "request": request}
    connection.execute(insert(_table), row)


def _read(connection: Connection, deliberation: str) -> Served | None:
    row = connection.execute(select(_table).where(_table.c.deliberation == deliberation)).one_or_none()
    return None if row is None else Served(row.owner, row.request, row.wanted)


def _by_request(connection: Connection, request: str, now: float) -> str | None:
    begun = select(_runs.c.id).join(_table).where(_table.c.request == storable(request), _runs.c.started > now - MEMORY)
    return connection.execute(begun).scalar()


def _set_wanted(connection: Connection, deliberation: str, wanted: bool) -> None:
    values = {"wanted": wanted, **({"taken_up": 0} if wanted else {})}
    changed = update(_table).where(_table.c.deliberation == deliberation).values(**values)
    if connection.execute(changed).rowcount == 0:
        raise deliberations.no_deliberation(deliberation)


def _unwanted(connection: Connection, deliberations: Collection[str]) -> list[str]:
    left = select(_table.c.deliberation).where(_table.c.deliberation.in_(deliberations), ~_table.c.wanted)
    return list(connection.execute(left).scalars())


def _wanted(stands: ColumnElement[bool]) -> Select[Any]:
    return select(_runs.c.id).join(_table).where(_table.c.wanted, stands).order_by(_runs.c.number)


def _job(connection: Connection, deliberation: str) -> NewJob:
    served = _read(connection, deliberation)
    return NewJob.of(deliberations.read_header(connection, deliberation), served.owner if served else None)
