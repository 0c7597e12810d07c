"""Acts: what people did to a deliberation afterwards. They have a sequence of their own, and replay ignores them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select

from moot.core.canonical import canonical, storable
from moot.core.errors import NotFound
from moot.core.ports import Clock
from moot.store import schema
from moot.store.database import Database
from moot.store.deliberations import require
from moot.store.writer import Writer

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


class Acts:
    """The acts on the deliberations of one database."""

    def __init__(self, database: Database, writer: Writer, clock: Clock) -> None:
        self._database = database
        self._writer = writer
        self._clock = clock

    async def add(
        self, deliberation: str, *, kind: str, author: str, data: Any, at: int | None, undoes: int | None = None
    ) -> int:
        """Write an act about a run event, or about the whole run, and return its seq."""
        act = {"kind": kind, "author": storable(author), "data": canonical(data), "at": at, "undoes": undoes}
        made = self._clock.now()
        return await self._writer.run(
            lambda connection: _add(connection, deliberation, {**act, "made": made}), touches=(deliberation,)
        )

    async def read(self, deliberation: str) -> list[Act]:
        """Return the acts on a deliberation, in order."""
        return await self._database.read(lambda connection: _read(connection, deliberation))


def _add(connection: Connection, deliberation: str, act: Mapping[str, Any]) -> int:
    require(connection, deliberation)
    for what, table, seq in (("event", schema.events, act["at"]), ("act", _table, act["undoes"])):
        if seq is not None and not _there(connection, table, deliberation, seq):
            raise NotFound(what=what, name=str(seq), see=f"`moot show {deliberation}` numbers them")
    last = connection.execute(select(func.max(_table.c.seq)).where(_table.c.deliberation == deliberation)).scalar()
    seq = 0 if last is None else last + 1
    connection.execute(insert(_table), {"deliberation": deliberation, "seq": seq, **act})
    return seq


def _read(connection: Connection, deliberation: str) -> list[Act]:
    require(connection, deliberation)
    rows = connection.execute(select(_table).where(_table.c.deliberation == deliberation).order_by(_table.c.seq))
    return [Act(row.seq, row.kind, row.author, json.loads(row.data), row.at, row.undoes, row.made) for row in rows]


def _there(connection: Connection, table: schema.Table, deliberation: str, seq: int) -> bool:
    found = select(table.c.seq).where(table.c.deliberation == deliberation, table.c.seq == seq)
    return connection.execute(found).scalar() is not None
