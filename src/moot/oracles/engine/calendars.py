"""Days as they are written, and the two calendars that gave them weekdays (rulings S7, S12)."""

import calendar
import re
from datetime import date

from moot.oracles.finding import Uncomputable, bounded

GREGORIAN = date(1582, 10, 15)
"""The first day of the Gregorian calendar."""
BRITISH = date(1752, 9, 14)
"""Its first day where English was spoken."""
EVERYWHERE = date(1923, 3, 1)
"""From here on no country had the Julian calendar."""
MOST_CHARACTERS = 60
YEARS = "years from 1 to 9999"
SINCE = "days from 15 October 1582 on; those before were counted by the Julian calendar"

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_SHORT_MONTHS = {month[:3]: number for number, month in enumerate(_MONTHS)} | {"sept": 8}
WEEKDAYS = {short: day for day in DAYS for short in (day.lower(), day[:3].lower())} | {
    "tues": "Tuesday",
    "weds": "Wednesday",
    "thur": "Thursday",
    "thurs": "Thursday",
}
MONTH = "|".join([*_MONTHS, *(f"{month}\\.?" for month in _SHORT_MONTHS)])
_DAY = r"([0-9]{1,2})(?:st|nd|rd|th)?"
_ISO = re.compile(r"([0-9]{1,7})-([0-9]{1,2})-([0-9]{1,2})")
_DAY_FIRST = re.compile(rf"(?:the )?{_DAY} (?:of )?({MONTH}),? ([0-9]{{1,7}})", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"({MONTH}) {_DAY},? ([0-9]{{1,7}})", re.IGNORECASE)
_WHOLE = re.compile(r"-?[0-9]{1,7}")


def missing_day(text: str) -> str | None:
    """Return the day that a text names and the Gregorian calendar lacks, such as a 29 February of 2023."""
    try:
        year, month, day = parts(text)
    except Uncomputable:
        return None
    usual = GREGORIAN.year < year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31
    # Sweden had a 30 February in 1712, and the Julian calendar a 29 in 1700, 1800 and 1900.
    if not usual or year < EVERYWHERE.year or day <= calendar.monthrange(year, month)[1]:
        return None
    return f"{year}-{month:02}-{day:02}"


def parsed_date(text: str) -> date:
    """Return the date that a text names: `2024-03-12`, `12 March 2024` or `March 12, 2024`.

    Raises:
        Uncomputable: it is no date, there is no such day, or the year is out of range.

    """
    year, month, day = parts(text)
    if not 1 <= year <= 9999:
        raise Uncomputable(YEARS)
    try:
        return date(year, month, day)
    except ValueError:
        raise Uncomputable(f"days of the calendar; it has no {year}-{month:02}-{day:02}") from None


def parts(text: str) -> tuple[int, int, int]:
    """Return the year, month and day that a text names, whether or not there is such a day.

    Raises:
        Uncomputable: it is no date.

    """
    text = " ".join(bounded(text, MOST_CHARACTERS, "dates").split())
    if found := _ISO.fullmatch(text):
        return int(found[1]), int(found[2]), int(found[3])
    if found := _DAY_FIRST.fullmatch(text):
        return int(found[3]), month_number(found[2]), int(found[1])
    if found := _MONTH_FIRST.fullmatch(text):
        return int(found[3]), month_number(found[1]), int(found[2])
    raise Uncomputable("dates written as 2024-03-12")


def month_number(name: str) -> int:
    """Return the number of a month by its English name or its beginning."""
    lowered = name.lower().removesuffix(".")
    return 1 + (_MONTHS.index(lowered) if lowered in _MONTHS else _SHORT_MONTHS[lowered])


def julian_weekday(day: date) -> int:
    """Return the number of the weekday, from Monday, on which the Julian calendar had this date."""
    behind = day.year // 100 - day.year // 400 - 2 - (day.month < 3 and day.year % 100 == 0 and day.year % 400 != 0)
    return (day.weekday() + behind) % 7


def weekday(text: str) -> str:
    """Return the whole name of a weekday.

    Raises:
        Uncomputable: it is none.

    """
    name = WEEKDAYS.get(text.strip().lower().removesuffix("."))
    if name is None:
        raise Uncomputable("English names of weekdays")
    return name


def whole(text: str) -> int:
    """Return a whole number of few digits.

    Raises:
        Uncomputable: it is none.

    """
    plain = text.strip().replace(",", "")
    if not _WHOLE.fullmatch(plain):
        raise Uncomputable("whole numbers of at most 7 plain digits")
    return int(plain)


def year_number(text: str) -> int:
    """Return a year from 1 to 9999.

    Raises:
        Uncomputable: it is none.

    """
    year = whole(text)
    if not 1 <= year <= 9999:
        raise Uncomputable(YEARS)
    return year
