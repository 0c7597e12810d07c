"""Several replies to one prompt: each is a step of its own, whether one request brings them or many do."""

import json
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typing_extensions import override

from moot.core.budget import Budget
from moot.core.calls import Ask, Completion, Failure, Message, Missing, Prose, Request, Usage
from moot.core.confidence import no_confidence
from moot.core.errors import ForkChangesHistory
from moot.core.events import Answered, Unanswered, event_from
from moot.core.panel import seated
from moot.core.record import Record
from moot.core.verdict import Status, Verdict
from moot.runtime.dispatch import Stopped
from moot.runtime.steps import step_seed
from tests.runtime.members import Desk, Reaction
from tests.runtime.protocol import TRIAL, Course, Position, header, is_retry, without_calls

pytestmark = pytest.mark.clause("ruling:G3", "ruling:G8", "ruling:G10")

N = 5
AT_ONCE = pytest.mark.parametrize("at_once", [1, 2, N])

GOOD = '{"answer": "yes", "sure": 0.5}'
DRAWN = ["draw", "draw#2", "draw#3", "draw#4", "draw#5"]


def varied(request: Request, number: int) -> str:
    """The second is in shape only when told what was wrong, the third is salvaged, the fourth declines."""
    if not request.step.startswith("draw"):
        return f"All in all: {request.step}."
    bad = {
        "draw#2": GOOD if is_retry(request) else "What was the question?",
        "draw#3": GOOD.removesuffix("}"),
        "draw#4": '{"answer": "I cannot help with that.", "sure": 0}',
    }
    return bad.get(request.step, GOOD)


async def drawing(question: Any, deliberation: Any, given: Any) -> Verdict:
    """Draw five replies of the first seat and three of the second, and say how many came."""
    prompt = (Message("user", given.wording),)
    asks = [Ask("draw", "m1", prompt, Position, max_tokens=64, n=N), Ask("words", "m2", prompt, Prose, n=3)]
    replies = await deliberation.ask_all(asks)
    came = [getattr(item, "answer", getattr(item, "text", getattr(item, "reason", ""))) for item in replies]
    last = await deliberation.ask(Ask("last", "m1", (Message("user", " ".join(came)),), Prose))
    return Verdict(last.text if isinstance(last, Prose) else None, Status.COMPLETE, "drawn", no_confidence("none"))


def course(react: Reaction = varied, *, run: Any = drawing, budget: Budget | None = None, **desk: Any) -> Course:
    head = header(panel=seated(["one", "two"]), budget=budget)
    return Course(head, desk=Desk(**desk), reactions={"one": react, "two": react}, row=replace(TRIAL, run=run))


def events_of(run: Course) -> dict[str, Answered | Unanswered]:
    events = (event_from(text) for text in run.disk.texts)
    return {event.step: event for event in events if isinstance(event, Answered | Unanswered)}


@dataclass
class Heard:
    """A model that brings what it is told to, and keeps what it was asked."""

    replies: list[Completion | Failure]
    most: int = N
    requests: list[Request] = field(default_factory=list)
    context: int | None = None
    price: tuple[float, float] | None = (0.0, 0.0)

    def at_once(self, request: Request) -> int:
        return self.most

    async def complete(self, request: Request, **heard: Any) -> Completion | Failure:
        self.requests.append(request)
        return self.replies[len(self.requests) - 1]


def drawn(model: Heard, n: int = 3) -> tuple[list[Any], Course]:
    """Return the replies to one ask, and the course of their run."""
    replies: list[Any] = []

    async def run(question: Any, deliberation: Any, given: Any) -> Verdict:
        replies.extend(await deliberation.ask_all([Ask("draw", "m1", (Message("user", "Well?"),), Prose, n=n)]))
        return Verdict("drawn", Status.COMPLETE, "drawn", no_confidence("none"))

    @dataclass
    class One(Course):
        @override
        def model(self, name: str) -> Any:
            return model

    made = One(header(panel=seated(["one"])), row=replace(TRIAL, run=run))
    made.run()
    return replies, made


def said(*texts: str) -> Completion:
    first, *more = [Completion(text, Usage(0 if place else 7, 2, 0.0)) for place, text in enumerate(texts)]
    return replace(first, more=tuple(more))


@AT_ONCE
def test_each_reply_is_parsed_retried_salvaged_and_refused_by_itself(at_once: int) -> None:
    run = course(at_once=at_once)

    run.run()

    events = events_of(run)
    assert [step for step in events if step.startswith("draw")] == DRAWN
    assert [[call.state for call in events[step].calls] for step in DRAWN] == [
        ["reply"],
        ["bad", "reply"],
        ["bad", "bad"],
        ["reply"],
        ["reply"],
    ]
    assert isinstance(events["draw#3"], Answered) and events["draw#3"].salvaged
    declined = events["draw#4"]
    assert isinstance(declined, Unanswered) and declined.missing.reason == "refused"
    assert declined.missing.step == "draw#4"


def test_replies_come_back_in_the_order_of_the_asks() -> None:
    replies, _ = drawn(Heard([said("a", "b", "c")]))

    assert [reply.text for reply in replies] == ["a", "b", "c"]


def test_a_member_that_sends_several_gets_one_request_with_the_first_steps_seed() -> None:
    model = Heard([said("a", "b", "c")])

    _, run = drawn(model)

    [request] = model.requests
    assert (request.n, request.step, request.seed) == (3, "draw", step_seed(run.header.seed, "draw"))


def test_of_another_the_first_is_awaited_alone_and_the_others_go_together() -> None:
    run = course(at_once=1)

    run.run()

    asked = [
        event.step for event in run.heard if event.kind in ("asking", "answered") and event.step.startswith("words")
    ]
    assert asked[:4] == ["words", "words", "words#2", "words#3"]
    assert [sent.seed for sent in run.desk.sent if sent.step == "words#2"] == [step_seed(run.header.seed, "words#2")]


def test_a_first_reply_that_was_lost_is_awaited_alone_again() -> None:
    run = course(at_once=1)

    run.run(("before settle words", 1))

    asked = [
        event.step for event in run.heard if event.kind in ("asking", "answered") and event.step.startswith("words")
    ]
    assert asked[:4] == ["words", "words", "words", "words#2"]


def test_more_than_one_request_may_bring_go_in_as_few_as_they_need() -> None:
    model = Heard([said("a", "b"), said("c", "d"), said("e")], most=2)

    replies, _ = drawn(model, 5)

    assert [reply.text for reply in replies] == ["a", "b", "c", "d", "e"]
    assert [(request.step, request.n) for request in model.requests] == [("draw", 2), ("draw#3", 2), ("draw#5", 1)]


def test_replies_that_did_not_come_are_asked_for_again_and_cost_nothing_the_first_time() -> None:
    model = Heard([said("a"), said("b", "c")])

    replies, run = drawn(model)

    assert [reply.text for reply in replies] == ["a", "b", "c"]
    assert [(request.step, request.n) for request in model.requests] == [("draw", 3), ("draw#2", 2)]
    record = Record(tuple(event_from(text) for text in run.disk.texts))
    assert (record.spent.calls, record.spent.tokens_in, record.spent.tokens_out) == (3, 14, 6)
    assert record.spent.unknown.tokens_out == 0


def test_a_reply_beyond_those_asked_for_is_not_taken() -> None:
    replies, run = drawn(Heard([said("a", "b", "c", "d")]))

    assert [reply.text for reply in replies] == ["a", "b", "c"]
    assert list(events_of(run)) == ["draw", "draw#2", "draw#3"]


def test_a_request_that_fails_fails_all_the_replies_it_asked_for() -> None:
    replies, _ = drawn(Heard([Failure("timeout", "it took too long")]))

    assert [(reply.reason, reply.step) for reply in replies] == [
        ("timeout", "draw"),
        ("timeout", "draw#2"),
        ("timeout", "draw#3"),
    ]


def test_a_first_request_that_fails_takes_nothing_from_the_others() -> None:
    replies, _ = drawn(Heard([Failure("timeout", "late"), said("b"), said("c")], most=1))

    assert isinstance(replies[0], Missing)
    assert [reply.text for reply in replies[1:]] == ["b", "c"]


def test_a_seat_is_heard_if_one_of_its_replies_came() -> None:
    async def only(question: Any, deliberation: Any, given: Any) -> Verdict:
        prompt = (Message("user", "Well?"),)
        await deliberation.ask_all([Ask("draw", "m1", prompt, Position, n=4)])
        return Verdict("yes", Status.COMPLETE, "drawn", no_confidence("none"))

    verdict = course(run=only).run()

    assert (verdict.status, verdict.asked, verdict.answered) == (Status.COMPLETE, 1, 1)


def test_one_reply_is_what_ask_returns() -> None:
    async def several(question: Any, deliberation: Any, given: Any) -> Verdict:
        return await deliberation.ask(Ask("draw", "m1", (), Prose, n=2))

    with pytest.raises(ValueError, match="ask_all returns them"):
        course(run=several).run()


@pytest.mark.parametrize("n", [0, -1])
def test_nothing_cannot_be_asked_for(n: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Ask("draw", "m1", (), Prose, n=n)


def test_the_name_of_a_reply_is_used_once() -> None:
    async def twice(question: Any, deliberation: Any, given: Any) -> Verdict:
        prompt = (Message("user", "Well?"),)
        return await deliberation.ask_all([Ask("draw", "m1", prompt, Prose, n=2), Ask("draw#2", "m1", prompt, Prose)])

    with pytest.raises(ValueError, match="'draw#2' is used twice"):
        course(run=twice).run()


@AT_ONCE
def test_a_run_killed_at_any_write_resumes_with_the_replies_it_has(at_once: int) -> None:
    undisturbed = course(at_once=at_once)
    verdict = undisturbed.run()
    points = course(at_once=at_once).points()
    for kill in range(len(points)):
        run = course(at_once=at_once)

        assert run.run(kill) == verdict, points[kill]

        assert without_calls(run.disk.texts) == without_calls(undisturbed.disk.texts), points[kill]
        assert run.repeated == [], points[kill]
        assert run.replayed().events == len(run.disk.texts), points[kill]


@settings(max_examples=60, deadline=None)
@given(
    kills=st.lists(st.integers(0, 60), max_size=4),
    at_once=st.sampled_from([1, 2, N]),
    order=st.one_of(st.none(), st.integers(0, 99)),
)
def test_a_run_killed_again_and_again_comes_to_the_same_record(kills, at_once, order) -> None:
    undisturbed = course()
    undisturbed.run()
    run = course(at_once=at_once, order=order)

    run.run(*kills)

    assert without_calls(run.disk.texts) == without_calls(undisturbed.disk.texts)
    assert run.repeated == []


@AT_ONCE
@settings(max_examples=40, deadline=None)
@given(order=st.integers(0, 10_000))
def test_any_order_of_completion_gives_the_same_bytes(at_once: int, order: int) -> None:
    first, other = course(at_once=at_once), course(at_once=at_once, order=order)

    first.run()
    other.run()

    assert other.disk.texts == first.disk.texts


def test_a_reply_that_was_written_is_kept_when_those_of_the_same_request_are_lost() -> None:
    run = course(at_once=N)

    run.run(("before settle draw#3", 1))

    rows = {key: row.state for key, row in run.disk.attempts.items() if key[0] in DRAWN}
    assert [rows[step, 1] for step in DRAWN] == ["reply", "bad", "lost", "lost", "lost"]
    assert [sent.step for sent in run.desk.sent].count("draw") == 1


@settings(max_examples=150, deadline=None)
@given(
    calls=st.one_of(st.none(), st.integers(0, 16)),
    tokens=st.one_of(st.none(), st.integers(0, 1500)),
    kills=st.lists(st.integers(0, 60), max_size=3),
    at_once=st.sampled_from([1, 2, N]),
    failing=st.booleans(),
)
def test_no_limit_is_passed_whatever_is_lost_and_tried_again(calls, tokens, kills, at_once, failing) -> None:
    def react(request: Request, number: int) -> str | None:
        return None if failing and number == 1 and request.step.startswith("draw") else varied(request, number)

    run = course(react, budget=Budget(calls, tokens), at_once=at_once)

    verdict = run.run(*kills)

    assert calls is None or run.desk.calls <= calls
    assert tokens is None or run.desk.tokens <= tokens
    assert run.desk.calls <= sum(row.tries for row in run.disk.attempts.values())
    assert run.replayed().events == len(run.disk.texts)
    refused = any(outcome.kind == "refused" for outcome in run.disk.outcomes.values())
    assert (verdict.status is Status.EXHAUSTED) == refused


@AT_ONCE
def test_a_budget_that_does_not_reach_for_all_is_spent_on_the_first(at_once: int) -> None:
    run = course(lambda request, number: GOOD, budget=Budget(calls=4), at_once=at_once)

    run.run()

    refused = [step for step, outcome in run.disk.outcomes.items() if outcome.reason == "budget"]
    assert run.desk.calls == 4
    assert refused and "draw" not in refused


@pytest.mark.parametrize(("calls", "sent"), [(N + 3 + N, N + 3 + N), (N + 3 + N - 1, N + 3)])
def test_another_try_of_a_request_is_charged_for_all_the_replies_it_asks_for(calls: int, sent: int) -> None:
    def react(request: Request, number: int) -> str | None:
        return None if number == 1 and request.step.startswith("draw") else GOOD

    run = course(react, budget=Budget(calls=calls), at_once=N)

    run.run()

    assert run.desk.calls == sent


def test_replies_that_did_not_come_give_their_charge_back() -> None:
    run = course(lambda request, number: GOOD, budget=Budget(calls=N + 4), at_once=N, fewest=1)

    verdict = run.run()

    assert verdict.status is Status.COMPLETE
    assert run.desk.calls == N + 4


@AT_ONCE
def test_a_run_that_is_told_to_stop_asks_for_no_further_reply(at_once: int) -> None:
    run = course(lambda request, number: GOOD, at_once=at_once)
    run.stopping = lambda: run.desk.calls >= 1

    with pytest.raises(Stopped):
        run.run()

    assert all(row.state == "reply" for row in run.disk.attempts.values())
    assert run.desk.calls == min(at_once, N) + min(at_once, 3)


@AT_ONCE
def test_a_fork_at_a_reply_keeps_those_before_it(at_once: int) -> None:
    run = course(lambda request, number: GOOD, at_once=at_once)
    run.run()

    forked = run.fork("draw#3", panel=seated(["two", "two"]))
    forked.desk.at_once = at_once
    forked.run()

    assert [sent.step for sent in forked.desk.sent if sent.step.startswith("draw")] == DRAWN[2:]
    models = [events_of(forked)[step].model for step in DRAWN]
    assert models == ["one", "one", "two", "two", "two"]


def test_a_fork_that_changes_the_prompt_of_a_kept_reply_is_refused() -> None:
    run = course(lambda request, number: GOOD)
    run.run()

    with pytest.raises(ForkChangesHistory, match="draw"):
        run.fork("draw#2", wording="Another question?").run()


def test_the_journal_of_a_reply_is_that_of_one_asked_for_alone() -> None:
    several, alone = course(at_once=N), course()
    several.run()
    alone.run()

    requests = [json.loads(several.disk.attempts[step, 1].request) for step in DRAWN]
    assert requests == [json.loads(alone.disk.attempts["draw", 1].request)] * N
