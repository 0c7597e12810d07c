"""How many requests each key has sent, over all servers of one database.

Every server counts by itself and tells the database now and then what it has counted; the answer is what is left to a
key of all servers' counts. So a key that is too quick at several servers at once is in debt, and waits the longer.
"""

from collections.abc import Mapping

from sqlalchemy import Connection, delete, func
from sqlalchemy.dialects.postgresql import insert

from moot.store import schema
from moot.store.database import POSTGRESQL_NOW
from moot.store.writer import Writer

KEPT_SECONDS = 60.0

_table = schema.paces


class KeyPaces:
    """The requests of all keys at all servers of a PostgreSQL database."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    async def count(self, counted: Mapping[str, int], rate: float, most: float) -> dict[str, float]:
        """Add what a server has counted, and return what each of these keys has left; below 0 it is in debt.

        What is left fills by `rate` a second, to `most`.
        """
        return await self._writer.run(lambda connection: _count(connection, counted, rate, most), alone="paces")


def _count(connection: Connection, counted: Mapping[str, int], rate: float, most: float) -> dict[str, float]:
    left = {}
    for caller in sorted(counted):
        filled = func.least(most, _table.c.room + (POSTGRESQL_NOW - _table.c.at) * rate)
        added = insert(_table).values(caller=caller, room=most - counted[caller], at=POSTGRESQL_NOW)
        added = added.on_conflict_do_update(
            index_elements=[_table.c.caller],
            set_={"room": func.greatest(-most, filled - counted[caller]), "at": POSTGRESQL_NOW},
        )
        left[caller] = connection.execute(added.returning(_table.c.room)).scalar_one()
    connection.execute(delete(_table).where(_table.c.at < POSTGRESQL_NOW - KEPT_SECONDS))
    return left
