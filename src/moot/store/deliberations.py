"""Deliberations: what they were asked, where they stand, and their run events."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, func, insert, literal, select, update
from sqlalchemy.sql.elements import ColumnElement

from moot.core.canonical import canonical, storable
from moot.core.errors import NotFound, StoreError
from moot.core.events import Header, header_reader
from moot.core.ports import Clock
from moot.store import schema
from moot.store.database import Database
from moot.store.locks import Locks, hold_lock
from moot.store.watched import Reached, reached
from moot.store.writer import Writer

KNOWN = 10_000
"""Whole ids that are remembered to be there; what is done with one that is gone refuses it by itself."""

_table = schema.deliberations
_served = schema.served
_columns = (_table.c.id, _table.c.protocol, _table.c.status, _table.c.question, _table.c.started, _table.c.parent)
_SUMMARY = select(*_columns, _table.c.number, _served.c.owner).outerjoin_from(_table, _served)
_HELD = select(_table.c.epoch, _table.c.active).where(_table.c.id == bindparam("held"))
_TAKE = update(_table).where(_table.c.id == bindparam("held")).values(epoch=_table.c.epoch + 1)
_SET_STATUS = update(_table).where(_table.c.id == bindparam("held")).values(status=bindparam("now"))

_SEEN_IN_AMBIGUITY = 3


@dataclass(frozen=True, slots=True)
class Summary:
    """A deliberation in one line."""

    id: str
    protocol: str
    status: str
    question: str
    started: float
    parent: str | None
    """The deliberation it was forked from."""
    number: int
    """Its place in the order of beginning."""
    owner: str | None
    """The prefix of the key that a server runs it for."""


class Deliberations:
    """The deliberations of one database, with their run events."""

    def __init__(self, database: Database, writer: Writer, locks: Locks, clock: Clock) -> None:
        self._database = database
        self._writer = writer
        self._locks = locks
        self._clock = clock
        self._known: set[str] = set()

    async def create(self, deliberation: str, header: Header) -> None:
        """Write a new deliberation; it counts as running from now. A fork gets its parent's past with it.

        Raises:
            NotFound: for a fork of a deliberation that does not exist.
            StoreError: for an id that is taken.
        """
        started = self._clock.now()
        await self._writer.run(
            lambda connection: create(connection, deliberation, header, started),
            touches=(header.parent.id,) if header.parent else (),
        )

    async def resolve(self, prefix: str) -> str:
        """Return the one id that begins with the prefix.

        Raises:
            NotFound: where none does, or several do.
        """
        if prefix in self._known:
            return prefix
        whole = await self._database.read(lambda connection: _resolve(connection, storable(prefix)))
        if len(self._known) >= KNOWN:
            self._known.clear()
        self._known.add(whole)
        return whole

    async def header(self, deliberation: str) -> Header:
        """Return what was settled before the first step."""
        return await self._database.read(lambda connection: _header(connection, deliberation))

    async def summary(self, deliberation: str) -> Summary:
        """Return a deliberation in one line."""
        return await self._database.read(lambda connection: _summary(connection, deliberation))

    async def newest(
        self,
        limit: int | None = None,
        protocol: str | None = None,
        *,
        status: str | None = None,
        search: str | None = None,
        owner: str | None = None,
        before: int | None = None,
    ) -> list[Summary]:
        """Return the deliberations in one line each, newest first, and only those that fit.

        `search` is a text that the question holds, in small or capital letters. `owner` is the prefix of the key that a
        server runs them for. `before` is a number of a summary: its page ended there.
        """
        fitting = _fitting(protocol, status, search, owner)
        return await self._database.read(lambda connection: _newest(connection, limit, fitting, before))

    async def count(self, protocol: str | None = None, *, status: str | None = None, search: str | None = None) -> int:
        """Return how many deliberations fit."""
        fitting = _fitting(protocol, status, search)
        wanted = select(func.count()).select_from(_table).where(*fitting)
        return await self._database.read(lambda connection: connection.execute(wanted).scalar_one())

    async def counts(self) -> dict[tuple[str, str], int]:
        """Return how many deliberations there are, by protocol and status."""
        return await self._database.read(_counts)

    async def events(self, deliberation: str, after: int = -1, limit: int | None = None) -> list[tuple[int, str]]:
        """Return the run events past a seq, in order, up to a limit."""
        return await self._database.read(lambda connection: _events(connection, deliberation, after, limit))

    async def reached(self, watched: Collection[str]) -> dict[str, Reached]:
        """Return how far each of the deliberations is; one that is gone is left out."""
        return await self._database.read(lambda connection: reached(connection, watched))

    async def delete(self, deliberation: str) -> None:
        """Delete a deliberation with everything that belongs to it.

        Raises:
            AlreadyRunning: while somebody holds it.
        """
        await self._database.read(lambda connection: require(connection, deliberation))
        async with hold_lock(self._locks, deliberation):
            await self._writer.run(lambda connection: _remove(connection, deliberation), touches=(deliberation,))
        self._known.discard(deliberation)
        await asyncio.to_thread(self._locks.forget, deliberation)


def no_deliberation(deliberation: str) -> NotFound:
    """Return the error for an id that nobody has."""
    return NotFound(what="deliberation", name=deliberation, see="`moot list` shows them")


def create(connection: Connection, deliberation: str, header: Header, started: float) -> None:
    """Write a new deliberation."""
    if _exists(connection, deliberation):
        raise StoreError(f"there is a deliberation {deliberation!r} already; choose another id.")
    row = {
        "id": deliberation,
        "protocol": header.protocol,
        "status": "running",
        "question": storable(header.question.text),
        "parent": header.parent.id if header.parent else None,
        "started": started,
        "header": canonical(header),
        "epoch": 0,
        "active": 0.0,
    }
    if header.parent:
        require(connection, header.parent.id)
    connection.execute(insert(_table), row)
    if header.parent:
        _copy_history(connection, header.parent.id, deliberation, header.forked_at)


def require(connection: Connection, deliberation: str) -> None:
    """Do nothing where the deliberation exists.

    Raises:
        NotFound: where it does not.
    """
    if not _exists(connection, deliberation):
        raise no_deliberation(deliberation)


def _resolve(connection: Connection, prefix: str) -> str:
    begins = func.substr(_table.c.id, 1, len(prefix)) == prefix
    found = list(connection.execute(select(_table.c.id).where(begins).order_by(_table.c.number.desc())).scalars())
    if prefix in found:
        return prefix
    if not prefix or not found:
        raise no_deliberation(prefix)
    if len(found) > 1:
        shown = ", ".join(found[:_SEEN_IN_AMBIGUITY]) + (", …" if len(found) > _SEEN_IN_AMBIGUITY else "")
        raise NotFound(
            what="single deliberation", name=prefix, see=f"{len(found)} begin so ({shown}): write more of the id"
        )
    return found[0]


def _header(connection: Connection, deliberation: str) -> Header:
    text = connection.execute(select(_table.c.header).where(_table.c.id == deliberation)).scalar()
    if text is None:
        raise no_deliberation(deliberation)
    return header_reader().validate_json(text)


def _summary(connection: Connection, deliberation: str) -> Summary:
    row = connection.execute(_SUMMARY.where(_table.c.id == deliberation)).one_or_none()
    if row is None:
        raise no_deliberation(deliberation)
    return Summary(**row._mapping)


def _fitting(
    protocol: str | None, status: str | None, search: str | None, owner: str | None = None
) -> list[ColumnElement[bool]]:
    pairs = ((_table.c.protocol, protocol), (_table.c.status, status), (_served.c.owner, owner))
    fitting = [column == storable(value) for column, value in pairs if value is not None]
    if search:
        # The wildcards of LIKE are letters like any other to whoever searches.
        fitting.append(_table.c.question.icontains(storable(search), autoescape=True))
    return fitting


def _newest(
    connection: Connection, limit: int | None, fitting: Sequence[ColumnElement[bool]], before: int | None
) -> list[Summary]:
    wanted = _SUMMARY.where(*fitting).order_by(_table.c.number.desc()).limit(limit)
    if before is not None:
        wanted = wanted.where(_table.c.number < before)
    return [Summary(**row._mapping) for row in connection.execute(wanted)]


def _counts(connection: Connection) -> dict[tuple[str, str], int]:
    wanted = select(_table.c.protocol, _table.c.status, func.count().label("many"))
    rows = connection.execute(wanted.group_by(_table.c.protocol, _table.c.status))
    return {(row.protocol, row.status): row.many for row in rows}


def _events(connection: Connection, deliberation: str, after: int, limit: int | None) -> list[tuple[int, str]]:
    require(connection, deliberation)
    table = schema.events
    wanted = select(table.c.seq, table.c.text).where(table.c.deliberation == deliberation, table.c.seq > after)
    return [(row.seq, row.text) for row in connection.execute(wanted.order_by(table.c.seq).limit(limit))]


def take_over(connection: Connection, deliberation: str) -> tuple[int, float]:
    """Count the epoch up, and return it with the seconds worked so far."""
    if connection.execute(_TAKE, {"held": deliberation}).rowcount == 0:
        raise no_deliberation(deliberation)
    row = connection.execute(_HELD, {"held": deliberation}).one()
    return row.epoch, row.active


def set_status(connection: Connection, deliberation: str, status: str) -> None:
    """Write where the deliberation stands."""
    connection.execute(_SET_STATUS, {"held": deliberation, "now": status})


def _remove(connection: Connection, deliberation: str) -> None:
    # Its rows in the other tables go by their foreign keys.
    if connection.execute(delete(_table).where(_table.c.id == deliberation)).rowcount == 0:
        raise no_deliberation(deliberation)


def _copy_history(connection: Connection, parent: str, child: str, before: int) -> None:
    _copy(connection, schema.attempts, parent, child, [schema.attempts.c.position < before])
    _copy(connection, schema.outcomes, parent, child, [schema.outcomes.c.position < before])
    filled = [schema.steps.c.position < before, schema.steps.c.reply.is_not(None)]
    _copy(connection, schema.steps, parent, child, filled)


def _copy(
    connection: Connection, table: schema.Table, parent: str, child: str, chosen: Sequence[ColumnElement[bool]]
) -> None:
    kept = [column for column in table.c if column.name not in ("number", "deliberation")]
    rows = select(literal(child), *kept).where(table.c.deliberation == parent, *chosen)
    if "number" in table.c:
        rows = rows.order_by(table.c.number)
    connection.execute(insert(table).from_select(["deliberation", *(column.name for column in kept)], rows))


def _exists(connection: Connection, deliberation: str) -> bool:
    return connection.execute(select(_table.c.number).where(_table.c.id == deliberation)).scalar() is not None
