"""A run that is stopped anywhere and resumed comes to the verdict of one that was not stopped."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.events import Answered, event_from
from tests.runtime.members import Desk
from tests.runtime.protocol import Course, without_calls

UNDISTURBED = Course()
VERDICT = UNDISTURBED.run()
POINTS = Course().points()


def test_the_kill_points_are_all_those_of_the_design() -> None:
    kinds = {name.split(" ")[0] + " " + name.split(" ")[1] for name in POINTS}

    assert {"before intend", "after intend", "before settle", "after settle", "before emit", "after emit"} <= kinds
    assert {
        "after count_try",
        "before open",
        "after take",
        "before release",
        "after submit",
        "before leave",
    } <= kinds


@pytest.mark.parametrize("order", [None, 1, 2])
@pytest.mark.parametrize("part", range(8))
def test_a_run_killed_at_any_write_resumes_to_the_same_verdict_and_repeats_no_journaled_call(
    order: int | None, part: int
) -> None:
    points = Course(desk=Desk(order=order)).points()
    for kill in range(part, len(points), 8):
        course = Course(desk=Desk(order=order))

        verdict = course.run(kill)

        assert verdict == VERDICT, points[kill]
        assert without_calls(course.disk.texts) == without_calls(UNDISTURBED.disk.texts), points[kill]
        assert course.repeated == [], points[kill]
        assert course.replayed().events == len(course.disk.texts), points[kill]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, len(POINTS) - 1),
    st.integers(0, len(POINTS) - 1),
    st.integers(0, len(POINTS) - 1),
    st.one_of(st.none(), st.integers(0, 99)),
)
def test_a_run_killed_three_times_resumes_to_the_same_verdict(
    one: int, two: int, three: int, order: int | None
) -> None:
    course = Course(desk=Desk(order=order))

    verdict = course.run(one, two, three)

    assert verdict == VERDICT
    assert without_calls(course.disk.texts) == without_calls(UNDISTURBED.disk.texts)
    assert course.repeated == []
    assert course.replayed().events == len(course.disk.texts)


def test_a_call_whose_reply_was_never_written_is_counted_and_asked_again_under_the_next_number() -> None:
    course = Course()

    course.run(("before settle last", 1))

    [last] = [
        event for text in course.disk.texts if (event := event_from(text)).kind == "answered" and event.step == "last"
    ]
    assert isinstance(last, Answered)
    assert [(call.attempt, call.state, call.tries, call.usd is None) for call in last.calls] == [
        (1, "lost", 1, True),
        (2, "reply", 1, False),
    ]
    assert len([sent for sent in course.desk.sent if sent.step == "last"]) == 2


def test_lost_attempts_take_nothing_from_the_parse_retry() -> None:
    course = Course()

    course.run(("before settle first:m4", 1), ("before settle first:m4", 2))

    rows = [row for (step, _), row in sorted(course.disk.attempts.items()) if step == "first:m4"]
    assert [row.state for row in rows] == ["lost", "lost", "bad", "reply"]
    assert course.disk.outcomes["first:m4"].salvaged is False


def test_the_tries_of_a_lost_attempt_are_all_counted() -> None:
    course = Course()

    course.run(("after count_try first:m3", 2))

    lost = course.disk.attempts["first:m3", 1]
    assert (lost.state, lost.tries) == ("lost", 3)


def test_resuming_a_run_that_has_ended_changes_nothing() -> None:
    course = Course()
    course.run()
    before, sent = course.disk.texts, len(course.desk.sent)

    again = course.run()

    assert again == VERDICT
    assert course.disk.texts == before
    assert len(course.desk.sent) == sent
