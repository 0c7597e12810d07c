"""Until when providers have asked to be left alone: learned by one process, obeyed by all of one database."""

from sqlalchemy import Connection, delete, insert, select, update

from moot.core.ports import Clock
from moot.store import schema
from moot.store.database import Database
from moot.store.writer import Writer

_table = schema.pauses


class StoredPauses:
    """The pauses of one database's providers."""

    def __init__(self, database: Database, writer: Writer, clock: Clock) -> None:
        self._database = database
        self._writer = writer
        self._clock = clock

    async def read(self) -> dict[str, float]:
        """Return until when each endpoint wants no calls; those whose pause is over are left out."""
        now = self._clock.now()
        return await self._database.read(
            lambda connection: {
                row.endpoint: row.until for row in connection.execute(select(_table).where(_table.c.until > now))
            }
        )

    async def lengthen(self, endpoint: str, until: float) -> None:
        """Write that an endpoint wants no calls until a moment, unless a later one is known; drop what is over."""
        now = self._clock.now()
        await self._writer.run(lambda connection: _lengthen(connection, endpoint, until, now), alone="pauses")


def _lengthen(connection: Connection, endpoint: str, until: float, now: float) -> None:
    connection.execute(delete(_table).where(_table.c.until <= now))
    known = connection.execute(select(_table.c.until).where(_table.c.endpoint == endpoint)).scalar()
    if known is None:
        connection.execute(insert(_table), {"endpoint": endpoint, "until": until})
    elif known < until:
        connection.execute(update(_table).where(_table.c.endpoint == endpoint).values(until=until))
