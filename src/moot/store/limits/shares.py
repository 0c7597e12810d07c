"""How many calls each process may have under way with each provider, so that all together never pass its limit.

A row is a process with calls to make: how many it would have under way, and how many it may. Nobody's share is made
smaller by another: whoever has more than is fair takes less at its own next look. The share of a process that is gone
is free after some seconds.
"""

import secrets
from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select

from moot.store import schema
from moot.store.database import POSTGRESQL_NOW
from moot.store.writer import Writer

LIVE_SECONDS = 10.0

_table = schema.call_shares


class CallShares:
    """What one process may have under way, of what all processes of a PostgreSQL database may."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._process = secrets.token_hex(16)

    async def share(self, endpoint: str, *, wanted: int, busy: int, most: int) -> int:
        """Return how many calls this process may have under way, of the `most` that all may have."""
        return await self._writer.run(
            lambda connection: _share(connection, endpoint, self._process, wanted=wanted, busy=busy, most=most),
            alone=f"calls/{endpoint}",
        )


def _share(connection: Connection, endpoint: str, process: str, *, wanted: int, busy: int, most: int) -> int:
    here = _table.c.endpoint == endpoint
    connection.execute(delete(_table).where(here, _table.c.until <= POSTGRESQL_NOW))
    rows = connection.execute(select(_table).where(here)).all()
    others = [row for row in rows if row.process != process]
    has_some = any(row.held for row in rows if row.process == process)
    somebody_has_none = any(row.wanted and not row.held for row in others)
    fair = fair_part(wanted, [row.wanted for row in others], most, rounded_up=not (has_some and somebody_has_none))
    may = max(0, min(fair, most - sum(row.held for row in others)))
    connection.execute(delete(_table).where(here, _table.c.process == process))
    if wanted or busy:
        row = {"endpoint": endpoint, "process": process, "wanted": wanted, "held": max(busy, may)}
        connection.execute(insert(_table).values(**row, until=POSTGRESQL_NOW + LIVE_SECONDS))
    return may


def fair_part(wanted: int, others: Sequence[int], most: int, *, rounded_up: bool) -> int:
    """Return the part of a limit for one who wants so many, where no more than an even part is for anybody who wants
    more than that; what others do not want is for the rest.

    Rounded down, those with a part leave something to those without, even where there are fewer calls than processes.
    """
    left = most
    by_size = sorted(
        [*((each, False) for each in others), (wanted, True)], key=lambda each: (each[0], each[1] == rounded_up)
    )
    for index, (each, own) in enumerate(by_size):
        part = min(each, left // (len(by_size) - index))
        if own:
            return part
        left -= part
    return 0
