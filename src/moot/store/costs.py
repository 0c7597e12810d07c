"""What deliberations took, summed by the database: their replies are not read for it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, select

from moot.core.budget import Spent, Unknown
from moot.core.canonical import rounded
from moot.store import schema

AT_ONCE = 10_000
"""Deliberations of one query; a database takes only so many names in one."""

_table = schema.attempts
_PARTS = ("tokens_in", "tokens_out", "usd")


def _unknown(column: ColumnElement[Any]) -> ColumnElement[int]:
    return func.sum(case((column.is_(None), _table.c.tries), else_=0))


_SUMS = select(
    _table.c.deliberation,
    func.sum(_table.c.tries).label("calls"),
    *(func.coalesce(func.sum(_table.c[name]), 0).label(name) for name in _PARTS),
    *(_unknown(_table.c[name]).label(f"unknown_{name}") for name in _PARTS),
).group_by(_table.c.deliberation)


def spent_by(connection: Connection, deliberations: Sequence[str]) -> dict[str, Spent]:
    """Return what each of the deliberations took, calls under way included; how long is not summed."""
    sums: dict[str, Spent] = dict.fromkeys(deliberations, Spent())
    for first in range(0, len(deliberations), AT_ONCE):
        some = _table.c.deliberation.in_(deliberations[first : first + AT_ONCE])
        rows = connection.execute(_SUMS.where(some))
        sums |= {row.deliberation: _spent(row) for row in rows}
    return sums


def _spent(row: Any) -> Spent:
    unknown = Unknown(*(int(getattr(row, f"unknown_{name}")) for name in _PARTS))
    calls = int(row.calls)
    return Spent(
        calls=calls,
        tokens_in=None if 0 < calls == unknown.tokens_in else int(row.tokens_in),
        tokens_out=None if 0 < calls == unknown.tokens_out else int(row.tokens_out),
        usd=None if 0 < calls == unknown.usd else rounded(float(row.usd)),
        unknown=unknown,
    )
