"""Dates: weekdays, differences, leap years, weeks, in the Gregorian calendar drawn backwards (ruling S7).

Years 1 to 9999. A sentence about a day before 15 October 1582 is not read, since it will mean the Julian calendar; a
typed check is computed in the Gregorian calendar all the same.
"""

import calendar
import re
from datetime import date, timedelta
from typing import Literal

from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable, bounded

MOST_CHARACTERS = 60
GREGORIAN = date(1582, 10, 15)
YEARS = "years from 1 to 9999"

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
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
_MONTH = "|".join(_MONTHS)
_DAY = r"([0-9]{1,2})(?:st|nd|rd|th)?"
_ISO = re.compile(r"([0-9]{1,7})-([0-9]{1,2})-([0-9]{1,2})")
_DAY_FIRST = re.compile(rf"(?:the )?{_DAY} (?:of )?({_MONTH}),? ([0-9]{{1,7}})", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"({_MONTH}) {_DAY},? ([0-9]{{1,7}})", re.IGNORECASE)
_STEP = re.compile(r"([-+]?[0-9]{1,7}) (day|week|month|year)s?")
_WEEK = re.compile(r"([0-9]{4})-?W([0-9]{1,2})", re.IGNORECASE)
_WHOLE = re.compile(r"-?[0-9]{1,7}")

Relation = Literal[
    "weekday", "leap_year", "exists", "days_between", "plus", "iso_week", "day_of_year", "days_in", "before"
]


class Dates(Deniable):
    """A claim about dates, written `2024-03-12`.

    weekday: `date` fell on `claimed`. leap_year: the year `date` is one. exists: there is such a day. days_between:
    from `date` to `other` there are `claimed` days. plus: `date` plus `other` (`30 days`, `-2 weeks`) is `claimed`.
    iso_week: `date` lies in `claimed` (`2024-W11`). day_of_year: it is day `claimed`. days_in: the year or month `date`
    (`2024-02`) has `claimed` days. before: `date` is before `other`.
    """

    kind: Literal["dates"] = "dates"
    relation: Relation
    date: Line
    other: Line = ""
    claimed: Line = ""


def decide(check: Dates) -> Computed:
    """Return whether the claim about the dates holds."""
    for text in (check.date, check.other, check.claimed):
        bounded(text, MOST_CHARACTERS, "dates")
    if check.relation == "leap_year":
        year = _year(check.date)
        leap = calendar.isleap(year)
        return Computed(leap, f"{year} is {'a' if leap else 'no'} leap year", "by 4, not by 100, but by 400")
    if check.relation == "exists":
        return _existing(check.date)
    if check.relation == "days_in":
        days = _days_in(check.date)
        return Computed(days == _whole(check.claimed), f"{days} days", "the Gregorian calendar")
    return _of_a_day(check, parsed_date(check.date))


def parsed_date(text: str) -> date:
    """Return the date that a text names: `2024-03-12`, `12 March 2024` or `March 12, 2024`.

    Raises:
        Uncomputable: it is no date, there is no such day, or the year is out of range.

    """
    year, month, day = _parts(text)
    if not 1 <= year <= 9999:
        raise Uncomputable(YEARS)
    try:
        return date(year, month, day)
    except ValueError:
        raise Uncomputable(f"days of the calendar; it has no {year}-{month:02}-{day:02}") from None


def _parts(text: str) -> tuple[int, int, int]:
    text = " ".join(bounded(text, MOST_CHARACTERS, "dates").split())
    if found := _ISO.fullmatch(text):
        return int(found[1]), int(found[2]), int(found[3])
    if found := _DAY_FIRST.fullmatch(text):
        return int(found[3]), _MONTHS.index(found[2].lower()) + 1, int(found[1])
    if found := _MONTH_FIRST.fullmatch(text):
        return int(found[3]), _MONTHS.index(found[1].lower()) + 1, int(found[2])
    raise Uncomputable("dates written as 2024-03-12")


def _of_a_day(check: Dates, day: date) -> Computed:
    if check.relation == "weekday":
        name = _DAYS[day.weekday()]
        return Computed(name == _weekday(check.claimed), name, f"the weekday of {day.isoformat()}")
    if check.relation == "iso_week":
        year, week, _ = day.isocalendar()
        return Computed((year, week) == _iso_week(check.claimed), f"{year}-W{week:02}", f"ISO 8601, {day.isoformat()}")
    if check.relation == "day_of_year":
        number = day.timetuple().tm_yday
        return Computed(number == _whole(check.claimed), str(number), f"days from {day.year}-01-01 on, counting it")
    if check.relation == "plus":
        sum_of_both = _moved(day, check.other)
        claimed = parsed_date(check.claimed)
        return Computed(claimed == sum_of_both, sum_of_both.isoformat(), f"{day.isoformat()} plus {check.other}")
    other = parsed_date(check.other)
    if check.relation == "before":
        return Computed(day < other, f"{day.isoformat()}, {other.isoformat()}", "compared")
    days = (other - day).days
    return Computed(days == _whole(check.claimed), str(days), f"days from {day.isoformat()} to {other.isoformat()}")


def _existing(text: str) -> Computed:
    year, month, day = _parts(text)
    if not 1 <= year <= 9999:
        raise Uncomputable(YEARS)
    there = 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]
    return Computed(there, "in the calendar" if there else "not in the calendar", "the Gregorian calendar")


def _year(text: str) -> int:
    year = _whole(text)
    if not 1 <= year <= 9999:
        raise Uncomputable(YEARS)
    return year


def _days_in(text: str) -> int:
    year, _, month = text.partition("-")
    if not month:
        return 366 if calendar.isleap(_year(year)) else 365
    if not 1 <= _whole(month) <= 12:
        raise Uncomputable("months from 1 to 12")
    return calendar.monthrange(_year(year), _whole(month))[1]


def _whole(text: str) -> int:
    plain = text.strip().replace(",", "")
    if not _WHOLE.fullmatch(plain):
        raise Uncomputable("whole numbers of at most 7 plain digits")
    return int(plain)


def _weekday(text: str) -> str:
    name = text.strip().capitalize()
    if name not in _DAYS:
        raise Uncomputable("English names of weekdays")
    return name


def _iso_week(text: str) -> tuple[int, int]:
    found = _WEEK.fullmatch(text.strip())
    if found is None:
        raise Uncomputable("weeks written as 2024-W11")
    return int(found[1]), int(found[2])


def _moved(day: date, step: str) -> date:
    found = _STEP.fullmatch(step.strip().lower())
    if found is None:
        raise Uncomputable("steps such as 30 days, -2 weeks, 1 month")
    count = int(found[1])
    try:
        if found[2] in ("day", "week"):
            return day + timedelta(days=count * (7 if found[2] == "week" else 1))
        months = day.year * 12 + day.month - 1 + count * (12 if found[2] == "year" else 1)
        return day.replace(year=months // 12, month=months % 12 + 1)
    except (OverflowError, ValueError):
        raise Uncomputable(f"sums that are days of the calendar, in {YEARS}") from None


_DATE = (
    rf"((?:the )?[0-9]{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH}),? [0-9]{{4}}"
    rf"|(?:{_MONTH}) [0-9]{{1,2}}(?:st|nd|rd|th)?,? [0-9]{{4}}|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})"
)
_IS = r"(?:is|was|will be|falls on|fell on)"
_ON = re.compile(rf"{_DATE} {_IS} (not )?(?:an? )?({'|'.join(_DAYS)})", re.IGNORECASE)
_LEAP = re.compile(r"(?:the year )?([0-9]{4}) (?:is|was|will be) (not )?a (not )?leap year", re.IGNORECASE)
_BETWEEN = re.compile(rf"there (?:are|were) ([0-9,]+) days (?:between|from) {_DATE} (?:and|to) {_DATE}", re.IGNORECASE)
_AFTER = re.compile(rf"([0-9]{{1,6}}) (day|week)s? (after|before) {_DATE} {_IS} {_DATE}", re.IGNORECASE)
_MONTH_HAS = re.compile(rf"({_MONTH}) ([0-9]{{4}}) (?:has|had) ([0-9]+) days", re.IGNORECASE)
_YEAR_HAS = re.compile(r"(?:the year )?([0-9]{4}) (?:has|had) ([0-9]+) days", re.IGNORECASE)
_IN_WEEK = re.compile(rf"{_DATE} is in ISO week ([0-9]{{1,2}}) of ([0-9]{{4}})", re.IGNORECASE)
_NUMBERED = re.compile(rf"{_DATE} (?:is|was) day ([0-9]+) of (?:the|its) year", re.IGNORECASE)


def read(sentence: str) -> Dates | None:
    """Return the claim about dates that a sentence makes as a whole, or nothing."""
    check = _read_day(sentence) or _read_span(sentence)
    if check is None or check.relation in ("leap_year", "days_in"):
        return check if check is None or int(check.date[:4]) > GREGORIAN.year else None
    try:
        days = [parsed_date(text) for text in (check.date, check.other) if text and not _STEP.fullmatch(text)]
    except Uncomputable:
        return None
    return check if min(days) >= GREGORIAN else None


def _read_day(sentence: str) -> Dates | None:
    if found := _ON.fullmatch(sentence):
        return Dates(relation="weekday", date=found[1], claimed=found[3], negated=bool(found[2]))
    if found := _LEAP.fullmatch(sentence):
        return Dates(relation="leap_year", date=found[1], negated=bool(found[2] or found[3]))
    if found := _IN_WEEK.fullmatch(sentence):
        return Dates(relation="iso_week", date=found[1], claimed=f"{found[3]}-W{int(found[2]):02}")
    if found := _NUMBERED.fullmatch(sentence):
        return Dates(relation="day_of_year", date=found[1], claimed=found[2])
    return None


def _read_span(sentence: str) -> Dates | None:
    if found := _BETWEEN.fullmatch(sentence):
        return Dates(relation="days_between", date=found[2], other=found[3], claimed=found[1])
    if found := _AFTER.fullmatch(sentence):
        sign = "-" if found[3].lower() == "before" else ""
        return Dates(relation="plus", date=found[4], other=f"{sign}{found[1]} {found[2].lower()}s", claimed=found[5])
    if found := _MONTH_HAS.fullmatch(sentence):
        return Dates(relation="days_in", date=f"{found[2]}-{_MONTHS.index(found[1].lower()) + 1:02}", claimed=found[3])
    if found := _YEAR_HAS.fullmatch(sentence):
        return Dates(relation="days_in", date=found[1], claimed=found[2])
    return None


ORACLE = Oracle(
    kind="dates",
    takes=Dates,
    help="weekdays, days between dates, leap years, date arithmetic, ISO weeks",
    limit=f"{YEARS}, the Gregorian calendar, {MOST_CHARACTERS} characters",
    decide=decide,
    read=read,
)
