"""A run that is told to stop: what is in flight is journaled, nothing more is sent, and the next goes on from there."""

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typing_extensions import override

from moot.core.calls import Completion, Request, Usage
from moot.core.panel import seated
from moot.core.ports import BeforeRetry
from moot.runtime.dispatch import Stopped, never_stopping
from tests.runtime.members import Desk, LetterEmbedder
from tests.runtime.protocol import PANEL, Course, header, without_calls

RETRIED = ("script:slow", "script:failing")
"""Members whose try may be worth another, which is not sent any more."""


def stopped_after(calls: int, order: int | None = None) -> Course:
    """Return a course that was told to stop when so many calls had been sent."""
    desk = Desk(order=order)
    course = Course(desk=desk, stopping=lambda: desk.calls >= calls, embedder=LetterEmbedder(desk, local=False))
    with pytest.raises(Stopped):
        course.run()
    return course


def finished(course: Course) -> Course:
    course.stopping = never_stopping
    course.run()
    return course


@settings(max_examples=100, deadline=None)
@given(calls=st.integers(0, 20), order=st.one_of(st.none(), st.integers(0, 99)))
def test_every_call_in_flight_is_journaled_but_one_that_would_have_to_be_tried_again(calls, order) -> None:
    course = stopped_after(calls, order)

    unanswered = [row for row in course.disk.journaled.attempts if row.state == "intent"]

    assert all(any(f'"model":"{name}"' in row.request for name in RETRIED) for row in unanswered)
    assert sum(row.tries for row in course.disk.journaled.attempts) == course.desk.calls


@settings(max_examples=100, deadline=None)
@given(calls=st.integers(0, 20), order=st.one_of(st.none(), st.integers(0, 99)))
def test_a_run_that_was_stopped_comes_to_the_same_record_and_repeats_nothing_that_was_journaled(calls, order) -> None:
    whole = Course(embedder=LetterEmbedder(Desk(), local=False))
    whole.run()

    course = finished(stopped_after(calls, order))

    assert without_calls(course.disk.texts) == without_calls(whole.disk.texts)
    assert course.repeated == []


def test_a_run_that_is_stopped_before_its_vectors_does_not_make_them() -> None:
    desk = Desk()
    course = Course(desk=desk, embedder=LetterEmbedder(desk, local=False))
    course.stopping = lambda: sum(event.kind in ("answered", "missing") for event in course.heard) == len(PANEL)

    with pytest.raises(Stopped):
        course.run()

    assert desk.embedded == []
    assert finished(course).desk.embedded != []


@dataclass
class Late(Course):
    """A course in which the first member answers only after another has been told to stop at its second try."""

    failed: asyncio.Event = field(default_factory=asyncio.Event)

    @override
    def model(self, name: str) -> Any:
        return SimpleNamespace(price=None, context=None, complete=self._late if name == "late" else self._failing)

    async def _late(self, request: Request, *, before_retry: BeforeRetry, on_tokens: object) -> Completion:
        self.desk.calls += 1
        await self.failed.wait()
        # More turns than it takes a failure to cancel everybody else.
        for _ in range(20):
            await asyncio.sleep(0)
        return Completion('{"answer": "yes", "sure": 1}', Usage())

    async def _failing(self, request: Request, *, before_retry: BeforeRetry, on_tokens: object) -> Completion:
        self.desk.calls += 1
        self.failed.set()
        assert await before_retry(2)
        self.desk.calls += 1
        return Completion('{"answer": "no", "sure": 1}', Usage())


def test_a_second_try_is_not_sent_and_the_others_in_flight_are_waited_for() -> None:
    course = Late(header(panel=seated(["late", "failing"])))
    course.stopping = lambda: course.failed.is_set()

    with pytest.raises(Stopped):
        course.run()

    assert [(row.step, row.state, row.tries) for row in course.disk.journaled.attempts] == [
        ("first:m1", "reply", 1),
        ("first:m2", "intent", 1),
    ]
    assert course.desk.calls == 2
