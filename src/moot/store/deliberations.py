"""Deliberations: what they were asked, where they stand, and their run events."""

import builtins
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, func, insert, literal, select, update
from sqlalchemy.sql.elements import ColumnElement

from moot.core.canonical import canonical, storable
from moot.core.errors import NotFound, StoreError
from moot.core.events import Header, header_reader
from moot.store import schema

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


def resolve(connection: Connection, prefix: str) -> str:
    """Return the one id that begins with the prefix."""
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


def header(connection: Connection, deliberation: str) -> Header:
    """Return what was settled before the first step."""
    text = connection.execute(select(_table.c.header).where(_table.c.id == deliberation)).scalar()
    if text is None:
        raise no_deliberation(deliberation)
    return header_reader().validate_json(text)


def summary(connection: Connection, deliberation: str) -> Summary:
    """Return a deliberation in one line."""
    row = connection.execute(_SUMMARY.where(_table.c.id == deliberation)).one_or_none()
    if row is None:
        raise no_deliberation(deliberation)
    return Summary(**row._mapping)


def newest(
    connection: Connection,
    *,
    limit: int | None,
    protocol: str | None,
    status: str | None,
    owner: str | None,
    before: int | None,
) -> builtins.list[Summary]:
    """Return the deliberations that fit, newest first; those before a number, where one is given."""
    wanted = _SUMMARY.order_by(_table.c.number.desc()).limit(limit)
    for column, value in ((_table.c.protocol, protocol), (_table.c.status, status), (_served.c.owner, owner)):
        if value is not None:
            wanted = wanted.where(column == storable(value))
    if before is not None:
        wanted = wanted.where(_table.c.number < before)
    return [Summary(**row._mapping) for row in connection.execute(wanted)]


def counts(connection: Connection) -> dict[tuple[str, str], int]:
    """Return how many deliberations there are, by protocol and status."""
    wanted = select(_table.c.protocol, _table.c.status, func.count().label("many"))
    rows = connection.execute(wanted.group_by(_table.c.protocol, _table.c.status))
    return {(row.protocol, row.status): row.many for row in rows}


def events(
    connection: Connection, deliberation: str, after: int, limit: int | None = None
) -> builtins.list[tuple[int, str]]:
    """Return the run events past a seq, in order, up to a limit."""
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


def remove(connection: Connection, deliberation: str) -> None:
    """Delete a deliberation with everything that belongs to it."""
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
