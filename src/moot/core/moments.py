"""Moments as programs read them: ISO 8601 with the offset. What is stored counts seconds since the epoch."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, overload

DAY = len("2026-01-31")


@overload
def iso_moment(seconds: float) -> str: ...
@overload
def iso_moment(seconds: float | None) -> str | None: ...
def iso_moment(seconds: float | None) -> str | None:
    """Return seconds since the epoch as ISO 8601 in UTC, to the millisecond; None stays None."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def moment_of(text: str, *, end_of_day: bool = False) -> float:
    """Return the seconds since the epoch of a day or a moment in ISO 8601; one without an offset is of UTC.

    Raises:
        ValueError: for what is neither.
    """
    text = text.strip()
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return (moment + timedelta(days=end_of_day and len(text) <= DAY)).timestamp()
    except OverflowError as error:
        raise ValueError(f"{text!r} is past the end of time") from error


def iso_day(number: int) -> str:
    """Return a day of UTC in ISO 8601, by its number since the epoch."""
    return (datetime.fromtimestamp(0, UTC) + timedelta(days=number)).date().isoformat()


def days_up_to(first: str, last: str, most: int) -> list[str]:
    """Return the days from the first to the last in ISO 8601, both among them, and no more than `most` at the end."""
    begin, end = (datetime.fromisoformat(day).date() for day in (first, last))
    begin = max(begin, end - timedelta(days=most - 1))
    return [(begin + timedelta(days=number)).isoformat() for number in range((end - begin).days + 1)]


def with_iso_moments(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return a row with the moments of these names as ISO 8601."""
    return {name: iso_moment(value) if name in names else value for name, value in row.items()}


def event_with_iso_moments(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run event, as JSON has it, with the moments of its calls as ISO 8601."""
    if "calls" not in event:
        return dict(event)
    return {**event, "calls": [with_iso_moments(call, "started") for call in event["calls"]]}
