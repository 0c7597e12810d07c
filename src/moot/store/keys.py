"""Access keys: who may use a server. Of a key's text only a digest is kept."""

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, insert, or_, select, update

from moot.core.canonical import storable
from moot.core.errors import BadSetting, NotFound
from moot.store import schema

_table = schema.keys


@dataclass(frozen=True, slots=True)
class Key:
    """A key without its secret."""

    id: int
    name: str
    """The agent that it speaks for; no two keys ever have the same."""
    prefix: str
    """The part of its text that may be shown."""
    scopes: tuple[str, ...]
    made: float
    revoked: float | None
    """Since when it opens nothing any more."""
    seen: float | None = field(default=None, compare=False)
    """When it was used last, to the minute; None where it never was. A key that was used is no other key."""


def add(
    connection: Connection, *, name: str, prefix: str, digest: str, scopes: tuple[str, ...], made: float
) -> Key | None:
    """Write a key and return it; None where another key has its prefix.

    Raises:
        BadSetting: for a name that a key has or had.
    """
    if connection.execute(select(_table.c.id).where(_table.c.name == name)).scalar() is not None:
        problem = f"there is or was a key {name!r}; choose another name, such as {_other(connection, name)!r}"
        raise BadSetting(name="name", problem=problem)
    if find(connection, prefix) is not None:
        return None
    row = {"name": name, "prefix": prefix, "digest": digest, "scopes": " ".join(scopes), "made": made}
    connection.execute(insert(_table), row)
    return _key(connection.execute(select(_table).where(_table.c.prefix == prefix)).one())


def find(connection: Connection, prefix: str) -> tuple[Key, str] | None:
    """Return a key with the digest of its text."""
    row = connection.execute(select(_table).where(_table.c.prefix == storable(prefix))).one_or_none()
    return None if row is None else (_key(row), row.digest)


def read(connection: Connection) -> list[Key]:
    """Return every key, oldest first."""
    return [_key(row) for row in connection.execute(select(_table).order_by(_table.c.id))]


def any_live(connection: Connection) -> bool:
    """Whether a key is there that has not been revoked."""
    return connection.execute(select(_table.c.id).where(_table.c.revoked.is_(None)).limit(1)).scalar() is not None


def revoke(connection: Connection, prefix: str, now: float) -> Key:
    """Revoke a key and return it; one that is revoked already stays as it was.

    Raises:
        NotFound: for a prefix that no key has.
    """
    prefix = storable(prefix)
    connection.execute(update(_table).where(_table.c.prefix == prefix, _table.c.revoked.is_(None)).values(revoked=now))
    found = find(connection, prefix)
    if found is None:
        raise no_key(prefix)
    return found[0]


def see(connection: Connection, prefix: str, now: float, unless_after: float) -> None:
    """Write that a key is used, unless that was written after a moment: by this process or another."""
    old = or_(_table.c.seen.is_(None), _table.c.seen <= unless_after)
    connection.execute(update(_table).where(_table.c.prefix == storable(prefix), old).values(seen=now))


def no_key(prefix: str) -> NotFound:
    """Return the error for a prefix that no key has."""
    # Whoever pastes a whole key does not get its secret back.
    return NotFound(what="key", name=prefix[:13], see="`moot keys list` shows their prefixes")


def _other(connection: Connection, name: str) -> str:
    taken = set(connection.execute(select(_table.c.name)).scalars())
    return next(other for number in range(2, len(taken) + 3) if (other := f"{name[:90]}-{number}") not in taken)


def _key(row: Row[Any]) -> Key:
    return Key(row.id, row.name, row.prefix, tuple(row.scopes.split()), row.made, row.revoked, row.seen)
