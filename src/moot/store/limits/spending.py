"""What each key has spent today, over all servers and workers of one database.

A day is one of UTC. What is about to be sent is counted before, at the most that it could cost, and put right when its
reply is there: so two processes never spend the same dollar. A day's first row is summed from the journal.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from moot.core.budget import Spent
from moot.core.errors import DayUsedUp
from moot.core.ports import Clock
from moot.store import schema
from moot.store.database import Database
from moot.store.limits.costs import DAY_SECONDS, paid_by
from moot.store.writer import Writer

KEPT_DAYS = 7

_table = schema.spending


@dataclass(frozen=True, slots=True)
class DayLimits:
    """What a key may spend in a day; None is no limit."""

    calls: int | None = None
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class DaySpent:
    """What a key has spent in a day, with the most that its calls under way could cost."""

    calls: int
    usd: float


class KeySpending:
    """What the keys of one database spend, by day."""

    def __init__(self, database: Database, writer: Writer, clock: Clock) -> None:
        self._database = database
        self._writer = writer
        self._clock = clock

    async def check(self, key: str, limits: DayLimits) -> None:
        """Do nothing where a key may spend something still.

        Raises:
            DayUsedUp: where it may not, today.
        """
        now = self._clock.now()
        spent = await self._database.read(lambda connection: _spent(connection, key, now))
        _check(spent, DaySpent(1, 0.0), limits, now)

    async def reserve(self, key: str, calls: int, usd: float, limits: DayLimits) -> int:
        """Count calls that are about to be sent, and return the day that they count for.

        Raises:
            DayUsedUp: where they are more than the key may have today; nothing is counted then.
        """
        now, wanted = self._clock.now(), DaySpent(calls, usd)
        return await self._writer.run(
            lambda connection: _reserve(connection, key, wanted, limits, now), alone=f"spending/{key}"
        )

    async def settle(self, key: str, day: int, usd: float, calls: int = 0) -> None:
        """Add to what was counted for a day, or take back what calls did not cost after all."""
        changed = update(_table).where(_table.c.key == key, _table.c.day == day)
        changed = changed.values(usd=_table.c.usd + usd, calls=_table.c.calls + calls)
        await self._writer.run(lambda connection: connection.execute(changed).rowcount, alone=f"spending/{key}")


def _reserve(connection: Connection, key: str, wanted: DaySpent, limits: DayLimits, now: float) -> int:
    day = int(now // DAY_SECONDS)
    spent = _spent(connection, key, now)
    _check(spent, wanted, limits, now)
    values = {"calls": spent.calls + wanted.calls, "usd": spent.usd + wanted.usd}
    changed = update(_table).where(_table.c.key == key, _table.c.day == day).values(**values)
    if connection.execute(changed).rowcount == 0:
        connection.execute(delete(_table).where(_table.c.day < day - KEPT_DAYS))
        connection.execute(insert(_table), {"key": key, "day": day, **values})
    return day


def _spent(connection: Connection, key: str, now: float) -> DaySpent:
    day = int(now // DAY_SECONDS)
    row = connection.execute(select(_table).where(_table.c.key == key, _table.c.day == day)).one_or_none()
    if row is not None:
        return DaySpent(row.calls, row.usd)
    paid = sum((line.spent for line in paid_by(connection, "key", day * DAY_SECONDS, None, key)), Spent())
    return DaySpent(paid.calls, paid.usd or 0.0)


def _check(spent: DaySpent, wanted: DaySpent, limits: DayLimits, now: float) -> None:
    left = DAY_SECONDS - now % DAY_SECONDS
    if limits.calls is not None and spent.calls + wanted.calls > limits.calls:
        raise DayUsedUp(what="calls", used=spent.calls, wanted=wanted.calls, most=limits.calls, retry_after=left)
    full = limits.usd is not None and (spent.usd + wanted.usd > limits.usd or spent.usd >= limits.usd)
    if limits.usd is not None and full:
        raise DayUsedUp(what="dollars", used=spent.usd, wanted=wanted.usd, most=limits.usd, retry_after=left)
