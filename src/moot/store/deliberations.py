"""Deliberations: what they were asked, where they stand, and their run events."""

import asyncio
from collections.abc import Callable, Collection, Sequence

from sqlalchemy import Connection, and_, bindparam, delete, exists, func, insert, literal, or_, select, update
from sqlalchemy.sql.elements import ColumnElement

from moot.core.canonical import canonical, storable
from moot.core.errors import NotFound, StoreError
from moot.core.events import Header, header_reader
from moot.core.ports import Clock
from moot.core.verdict import Verdict
from moot.store import schema
from moot.store.database import Database
from moot.store.lists import (
    SUMMARY,
    ListFilters,
    Sort,
    Summary,
    count_contests,
    count_fitting,
    count_forks,
    list_summaries,
    summary_of,
)
from moot.store.locks import Locks, hold_lock
from moot.store.outlines import begin_outline, end_outline
from moot.store.watched import Reached, reached
from moot.store.writer import Writer

KNOWN = 10_000
"""Whole ids that are remembered to be there; what is done with one that is gone refuses it by itself."""

SCANNED_AT_ONCE = 500
"""Run events in memory while all of a record are looked at."""

_table, _events_table = schema.deliberations, schema.events
_EVENTS = select(_events_table.c.seq, _events_table.c.text)
_HELD = select(_table.c.epoch, _table.c.active).where(_table.c.id == bindparam("held"))
_TAKE = update(_table).where(_table.c.id == bindparam("held")).values(epoch=_table.c.epoch + 1)
_SET_STATUS = update(_table).where(_table.c.id == bindparam("held")).values(status=bindparam("now"))

_SEEN_IN_AMBIGUITY = 3


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

    async def resolve(self, prefix: str, *, known_to: str | None = None, protocol: str | None = None) -> str:
        """Return the one id that begins with the prefix.

        `known_to` is the prefix of a key that has to write the whole id of what it did not begin, but for the
        deliberations of a protocol which all may see.

        Raises:
            NotFound: where none does, or several do.
        """
        if prefix in self._known:
            return prefix
        among = None if known_to is None else or_(_began(known_to), _table.c.protocol == protocol)
        whole = await self._database.read(lambda connection: _resolve(connection, storable(prefix), among))
        if len(self._known) >= KNOWN:
            self._known.clear()
        self._known.add(whole)
        return whole

    async def header(self, deliberation: str) -> Header:
        """Return what was settled before the first step."""
        return await self._database.read(lambda connection: read_header(connection, deliberation))

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
        """Return the deliberations in one line each, newest first, and only those that fit, as `page` has them.

        `owner` is the prefix of the key that a server runs them for, `before` the number at which the last page ended.
        """
        filters = ListFilters(protocol=protocol, status=status, search=search, reader=owner)
        return await self.page(filters, limit=limit, after=before)

    async def page(
        self,
        filters: ListFilters = ListFilters(),  # noqa: B008 (frozen)
        *,
        sort: Sort = "newest",
        limit: int | None = None,
        after: int | None = None,
    ) -> list[Summary]:
        """Return the deliberations that fit in one line each; `after` is the number of the last of the page before."""
        return await self._database.read(lambda connection: list_summaries(connection, filters, sort, limit, after))

    async def count(self, filters: ListFilters = ListFilters()) -> int:  # noqa: B008 (frozen)
        """Return how many deliberations fit."""
        return await self._database.read(lambda connection: count_fitting(connection, filters))

    async def forks(self, deliberations: Sequence[str]) -> dict[str, int]:
        """Return how many deliberations were forked from each that has forks."""
        return await self._database.read(lambda connection: count_forks(connection, deliberations))

    async def contests(self, deliberations: Sequence[str]) -> dict[str, int]:
        """Return how many contests that nobody took back there are on each that has some."""
        return await self._database.read(lambda connection: count_contests(connection, deliberations))

    async def counts(self) -> dict[tuple[str, str], int]:
        """Return how many deliberations there are, by protocol and status."""
        return await self._database.read(_counts)

    async def events(self, deliberation: str, after: int = -1, limit: int | None = None) -> list[tuple[int, str]]:
        """Return the run events past a seq, in order, up to a limit."""
        return await self._database.read(lambda connection: _events(connection, deliberation, after, limit))

    async def events_before(self, deliberation: str, before: int, limit: int) -> list[tuple[int, str]]:
        """Return the last run events before a seq, in order, up to a limit."""
        return await self._database.read(lambda connection: _events_before(connection, deliberation, before, limit))

    async def events_at(self, deliberation: str, seqs: Sequence[int]) -> list[tuple[int, str]]:
        """Return the run events of these seqs, in order."""
        return await self._database.read(lambda connection: _events_at(connection, deliberation, seqs))

    async def scan_events(self, deliberation: str, fits: Callable[[str], bool]) -> list[int]:
        """Return the seqs of the run events whose text fits; they are looked at one by one, and none is kept."""
        return await self._database.read(lambda connection: _scan(connection, deliberation, fits))

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
    begin_outline(connection, deliberation, header)
    if header.parent:
        _copy_history(connection, header.parent.id, deliberation, header.forked_at)


def require(connection: Connection, deliberation: str) -> None:
    """Do nothing where the deliberation exists.

    Raises:
        NotFound: where it does not.
    """
    if not _exists(connection, deliberation):
        raise no_deliberation(deliberation)


def _began(key: str) -> ColumnElement[bool]:
    served = schema.served
    return exists().where(served.c.deliberation == _table.c.id, served.c.owner == storable(key))


def _resolve(connection: Connection, prefix: str, among: ColumnElement[bool] | None) -> str:
    begins = func.substr(_table.c.id, 1, len(prefix)) == prefix
    if among is not None:
        begins = and_(begins, or_(_table.c.id == prefix, among))
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


def read_header(connection: Connection, deliberation: str) -> Header:
    """Return what was settled before the first step."""
    text = connection.execute(select(_table.c.header).where(_table.c.id == deliberation)).scalar()
    if text is None:
        raise no_deliberation(deliberation)
    return header_reader().validate_json(text)


def _summary(connection: Connection, deliberation: str) -> Summary:
    row = connection.execute(SUMMARY.where(_table.c.id == deliberation)).one_or_none()
    if row is None:
        raise no_deliberation(deliberation)
    return summary_of(row)


def _counts(connection: Connection) -> dict[tuple[str, str], int]:
    wanted = select(_table.c.protocol, _table.c.status, func.count().label("many"))
    rows = connection.execute(wanted.group_by(_table.c.protocol, _table.c.status))
    return {(row.protocol, row.status): row.many for row in rows}


def _events(connection: Connection, deliberation: str, after: int, limit: int | None) -> list[tuple[int, str]]:
    require(connection, deliberation)
    wanted = _EVENTS.where(_events_table.c.deliberation == deliberation, _events_table.c.seq > after)
    return [(row.seq, row.text) for row in connection.execute(wanted.order_by(_events_table.c.seq).limit(limit))]


def _events_before(connection: Connection, deliberation: str, before: int, limit: int) -> list[tuple[int, str]]:
    require(connection, deliberation)
    wanted = _EVENTS.where(_events_table.c.deliberation == deliberation, _events_table.c.seq < before)
    rows = connection.execute(wanted.order_by(_events_table.c.seq.desc()).limit(limit)).all()
    return [(row.seq, row.text) for row in reversed(rows)]


def _events_at(connection: Connection, deliberation: str, seqs: Sequence[int]) -> list[tuple[int, str]]:
    wanted = _EVENTS.where(_events_table.c.deliberation == deliberation, _events_table.c.seq.in_(seqs))
    return [(row.seq, row.text) for row in connection.execute(wanted.order_by(_events_table.c.seq))]


def _scan(connection: Connection, deliberation: str, fits: Callable[[str], bool]) -> list[int]:
    require(connection, deliberation)
    wanted = _EVENTS.where(_events_table.c.deliberation == deliberation).order_by(_events_table.c.seq)
    rows = connection.execution_options(yield_per=SCANNED_AT_ONCE).execute(wanted)
    return [seq for seq, text in rows if fits(text)]


def take_over(connection: Connection, deliberation: str) -> tuple[int, float]:
    """Count the epoch up, and return it with the seconds worked so far."""
    if connection.execute(_TAKE, {"held": deliberation}).rowcount == 0:
        raise no_deliberation(deliberation)
    row = connection.execute(_HELD, {"held": deliberation}).one()
    return row.epoch, row.active


def set_status(connection: Connection, deliberation: str, status: str) -> None:
    """Write where the deliberation stands."""
    connection.execute(_SET_STATUS, {"held": deliberation, "now": status})


def end(connection: Connection, deliberation: str, verdict: Verdict, ended: float) -> None:
    """Write what the deliberation came to, and that it has ended."""
    end_outline(connection, deliberation, verdict, ended)
    set_status(connection, deliberation, verdict.status.value)


def _remove(connection: Connection, deliberation: str) -> None:
    # Its rows in the other tables go by their foreign keys.
    if connection.execute(delete(_table).where(_table.c.id == deliberation)).rowcount == 0:
        raise no_deliberation(deliberation)


def _copy_history(connection: Connection, parent: str, child: str, before: int) -> None:
    _copy(connection, schema.attempts, parent, child, [schema.attempts.c.position < before], without=("sent",))
    _copy(connection, schema.outcomes, parent, child, [schema.outcomes.c.position < before])
    filled = [schema.steps.c.position < before, schema.steps.c.reply.is_not(None)]
    _copy(connection, schema.steps, parent, child, filled)


def _copy(
    connection: Connection,
    table: schema.Table,
    parent: str,
    child: str,
    chosen: Sequence[ColumnElement[bool]],
    without: Sequence[str] = (),
) -> None:
    kept = [column for column in table.c if column.name not in ("number", "deliberation", *without)]
    rows = select(literal(child), *kept).where(table.c.deliberation == parent, *chosen)
    if "number" in table.c:
        rows = rows.order_by(table.c.number)
    connection.execute(insert(table).from_select(["deliberation", *(column.name for column in kept)], rows))


def _exists(connection: Connection, deliberation: str) -> bool:
    return connection.execute(select(_table.c.number).where(_table.c.id == deliberation)).scalar() is not None
