"""What the door promises a protocol, and what it refuses."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from moot.core.budget import Budget
from moot.core.calls import Ask, Completion, Failure, Message, Missing, Prose, Reply, Request, Usage
from moot.core.confidence import no_confidence
from moot.core.errors import Fenced
from moot.core.events import Answered, call_facts, event_from
from moot.core.panel import seated
from moot.core.record import Record, spent_on
from moot.core.verdict import Status, Verdict
from moot.runtime.house import Paused
from moot.runtime.steps import schema_of, step_seed
from tests.runtime.members import Desk
from tests.runtime.memory import SteppingClock
from tests.runtime.protocol import REACTIONS, TRIAL, Course, Position, header, without_calls

DONE = Verdict(None, Status.COMPLETE, "done", no_confidence("none asked"))


def ask(step: str, seat: str = "m1", reply: type[Reply] = Position, text: str = "Well?") -> Ask[Any]:
    return Ask(step, seat, (Message("user", text),), reply, max_tokens=64)


def running(run, *models: str, **more) -> Course:
    """Return the course of a protocol that is this function."""

    async def protocol(question, deliberation, settings) -> Verdict:
        return await run(deliberation) or DONE

    head = header(panel=seated(list(models or ("script:good",))), budget=more.pop("budget", None))
    return Course(head, row=replace(TRIAL, run=protocol), **more)


def test_a_step_name_is_used_once() -> None:
    async def twice(deliberation):
        await deliberation.ask(ask("first:a"))
        await deliberation.note("reached", 1)
        await deliberation.embed(["x"], step="first:a")

    course = running(twice)

    with pytest.raises(ValueError, match="step 'first:a' is used twice"):
        course.run()

    assert len(course.desk.sent) == 1


def test_a_name_used_twice_in_one_round_is_refused_before_anything_is_sent() -> None:
    async def twice(deliberation):
        await deliberation.ask_all([ask("first:a"), ask("first:a")])

    course = running(twice)

    with pytest.raises(ValueError, match="used twice"):
        course.run()

    assert course.desk.sent == []
    assert course.disk.attempts == {}


def test_what_was_found_is_stored_before_the_next_are_asked() -> None:
    kept: list[list[str]] = []

    async def found_between(deliberation):
        await deliberation.ask(ask("first:a"))
        await deliberation.note("counted", 1)
        await deliberation.ask(ask("first:b"))

    def look(request: Request) -> None:
        kept.append([event_from(text).kind for text in course.disk.texts])

    course = running(found_between, desk=Desk(on_send=look))
    course.run()

    assert kept == [["started"], ["started", "answered", "noted"]]


def test_a_seat_that_nobody_has_is_named() -> None:
    async def stranger(deliberation):
        await deliberation.ask(ask("first:a", seat="m9"))

    with pytest.raises(KeyError, match="m9"):
        running(stranger).run()


def test_a_members_failure_cancels_no_sibling() -> None:
    replies: list[object] = []

    async def round_of_three(deliberation):
        replies.extend(await deliberation.ask_all([ask(f"first:{seat}", seat) for seat in ("m1", "m2", "m3")]))

    running(round_of_three, "script:failing", "script:good", "script:slow").run()

    assert [type(reply) for reply in replies] == [Missing, Position, Position]
    assert replies[0] == Missing("m1", "first:m1", "unreachable", "nobody listens there")


@pytest.mark.parametrize(
    ("failure", "reason", "kind"),
    [
        (Failure("timeout", "after 60 s"), "timeout", "timeout"),
        (Failure("unreachable", "no route"), "unreachable", "dropped"),
        (Failure("refused", "401"), "refused", "dropped"),
        (Failure("budget", "no further try"), "budget", "refused"),
    ],
)
def test_every_failure_is_a_value_with_its_reason(failure: Failure, reason: Any, kind: str) -> None:
    got: list[object] = []

    async def one(deliberation):
        got.append(await deliberation.ask(ask("first:a")))

    course = running(one, reactions={"script:good": lambda request, number: failure})
    course.run()

    assert got == [Missing("m1", "first:a", reason, failure.detail)]
    assert course.disk.outcomes["first:a"].kind == kind


def test_a_failure_whose_words_no_database_can_hold_is_kept_with_replacements() -> None:
    async def one(deliberation):
        await deliberation.ask(ask("first:a"))

    course = running(one, reactions={"script:good": lambda request, number: Failure("refused", "a\x00\ud800")})
    verdict = course.run()

    assert course.disk.attempts["first:a", 1].problem == "a\ufffd\ufffd"
    assert verdict.missing[0].detail == "a\ufffd\ufffd"


def test_a_round_of_nobody_brings_nothing() -> None:
    got: list[object] = []

    async def nobody(deliberation):
        got.append(await deliberation.ask_all([]))

    running(nobody).run()

    assert got == [[]]


def test_a_rounds_intents_are_written_in_list_order_before_anything_is_sent() -> None:
    intended: list[list[str]] = []

    async def round_of_three(deliberation):
        await deliberation.ask_all([ask(f"first:{seat}", seat) for seat in ("m3", "m1", "m2")])

    course = running(round_of_three, "script:good", "script:good", "script:good", desk=Desk(order=5))
    course.desk.on_send = lambda request: intended.append([step for step, _ in course.disk.attempts])
    course.run()

    assert intended == [["first:m3", "first:m1", "first:m2"]] * 3
    between = [event_from(text) for text in course.disk.texts[1:-1]]
    assert [event.step if isinstance(event, Answered) else event for event in between] == [
        "first:m3",
        "first:m1",
        "first:m2",
    ]


def test_a_reply_is_journaled_before_it_is_used() -> None:
    states: list[str] = []

    async def one(deliberation):
        await deliberation.ask(ask("first:a"))
        states.append(course.disk.attempts["first:a", 1].state)

    course = running(one)
    course.run()

    assert states == ["reply"]


def test_a_fenced_process_stops_sending_and_writes_nothing_more() -> None:
    course = Course()
    old_journal, old_steps = course.disk.hold()

    def take_over(request: Request) -> None:
        course.disk.epoch += 1
        course.desk.on_send = None

    course.desk.on_send = take_over
    with pytest.raises(Fenced):
        asyncio.run(course.work(old_journal, old_steps))

    assert {row.state for row in course.disk.attempts.values()} == {"intent"}
    assert not [sent for sent in course.desk.sent if not sent.step.startswith("first")]
    assert len(course.disk.events) == 1


def test_a_process_fenced_before_its_intents_sends_nothing() -> None:
    course = Course()
    old_journal, old_steps = course.disk.hold()
    course.disk.hold()

    with pytest.raises(Fenced):
        asyncio.run(course.work(old_journal, old_steps))

    assert course.desk.sent == []


def test_of_two_processes_one_is_fenced_and_nothing_journaled_is_paid_twice() -> None:
    async def both() -> None:
        first = asyncio.create_task(course.process())
        second = asyncio.create_task(course.process())
        results = await asyncio.gather(first, second, return_exceptions=True)
        assert isinstance(results[0], Fenced)
        assert isinstance(results[1], Paused)

    course = Course()

    asyncio.run(both())
    course.run()

    assert course.repeated == []


def test_cancelling_stops_the_calls_writes_no_event_and_the_resumed_run_is_the_same() -> None:
    undisturbed = Course()
    undisturbed.run()
    for cancel_at in range(1, len(undisturbed.desk.sent) + 1):
        course = Course()
        sent_before = asyncio.run(_cancelled(course, cancel_at))
        events = len(course.disk.events)

        assert len(course.desk.sent) == sent_before
        assert events == len(course.disk.events)
        course.run()
        assert without_calls(course.disk.texts) == without_calls(undisturbed.disk.texts)
        assert course.repeated == []


async def _cancelled(course: Course, at: int) -> int:
    def cancel(request: Request) -> None:
        if len(course.desk.sent) == at:
            task.cancel()

    course.desk.on_send = cancel
    while True:
        task = asyncio.create_task(course.process())
        try:
            await task
        except Paused as paused:
            course.answer(paused)
        except asyncio.CancelledError:
            course.desk.on_send = None
            return len(course.desk.sent)
        else:
            raise AssertionError("it was not cancelled")


def test_the_seed_of_a_step_follows_from_the_deliberation_and_the_step() -> None:
    course = Course()
    course.run(("before settle last", 1))

    seeds = {
        sent.step: {other.seed for other in course.desk.sent if other.step == sent.step} for sent in course.desk.sent
    }

    assert all(seed == {step_seed(11, step)} for step, seed in seeds.items())
    assert len(set.union(*seeds.values())) == len(seeds)
    assert all(0 <= seed < 2**31 for seed in set.union(*seeds.values()))


def test_a_request_carries_the_schema_of_its_reply_and_prose_carries_none() -> None:
    heard: list[Request] = []
    course = Course(header(reviewed=False))
    course.desk.on_send = heard.append
    course.run()

    by_step = {request.step: request.schema for request in heard}
    assert by_step["first:m1"] == schema_of(Position)
    assert by_step["last"] is None


def test_the_digest_does_not_cover_the_rendered_schema() -> None:
    course = Course()
    course.run()

    request = json.loads(course.disk.attempts["first:m1", 1].request)

    assert sorted(request) == ["max_tokens", "messages", "model", "reply", "reply_version", "temperature"]


def test_reasoning_is_set_aside_in_the_record() -> None:
    reply = Completion('<think>so</think>{"answer": "yes", "sure": 1}', Usage(1, 1, 0.0), reasoning="apart")

    async def one(deliberation):
        await deliberation.ask(ask("first:a"))

    course = running(one, reactions={"script:good": lambda request, number: reply})
    course.run()

    event = event_from(course.disk.texts[1])
    assert isinstance(event, Answered) and event.reasoning == "apart\n\nso"
    assert course.disk.attempts["first:a", 1].text == '{"answer": "yes", "sure": 1}'


def test_a_price_of_nothing_is_the_same_bytes_after_a_database_made_a_float_of_it() -> None:
    reply = Completion('{"answer": "yes", "sure": 1}', Usage(1, 1, 0))

    async def one(deliberation):
        await deliberation.ask(ask("first:a"))

    course = running(one, reactions={"script:good": lambda request, number: reply})
    course.run()
    row = course.disk.attempts["first:a", 1]
    course.disk.attempts["first:a", 1] = replace(row, usage=Usage(1, 1, 0.0))

    assert course.replayed().events == 3


def test_what_was_spent_is_told_to_the_protocol_lost_calls_included() -> None:
    told = []

    async def one(deliberation):
        await deliberation.ask(ask("first:a"))
        told.append(deliberation.spent)

    course = running(one)
    course.run(("before settle first:a", 1))
    spent = Record(tuple(event_from(text) for text in course.disk.texts)).spent

    assert told == [spent]
    assert (spent.calls, spent.unknown.usd) == (2, 1)
    assert spent.usd


def test_the_budget_and_the_panel_are_there_to_be_read() -> None:
    seen = []

    async def look(deliberation):
        seen.append((deliberation.budget, deliberation.panel.models, len(deliberation.panel)))

    running(look, "script:good", "script:good", budget=Budget(calls=7)).run()

    assert seen == [(Budget(calls=7), ("script:good",), 2)]


def test_a_finding_that_has_no_canonical_form_is_refused() -> None:
    async def careless(deliberation):
        await deliberation.note("seen", {"a", "b"})

    with pytest.raises(TypeError, match="set has no canonical form"):
        running(careless).run()


@pytest.mark.parametrize("wall_step", [-5.0, 0.0, 3.0, -1e9])
def test_a_clock_that_jumps_back_breaks_nothing(wall_step: float) -> None:
    undisturbed = Course()
    undisturbed.run()
    course = Course(clock=SteppingClock(wall_step=wall_step))

    verdict = course.run(("before settle rebut:m4", 1))

    record = Record(tuple(event_from(text) for text in course.disk.texts))
    assert without_calls(course.disk.texts) == without_calls(undisturbed.disk.texts)
    assert verdict == record.verdict
    assert record.spent.seconds > 0
    assert all(call.seconds >= 0 for call in record.calls)
    assert course.replayed().events == len(course.disk.texts)


def test_progress_tells_what_is_under_way_and_none_of_it_is_stored() -> None:
    course = Course()

    course.run()

    kinds = {event.kind for event in course.heard}
    assert {"asking", "speaking", "tokens", "retrying", "answered", "missing", "noted"} <= kinds
    assert not {"asking", "tokens", "retrying"} & {event_from(text).kind for text in course.disk.texts}


def test_what_progress_says_was_spent_is_that_of_the_whole_course_also_after_a_crash() -> None:
    course = Course()

    course.run(12)
    last = [event.spent for event in course.heard if event.spent][-1]

    assert last.calls == spent_on(call_facts(course.disk.journaled.attempts)).calls


def test_prose_is_taken_as_it_comes_and_only_emptiness_is_wrong() -> None:
    heard: list[Request] = []

    def shy(request: Request, number: int) -> str:
        return "  Well { so } be it. " if len(request.messages) > 1 else "  "

    async def one(deliberation):
        got.append(await deliberation.ask(ask("last", reply=Prose)))

    got: list[object] = []
    course = running(one, reactions={"script:good": shy})
    course.desk.on_send = heard.append
    course.run()

    assert got == [Prose(text="Well { so } be it.")]
    assert "JSON" not in heard[1].messages[-1].content
    assert "the reply is empty" in heard[1].messages[-1].content


def test_every_member_of_the_test_panel_does_what_its_name_says() -> None:
    course = Course()
    course.run()

    ways = {step: (outcome.kind, outcome.salvaged) for step, outcome in course.disk.outcomes.items()}

    assert list(REACTIONS)[4] == "script:broken"
    assert [ways[f"first:m{seat}"] for seat in range(1, 7)] == [
        ("ok", False),
        ("ok", False),
        ("dropped", False),
        ("ok", False),
        ("ok", True),
        ("dropped", False),
    ]
