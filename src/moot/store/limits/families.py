"""What a deliberation and its forks take together: what each has spent itself, or may still spend while it is wanted.

What a fork took over from its parent is its parent's spending.
"""

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Select, select

from moot.core.budget import Budget, Spent, amounts
from moot.core.errors import UsedUp
from moot.store import schema
from moot.store.deliberations import read_header
from moot.store.limits.costs import spent_by
from moot.store.steps import BEGUN

_runs, _served, _outlines = schema.deliberations, schema.served, schema.outlines

ROUNDING = 1e-9


def root_of(connection: Connection, deliberation: str) -> str:
    """Return the deliberation that this one comes from in the end, of those that are still there; perhaps itself."""
    here = select(_runs.c.id, _runs.c.parent).where(_runs.c.id == deliberation).cte(recursive=True)
    above = here.union(select(_runs.c.id, _runs.c.parent).join(here, here.c.parent == _runs.c.id))
    rows = connection.execute(select(above)).all()
    there = {row.id for row in rows}
    return next((row.id for row in rows if row.parent not in there), deliberation)


def members_of(connection: Connection, root: str) -> list[str]:
    """Return a deliberation and all that was forked from it, or from its forks."""
    here = select(_runs.c.id).where(_runs.c.id == root).cte(recursive=True)
    below = here.union(select(_runs.c.id).join(here, _runs.c.parent == here.c.id))
    return list(connection.execute(select(below)).scalars())


def held_by(connection: Connection, members: Collection[str]) -> dict[str, float]:
    """Return what these deliberations have spent, or may still spend, by the limits of a budget."""
    paid, whole = spent_by(connection, [*members], own=True), spent_by(connection, [*members])
    seconds = _seconds(connection, members)
    held = {member: amounts(paid[member]) | {"seconds": seconds.get(member, 0.0)} for member in members}
    for member in connection.execute(_wanted(members)).scalars():
        took_over = {name: all_ - held[member][name] for name, all_ in amounts(whole[member]).items()}
        for name, limit in asdict(read_header(connection, member).budget).items():
            if limit is not None:
                own = limit if name == "seconds" else limit - took_over[name]
                held[member][name] = max(held[member][name], own)
    return {name: sum(each[name] for each in held.values()) for name in amounts(Spent())}


def check_within(connection: Connection, deliberation: str, limits: Budget) -> None:
    """Do nothing where a deliberation that has forks, or is one, is within the limits of them all.

    Raises:
        UsedUp: where they hold more together.
    """
    members = members_of(connection, root_of(connection, deliberation))
    if len(members) == 1:
        return
    held = held_by(connection, members)
    for name, limit in asdict(limits).items():
        if limit is not None and held[name] > limit + ROUNDING:
            raise UsedUp(what=name, most=limit)


def _seconds(connection: Connection, members: Collection[str]) -> dict[str, float]:
    worked = select(_runs.c.id, _runs.c.active).where(_runs.c.id.in_(members))
    return {row.id: row.active for row in connection.execute(worked)}


def _wanted(members: Collection[str]) -> Select[Any]:
    """Those that go on, or are to; one without members spends nothing."""
    runs = select(_runs.c.id).select_from(_runs.join(_served).join(_outlines))
    living = _served.c.wanted, _runs.c.status.in_(BEGUN), _outlines.c.models != ""
    return runs.where(_runs.c.id.in_(members), *living)
