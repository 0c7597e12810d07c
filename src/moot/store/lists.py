"""Lists of deliberations: those that fit, in an order, a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, func, or_, select, tuple_

from moot.core.canonical import storable
from moot.store import schema
from moot.store.limits.costs import AT_ONCE

Sort = Literal["newest", "oldest", "cost", "seconds"]
"""`cost`: dollars, then tokens, then calls, the most first. By cost and seconds, what has not ended comes last."""

_table, _served, _outlines, _keys, _acts = (
    schema.deliberations,
    schema.served,
    schema.outlines,
    schema.keys,
    schema.acts,
)
_FROM = (
    _table.outerjoin(_served)
    .outerjoin(_outlines, _outlines.c.deliberation == _table.c.id)
    .outerjoin(_keys, _keys.c.prefix == _served.c.owner)
)
SUMMARY = select(
    *(_table.c[name] for name in ("id", "protocol", "status", "question", "started", "parent", "number")),
    _served.c.owner,
    _keys.c.name.label("owner_name"),
    *(_outlines.c[name] for name in ("models", "mode", "answer", "confidence", "basis", "ended", "seconds")),
).select_from(_FROM)


@dataclass(frozen=True, slots=True)
class Summary:
    """A deliberation in one line."""

    id: str
    protocol: str
    status: str
    question: str
    started: float
    parent: str | None
    """The deliberation it was forked from."""
    number: int
    """Its place in the order of beginning."""
    owner: str | None
    """The prefix of the key that a server runs it for."""
    owner_name: str | None = None
    """The name of that key."""
    models: tuple[str, ...] = ()
    """The distinct models that are asked."""
    mode: str | None = None
    """The way of deliberating, of a protocol that has several."""
    answer: str | None = None
    confidence: float | None = None
    basis: str | None = None
    """What the confidence was measured by."""
    ended: float | None = None
    """When it came to its verdict; None while it has not."""
    seconds: float | None = None
    """For how long at least one call was in flight, of one that has ended."""


@dataclass(frozen=True, slots=True)
class ListFilters:
    """What a deliberation must be to be listed; None takes any."""

    ids: tuple[str, ...] | None = None
    protocol: str | None = None
    status: str | None = None
    search: str | None = None
    """A text that its question or its answer holds, in small or capital letters."""
    model: str | None = None
    """A text that the name of one of its models holds."""
    owner: str | None = None
    """The name or the prefix of the key that a server runs it for."""
    reader: str | None = None
    """The prefix of a key that may see only what is its own."""
    parent: str | None = None
    since: float | None = None
    until: float | None = None
    """It began at that moment or later, and before this one."""

    @property
    def conditions(self) -> list[ColumnElement[bool]]:
        """What a row must meet."""
        pairs = (
            (_table.c.protocol, self.protocol),
            (_table.c.status, self.status),
            (_table.c.parent, self.parent),
            (_served.c.owner, self.reader),
        )
        met = [column == storable(value) for column, value in pairs if value is not None]
        if self.ids is not None:
            met.append(_table.c.id.in_(self.ids))
        if self.owner is not None:
            met.append(or_(_keys.c.name == storable(self.owner), _served.c.owner == storable(self.owner)))
        if self.search:
            met.append(or_(_holds(_table.c.question, self.search), _holds(_outlines.c.answer, self.search)))
        if self.model:
            met.append(_holds(_outlines.c.models, self.model))
        if self.since is not None:
            met.append(_table.c.started >= self.since)
        if self.until is not None:
            met.append(_table.c.started < self.until)
        return met


def summary_of(row: Any) -> Summary:
    """Return a row of `SUMMARY` as a value."""
    facts: Any = {**row._mapping, "models": tuple(row.models.split("\n")) if row.models else ()}
    return Summary(**facts)


def list_summaries(
    connection: Connection, filters: ListFilters, sort: Sort, limit: int | None, after: int | None
) -> list[Summary]:
    """Return those that fit, in order; `after` is the number of the last one of the page before."""
    wanted = SUMMARY.where(*filters.conditions).limit(limit)
    if sort == "oldest":
        wanted = wanted.order_by(_table.c.number)
        wanted = wanted if after is None else wanted.where(_table.c.number > after)
    else:
        key = (*_KEYS[sort], _table.c.number)
        wanted = wanted.order_by(*(column.desc() for column in key))
        if after is not None:
            # Where that one is gone there is no telling where it stood, and nothing comes after it.
            place = connection.execute(select(*key).select_from(_FROM).where(_table.c.number == after)).one_or_none()
            last = (after,) if sort == "newest" else place
            wanted = wanted.where(tuple_(*key) < tuple_(*last)) if last else wanted.limit(0)
    return [summary_of(row) for row in connection.execute(wanted)]


def count_fitting(connection: Connection, filters: ListFilters) -> int:
    """Return how many fit."""
    return connection.execute(select(func.count()).select_from(_FROM).where(*filters.conditions)).scalar_one()


def count_forks(connection: Connection, deliberations: Sequence[str]) -> dict[str, int]:
    """Return how many deliberations were forked from each that has forks."""
    wanted = select(_table.c.parent, func.count()).group_by(_table.c.parent)
    return _counted_by(connection, wanted, _table.c.parent, deliberations)


def count_contests(connection: Connection, deliberations: Sequence[str]) -> dict[str, int]:
    """Return how many contests that nobody took back there are on each that has some."""
    undo = _acts.alias()
    undone = select(undo.c.seq).where(undo.c.deliberation == _acts.c.deliberation, undo.c.undoes == _acts.c.seq)
    of_contests = select(_acts.c.deliberation, func.count()).where(_acts.c.kind == "contest", ~undone.exists())
    wanted = of_contests.group_by(_acts.c.deliberation)
    return _counted_by(connection, wanted, _acts.c.deliberation, deliberations)


def _counted_by(
    connection: Connection, wanted: Any, column: ColumnElement[Any], deliberations: Sequence[str]
) -> dict[str, int]:
    counts: dict[str, int] = {}
    for first in range(0, len(deliberations), AT_ONCE):
        some = column.in_(deliberations[first : first + AT_ONCE])
        counts |= {row[0]: row[1] for row in connection.execute(wanted.where(some))}
    return counts


def _holds(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    # The wildcards of LIKE are letters like any other to whoever searches.
    return column.icontains(storable(text), autoescape=True)


_KEYS: dict[Sort, tuple[ColumnElement[Any], ...]] = {
    "newest": (),
    "cost": tuple(func.coalesce(_outlines.c[name], -1) for name in ("usd", "tokens", "calls")),
    "seconds": (func.coalesce(_outlines.c.seconds, -1),),
}
