"""What calls took by day, model or key, from the journal: a list, a chart and a table for other programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from moot.core.budget import Spent
from moot.core.moments import days_up_to, iso_day
from moot.service.listing import moment_given
from moot.service.service import Service
from moot.store.limits.costs import By, PaidLine

Grouping = By

MOST_LINES = 1_000
VECTORS = "vectors"
COMMAND_LINE = "the command line"


@dataclass(frozen=True, slots=True)
class UsageLine:
    """What the calls of one day, one model or one key took."""

    name: str
    """The day (ISO 8601, in UTC), the model, or the name of the key."""
    key: str | None
    """The prefix of the key, where lines are of keys."""
    spent: Spent
    """What is known, and of how many calls it is not; seconds are those of all calls, one after the other."""


@dataclass(frozen=True, slots=True)
class UsageReading:
    """What calls took, line by line and in all."""

    by: Literal["day", "model", "key"]
    lines: tuple[UsageLine, ...]
    """Days in order, the latest last; models and keys with the most calls first."""
    total: Spent
    """Over all lines, those left out too."""
    left_out: int
    """How many lines more there are: earlier days, or models and keys with fewer calls."""


async def read_usage(
    service: Service, by: Grouping = "day", *, since: str = "", until: str = "", reader: str | None = None
) -> UsageReading:
    """Return what calls took that were sent in a span; `until` a day is to its end.

    A call that a fork took over counts where it was paid for. `reader` is the prefix of a key that sees only its own.

    Raises:
        BadSetting: for a moment that there is not.
    """
    paid = await service.store.journals.paid(
        by,
        since=moment_given("since", since) if since else None,
        until=moment_given("until", until, end_of_day=True) if until else None,
        reader=reader,
    )
    lines = [_line(by, one) for one in paid]
    shown = lines[-MOST_LINES:] if by == "day" else lines[:MOST_LINES]
    total = sum((one.spent for one in lines), Spent())
    return UsageReading(by, tuple(shown), total, len(lines) - len(shown))


def whole_days(lines: Sequence[UsageLine], most: int) -> tuple[UsageLine, ...]:
    """Return the lines of days with one for every day between them on which nothing was asked: the last `most`."""
    by_day = {line.name: line for line in lines}
    days = days_up_to(min(by_day), max(by_day), most) if by_day else []
    return tuple(by_day.get(day, UsageLine(day, None, Spent())) for day in days)


def _line(by: Grouping, paid: PaidLine) -> UsageLine:
    if by == "day":
        return UsageLine(iso_day(int(paid.name or 0)), None, paid.spent)
    if by == "model":
        return UsageLine(paid.name or VECTORS, None, paid.spent)
    return UsageLine(paid.label or paid.name or COMMAND_LINE, paid.name, paid.spent)
