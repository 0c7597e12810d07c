"""A replay asks nobody, gives the same bytes, and stops at the first thing that is not there or not the same."""

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from moot.core.budget import Budget
from moot.core.calls import Missing, Request
from moot.core.canonical import canonical
from moot.core.errors import JournalMismatch, ProtocolVersionChanged, RecordDiffers, ReplyMissing
from moot.core.panel import seated
from moot.core.ports import Journaled
from moot.runtime.house import Paused
from tests.runtime.memory import Crash, KillSwitch
from tests.runtime.protocol import TRIAL, Course, TrialSettings, header, trial


def ended(**more: Any) -> Course:
    course = Course(**more)
    course.run()
    return course


@pytest.mark.parametrize(
    "course",
    [
        Course(),
        Course(header(reviewed=False)),
        Course(header(budget=Budget(calls=9))),
        Course(header(budget=Budget(calls=1))),
        Course(header(panel=seated(["script:failing"] * 3), reviewed=False)),
        Course(header(panel=seated(["script:good"] * 3))),
    ],
    ids=["full", "unreviewed", "exhausted", "first refused", "nobody answers", "all agree"],
)
def test_a_replay_equals_the_stored_run_to_the_byte(course: Course) -> None:
    course.run()

    replayed = course.replayed()

    assert replayed.events == len(course.disk.texts)
    assert replayed.bytes == len("\n".join(course.disk.texts).encode())
    assert replayed.paused is False


def test_a_paused_run_replays_up_to_where_it_waits() -> None:
    course = Course()
    with pytest.raises(Paused):
        asyncio.run(course.process())

    assert course.replayed().paused is True


def test_what_somebody_submits_while_the_run_stands_still_is_not_in_its_record_yet() -> None:
    course = Course(people={})
    with pytest.raises(Paused):
        course.run()
    events = len(course.disk.texts)
    course.disk.fill("review:person", "Ada", {"grade": 5})

    same = course.replayed()

    assert same.paused
    assert same.events == events


def test_a_replay_writes_nothing() -> None:
    course = ended()
    written = course.disk.written.copy()

    course.replayed()

    assert course.disk.written == written


@pytest.mark.parametrize("step", ["first:m1", "first:m5", "vectors", "rebut:m2", "review:house@kind", "last"])
def test_a_replay_names_the_step_whose_reply_is_missing(step: str) -> None:
    course = ended()
    rows = course.disk.journaled
    without = Journaled(
        tuple(row for row in rows.attempts if row.step != step),
        tuple(outcome for outcome in rows.outcomes if outcome.step != step),
    )
    steps = [
        replace(row, state="taken", reply=None) if row.agent == "kind" and "@" in step else row
        for row in course.disk.steps.values()
    ]

    with pytest.raises(ReplyMissing) as missing:
        course.replayed(journaled=without, steps=steps)

    assert missing.value.step == step


def test_a_replay_names_the_step_that_waits_for_its_retry() -> None:
    course = ended()
    rows = course.disk.journaled
    without = Journaled(
        tuple(row for row in rows.attempts if (row.step, row.attempt) != ("first:m4", 2)),
        tuple(outcome for outcome in rows.outcomes if outcome.step != "first:m4"),
    )

    with pytest.raises(ReplyMissing, match="first:m4"):
        course.replayed(journaled=without)


def test_a_replay_of_a_run_that_stopped_anywhere_ends_without_a_call_or_a_write() -> None:
    for kill in range(len(Course().points())):
        course = Course()
        switch = KillSwitch(at=kill)
        while not switch.dead:
            try:
                asyncio.run(course.process(switch))
            except Paused as paused:
                course.answer(paused)
            except Crash:
                break
        written, sent = course.disk.written.copy(), len(course.desk.sent)

        with suppress(ReplyMissing, RecordDiffers):
            course.replayed()

        assert course.disk.written == written
        assert len(course.desk.sent) == sent


def test_an_open_step_that_is_not_stored_is_named() -> None:
    course = ended()

    with pytest.raises(ReplyMissing, match="review:person"):
        course.replayed(steps=[])


def test_a_stored_event_that_was_changed_is_found() -> None:
    course = ended()
    texts = course.disk.texts
    for seq, text in enumerate(texts):
        changed = [*texts[:seq], canonical({**json.loads(text), "more": 1}), *texts[seq + 1 :]]

        with pytest.raises(RecordDiffers) as differs:
            course.replayed(events=changed)

        assert differs.value.seq == seq


def test_a_stored_event_too_many_is_found() -> None:
    course = ended()
    texts = course.disk.texts

    with pytest.raises(RecordDiffers) as differs:
        course.replayed(events=[*texts, texts[-1]])

    assert differs.value.seq == len(texts)


def test_a_stored_event_too_few_is_found() -> None:
    course = ended()
    texts = course.disk.texts

    with pytest.raises(RecordDiffers) as differs:
        course.replayed(events=texts[:-1])

    assert differs.value.seq == len(texts) - 1


def test_a_changed_event_stops_a_resumed_run_too() -> None:
    course = ended()
    course.disk.events[1] = canonical({**json.loads(course.disk.events[1]), "seat": "m9"})

    with pytest.raises(RecordDiffers) as differs:
        course.run()

    assert differs.value.seq == 1


def test_a_journaled_reply_that_was_changed_is_found() -> None:
    course = ended()
    row = course.disk.attempts["first:m1", 1]
    course.disk.attempts["first:m1", 1] = replace(row, text='{"answer": "maybe", "sure": 0.75}')

    with pytest.raises(RecordDiffers):
        course.replayed()


def test_a_journaled_reply_that_is_none_to_todays_code_is_named() -> None:
    course = ended()
    row = course.disk.attempts["first:m1", 1]
    course.disk.attempts["first:m1", 1] = replace(row, text='{"answer": "yes"}')

    with pytest.raises(JournalMismatch, match="first:m1"):
        course.replayed()


def test_a_submission_that_is_none_to_todays_code_is_named() -> None:
    course = ended()
    course.disk.fill("review:person", "Ada", {"mark": 5})

    with pytest.raises(JournalMismatch, match="review:person"):
        course.replayed()


@pytest.mark.parametrize("again", ["run", "replayed"])
def test_another_version_of_the_protocol_is_refused_by_name(again: str) -> None:
    course = ended()
    course.row = replace(TRIAL, version=2)

    with pytest.raises(ProtocolVersionChanged, match=r"trial 1, Moot now has 2; `moot fork`") as changed:
        getattr(course, again)()

    assert (changed.value.stored, changed.value.current) == (1, 2)


@pytest.mark.parametrize("again", ["run", "replayed"])
def test_a_run_journaled_by_other_code_is_refused_and_the_step_named(again: str) -> None:
    async def other_code(question, deliberation, settings):
        return await trial(question, deliberation, TrialSettings(last_words="Say it in short."))

    course = ended()
    course.row = replace(TRIAL, run=other_code)

    with pytest.raises(JournalMismatch, match="last") as mismatch:
        getattr(course, again)()

    assert mismatch.value.step == "last"


def test_other_texts_to_embed_are_a_mismatch_too() -> None:
    async def other_code(question, deliberation, settings):
        for seat in deliberation.panel:
            assert not isinstance(seat, Missing)
        door: Any = _Shouting(deliberation)
        return await trial(question, door, settings)

    course = ended()
    course.row = replace(TRIAL, run=other_code)

    with pytest.raises(JournalMismatch, match="vectors"):
        course.replayed()


class _Shouting:
    """A door that embeds other texts."""

    def __init__(self, door) -> None:
        self._door = door

    def __getattr__(self, name):
        return getattr(self._door, name)

    async def embed(self, texts, *, step):
        return await self._door.embed([text.upper() for text in texts], step=step)


def test_a_context_that_reads_otherwise_now_is_refused_where_a_person_answered_the_old_one() -> None:
    course = ended()
    row = course.disk.steps["review:person"]
    course.disk.steps["review:person"] = replace(row, context={"scale": [1, 10]})

    with pytest.raises(JournalMismatch, match="review:person"):
        course.replayed()


def test_a_replay_holds_where_a_reply_has_what_no_database_can_hold() -> None:
    def awkward(request: Request, number: int) -> str:
        return (
            '{"answer": "a\\u0000b\\ud800", "sure": 0.123456789}'
            if request.step.startswith("first")
            else "\x00 \ud800 ok"
        )

    course = Course(header(panel=seated(["script:awkward"] * 2), reviewed=False), reactions={"script:awkward": awkward})

    verdict = course.run()

    assert verdict.answer == "a\ufffdb\ufffd"
    assert verdict.detail["last"] == "\ufffd \ufffd ok"
    assert course.replayed().events == len(course.disk.texts)
