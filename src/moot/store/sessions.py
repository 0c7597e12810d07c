"""Sessions of browsers: which key opened each and until when. Of a session's text only a digest is kept."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, or_, select, update

from moot.core.canonical import storable
from moot.store import schema
from moot.store.database import Database
from moot.store.writer import Writer

SWEPT_AT_ONCE = 100
MOST_OF_A_KEY = 100
"""Sessions that one key may have open; the one not used for longest ends first."""

_table = schema.sessions
_keys = schema.keys


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session without its secret."""

    digest: str
    prefix: str
    """The prefix of the key that opened it."""
    made: float
    seen: float
    until: float
    """When it ends, unless it is used before; then it may end later."""


class StoredSessions:
    """The sessions of browsers at servers over one database."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def add(self, session: StoredSession) -> None:
        """Write a session, and delete some of those that are over."""
        await self._writer.run(lambda connection: _add(connection, session), alone="sessions")

    async def find(self, digest: str) -> StoredSession | None:
        """Return a session, also one that is over."""
        return await self._database.read(lambda connection: _find(connection, digest))

    async def live(self, now: float) -> list[StoredSession]:
        """Return the sessions that are not over, the one used last first."""
        return await self._database.read(lambda connection: _live(connection, now))

    async def use(self, digest: str, seen: float, until: float) -> None:
        """Write that a session is used; one that has been ended stays ended."""
        await self._writer.run(lambda connection: _use(connection, digest, seen, until), alone="sessions")

    async def end(self, digest: str) -> None:
        """Delete a session."""
        await self._writer.run(lambda connection: _delete(connection, [storable(digest)]), alone="sessions")


def _live(connection: Connection, now: float) -> list[StoredSession]:
    live = select(_table).where(_table.c.until > now).order_by(_table.c.seen.desc())
    return [StoredSession(row.digest, row.prefix, row.made, row.seen, row.until) for row in connection.execute(live)]


def _add(connection: Connection, session: StoredSession) -> None:
    _sweep(connection, session.made)
    own = select(_table.c.digest).where(_table.c.prefix == session.prefix).order_by(_table.c.seen.desc())
    _delete(connection, list(connection.execute(own.offset(MOST_OF_A_KEY - 1)).scalars()))
    row = {name: getattr(session, name) for name in ("digest", "prefix", "made", "seen", "until")}
    connection.execute(insert(_table), row)


def _sweep(connection: Connection, now: float) -> None:
    """Delete some of the sessions that are over, or whose key has been revoked."""
    over = select(_table.c.digest).join(_keys, _keys.c.prefix == _table.c.prefix, isouter=True)
    ended = over.where(or_(_table.c.until <= now, _keys.c.id.is_(None), _keys.c.revoked.is_not(None)))
    _delete(connection, list(connection.execute(ended.limit(SWEPT_AT_ONCE)).scalars()))


def _use(connection: Connection, digest: str, seen: float, until: float) -> None:
    connection.execute(update(_table).where(_table.c.digest == storable(digest)).values(seen=seen, until=until))


def _delete(connection: Connection, digests: list[str]) -> None:
    if digests:
        connection.execute(delete(_table).where(_table.c.digest.in_(digests)))


def _find(connection: Connection, digest: str) -> StoredSession | None:
    row = connection.execute(select(_table).where(_table.c.digest == storable(digest))).one_or_none()
    return None if row is None else StoredSession(row.digest, row.prefix, row.made, row.seen, row.until)
