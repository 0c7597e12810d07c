"""Events and headers read back as they were written."""

import pytest

from moot.core.budget import Budget
from moot.core.calls import Attempt, Missing, Usage
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.events import (
    Answered,
    CallFacts,
    Embedded,
    Ended,
    Era,
    Event,
    Filled,
    Header,
    Noted,
    Opened,
    Parent,
    Started,
    Unanswered,
    call_facts,
    event_from,
    event_text,
    header_reader,
)
from moot.core.panel import seated
from moot.core.question import Document, Question
from moot.core.verdict import Dissent, Status, Verdict

HEADER = Header(
    question=Question(text="  Why? ", documents=(Document(name="a.md", text="Because \x00."),), form="a word"),
    protocol="trial",
    protocol_version=3,
    moot_version="1.2",
    settings={"temperature": 0.5, "names": ["a"], "deep": {"x": None}},
    panel=seated(["a", "b", "a"]),
    budget=Budget(calls=5, tokens=None, usd=0.25, seconds=60.0),
    seed=7,
    backends={"embeddings": "letters 1"},
    data={"axioms.txt": "00ff"},
    parent=Parent("d1", "last"),
    history=(Era(2, seated(["c"])), Era(4, seated(["d"]))),
)
CALLS = (
    CallFacts(1, "lost", 2, 10.0, 0.0, None, None, None, "gone"),
    CallFacts(2, "reply", 1, 11.5, 0.25, 10, 20, 0.000125),
)
MISSING = Missing("m1", "s", "unusable", "prose")
VERDICT = Verdict(
    answer="so",
    status=Status.PARTIAL,
    stop_reason="round cap",
    confidence=Confidence(0.5, Basis.AGREEMENT, "by pairs"),
    dissent=(Dissent("not so", ("m2",), {"votes": 1}),),
    caveats=("a caveat",),
    missing=(MISSING,),
    detail={"paths": [["K1", "K2"]], "width": 2},
)
EVENTS: list[Event] = [
    Started(HEADER),
    Answered("s", "m1", "a", "Position", {"answer": "so", "sure": 1.0}, CALLS, reasoning="hm", salvaged=True),
    Unanswered("s", "m1", "a", MISSING, CALLS),
    Opened("s", "g", "reviewer", "Look at it"),
    Filled("s", "Ada", "Review", {"grade": 5, "nested": [{"a": None}]}),
    Embedded("s", "letters 1", 4, 256, CALLS[1:]),
    Noted("found", {"list": [1, 2.5, "x", None, True]}),
    Noted("nothing", None),
    Ended(VERDICT),
    Ended(Verdict(None, Status.FAILED, "nobody", no_confidence("nobody answered"))),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)
def test_every_event_reads_back_to_the_same_bytes(event: Event) -> None:
    text = event_text(event)

    again = event_from(text)

    assert type(again) is type(event)
    assert event_text(again) == text


def test_the_examples_are_all_the_kinds_there_are() -> None:
    assert {type(event) for event in EVENTS} == set(Event.__args__)


def test_an_event_says_its_version() -> None:
    assert '"v":1' in event_text(Noted("a", 1))


def test_a_header_reads_back_as_it_was() -> None:
    text = event_text(Started(HEADER))

    again = header_reader().validate_json(header_reader().dump_json(HEADER))

    assert again == HEADER
    assert event_text(Started(again)) == text


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="kind"):
        event_from('{"kind": "imagined"}')


@pytest.mark.parametrize(("position", "model"), [(0, "c"), (1, "c"), (2, "d"), (3, "d"), (4, "a"), (9, "a")])
def test_a_forks_header_knows_who_sat_there_then(position: int, model: str) -> None:
    assert HEADER.member("m1", position).model == model
    assert HEADER.forked_at == 4


def test_a_header_that_is_no_fork_is_its_own_from_the_start() -> None:
    plain = Header(Question(text="?"), "trial", 1, "0", {}, seated(["a"]), Budget(), 1)

    assert plain.forked_at == 0
    assert plain.member("m1", 0).model == "a"


def test_call_facts_are_read_from_the_journal_alone() -> None:
    row = Attempt("s", 2, 0, "d", "{}", "bad", "text", "thought", "why", Usage(1, 2, 0), 5, 1, 3)

    assert call_facts([row]) == (CallFacts(2, "bad", 3, 5.0, 1.0, 1, 2, 0.0, "why"),)
    assert isinstance(call_facts([row])[0].usd, float)


def test_what_no_file_can_hold_is_replaced_in_question_and_documents() -> None:
    assert Question(text=" a\ud800 ").text == "a\ufffd"
    assert HEADER.question.documents[0].text == "Because \ufffd."
