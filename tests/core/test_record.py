"""The record is a fold of its events."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.core.budget import Budget, Spent, Unknown
from moot.core.calls import AttemptState, Missing
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.events import (
    Answered,
    CallFacts,
    Embedded,
    Ended,
    Event,
    Filled,
    Header,
    Noted,
    Opened,
    Started,
    Unanswered,
)
from moot.core.panel import Panel, seated
from moot.core.question import Question
from moot.core.record import Compliance, Record, result, spent_on
from moot.core.verdict import Dissent, Status, Verdict

STARTED = Started(Header(Question(text="Why?"), "trial", 1, "0", {}, seated(["a"]), Budget(), 1))
MISSING = Missing("m1", "s", "unusable", "prose")


def call(
    state: AttemptState = "reply", *, started: float = 0.0, seconds: float = 1.0, tries: int = 1, **usage: Any
) -> CallFacts:
    taken: dict[str, Any] = {"tokens_in": 10, "tokens_out": 5, "usd": 0.1} | usage
    return CallFacts(1, state, tries, started, seconds, **taken)


def answered(*calls: CallFacts, model: str = "a", reply_type: str = "Position", salvaged: bool = False) -> Answered:
    return Answered("s", "m1", model, reply_type, {}, calls, salvaged=salvaged)


def record(*events: Event) -> Record:
    return Record((STARTED, *events))


def test_what_was_spent_is_the_sum_over_all_attempts_and_tries() -> None:
    run = record(answered(call(tries=3)), Unanswered("t", "m1", "a", MISSING, (call("bad", started=5.0),)))

    assert run.spent == Spent(calls=4, tokens_in=20, tokens_out=10, usd=0.2, seconds=2.0)


@pytest.mark.clause("ruling:G10")
@pytest.mark.parametrize("field", ["tokens_in", "tokens_out", "usd"])
def test_a_sum_shows_what_is_known_and_counts_the_calls_of_which_it_is_not(field: str) -> None:
    unknown: dict[str, Any] = {field: None}

    run = record(answered(call(), call(tries=2, **unknown)))

    known = Spent(3, 20, 10, 0.2)
    assert getattr(run.spent, field) == getattr(known, field) / 2
    assert {name: getattr(run.spent, name) for name in ("tokens_in", "tokens_out", "usd") if name != field} == {
        name: getattr(known, name) for name in ("tokens_in", "tokens_out", "usd") if name != field
    }
    assert run.spent.unknown == Unknown(**{field: 2})


@pytest.mark.clause("ruling:G10")
def test_a_sum_of_which_nothing_is_known_is_unknown_and_never_nought() -> None:
    run = record(answered(call(usd=None), call(usd=None)))

    assert run.spent.usd is None
    assert run.spent.unknown == Unknown(usd=2)
    assert run.spent.tokens_in == 20


def test_embeddings_are_counted() -> None:
    run = record(Embedded("e", "letters", 2, 3, (call(tries=0, tokens_in=0, tokens_out=0, usd=0.0),)))

    assert run.spent == Spent(0, 0, 0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("spans", "seconds"),
    [
        ([], 0.0),
        ([(0, 2), (1, 2)], 3.0),
        ([(0, 10), (2, 1), (3, 1)], 10.0),
        ([(5, 1), (0, 1)], 2.0),
        ([(0, 1), (1, 1)], 2.0),
        ([(7, 0)], 0.0),
    ],
)
def test_seconds_are_the_time_in_which_a_call_was_in_flight(spans, seconds: float) -> None:
    assert spent_on(call(started=float(start), seconds=float(length)) for start, length in spans).seconds == seconds


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 20)), max_size=8))
def test_covered_time_is_what_counting_each_second_gives(spans) -> None:
    covered = {second for start, length in spans for second in range(start, start + length)}

    assert spent_on(call(started=float(start), seconds=float(length)) for start, length in spans).seconds == len(
        covered
    )


@pytest.mark.clause("interrogation:4.3")
def test_compliance_is_counted_for_each_model() -> None:
    run = record(
        answered(call()),
        answered(call("lost"), call()),
        answered(call("bad"), call()),
        answered(call("bad"), call("bad"), salvaged=True),
        Unanswered("s", "m1", "a", MISSING, (call("bad"), call("bad"))),
        answered(call(), model="b"),
    )

    assert run.compliance["a"] == Compliance(asked=5, first_time=2, salvaged=1, dropped=1)
    assert run.compliance["a"].rate == 0.4
    assert run.compliance["b"].rate == 1.0


@pytest.mark.clause("interrogation:4.3")
def test_prose_and_calls_that_brought_no_text_say_nothing_about_compliance() -> None:
    run = record(answered(call(), reply_type="Prose"), Unanswered("s", "m1", "a", MISSING, (call("failed"),)))

    assert run.compliance == {}
    assert Compliance().rate is None


VERDICT = Verdict("so", Status.FORCED, "round cap", Confidence(0.5, Basis.STATED), (Dissent("no", ("m2",)),), ("c",))


@pytest.mark.parametrize(
    ("events", "status"),
    [
        ((), Status.RUNNING),
        ((Opened("o", "g", "r", "t"),), Status.PAUSED),
        ((Opened("o", "g", "r", "t"), Filled("o", "Ada", "Review", {})), Status.RUNNING),
        ((Opened("o", "g", "r", "t"), Unanswered("o", "house", "", MISSING, ())), Status.RUNNING),
        ((Opened("o", "g", "r", "t"), Opened("p", "g", "r", "t"), Filled("o", "Ada", "Review", {})), Status.PAUSED),
        ((Ended(VERDICT),), Status.FORCED),
    ],
)
@pytest.mark.clause("ruling:G2")
def test_the_status_follows_from_the_events(events: tuple[Event, ...], status: Status) -> None:
    assert record(*events).status is status


@pytest.mark.clause("ruling:G2")
def test_only_a_run_that_ended_has_ended() -> None:
    assert {status for status in Status if not status.ended} == {Status.RUNNING, Status.PAUSED}


def test_notes_and_asked_steps_come_in_order() -> None:
    run = record(Noted("a", 1), answered(call()), Noted("b", 2))

    assert [note.name for note in run.notes] == ["a", "b"]
    assert len(run.asked) == 1


def test_a_record_that_does_not_begin_with_its_start_has_no_header() -> None:
    with pytest.raises(TypeError, match="begins with its start"):
        _ = Record((Noted("a", 1),)).header


@pytest.mark.clause("ruling:G1")
def test_the_result_shows_confidence_with_its_basis_and_cost_as_known_or_unknown() -> None:
    shown = result("d1", record(answered(call(usd=None)), Ended(VERDICT)))

    assert list(shown) == [
        "id",
        "protocol",
        "status",
        "stop_reason",
        "answer",
        "confidence",
        "dissent",
        "caveats",
        "asked",
        "answered",
        "missing",
        "cost",
        "backends",
        "detail",
    ]
    assert shown["confidence"] == {"value": 0.5, "basis": "stated", "reason": ""}
    assert shown["cost"] == {
        "calls": 1,
        "tokens_in": 10,
        "tokens_out": 5,
        "usd": None,
        "seconds": 1.0,
        "unknown": {"tokens_in": 0, "tokens_out": 0, "usd": 1},
    }
    assert shown["status"] == "forced"


def test_a_run_that_has_not_ended_has_no_answer_and_says_why() -> None:
    shown = result("d1", record())

    assert shown["answer"] is None
    assert shown["confidence"] == {"value": None, "basis": None, "reason": "not ended"}
    assert no_confidence("why").reason == "why"


@pytest.mark.clause("ruling:G10")
def test_spending_adds_up_with_what_is_known_of_it() -> None:
    known, unknown = Spent(1, 2, 3, 0.5, 1.0), Spent(1, None, 3, None, 1.0, Unknown(tokens_in=1, usd=1))

    assert known + unknown == Spent(2, 2, 6, 0.5, 2.0, Unknown(tokens_in=1, usd=1))
    assert unknown + unknown == Spent(2, None, 6, None, 2.0, Unknown(tokens_in=2, usd=2))
    assert Spent() + unknown == unknown


def test_a_panel_tells_its_distinct_models_and_its_seats() -> None:
    panel = seated(["a", "b", "a"])

    assert panel.models == ("a", "b")
    assert [member.name for member in panel] == ["m1", "m2", "m3"]
    assert panel.seat("m3").model == panel[2].model == "a"
    with pytest.raises(KeyError):
        Panel(()).seat("m1")
