"""Each protocol tells of its own steps, replies and notes in words; over every golden record, without the narrator."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from moot.core.events import Answered, Embedded, Event, Filled, Noted, Opened, Started, Unanswered, event_from
from moot.core.telling import Telling, Told
from moot.evals.arms.protocols import EVAL_PROTOCOLS
from moot.protocols import PROTOCOLS, find_protocol
from tests.protocols.record_golden import GOLDEN

NAMES = sorted(path.stem for path in GOLDEN.glob("*.jsonl"))
CODE = set("/_{}#@")
DUMPED = ('{"', "{'", "['", '["', "[{")
SINGLE = {"reasoning": "It floats.", "answer": "Water is heavier", "confidence": 0.9}


def recorded(name: str) -> tuple[list[Event], Telling, Mapping[str, Any]]:
    """Return the events of a golden record, and the telling and the settings of its protocol."""
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    events = [event_from(line) for line in lines if "kind" in json.loads(line)]
    start = events[0]
    assert isinstance(start, Started)
    return events, find_protocol(start.header.protocol).telling, start.header.settings


def given_words(value: Any) -> Iterator[str]:
    """Yield every string that a member gave."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from given_words(item)
    elif isinstance(value, str):
        yield value


def own(function: Callable[..., Any] | None) -> Callable[..., Any]:
    assert function is not None
    return function


def check_reply(told: Told, reply: Mapping[str, Any]) -> None:
    said = "\n".join(words for _, words in told.rows)
    names = " ".join(name for name, _ in told.rows)
    assert told.gist.strip()
    assert told.rows
    assert not any(mark in f"{told.gist}\n{said}" for mark in DUMPED), told
    assert [words for words in given_words(reply) if words not in f"{said}\n{names}"] == [], told
    assert not CODE & set(names), told


@pytest.mark.parametrize("name", NAMES)
def test_every_step_has_a_phase_in_words_and_every_reply_a_gist_and_rows_that_lose_nothing(name: str) -> None:
    events, telling, settings = recorded(name)

    for event in events:
        if isinstance(event, Answered | Filled | Unanswered | Opened | Embedded):
            phase = own(telling.phase)(event.step, settings)
            assert phase
            assert not CODE & set(phase), f"{event.step}: {phase}"
        if isinstance(event, Answered | Filled):
            check_reply(own(telling.reply)(event.step, event.reply), event.reply)


@pytest.mark.parametrize("name", NAMES)
def test_every_note_is_one_line_of_words_or_nothing(name: str) -> None:
    events, telling, _ = recorded(name)

    for event in events:
        if isinstance(event, Noted):
            words = own(telling.note)(event.name, event.data)
            assert isinstance(words, str)
            assert not any(mark in words for mark in (*DUMPED, "\n", "None", "True", "False")), words


def test_every_protocol_of_moot_has_words_of_its_own() -> None:
    rows = [*(find_protocol(name) for name in PROTOCOLS), *EVAL_PROTOCOLS.values()]

    assert [row.name for row in rows if None in (row.telling.phase, row.telling.reply, row.telling.note)] == []


@pytest.mark.parametrize(
    ("protocol", "step", "settings", "phase"),
    [
        ("single", "answer", {}, "one answer"),
        ("spiral", "revise/2/m1", {}, "loop 2 of 7: physical axioms"),
        ("spiral", "judge/0/m1-m2", {}, "judging whether two answers agree"),
        ("spiral", "judge/5s/m1-m2/again", {}, "loop 5 of 7, stretto: judging whether two answers agree"),
        ("debate", "round/1/m1", {"rounds": 5}, "round 1 of at most 5: positions"),
        ("debate", "round/2/safety/second/m1", {"rounds": 5}, "round 2 of at most 5: safety review"),
        ("vote", "run/r6#2", {"n": None, "most": 8, "stop": "lead"}, "runs 5 to 8 of at most 8"),
        ("vote", "run/r1", {"n": 6, "most": 8, "stop": "lead"}, "6 runs"),
        ("interrogation", "run/r9", {"n": None, "most": 8, "stop": "lead"}, "runs 9 to 12, over further paragraphs"),
        # Without documents the question is the source (I5), and a telling does not know which it is.
        ("interrogation", "verify/1/c2/1", {}, "verification round 1: what do the sources say of disputed claims?"),
        ("coherence", "judge/2", {"revisions": 2}, "verifying version 2 of at most 3"),
        ("prism", "L4.2/work/1@house/m1", {"table": "prism-v1"}, "layer 4 of 7: Critique, work, attempt 2"),
    ],
)
def test_a_phase_says_how_far_it_is(protocol: str, step: str, settings: Mapping[str, Any], phase: str) -> None:
    assert own(find_protocol(protocol).telling.phase)(step, settings) == phase


BOTH = {"reasoning": "Alike.", "a_to_b": "entails", "b_to_a": "entails", "same": [[1, 2]], "contradicting": []}
VOTE = {"position": "Build it.", "answer": "yes", "confidence": 0.75, "vote": "MINOR", "objection": "The cost."}


@pytest.mark.parametrize(
    ("protocol", "step", "reply", "gist"),
    [
        ("single", "answer", SINGLE, "Water is heavier (0.9)"),
        ("spiral", "judge/0/m1-m2", BOTH, "m1 and m2 say the same"),
        ("spiral", "judge/0/m1-m2", {**BOTH, "b_to_a": "neutral"}, "m1 says what m2 says, and more"),
        ("debate", "round/2/m1", VOTE, "accepts with a minor objection P2 (The cost.): yes (0.75)"),
        ("debate", "round/1/m1", VOTE, "yes (0.75)"),
        ("vote", "run/r1", {"text": "sold = 16 - 7\nanswer = sold * 2"}, "18"),
        ("vote", "run/r1", {"text": "I think.\nAnswer: server x9"}, "server x9"),
    ],
)
def test_a_gist_is_what_was_answered(protocol: str, step: str, reply: Mapping[str, Any], gist: str) -> None:
    told = own(find_protocol(protocol).telling.reply)(step, reply)

    assert told.gist == gist
    check_reply(told, reply)


STRANGE = {
    "reasoning": "",
    "assumptions": ["Ships sail."],
    "steps": [{"id": "s1", "claim": "It left.", "because": [1, {"of": "the log"}], "confidence": 0.4}, 7],
    "objections": [{"claim": ["odd"], "against": "s1"}],
    "conclusion": "Kestrel it is",
    "answer": "",
    "nodes": [{"id": "n1", "claim": "It sails."}],
    "edges": [],
    "conclusion_node": {"id": "n1"},
}
COLUMNS = {"columns": ["Cost", {"name": "Trust"}], "scores": [{"observed_relation": "K1", "values": [8]}]}


@pytest.mark.parametrize(
    ("protocol", "step", "reply"),
    [("interrogation", "run/r1", STRANGE), ("coherence", "unfold", COLUMNS)],
)
def test_a_reply_of_a_strange_shape_loses_nothing_and_is_no_dump(
    protocol: str, step: str, reply: Mapping[str, Any]
) -> None:
    check_reply(own(find_protocol(protocol).telling.reply)(step, reply), reply)


def test_what_a_person_should_know_is_always_worded() -> None:
    spiral, debate = (own(find_protocol(name).telling.note) for name in ("spiral", "debate"))
    withheld = {"round": 2, "agent": "m3", "tier": 1, "reason": "instructions for an attack", "by": []}

    assert spiral("axioms not searched", {"level": 3, "reason": "no vectors"}) == (
        "axioms of level 3 are not searched: no vectors"
    )
    assert debate("withheld", withheld) == "what m3 said in round 2 is withheld: instructions for an attack"
