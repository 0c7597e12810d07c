"""How far watched deliberations are: all of them in one look, whatever their number."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, func, select

from moot.store import schema

MOST_AT_ONCE = 500

_runs, _events = schema.deliberations, schema.events
_LAST = select(func.max(_events.c.seq)).where(_events.c.deliberation == _runs.c.id).scalar_subquery()
_REACHED = select(_runs.c.id, _runs.c.status, _LAST.label("last")).where(
    _runs.c.id.in_(bindparam("watched", expanding=True))
)


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a deliberation is. Where the status says that it has ended, no event comes after the last."""

    status: str
    last: int
    """The seq of its last run event; -1 where there is none."""


def reached(connection: Connection, deliberations: Collection[str]) -> dict[str, Reached]:
    """Return how far each of the deliberations is; one that is gone is left out."""
    ids = list(deliberations)
    stands: dict[str, Reached] = {}
    for start in range(0, len(ids), MOST_AT_ONCE):
        for row in connection.execute(_REACHED, {"watched": ids[start : start + MOST_AT_ONCE]}):
            stands[row.id] = Reached(row.status, -1 if row.last is None else row.last)
    return stands
