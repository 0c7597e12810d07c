"""A council in words: what is read while it sits, and afterwards."""

from collections.abc import Callable
from typing import Any

from council_kit import member
from moot_council.telling import COUNCIL_TELLING, note_words, phase_words, reply_words


def test_every_step_reply_and_note_of_a_council_is_told_and_nothing_is_lost(council: Callable[..., Any]) -> None:
    result = council(member("Old", "A, B, A, C"), member("New", ["New", "Old", "Low"]), member("Low", ["Low", "New"]))

    replies = [event for event in result.record.events if event.kind == "answered"]
    told = [reply_words(event.step, event.reply) for event in replies]
    phases = dict.fromkeys(phase_words(event.step, {}) for event in replies)
    notes = [note_words(event.name, event.data) for event in result.record.events if event.kind == "noted"]

    assert [phase.partition(":")[0] for phase in phases] == ["stage 1 of 3", "stage 2 of 3", "stage 3 of 3"]
    assert (told[1].gist, told[1].rows) == ("New", (("", "because New"), ("answer", "New")))
    assert told[3].gist == "ranks A > B > A > C"
    assert told[-1].gist == "written"
    assert notes[0] == "3 different answers"
    assert "rankings that cannot be used: m1: it puts A in two places" in notes[1]


def test_a_note_of_another_version_has_no_words() -> None:
    assert note_words("what once was", {"kept": 1}) == ""
    assert None not in (COUNCIL_TELLING.phase, COUNCIL_TELLING.reply, COUNCIL_TELLING.note)
