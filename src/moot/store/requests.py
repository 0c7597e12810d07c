"""Requests that a caller may repeat: each is done once, and its answer is given again for a day."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, and_, bindparam, delete, insert, select, update

from moot.core.canonical import canonical, storable
from moot.store import schema

MEMORY = 24 * 3600.0
"""Seconds for which an answer is remembered."""
GIVEN_UP = 60.0
"""Seconds after which a request without an answer is taken for one whose process died."""
FORGOTTEN_AT_ONCE = 100

_table = schema.requests
_THIS = and_(_table.c.owner == bindparam("of"), _table.c.key == bindparam("under"))


@dataclass(frozen=True, slots=True)
class Stored:
    """A request that came before; without a status, it is being answered."""

    digest: str
    status: int | None
    headers: Mapping[str, str]
    body: bytes


def begin(connection: Connection, owner: str, key: str, digest: str, now: float) -> Stored | None:
    """Return what is stored of a request; None where it is now the caller's to do."""
    this = {"of": storable(owner), "under": storable(key)}
    _forget(connection, now)
    row = connection.execute(select(_table).where(_THIS), this).one_or_none()
    if row is not None and row.started > now - (GIVEN_UP if row.status is None else MEMORY):
        return Stored(row.digest, row.status, json.loads(row.headers or "{}"), row.body or b"")
    if row is not None:
        connection.execute(delete(_table).where(_THIS), this)
    connection.execute(insert(_table), {"owner": this["of"], "key": this["under"], "digest": digest, "started": now})
    return None


def end(connection: Connection, owner: str, key: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
    """Write the answer to a request; the first one stays."""
    answer = {"status": status, "headers": canonical(headers), "body": body}
    connection.execute(
        update(_table).where(_THIS, _table.c.status.is_(None)).values(answer),
        {"of": storable(owner), "under": storable(key)},
    )


def drop(connection: Connection, owner: str, key: str) -> None:
    """Forget a request that was not answered, so that it can be tried again."""
    connection.execute(
        delete(_table).where(_THIS, _table.c.status.is_(None)), {"of": storable(owner), "under": storable(key)}
    )


def _forget(connection: Connection, now: float) -> None:
    """Delete the oldest of what is no longer remembered."""
    old = select(_table.c.owner, _table.c.key).where(_table.c.started <= now - MEMORY)
    # What another process deletes at this moment is skipped.
    oldest = old.order_by(_table.c.started).limit(FORGOTTEN_AT_ONCE).with_for_update(skip_locked=True)
    found = [{"of": row.owner, "under": row.key} for row in connection.execute(oldest)]
    if found:
        connection.execute(delete(_table).where(_THIS), found)
