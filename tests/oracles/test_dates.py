"""Dates in the Gregorian calendar (ruling S7)."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.oracles import consult
from moot.oracles.finding import Finding


def found(relation: str, day: str | int, other: str = "", claimed: str = "", *, negated: bool = False) -> Finding:
    return consult(
        {
            "kind": "dates",
            "relation": relation,
            "date": day,
            "other": other,
            "claimed": claimed,
            "negated": negated,
        }
    )


@pytest.mark.parametrize(
    ("relation", "day", "other", "claimed", "verdict"),
    [
        ("weekday", "2024-03-12", "", "Tuesday", "true"),
        ("weekday", "12 March 2024", "", "tuesday", "true"),
        ("weekday", "March 12th, 2024", "", "Monday", "false"),
        ("weekday", "2024-03-12", "", "Tue", "true"),
        ("weekday", "Mar. 12, 2024", "", "Tues.", "true"),
        ("weekday", "2023-02-29", "", "Wednesday", "false"),
        ("weekday", "1582-10-15", "", "Friday", "true"),
        ("weekday", "1917-10-25", "", "Thursday", "true"),
        ("weekday", "1917-10-25", "", "Friday", "false"),
        ("iso_week", "2023-02-30", "", "2023-W09", "false"),
        ("plus", "2023-02-28", "1 day", "2023-02-29", "false"),
        ("days_between", "2024-12-25", "2024-03-01", "299", "true"),
        ("days_between", "2024-12-25", "2024-03-01", "-299", "true"),
        ("days_between", "2024-01-01", "2024-01-31", "32", "false"),
        ("leap_year", "2000", "", "", "true"),
        ("leap_year", "1900", "", "", "false"),
        ("leap_year", "2024-02-29", "", "", "true"),
        ("leap_year", "March 1, 2023", "", "", "false"),
        ("exists", "2024-02-29", "", "", "true"),
        ("exists", "2023-02-29", "", "", "false"),
        ("exists", "2023-13-45", "", "", "false"),
        ("days_between", "2024-03-01", "2024-12-25", "299", "true"),
        ("days_between", "1600-01-01", "9999-12-31", "3,068,036", "true"),
        ("before", "1066-10-14", "1492-10-12", "", "true"),
        ("plus", "2024-01-31", "45 days", "2024-03-16", "true"),
        ("plus", "2023-03-01", "-2 weeks", "2023-02-15", "true"),
        ("plus", "2023-12-15", "1 month", "2024-01-15", "true"),
        ("plus", "2020-02-29", "4 years", "2024-02-29", "true"),
        ("iso_week", "2024-12-30", "", "2025-W01", "true"),
        ("iso_week", "2024-12-30", "", "2024-W53", "false"),
        ("day_of_year", "2023-10-15", "", "288", "true"),
        ("days_in", "2024-02", "", "29", "true"),
        ("days_in", "1900", "", "365", "true"),
        ("before", "2024-01-01", "2024-01-02", "", "true"),
        ("before", "2024-01-02", "2024-01-02", "", "false"),
    ],
)
def test_a_claim_is_true_or_false(relation: str, day: str, other: str, claimed: str, verdict: str) -> None:
    assert found(relation, day, other, claimed).verdict == verdict


@pytest.mark.clause("ruling:S12")
def test_of_a_day_that_does_not_exist_nothing_is_true_and_no_denial_is_judged() -> None:
    claimed = found("weekday", "February 29, 2023", claimed="Wednesday")

    assert (claimed.verdict, claimed.value) == ("false", "there is no such day")
    assert found("weekday", "February 29, 2023", claimed="Wednesday", negated=True).verdict == "not computable"


@pytest.mark.clause("ruling:S12")
def test_a_denial_that_holds_by_the_julian_calendar_is_not_refuted() -> None:
    assert found("weekday", "1917-10-25", claimed="Thursday", negated=True).verdict == "not computable"
    assert found("weekday", "1917-10-25", claimed="Wednesday", negated=True).verdict == "true"
    assert found("weekday", "1917-10-25", claimed="Friday", negated=True).verdict == "true"


def test_a_year_may_be_sent_as_a_number_and_a_claim_denied() -> None:
    assert found("leap_year", 1900, negated=True).verdict == "true"


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("relation", "day", "other", "claimed", "limit"),
    [
        ("weekday", "9999999-01-01", "", "Monday", "years from 1 to 9999"),
        ("weekday", "0000-01-01", "", "Monday", "years from 1 to 9999"),
        ("exists", "0000-01-01", "", "", "years from 1 to 9999"),
        ("leap_year", "0", "", "", "years from 1 to 9999"),
        ("leap_year", "-4", "", "", "years from 1 to 9999"),
        ("leap_year", "9" * 50, "", "", "at most 7 plain digits"),
        ("leap_year", "9" * 10_000_000, "", "", "at most 60 characters"),
        ("leap_year", "\u0662\u0660\u0660\u0660", "", "", "plain digits"),
        ("weekday", "\u0662\u0660\u0662\u0664-01-01", "", "Monday", "written as 2024-03-12"),
        ("weekday", "03/04/2024", "", "Monday", "written as 2024-03-12"),
        ("weekday", "1900-02-29", "", "Monday", "it has no 1900-02-29"),
        ("weekday", "1712-02-30", "", "Friday", "it has no 1712-02-30"),
        ("weekday", "2023-13-02", "", "Monday", "it has no 2023-13-02"),
        ("weekday", "1066-10-14", "", "Saturday", "the Julian calendar"),
        ("weekday", "1752-09-02", "", "Wednesday", "by the Julian one"),
        ("weekday", "1917-10-25", "", "Wednesday", "by the Julian one"),
        ("leap_year", "1500", "", "", "the Julian calendar"),
        ("exists", "1500-02-29", "", "", "the Julian calendar"),
        ("days_in", "1500-02", "", "29", "the Julian calendar"),
        ("days_between", "2024-01-01", "1500-01-01", "5", "the Julian calendar"),
        ("days_between", "2024-01-01", "2024-01-31", "31", "counted or not"),
        ("days_between", "2024-01-01", "2024-01-31", "29", "counted or not"),
        ("days_between", "2024-01-01", "2024-01-31", "-30", "counted or not"),
        ("weekday", "2024-01-01", "", "Mittwoch", "English names"),
        ("plus", "9999-12-31", "1 day", "2024-01-01", "days of the calendar"),
        ("plus", "2000-01-01", "-9999999 weeks", "2024-01-01", "days of the calendar"),
        ("plus", "2024-01-31", "1 month", "2024-02-29", "days of the calendar"),
        ("plus", "2024-01-31", "1 fortnight", "2024-02-29", "steps such as"),
        ("iso_week", "2024-01-01", "", "week 1", "written as 2024-W11"),
        ("days_in", "2024-13", "", "31", "months from 1 to 12"),
        ("days_between", "2024-01-01", "2024-01-02", "nan", "plain digits"),
    ],
)
def test_what_is_beyond_it_names_the_limit(relation: str, day: str, other: str, claimed: str, limit: str) -> None:
    finding = found(relation, day, other, claimed)

    assert finding.verdict == "not computable"
    assert limit in finding.limit


def zeller(day: date) -> str:
    """The weekday by Zeller's congruence, without a calendar library."""
    month, year = (day.month, day.year) if day.month > 2 else (day.month + 12, day.year - 1)
    number = (day.day + 13 * (month + 1) // 5 + year % 100 + year % 100 // 4 + year // 100 // 4 + 5 * (year // 100)) % 7
    return ("Saturday", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday")[number]


@given(st.dates(date(1582, 10, 15)))
def test_a_weekday_is_the_one_of_zellers_congruence(day: date) -> None:
    assert found("weekday", day.isoformat(), claimed=zeller(day)).verdict == "true"


@given(st.dates(date(1900, 1, 1), date(9000, 1, 1)), st.integers(-100_000, 100_000))
def test_a_day_moved_by_a_number_of_days_is_that_many_days_away(day: date, days: int) -> None:
    moved = (day + timedelta(days)).isoformat()

    assert found("plus", day.isoformat(), f"{days} days", moved).verdict == "true"
    assert found("days_between", day.isoformat(), moved, str(days)).verdict == "true"
    assert found("days_between", day.isoformat(), moved, str(days + 1)).verdict == "not computable"
    assert found("days_between", day.isoformat(), moved, str(3 * abs(days) + 2)).verdict == "false"


@given(
    st.sampled_from(["weekday", "leap_year", "exists", "days_in", "plus", "iso_week", "days_between"]),
    st.text(max_size=20),
    st.text(alphabet="0123456789- daysW", max_size=12),
)
def test_any_text_gets_a_verdict(relation: str, text: str, other: str) -> None:
    for day in (text, other, "2024-01-01"):
        assert found(relation, day, other, text).verdict in ("true", "false", "not computable")
