"""Moments as programs read them."""

from datetime import UTC, datetime

from moot.core.moments import days_up_to, event_with_iso_moments, iso_day, iso_moment, with_iso_moments


def test_a_moment_is_iso_8601_with_its_offset_and_nothing_stays_nothing() -> None:
    assert iso_moment(1_700_000_000.1234) == "2023-11-14T22:13:20.123+00:00"
    assert datetime.fromisoformat(iso_moment(1.5)) == datetime(1970, 1, 1, 0, 0, 1, 500_000, UTC)
    assert iso_moment(None) is None


def test_only_what_is_named_is_a_moment_and_what_was_given_stays_as_it_is() -> None:
    row = {"started": 0.0, "seconds": 3.0, "revoked": None}
    event = {"kind": "answered", "reply": {"started": 5}, "calls": [{"started": 0.0, "seconds": 1.0}]}

    assert with_iso_moments(row, "started", "revoked") == {**row, "started": "1970-01-01T00:00:00.000+00:00"}
    assert event_with_iso_moments(event) == {
        **event,
        "calls": [{"started": "1970-01-01T00:00:00.000+00:00", "seconds": 1.0}],
    }
    assert (row["started"], event["calls"][0]["started"]) == (0.0, 0.0)


def test_a_day_by_its_number_is_a_day_of_utc_whatever_the_machine_is_set_to() -> None:
    assert [iso_day(number) for number in (0, 31, 20_484)] == ["1970-01-01", "1970-02-01", "2026-01-31"]


def test_days_are_told_from_the_first_to_the_last_and_no_more_than_there_is_room_for() -> None:
    assert days_up_to("2026-02-27", "2026-03-02", 9) == ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"]
    assert days_up_to("1970-01-01", "2026-03-02", 2) == ["2026-03-01", "2026-03-02"]
    assert days_up_to("2026-03-02", "2026-03-02", 9) == ["2026-03-02"]
