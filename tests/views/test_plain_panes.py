"""Any record on a page, without its protocol's help: its phases as they came, and the latest reply of each seat."""

import pytest

from moot.core.confidence import no_confidence
from moot.core.events import Answered, Ended
from moot.core.record import Record
from moot.core.telling import PLAIN_NARRATOR, Narrator, Telling
from moot.core.verdict import Dissent, Status, Verdict
from moot.protocols import find_protocol
from moot.views.plain_panes import MOST_STAGES, plain_panes
from tests.protocols.panes_kit import check_panes, golden_record, prefixes
from tests.protocols.record_golden import RUNS

HEADER = golden_record("vote_decided").events[:1]


def answered(step: str, seat: str, answer: str) -> Answered:
    return Answered(step, seat, "script:0", "Said", {"answer": answer}, ())


@pytest.mark.parametrize("name", sorted(RUNS))
def test_they_hold_together_after_every_event_of_every_golden_record(name: str) -> None:
    record = golden_record(name)
    narrator = Narrator(find_protocol(record.header.protocol).telling, record.header.settings)

    for shorter in prefixes(record):
        check_panes(plain_panes(shorter, narrator), shorter)


def test_phases_come_in_their_order_and_the_last_is_under_way() -> None:
    events = (*HEADER, answered("first/m1", "m1", "a"), answered("first/m1#2", "m1", "a"), answered("then", "m2", "b"))

    made = plain_panes(Record(events), PLAIN_NARRATOR)

    assert [(stage.words, stage.state, stage.events, stage.first) for stage in made.stages] == [
        ("first m1", "done", 3, 0),
        ("then", "now", 1, 3),
    ]


def test_many_phases_leave_room_for_the_last() -> None:
    events = (*HEADER, *(answered(f"step/{number}", "m1", "a") for number in range(100)))

    made = plain_panes(Record(events), PLAIN_NARRATOR)

    assert len(made.stages) == MOST_STAGES
    assert (made.stages[0].words, made.stages[-1].words) == ("89 earlier phases", "step 99")
    check_panes(made, Record(events))


def test_a_seat_stands_by_its_latest_reply_and_only_answers_to_one_question_are_compared() -> None:
    same = Narrator(Telling(phase=lambda step, settings: "answers"))
    events = (*HEADER, answered("a", "m1", "Yes"), answered("b", "m2", "yes "), answered("c", "m1", "YES"))

    compared, apart = (plain_panes(Record(events), narrator).standing for narrator in (same, PLAIN_NARRATOR))

    assert [(place.seat, place.answer, place.event) for place in compared.positions] == [
        ("m1", "YES", 3),
        ("m2", "yes ", 2),
    ]
    assert compared.agreement == "2 of 2 say “YES”."
    assert apart.agreement == ""
    assert plain_panes(Record(HEADER), same).standing.lead == "Nobody is heard yet."


def test_why_names_the_seats_that_are_against_it() -> None:
    dissent = (Dissent("No", ("m2", "r7")),)
    verdict = Verdict("Yes", Status.COMPLETE, "done", no_confidence("nobody measured it"), dissent=dissent)

    made = plain_panes(Record((*HEADER, Ended(verdict))), PLAIN_NARRATOR)

    assert [(item.words, item.seats) for item in made.why] == [
        ("Nobody measured it.", ()),
        ("Against it: “No”", ("m2",)),
    ]
