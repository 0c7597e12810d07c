"""A budget refuses before it spends, whatever fails, whatever is lost; and a refusal is final."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.budget import Budget
from moot.core.calls import Failure, Request
from moot.core.events import Answered, Unanswered, event_from
from moot.core.panel import seated
from moot.core.record import Record
from moot.core.verdict import Status
from tests.runtime.members import Desk, LetterEmbedder
from tests.runtime.memory import SettableClock
from tests.runtime.protocol import Course, header

KILLS = st.lists(st.integers(0, 110), max_size=4)


def record_of(course: Course) -> Record:
    return Record(tuple(event_from(text) for text in course.disk.texts))


@settings(max_examples=120, deadline=None)
@given(
    calls=st.one_of(st.none(), st.integers(0, 45)),
    tokens=st.one_of(st.none(), st.integers(0, 6000)),
    usd=st.one_of(st.none(), st.floats(0, 5).map(lambda number: round(number, 6))),
    kills=KILLS,
    order=st.one_of(st.none(), st.integers(0, 99)),
    remote=st.booleans(),
)
def test_no_limit_is_ever_passed_whatever_is_lost_and_tried_again(calls, tokens, usd, kills, order, remote) -> None:
    desk = Desk(order=order)
    course = Course(
        header(budget=Budget(calls, tokens, usd)), desk=desk, embedder=LetterEmbedder(desk, local=not remote)
    )

    verdict = course.run(*kills)

    assert calls is None or desk.calls <= calls
    assert tokens is None or desk.tokens <= tokens
    assert usd is None or desk.usd <= usd + 1e-9
    assert desk.calls <= record_of(course).spent.calls
    assert course.repeated == []
    assert course.replayed().events == len(course.disk.texts)
    refused = any(outcome.kind == "refused" for outcome in course.disk.outcomes.values())
    assert (verdict.status is Status.EXHAUSTED) == refused


@settings(max_examples=40, deadline=None)
@given(kills=KILLS, calls=st.integers(0, 30))
def test_lost_calls_count_against_the_limit(kills, calls) -> None:
    course = Course(header(budget=Budget(calls=calls)))

    course.run(*kills)

    journaled = sum(row.tries for row in course.disk.attempts.values())
    assert course.desk.calls <= journaled <= calls


@pytest.mark.clause("ruling:G2")
def test_what_the_budget_refused_is_journaled_and_the_verdict_is_exhausted() -> None:
    course = Course(header(budget=Budget(calls=8)))

    verdict = course.run()

    refused = [step for step, outcome in course.disk.outcomes.items() if outcome.kind == "refused"]
    assert verdict.status is Status.EXHAUSTED
    assert verdict.stop_reason == "budget: the budget allows no further try"
    assert verdict.answer == "yes"
    assert "last" in refused
    assert {missing.step for missing in verdict.missing if missing.reason == "budget"} == set(refused)


def test_the_door_stays_shut_even_to_what_would_still_fit() -> None:
    course = Course(header(budget=Budget(tokens=700), reviewed=False, panel=seated(["script:good"] * 6)))

    course.run()

    first_refused = next(seq for seq, text in enumerate(course.disk.texts) if event_from(text).kind == "unanswered")
    after = [event_from(text) for text in course.disk.texts[first_refused:]]
    assert not [event for event in after if isinstance(event, Answered)]
    assert {event.missing.reason for event in after if isinstance(event, Unanswered)} == {"budget"}
    assert any(
        event.missing.detail == "an earlier step was refused" for event in after if isinstance(event, Unanswered)
    )


@pytest.mark.parametrize(
    "kill", [None, ("after intend first:m1", 2), ("before emit", 2), ("after emit", 2), ("before intend last", 1)]
)
def test_a_retry_that_the_budget_forbade_shuts_the_door_although_the_reply_was_salvaged(kill) -> None:
    course = Course(header(panel=seated(["script:broken"]), budget=Budget(tokens=800), reviewed=False))

    verdict = course.run(*[kill] if kill else [])

    assert [sent.step for sent in course.desk.sent] == ["first:m1"]
    assert course.disk.outcomes["first:m1"].salvaged
    assert course.disk.outcomes["last"].kind == "refused"
    assert verdict.answer == "yes"
    assert verdict.status is Status.EXHAUSTED


def test_a_try_that_fails_keeps_its_charge() -> None:
    panel = seated(["script:failing", "script:good"])
    course = Course(header(panel=panel, budget=Budget(calls=4), reviewed=False))

    course.run()

    assert course.disk.attempts["first:m1", 1].tries == 3
    assert course.disk.outcomes["first:m2"].kind == "ok"
    assert course.disk.outcomes["last"].kind == "refused"
    assert course.desk.calls == 4


def test_a_budget_is_spent_in_the_order_of_the_list_whatever_the_order_of_replies() -> None:
    texts = []
    for order in range(6):
        course = Course(
            header(panel=seated(["script:good", "script:stumbling"] * 3), budget=Budget(calls=8), reviewed=False),
            desk=Desk(order=order),
        )
        course.run()
        texts.append(course.disk.texts)

    assert all(other == texts[0] for other in texts[1:])


def test_embeddings_that_leave_the_machine_are_charged_and_refused_like_calls() -> None:
    desk = Desk()
    panel = seated(["script:good"] * 3)
    course = Course(
        header(panel=panel, budget=Budget(calls=3), reviewed=False),
        desk=desk,
        embedder=LetterEmbedder(desk, local=False),
    )

    verdict = course.run()

    assert desk.embedded == []
    assert desk.calls == 3
    assert ("vectors", "budget") in {(missing.step, missing.reason) for missing in verdict.missing}
    assert course.replayed().events == len(course.disk.texts)


def test_embeddings_made_on_this_machine_cost_a_known_nothing_even_when_they_are_lost() -> None:
    course = Course(header(panel=seated(["script:good"] * 2), reviewed=False))

    course.run(("before settle vectors", 1))

    spent = record_of(course).spent
    assert course.disk.attempts["vectors", 1].state == "lost"
    assert spent.usd is not None
    assert spent.calls == 3


def test_embeddings_that_fail_are_missing_and_the_run_goes_on() -> None:
    desk = Desk()
    course = Course(desk=desk, embedder=LetterEmbedder(desk, failure=Failure("timeout", "too late")))

    verdict = course.run()

    assert verdict.answer == "no"
    assert ("embeddings", "vectors", "timeout") in {(item.seat, item.step, item.reason) for item in verdict.missing}
    assert course.replayed().events == len(course.disk.texts)


def test_seconds_are_counted_over_all_processes() -> None:
    clock = SettableClock()
    course = Course(header(budget=Budget(seconds=10), reviewed=False), clock=clock)
    course.desk.on_send = lambda request: setattr(clock, "steady", clock.steady + 1.0)

    verdict = course.run(("after emit", 2))

    assert verdict.status is Status.EXHAUSTED
    assert verdict.stop_reason.startswith("budget")
    assert course.disk.active >= 10


def test_what_the_budget_leaves_of_the_time_goes_with_the_request() -> None:
    heard: list[Request] = []
    clock = SettableClock()
    course = Course(header(budget=Budget(seconds=90), reviewed=False), clock=clock)
    course.desk.on_send = heard.append

    course.run()

    assert {request.timeout for request in heard} == {90.0}


def test_without_a_price_a_limit_of_dollars_lets_nothing_out() -> None:
    course = Course(header(budget=Budget(usd=100.0)), desk=Desk(price=None))

    verdict = course.run()

    assert course.desk.sent == []
    assert verdict.status is Status.EXHAUSTED


def test_the_parse_retry_is_charged_before_it_is_sent() -> None:
    course = Course(header(panel=seated(["script:stumbling"]), budget=Budget(calls=1), reviewed=False))

    course.run()

    assert len(course.desk.sent) == 1
    assert course.disk.outcomes["first:m1"].kind == "refused"


def test_a_lost_call_to_a_member_that_costs_nothing_costs_a_known_nothing() -> None:
    desk = Desk(price=(0.0, 0.0))
    course = Course(header(panel=seated(["script:good"]), reviewed=False), desk=desk)

    course.run(("before settle first:m1", 1))

    assert course.disk.attempts["first:m1", 1].state == "lost"
    assert record_of(course).spent.usd == 0.0


def test_money_that_a_lost_call_may_have_cost_stays_reserved() -> None:
    settings = header(panel=seated(["script:good"]), budget=Budget(usd=0.45), reviewed=False)
    unhurt, hurt = Course(settings), Course(settings)

    verdicts = unhurt.run(), hurt.run(("before settle first:m1", 1))

    assert [verdict.status for verdict in verdicts] == [Status.COMPLETE, Status.EXHAUSTED]
    assert hurt.desk.usd <= 0.45


def test_a_run_without_a_limit_refuses_nothing() -> None:
    course = Course()

    course.run()

    assert not [outcome for outcome in course.disk.outcomes.values() if outcome.kind == "refused"]
