"""Who said what: the same words, grouped by phases, on a page and in Markdown."""

import re
from html import unescape

import pytest

from moot.core.events import Answered, Event, Filled, Noted, Opened, Unanswered
from moot.core.record import Record
from moot.core.telling import PLAIN_NARRATOR, Narrator
from moot.views.markdown import markdown
from moot.views.page import page
from moot.views.transcript import BEFORE, transcript
from tests.protocols.test_telling import NAMES, recorded

HOSTILE = "<script>alert(1)</script> [x](javascript:y) *z* \x1b[31m"
DUMPED = re.compile(r"""\{['"]\w|\[\{|': """)


def golden(name: str) -> tuple[Record, Narrator]:
    events, telling, settings = recorded(name)
    return Record(tuple(events)), Narrator(telling, settings)


def answered(reply: dict[str, object], step: str = "answer", seat: str = "m1") -> Event:
    return Answered(step, seat, "a model", "Answer", reply, ())


def begun(*events: Event) -> Record:
    return Record((golden("vote_tied")[0].events[0], *events))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("plainly", [False, True])
def test_every_golden_record_is_told_on_a_page_and_in_markdown_without_a_dump(name: str, *, plainly: bool) -> None:
    record, narrator = golden(name)
    narrator = PLAIN_NARRATOR if plainly else narrator

    told = unescape(page("0123456789", record, narrator=narrator)).partition("Who said what")[2]
    written = markdown("0123456789", record, narrator=narrator).partition("Who said what")[2]

    assert not DUMPED.search(told)
    assert not DUMPED.search(written)
    for phase in transcript(record, narrator):
        assert f"<h3>{phase.title}</h3>" in told


def test_phases_follow_each_other_and_what_is_found_stands_in_its_phase() -> None:
    record, narrator = golden("vote_decided")

    phases = transcript(record, narrator)

    assert [phase.title for phase in phases] == [BEFORE, "runs 1 to 4 of at most 8", "runs 5 to 8 of at most 8"]
    assert [said.kind for said in phases[1].utterances] == ["said"] * 4 + ["noted"]
    assert phases[1].utterances[1].line == "m2: 17"


def test_what_the_house_puts_into_a_slot_is_told_once_and_a_step_that_is_filled_waits_no_more() -> None:
    record, narrator = golden("prism_whole")

    said = [one for phase in transcript(record, narrator) for one in phase.utterances]

    fillings = [event for event in record.events if isinstance(event, Filled)]
    assert len([one for one in said if one.kind == "said"]) == len(fillings) + 1, "the summary is no slot"
    assert not any(one.kind == "waiting" for one in said)
    assert any(one.kind == "missing" and "no answer (unusable" in one.gist for one in said)


def test_an_open_step_is_told_while_it_waits_and_a_note_without_words_is_not() -> None:
    opened = Opened("ruling/1", "ruling/1", "reviewer", "Shall it go on?")
    record = begun(opened, Noted("measured", {}), answered({"text": "x"}, "run/r1"))

    phases = transcript(record, Narrator(recorded("prism_whole")[1], {}))

    assert [said.line for phase in phases for said in phase.utterances if said.kind != "noted"] == [
        "open to reviewer: Shall it go on?",
        "m1: x",
    ]


def test_a_members_words_cannot_become_markup_or_a_list_of_the_programs() -> None:
    record = begun(answered({"text": f"1. first\n- {HOSTILE}"}), Noted(HOSTILE, HOSTILE))

    told = page("0123456789", record)
    written = markdown("0123456789", record)

    assert "<script" not in told and "<script" not in written
    assert "\x1b" not in told and "\x1b" not in written
    assert not re.search(r"(?<!\\)\]\(", written)
    assert not re.search(r"^(- )?(1\.|- <)", written, re.MULTILINE)


def test_who_did_not_answer_is_told_with_the_reason() -> None:
    record, narrator = golden("interrogation_whole")

    [gone] = [event for event in record.events if isinstance(event, Unanswered)]
    said = [one.line for phase in transcript(record, narrator) for one in phase.utterances if one.kind == "missing"]

    assert said == [f"{gone.seat}: no answer (unusable: {gone.missing.detail})"]
