"""What calls took, summed by the database: their replies are not read for it.

By deliberation, calls count that a fork took over from its parent. By day, model and key they count once, where they
were paid for; what is deleted is not counted.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Integer, bindparam, case, cast, func, select, update

from moot.core.budget import Spent, Unknown
from moot.core.canonical import rounded, storable
from moot.store import schema

By = Literal["day", "model", "key"]

AT_ONCE = 10_000
"""Deliberations of one query; a database takes only so many names in one."""
DAY_SECONDS = 86_400
LONGEST_MODEL = 200
"""Characters of a model's name that calls are summed by; an index takes only so many."""

_table, _runs, _served, _keys = schema.attempts, schema.deliberations, schema.served, schema.keys
_PARTS = ("tokens_in", "tokens_out", "usd")
_MODEL = '"model":"'
_FILL = (
    update(_table)
    .where(
        _table.c.deliberation == bindparam("held"),
        _table.c.step == bindparam("at_step"),
        _table.c.attempt == bindparam("at_attempt"),
    )
    .values(sent=bindparam("sent"), model=bindparam("model"))
)


def _unknown(column: ColumnElement[Any]) -> ColumnElement[int]:
    return func.sum(case((column.is_(None), _table.c.tries), else_=0))


_SUMS = (
    func.sum(_table.c.tries).label("calls"),
    *(func.coalesce(func.sum(_table.c[name]), 0).label(name) for name in _PARTS),
    *(_unknown(_table.c[name]).label(f"unknown_{name}") for name in _PARTS),
)
"""What is known of attempts, summed, and of how many calls it is not."""

_BY_DELIBERATION = select(_table.c.deliberation, *_SUMS).group_by(_table.c.deliberation)


def spent_by(connection: Connection, deliberations: Sequence[str], *, own: bool = False) -> dict[str, Spent]:
    """Return what each of the deliberations took, calls under way included; how long is not summed.

    `own` leaves out what a fork took over from its parent.
    """
    sums: dict[str, Spent] = dict.fromkeys(deliberations, Spent())
    for first in range(0, len(deliberations), AT_ONCE):
        some = _table.c.deliberation.in_(deliberations[first : first + AT_ONCE])
        paid = (_table.c.sent.is_not(None),) if own else ()
        rows = connection.execute(_BY_DELIBERATION.where(some, *paid))
        sums |= {row.deliberation: _known(row) for row in rows}
    return sums


def _known(row: Any) -> Spent:
    unknown = Unknown(*(int(getattr(row, f"unknown_{name}")) for name in _PARTS))
    calls = int(row.calls)
    return Spent(
        calls=calls,
        tokens_in=None if 0 < calls == unknown.tokens_in else int(row.tokens_in),
        tokens_out=None if 0 < calls == unknown.tokens_out else int(row.tokens_out),
        usd=None if 0 < calls == unknown.usd else rounded(float(row.usd)),
        unknown=unknown,
    )


@dataclass(frozen=True, slots=True)
class PaidLine:
    """What the calls of one day, one model or one key took."""

    name: str | None
    """The day by its number since the epoch, the model (empty for vectors), or the prefix of the key; None: no key."""
    label: str | None
    """The name of the key."""
    spent: Spent
    """Its seconds are those of all calls, one after the other."""


def model_asked(request: str) -> str:
    """Return the model that a journaled request is for; empty where it names none, as one for vectors."""
    # In canonical JSON an inner quotation mark is escaped, so this stands in no message.
    place = request.rfind(_MODEL)
    if place < 0:
        return ""
    try:
        name, _ = json.JSONDecoder().raw_decode(request, place + len(_MODEL) - 1)
    except ValueError:
        return ""
    return storable(name)[:LONGEST_MODEL]


def paid_by(
    connection: Connection, by: By, since: float | None, until: float | None, reader: str | None
) -> list[PaidLine]:
    """Return what calls took by day, model or key: the days in order, else the most calls first."""
    column = _column(connection, by)
    wanted = select(column.label("name"), *_SUMS, func.sum(_table.c.seconds).label("seconds"))
    wanted = wanted.where(_table.c.sent.is_not(None), _table.c.tries > 0).group_by(column)
    if since is not None:
        wanted = wanted.where(_table.c.sent >= since)
    if until is not None:
        wanted = wanted.where(_table.c.sent < until)
    if reader is not None:
        own = select(_served.c.deliberation).where(_served.c.owner == storable(reader))
        wanted = wanted.where(_table.c.deliberation.in_(own))
    rows = list(connection.execute(wanted))
    return _by_key(connection, rows) if by == "key" else _in_order(rows, by)


def _column(connection: Connection, by: By) -> ColumnElement[Any]:
    if by == "day":
        days = _table.c.sent / DAY_SECONDS
        # A cast rounds in PostgreSQL, and not every SQLite has a floor.
        return func.floor(days) if connection.dialect.name == "postgresql" else cast(days, Integer)
    return _table.c.model if by == "model" else _table.c.deliberation


def _in_order(rows: list[Any], by: By) -> list[PaidLine]:
    if by == "day":
        return [PaidLine(str(int(row.name)), None, _spent(row)) for row in sorted(rows, key=lambda row: row.name)]
    return _most_calls_first([PaidLine(row.name, None, _spent(row)) for row in rows])


def _by_key(connection: Connection, rows: list[Any]) -> list[PaidLine]:
    """Sum deliberations by their keys here: a join would look each call's deliberation up."""
    known = _served.outerjoin(_keys, _keys.c.prefix == _served.c.owner)
    owners = {
        row.deliberation: (row.owner, row.name)
        for row in connection.execute(select(_served.c.deliberation, _served.c.owner, _keys.c.name).select_from(known))
    }
    sums: dict[tuple[str | None, str | None], Spent] = {}
    for row in rows:
        owner = owners.get(row.name, (None, None))
        sums[owner] = sums.get(owner, Spent()) + _spent(row)
    return _most_calls_first([PaidLine(prefix, name, spent) for (prefix, name), spent in sums.items()])


def _most_calls_first(lines: list[PaidLine]) -> list[PaidLine]:
    return sorted(lines, key=lambda line: (-line.spent.calls, line.label or "", line.name or ""))


def _spent(row: Any) -> Spent:
    return replace(_known(row), seconds=rounded(float(row.seconds)))


# An older database


def fill_payments(connection: Connection) -> None:
    """Write when attempts of an earlier Moot were sent, and to which model; those of a fork's parent stay without."""
    for name in list(connection.execute(select(_runs.c.id)).scalars()):
        wanted = select(_runs.c.id, _runs.c.started, _runs.c.header).where(_runs.c.id == name)
        run = connection.execute(wanted).one()
        eras = json.loads(run.header).get("history", ())
        own = max((era["until"] for era in eras), default=0)
        rows = list(_unfilled(connection, run.id, run.started, own))
        for first in range(0, len(rows), AT_ONCE):
            connection.execute(_FILL, rows[first : first + AT_ONCE])


def _unfilled(connection: Connection, deliberation: str, started: float, own: int) -> Iterator[dict[str, Any]]:
    columns = (_table.c.step, _table.c.attempt, _table.c.started, _table.c.request)
    wanted = select(*columns).where(_table.c.deliberation == deliberation, _table.c.position >= own)
    for row in connection.execute(wanted):
        yield {
            "held": deliberation,
            "at_step": row.step,
            "at_attempt": row.attempt,
            # One that never ended has no moment of its own.
            "sent": row.started or started,
            "model": model_asked(row.request),
        }
