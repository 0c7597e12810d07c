"""The plain words for what a protocol has no words of its own for, and for replies that are not as its words expect."""

from typing import Any

import pytest

from moot.core.telling import FAILED_WORDS, Narrator, Telling, Told, plain_note, reply_rows


def test_single_values_come_first_and_every_item_of_a_list_has_its_row_in_words() -> None:
    reply = {
        "alternatives": [{"option": "wait", "rejectedBecause": "ships wait"}, {"option": "dredge"}],
        "claims": {"facts": ["a [1]", "b"], "assumptions": []},
        "clear": True,
        "position": "Build it.\nNow.",
        "ranks": [[1, 2], [3]],
        "score": 0.75,
        "why_not": None,
    }

    assert list(reply_rows(reply)) == [
        ("clear", "yes"),
        ("position", "Build it.\nNow."),
        ("score", "0.75"),
        ("why not", "none"),
        ("alternatives", "option: wait, rejected because: ships wait"),
        ("alternatives", "option: dredge"),
        ("claims facts", "a [1]"),
        ("claims facts", "b"),
        ("ranks", "1; 2"),
        ("ranks", "3"),
    ]


def test_a_plain_note_has_its_values_in_words_and_its_lists_counted() -> None:
    note = {"after": "1", "harmony": 0.5, "pairs": [{"first": "m1"}, {"first": "m2"}], "accepted_by": ["m1", "m3"]}

    assert plain_note("measured", {**note, "moved": []}) == (
        "measured: after 1, harmony 0.5, pairs (2), accepted by m1; m3"
    )
    assert plain_note("stopped", "nothing") == "stopped: nothing"


def test_a_reply_that_a_protocols_words_do_not_expect_is_told_plainly_and_an_empty_note_stays_empty() -> None:
    telling = Telling(
        phase=lambda step, settings: settings["missing"],
        reply=lambda step, reply: Told(reply["answer"], ()),
        note=lambda name, data: "",
    )
    narrator = Narrator(telling, {})

    assert narrator.phase("run/r1#2") == "run r1"
    assert narrator.reply("run/r1", {"keyPoints": ["old"]}) == Told("old", (("key points", "old"), FAILED_WORDS))
    assert narrator.note("measured", {"harmony": 1}) == ""


@pytest.mark.parametrize(
    "words", [lambda *_: {}["no"], lambda *_: 42, lambda *_: None], ids=["raises", "number", "nothing"]
)
def test_words_that_fail_or_are_none_stop_nothing(words: Any) -> None:
    narrator = Narrator(Telling(phase=words, reply=words, note=words))

    assert narrator.phase("judge/1") == "judge 1"
    assert narrator.reply("judge/1", {"answer": "yes"}) == Told("yes", (("answer", "yes"), FAILED_WORDS))
    assert narrator.note("found", {"n": 3}) == "found: n 3"
