"""Dates: weekdays, differences, leap years, weeks, in the Gregorian calendar (rulings S7, S12).

Nothing is said of days before 15 October 1582, which were counted by the Julian calendar, except which came first. The
old calendar was kept here and there until 1923: a weekday that was right by it is not refuted before then. A claim
about a day that the calendar does not have is false. Days between two dates may be counted with both ends or with none:
what is right in such a way alone is not decided.
"""

import calendar
import re
from datetime import date, timedelta
from typing import Literal

from typing_extensions import override

from moot.oracles.engine.calendars import (
    BRITISH,
    DAYS,
    EVERYWHERE,
    GREGORIAN,
    MONTH,
    MOST_CHARACTERS,
    SINCE,
    WEEKDAYS,
    YEARS,
    julian_weekday,
    missing_day,
    month_number,
    parsed_date,
    parts,
    weekday,
    whole,
    year_number,
)
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable, bounded

_STEP = re.compile(r"([-+]?[0-9]{1,7}) (day|week|month|year)s?")
_WEEK = re.compile(r"([0-9]{4})-?W([0-9]{1,2})", re.IGNORECASE)
_DATED = re.compile(r"[0-9]-[0-9]|[a-z]", re.IGNORECASE)

Relation = Literal[
    "weekday", "leap_year", "exists", "days_between", "plus", "iso_week", "day_of_year", "days_in", "before"
]


class Dates(Deniable):
    """A claim about dates, written `2024-03-12`.

    weekday: `date` fell on `claimed`. leap_year: the year `date`, or that of the day `date`, is one. exists: there is
    such a day. days_between: between `date` and `other`, whichever is first, lie `claimed` days, counting one end.
    plus: `date` plus `other` (`30 days`, `-2 weeks`) is `claimed`. iso_week: `date` lies in `claimed` (`2024-W11`).
    day_of_year: it is day `claimed`. days_in: the year or month `date` (`2024-02`) has `claimed` days. before: `date`
    is before `other`.
    """

    kind: Literal["dates"] = "dates"
    relation: Relation
    date: Line
    other: Line = ""
    claimed: Line = ""

    @property
    @override
    def reading(self) -> str:
        """The claim as a sentence, in the Gregorian calendar."""
        read_as = _READ_AS[self.relation].format(self.date.strip(), self.other.strip(), self.claimed.strip())
        return f"it is not so that {read_as}" if self.negated else read_as


_READ_AS = {
    "weekday": "{0} was a {2}, in the Gregorian calendar",
    "leap_year": "{0} was a leap year, in the Gregorian calendar",
    "exists": "{0} is a day of the Gregorian calendar",
    "days_between": "from {0} to {1} there are {2} days, counting one of the two ends",
    "plus": "{0} plus {1} is {2}",
    "iso_week": "{0} lies in the ISO week {2}",
    "day_of_year": "{0} is day {2} of its year",
    "days_in": "{0} has {2} days",
    "before": "{0} is before {1}",
}


def decide(check: Dates) -> Computed:
    """Return whether the claim about the dates holds."""
    for text in (check.date, check.other, check.claimed):
        bounded(text, MOST_CHARACTERS, "dates")
    if check.relation == "leap_year":
        year = _recent(_year_of(check.date))
        leap = calendar.isleap(year)
        return Computed(leap, f"{year} is {'a' if leap else 'no'} leap year", "by 4, not by 100, but by 400")
    if check.relation == "exists":
        return _existing(check.date)
    if check.relation == "days_in":
        days = _days_in(check.date)
        return Computed(days == whole(check.claimed), f"{days} days", "the Gregorian calendar")
    missing = next(filter(None, map(missing_day, (check.date, check.other))), None)
    if missing:
        if check.negated:
            raise Uncomputable("denials about days that exist")
        return Computed(holds=False, value="there is no such day", explanation=f"the calendar has no {missing}")
    return _of_a_day(check, parsed_date(check.date))


def _of_a_day(check: Dates, day: date) -> Computed:
    if check.relation == "before":
        other = parsed_date(check.other)
        return Computed(day < other, f"{day.isoformat()}, {other.isoformat()}", "compared")
    if day < GREGORIAN:
        raise Uncomputable(SINCE)
    if check.relation == "weekday":
        return _on(day, weekday(check.claimed), denied=check.negated)
    if check.relation == "iso_week":
        year, week, _ = day.isocalendar()
        return Computed((year, week) == _iso_week(check.claimed), f"{year}-W{week:02}", f"ISO 8601, {day.isoformat()}")
    if check.relation == "day_of_year":
        number = day.timetuple().tm_yday
        return Computed(number == whole(check.claimed), str(number), f"days from {day.year}-01-01 on, counting it")
    if check.relation == "plus":
        sum_of_both = _moved(day, check.other)
        same = not missing_day(check.claimed) and parsed_date(check.claimed) == sum_of_both
        return Computed(same, sum_of_both.isoformat(), f"{day.isoformat()} plus {check.other}")
    return _between(day, parsed_date(check.other), whole(check.claimed))


def _on(day: date, claimed: str, *, denied: bool) -> Computed:
    name, julian = DAYS[day.weekday()], DAYS[julian_weekday(day)]
    if day < EVERYWHERE and claimed == (name if denied else julian) != (julian if denied else name):
        raise Uncomputable("days of one calendar; by the Julian one, kept in places until 1923, this holds")
    return Computed(name == claimed, name, f"the weekday of {day.isoformat()}")


def _between(day: date, other: date, claimed: int) -> Computed:
    if other < GREGORIAN:
        raise Uncomputable(SINCE)
    days = (other - day).days
    explanation = f"days from {day.isoformat()} to {other.isoformat()}"
    if claimed in (days, abs(days)):
        return Computed(holds=True, value=str(days), explanation=explanation)
    if abs(abs(claimed) - abs(days)) <= 1:
        raise Uncomputable("counts that are right or wrong whether the first and the last day are counted or not")
    return Computed(holds=False, value=str(days), explanation=explanation)


def _existing(text: str) -> Computed:
    year, month, day = parts(text)
    if not 1 <= year <= 9999:
        raise Uncomputable(YEARS)
    if year <= GREGORIAN.year:
        raise Uncomputable(SINCE)
    there = 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]
    return Computed(there, "in the calendar" if there else "not in the calendar", "the Gregorian calendar")


def _year_of(text: str) -> int:
    return parts(text)[0] if _DATED.search(text.strip()) else year_number(text)


def _recent(year: int) -> int:
    if year <= GREGORIAN.year:
        raise Uncomputable(SINCE.replace("days from 15 October 1582 on", "years from 1583 on"))
    return year


def _days_in(text: str) -> int:
    year, _, month = text.partition("-")
    if not month:
        return 366 if calendar.isleap(_recent(year_number(year))) else 365
    if not 1 <= whole(month) <= 12:
        raise Uncomputable("months from 1 to 12")
    return calendar.monthrange(_recent(year_number(year)), whole(month))[1]


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
    rf"((?:the )?[0-9]{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{MONTH}),? [0-9]{{4}}"
    rf"|(?:{MONTH}) [0-9]{{1,2}}(?:st|nd|rd|th)?,? [0-9]{{4}}|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})"
)
_IS = r"(?:is|was|will be|falls on|fell on)"
_ON = re.compile(rf"{_DATE} {_IS} (not )?(?:an? )?({'|'.join(WEEKDAYS)})", re.IGNORECASE)
_LEAP = re.compile(r"(?:the year )?([0-9]{4}) (?:is|was|will be) (not )?a (not )?leap year", re.IGNORECASE)
_BETWEEN = re.compile(rf"there (?:are|were) ([0-9,]+) days (?:between|from) {_DATE} (?:and|to) {_DATE}", re.IGNORECASE)
_AFTER = re.compile(rf"([0-9]{{1,6}}) (day|week)s? (after|before) {_DATE} {_IS} {_DATE}", re.IGNORECASE)
_MONTH_HAS = re.compile(rf"({MONTH}) ([0-9]{{4}}) (?:has|had) ([0-9]+) days", re.IGNORECASE)
_YEAR_HAS = re.compile(r"(?:the year )?([0-9]{4}) (?:has|had) ([0-9]+) days", re.IGNORECASE)
_IN_WEEK = re.compile(rf"{_DATE} is in ISO week ([0-9]{{1,2}}) of ([0-9]{{4}})", re.IGNORECASE)
_NUMBERED = re.compile(rf"{_DATE} (?:is|was) day ([0-9]+) of (?:the|its) year", re.IGNORECASE)
_EXISTS = re.compile(rf"{_DATE} (exists|does not exist|is a valid date|is not a valid date)", re.IGNORECASE)
_THERE_WAS = re.compile(
    rf"there (?:is|was|will be) (an?|no) ({MONTH}) ([0-9]{{1,2}})(?:st|nd|rd|th)? in ([0-9]{{4}})", re.IGNORECASE
)


def read(sentence: str) -> Dates | None:
    """Return the claim about dates that a sentence makes as a whole, or nothing."""
    check = _read_day(sentence) or _read_span(sentence)
    if check is None or check.relation in ("leap_year", "days_in", "exists"):
        return check if check is None or _year_in(check.date) > BRITISH.year else None
    days = [text for text in (check.date, check.other) if text and not _STEP.fullmatch(text)]
    if any(map(missing_day, days)):
        return check
    try:
        earliest = min(map(parsed_date, days))
    except Uncomputable:
        return None
    return check if earliest >= (GREGORIAN if check.relation == "weekday" else BRITISH) else None


def _year_in(text: str) -> int:
    return max(map(int, re.findall(r"[0-9]{4}", text)))


def _read_day(sentence: str) -> Dates | None:
    if found := _ON.fullmatch(sentence):
        return Dates(relation="weekday", date=found[1], claimed=found[3], negated=bool(found[2]))
    if found := _LEAP.fullmatch(sentence):
        return Dates(relation="leap_year", date=found[1], negated=bool(found[2] or found[3]))
    if found := _IN_WEEK.fullmatch(sentence):
        return Dates(relation="iso_week", date=found[1], claimed=f"{found[3]}-W{int(found[2]):02}")
    if found := _NUMBERED.fullmatch(sentence):
        return Dates(relation="day_of_year", date=found[1], claimed=found[2])
    if found := _EXISTS.fullmatch(sentence):
        return Dates(relation="exists", date=found[1], negated="not" in found[2].lower())
    if found := _THERE_WAS.fullmatch(sentence):
        day = f"{found[4]}-{month_number(found[2]):02}-{int(found[3]):02}"
        return Dates(relation="exists", date=day, negated=found[1].lower() == "no")
    return None


def _read_span(sentence: str) -> Dates | None:
    if found := _BETWEEN.fullmatch(sentence):
        return Dates(relation="days_between", date=found[2], other=found[3], claimed=found[1])
    if found := _AFTER.fullmatch(sentence):
        sign = "-" if found[3].lower() == "before" else ""
        return Dates(relation="plus", date=found[4], other=f"{sign}{found[1]} {found[2].lower()}s", claimed=found[5])
    if found := _MONTH_HAS.fullmatch(sentence):
        return Dates(relation="days_in", date=f"{found[2]}-{month_number(found[1]):02}", claimed=found[3])
    if found := _YEAR_HAS.fullmatch(sentence):
        return Dates(relation="days_in", date=found[1], claimed=found[2])
    return None


ORACLE = Oracle(
    kind="dates",
    takes=Dates,
    help="weekdays, days between dates, leap years, date arithmetic, ISO weeks",
    limit=f"from 15 October 1582 to 9999 in the Gregorian calendar, {MOST_CHARACTERS} characters",
    decide=decide,
    read=read,
)
