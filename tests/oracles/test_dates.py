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
        ("weekday", "0001-01-01", "", "Monday", "true"),
        ("leap_year", "2000", "", "", "true"),
        ("leap_year", "1900", "", "", "false"),
        ("leap_year", "4", "", "", "true"),
        ("exists", "2024-02-29", "", "", "true"),
        ("exists", "2023-02-29", "", "", "false"),
        ("exists", "2023-13-45", "", "", "false"),
        ("days_between", "2024-03-01", "2024-12-25", "299", "true"),
        ("days_between", "0001-01-01", "9999-12-31", "3,652,058", "true"),
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
        ("weekday", "2023-02-29", "", "Monday", "it has no 2023-02-29"),
        ("weekday", "2024-01-01", "", "Mittwoch", "English names"),
        ("plus", "9999-12-31", "1 day", "2024-01-01", "days of the calendar"),
        ("plus", "0001-01-01", "-9999999 weeks", "2024-01-01", "days of the calendar"),
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


@given(st.dates())
def test_a_weekday_is_the_one_of_zellers_congruence(day: date) -> None:
    assert found("weekday", day.isoformat(), claimed=zeller(day)).verdict == "true"


@given(st.dates(date(1000, 1, 1), date(9000, 1, 1)), st.integers(-100_000, 100_000))
def test_a_day_moved_by_a_number_of_days_is_that_many_days_away(day: date, days: int) -> None:
    moved = (day + timedelta(days)).isoformat()

    assert found("plus", day.isoformat(), f"{days} days", moved).verdict == "true"
    assert found("days_between", day.isoformat(), moved, str(days)).verdict == "true"
    assert found("days_between", day.isoformat(), moved, str(days + 1)).verdict == "false"


@given(
    st.sampled_from(["weekday", "leap_year", "exists", "days_in", "plus", "iso_week", "days_between"]),
    st.text(max_size=20),
    st.text(alphabet="0123456789- daysW", max_size=12),
)
def test_any_text_gets_a_verdict(relation: str, text: str, other: str) -> None:
    for day in (text, other, "2024-01-01"):
        assert found(relation, day, other, text).verdict in ("true", "false", "not computable")
