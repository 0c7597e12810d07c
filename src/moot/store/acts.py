"""Acts: what people did to a deliberation afterwards. They have a sequence of their own, and replay ignores them."""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select

from moot.core.canonical import canonical, storable
from moot.core.errors import NotFound
from moot.store import schema
from moot.store.deliberations import require

_table = schema.acts


@dataclass(frozen=True, slots=True)
class Act:
    """One act, by somebody, about a run event or about the whole run."""

    seq: int
    kind: str
    author: str
    data: Any
    at: int | None
    """The seq of the run event that it is about."""
    undoes: int | None
    """The seq of the act that it takes back."""
    made: float


def add(
    connection: Connection,
    deliberation: str,
    *,
    kind: str,
    author: str,
    data: Any,
    at: int | None,
    undoes: int | None,
    made: float,
) -> int:
    """Write an act and return its seq."""
    require(connection, deliberation)
    if at is not None and not _there(connection, schema.events, deliberation, at):
        raise NotFound(what="event", name=str(at), see=f"`moot show {deliberation}` numbers them")
    if undoes is not None and not _there(connection, _table, deliberation, undoes):
        raise NotFound(what="act", name=str(undoes), see=f"`moot show {deliberation}` numbers them")
    last = connection.execute(select(func.max(_table.c.seq)).where(_table.c.deliberation == deliberation)).scalar()
    seq = 0 if last is None else last + 1
    row = {"kind": kind, "author": storable(author), "data": canonical(data), "at": at, "undoes": undoes, "made": made}
    connection.execute(insert(_table), {"deliberation": deliberation, "seq": seq, **row})
    return seq


def read(connection: Connection, deliberation: str) -> list[Act]:
    """Return the acts on a deliberation, in order."""
    require(connection, deliberation)
    rows = connection.execute(select(_table).where(_table.c.deliberation == deliberation).order_by(_table.c.seq))
    return [Act(row.seq, row.kind, row.author, json.loads(row.data), row.at, row.undoes, row.made) for row in rows]


def _there(connection: Connection, table: schema.Table, deliberation: str, seq: int) -> bool:
    found = select(table.c.seq).where(table.c.deliberation == deliberation, table.c.seq == seq)
    return connection.execute(found).scalar() is not None
