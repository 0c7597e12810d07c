"""What a server runs, and for whom. A deliberation that was begun at the command line has no row here."""

from dataclasses import dataclass

from sqlalchemy import Connection, and_, insert, or_, select, update

from moot.core.canonical import storable
from moot.core.errors import StoreError
from moot.store import schema
from moot.store.deliberations import no_deliberation
from moot.store.requests import MEMORY
from moot.store.steps import to_fill

_table = schema.served
_runs = schema.deliberations


@dataclass(frozen=True, slots=True)
class Served:
    """Whom a server runs a deliberation for."""

    owner: str | None
    """The prefix of the caller's key; None where none was needed."""
    request: str | None = None
    """The request that began it; no other can begin another while it is remembered."""
    wanted: bool = True
    """Whether a server that starts is to go on with it."""


def check(connection: Connection, served: Served, now: float) -> None:
    """Do nothing where the request has begun no deliberation that it is remembered by.

    Raises:
        StoreError: where it has.
    """
    if served.request is None:
        return
    begun = by_request(connection, served.request, now)
    if begun is not None:
        raise StoreError(f"this request has begun deliberation {begun} already; `moot show {begun}` shows it.")


def add(connection: Connection, deliberation: str, served: Served) -> None:
    """Write whom a deliberation is run for."""
    request = None if served.request is None else storable(served.request)
    if request is not None:
        # Whatever still has it is older than requests are remembered.
        connection.execute(update(_table).where(_table.c.request == request).values(request=None))
    row = {"deliberation": deliberation, "owner": served.owner, "wanted": served.wanted, "request": request}
    connection.execute(insert(_table), row)


def read(connection: Connection, deliberation: str) -> Served | None:
    """Return whom a deliberation is run for; None where it is of the command line."""
    row = connection.execute(select(_table).where(_table.c.deliberation == deliberation)).one_or_none()
    return None if row is None else Served(row.owner, row.request, row.wanted)


def by_request(connection: Connection, request: str, now: float) -> str | None:
    """Return the deliberation that a request began, as long as requests are remembered."""
    begun = select(_runs.c.id).join(_table).where(_table.c.request == storable(request), _runs.c.started > now - MEMORY)
    return connection.execute(begun).scalar()


def set_wanted(connection: Connection, deliberation: str, wanted: bool) -> None:
    """Write whether a server that starts is to go on with the deliberation.

    Raises:
        NotFound: for one that no server runs.
    """
    changed = update(_table).where(_table.c.deliberation == deliberation).values(wanted=wanted)
    if connection.execute(changed).rowcount == 0:
        raise no_deliberation(deliberation)


def to_go_on_with(connection: Connection) -> list[str]:
    """Return what is wanted and runs, or is paused with no step to fill, oldest first."""
    stands = or_(_runs.c.status == "running", and_(_runs.c.status == "paused", ~to_fill(_runs.c.id)))
    wanted = select(_runs.c.id).join(_table).where(_table.c.wanted, stands)
    return list(connection.execute(wanted.order_by(_runs.c.number)).scalars())
