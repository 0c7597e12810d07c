"""The parsing policy of ruling G3 (interrogation 4.3): what is taken, what is asked again, what is salvaged."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from moot.core.calls import Ask, Completion, Failure, Message, Prose, Reply, Usage
from moot.core.canonical import canonical
from moot.core.events import Answered, Unanswered, event_from, event_text
from moot.core.panel import Member
from moot.runtime.parsing import (
    DEEPEST,
    LONGEST_REPLY,
    LONGEST_SALVAGED,
    QUOTED_REPLY,
    Unparsed,
    parse,
    retry_messages,
    salvage,
    set_reasoning_aside,
)
from moot.runtime.steps import Step

pytestmark = [pytest.mark.clause("interrogation:4.3"), pytest.mark.clause("ruling:G3")]


class Inner(BaseModel):
    """A part that does not forbid NaN by itself."""

    weight: float = 0.0


class Verse(Reply):
    """A shape with every kind of field."""

    answer: str
    sure: float = 0.5
    inner: Inner = Inner()
    anything: Any = None
    tally: dict[str, int] = Field(default_factory=dict)


YES = Verse(answer="yes", sure=0.5)
ASK = Ask("s", "m1", (Message("user", "Well?"),), Verse)


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "yes"}',
        '```json\n{"answer": "yes"}\n```',
        '```\n{"answer":"yes"}```',
        'Here you are: {"answer": "yes"} I hope it helps.',
        '\ufeff{"answer": "yes"}',
        '{"answer": "yes", "answer": "yes"}',
        '{"answer": "yes", "mood": "good"}',
    ],
    ids=["bare", "fence", "fence without a name", "prose around", "byte order mark", "said twice alike", "extra field"],
)
def test_fences_and_surroundings_are_stripped(text: str) -> None:
    assert parse(text, Verse) == YES


@pytest.mark.parametrize(
    ("text", "rest", "reasoning"),
    [
        ('<think>hm {"answer": "no"}</think>{"answer": "yes"}', '{"answer": "yes"}', 'hm {"answer": "no"}'),
        ("<THINKING>a</THINKING> x <think>b</think>", "x", "a\n\nb"),
        ('hm, so\n</think>\n{"answer": "yes"}', '{"answer": "yes"}', "hm, so"),
        ('<think>for ever {"answer": "yes"}', "", 'for ever {"answer": "yes"}'),
        ("<think></think>x", "x", ""),
        ("no thought at all", "no thought at all", ""),
        ('{"answer": "a <think> tag"}', '{"answer": "a <think> tag"}', ""),
    ],
    ids=["closed", "two", "late end", "unclosed", "empty", "none", "a tag in the answer"],
)
def test_reasoning_is_set_aside(text: str, rest: str, reasoning: str) -> None:
    assert set_reasoning_aside(text) == (rest, reasoning)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the reply is empty"),
        ("  \n", "the reply is empty"),
        ("I would rather not.", "there is no JSON object in the reply"),
        ('["yes"]', "there is no JSON object in the reply"),
        ("} {", "there is no JSON object in the reply"),
        ('{"answer": "yes"', "there is no JSON object in the reply"),
        ('{"answer": "yes",}', "the JSON does not parse"),
        ('{"answer": "yes"} and {"answer": "no"}', "the JSON does not parse"),
        ("{'answer': 'yes'}", "the JSON does not parse"),
        ('{"reply": "yes"}', "answer: Field required"),
        ('{"answer": 5}', "answer: Input should be a valid string"),
        ('{"answer": "yes", "sure": "very"}', "sure: Input should be a valid number"),
        ('{"answer": "yes", "sure": NaN}', "nan cannot be kept in a record"),
        ('{"answer": "yes", "anything": [Infinity]}', "inf cannot be kept in a record"),
        ('{"answer": "yes", "inner": {"weight": 1e999}}', "inf cannot be kept in a record"),
        ('{"answer": ' + "9" * 5000 + "}", "the JSON does not parse"),
        ('{"answer": ' + "[" * 100_000 + "]" * 100_000 + "}", "the JSON is nested too deeply"),
        ('{"answer": "yes", "anything": ' + "[" * 90 + "]" * 90 + "}", "the JSON is nested too deeply"),
    ],
)
def test_what_is_not_the_reply_is_told_in_words_that_its_author_can_use(text: str, problem: str) -> None:
    parsed = parse(text, Verse)

    assert isinstance(parsed, Unparsed)
    assert problem in parsed.problem


def test_a_field_that_says_two_things_is_asked_again_and_never_salvaged() -> None:
    twice = '{"answer": "yes", "answer": "no"}'

    assert parse(twice, Verse) == salvage(twice, Verse)
    assert parse(twice, Verse) == Unparsed("the field 'answer' stands twice with different values")
    assert not isinstance(parse('{"answer": "yes", "answer": "yes"}', Verse), Unparsed)


def test_an_answer_of_signs_without_a_word_says_nothing_and_a_few_signs_may_be_one() -> None:
    noise = json.dumps({"answer": ", " * 40})

    assert parse(noise, Verse) == salvage(noise, Verse) == Unparsed("the field 'answer' says nothing")
    assert parse(", " * 40, Prose) == Unparsed("the field 'text' says nothing")
    assert not isinstance(parse('{"answer": "+="}', Verse), Unparsed)


def test_at_most_five_problems_are_named() -> None:
    class Long(Reply):
        a: int
        b: int
        c: int
        d: int
        e: int
        f: int
        g: int

    parsed = parse("{}", Long)

    assert isinstance(parsed, Unparsed)
    assert parsed.problem.endswith("e: Field required and 2 more")


@pytest.mark.parametrize("reply", [Verse, Prose])
def test_a_megabyte_is_not_read(reply: type[Reply]) -> None:
    text = '{"answer": "' + "y" * 1_000_000 + '"}'

    parsed, salvaged = parse(text, reply), salvage(text, reply)

    assert isinstance(parsed, Unparsed)
    assert str(LONGEST_REPLY) in parsed.problem
    assert isinstance(salvaged, Unparsed)


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "yes"',
        '{"answer": "yes", "sure": 0.5,',
        "{'answer': 'yes', sure: .5}",
        '```json\n{"answer": "yes",}\n',
        'First I said {"answer": "no"} and now {"answer": "yes"}',
        '{answer: "yes"}',
    ],
)
def test_a_broken_object_is_salvaged(text: str) -> None:
    assert salvage(text, Verse) == YES


@pytest.mark.parametrize("escape", ['\\"', "\\n", "\\t", "\\u00e9"])
def test_an_object_whose_escapes_would_take_the_lenient_parser_minutes_is_not_salvaged(escape: str) -> None:
    few, many = ('{"answer": "yes", "x": "' + escape * count for count in (500, 5_000))

    assert salvage(few, Verse) == YES
    assert salvage(many, Verse) == Unparsed("too much of it is escaped to salvage it")


BUSY = [
    ("{", 'a"'),
    ('{"a":[', ':"'),
    ('{"a":[{"answer":"x",', "\u201c:"),
    ('{"a":[{"answer":"x",', '\u201c:("a":'),
    ("{", 'x "y" '),
    ('{"a":[', 'a":"b", '),
]


@pytest.mark.parametrize(("begun", "unit"), BUSY)
def test_a_text_in_which_the_lenient_parser_goes_back_and_forth_is_left_alone(begun: str, unit: str) -> None:
    text = begun + unit * ((LONGEST_SALVAGED - len(begun)) // len(unit))

    assert salvage(text, Verse) == Unparsed("it could not be salvaged: LookedTooOften")


def test_what_was_salvaged_before_is_salvaged_anew_however_often_it_has_to_be_looked_at() -> None:
    text = '{"answer": "yes", "x": "' + 'a" b "' * 400 + "\\n" * 4_000

    assert isinstance(salvage(text, Verse), Unparsed)
    assert salvage(text, Verse, anew=True) == YES


def test_a_long_answer_that_was_cut_or_is_quoted_otherwise_is_salvaged() -> None:
    claims = [{"id": f"c{number}", "claim": "the ice is thick enough " * 4} for number in range(200)]
    whole = json.dumps({"answer": "yes", "claims": claims})
    cut, otherwise = whole[: LONGEST_SALVAGED - 7], whole.replace('"', "'")[:LONGEST_SALVAGED]

    assert salvage(cut, Verse) == salvage(otherwise, Verse) == YES


@pytest.mark.parametrize(
    "text",
    ["", "nothing here", "{}", '{"reply": 1}', '{"answer": "yes", "sure": NaN, "inner": {"weight": 1e999}}', "[{]"],
)
def test_what_holds_no_such_object_is_not_salvaged(text: str) -> None:
    assert isinstance(salvage(text, Verse), Unparsed)


@pytest.mark.parametrize("unit", ["{", '{"', "{]", "{'", '{"a" ', '{"a":[', "[{", "{,", "{]}", "[{]}"])
def test_a_reply_built_to_keep_the_lenient_parser_busy_is_left_alone(unit: str) -> None:
    text = unit * (LONGEST_SALVAGED // len(unit))

    assert isinstance(salvage(text, Verse), Unparsed)


def test_what_is_too_long_to_salvage_is_left_alone() -> None:
    text = '{"answer": "' + "y" * LONGEST_SALVAGED

    assert isinstance(salvage(text, Verse), Unparsed)
    assert isinstance(salvage(text[:LONGEST_SALVAGED], Verse), Verse)


def test_brackets_in_a_text_do_not_keep_it_from_being_salvaged() -> None:
    code = "if (a[0]) {" * 30

    assert salvage('{"answer": "' + code + '", sure: .5}', Verse) == Verse(answer=code)


def test_nesting_up_to_the_limit_is_kept() -> None:
    depth = DEEPEST - 2
    text = '{"answer": "yes", "anything": ' + "[" * depth + "]" * depth + "}"

    assert isinstance(parse(text, Verse), Verse)


def test_what_the_protocol_reads_is_what_the_record_keeps() -> None:
    parsed = parse('{"answer": "a\\u0000\\ud800", "sure": 0.12345678, "tally": {"\\u0000": 1}}', Verse)

    assert parsed == Verse(answer="a\ufffd\ufffd", sure=0.123457, tally={"\ufffd": 1})


def test_the_retry_quotes_the_reply_and_the_error_after_the_first_prompt() -> None:
    messages = retry_messages(ASK.messages, "I refuse", "there is no JSON object in the reply")

    assert messages[:1] == ASK.messages
    assert messages[1] == Message("assistant", "I refuse")
    assert messages[2].role == "user"
    assert "there is no JSON object in the reply" in messages[2].content
    assert "Output ONLY the JSON object" in messages[2].content


def test_the_retry_quotes_no_more_than_it_must() -> None:
    assert len(retry_messages((), "x" * 50_000, "too long")[0].content) == QUOTED_REPLY
    assert retry_messages((), "", "the reply is empty")[0].content == "(nothing)"


def answered(*results: str | Completion | Failure) -> Step[Verse]:
    """Return the step after these results, one attempt each."""
    step = Step(ASK, Member("m1", "script:x"), 0)
    for result in results:
        assert step.outcome is None
        step.attempts.append(step.next_attempt())
        result = Completion(result, Usage(1, 1, 0.0)) if isinstance(result, str) else result
        step.attempts[-1], step.outcome = step.judge(step.attempts[-1], result)
    return step


def test_a_first_bad_reply_is_asked_again_once() -> None:
    step = answered("no idea")

    assert step.outcome is None
    assert "no idea" in step.next_attempt().request


def test_a_second_reply_in_shape_is_taken() -> None:
    step = answered("no idea", '{"answer": "yes"}')

    assert step.value == YES
    assert [row.state for row in step.attempts] == ["bad", "reply"]
    assert step.outcome and not step.outcome.salvaged


@pytest.mark.parametrize(
    "texts",
    [('{"answer": "no"', '{"answer": "yes"'), ('{"answer": "yes"', "prose")],
    ids=["the last", "else the first"],
)
def test_a_second_failure_is_salvaged_and_marked(texts: tuple[str, str]) -> None:
    step = answered(*texts)

    event = step.event()
    assert step.value == YES
    assert isinstance(event, Answered)
    assert event.salvaged


def test_a_reply_with_nothing_to_salvage_is_dropped_and_said_so() -> None:
    step = answered("one", "two")

    event = step.event()
    assert step.outcome and step.outcome.kind == "dropped"
    assert isinstance(event, Unanswered)
    assert event.missing.reason == "unusable"
    assert [call.state for call in event.calls] == ["bad", "bad"]


def test_a_retry_that_brings_no_reply_leaves_the_first_to_be_salvaged() -> None:
    step = answered('{"answer": "yes"', Failure("timeout", "late"))

    assert step.value == YES
    assert step.outcome and step.outcome.salvaged


def test_a_reply_that_was_cut_off_is_told_so() -> None:
    step = answered(Completion('{"answer": "y', Usage(), finish="length"))

    assert step.attempts[0].problem.startswith("it was cut off (")


def test_a_key_that_no_database_can_hold_does_not_come_back_in_the_error() -> None:
    step = answered('{"answer": "yes", "tally": {"\\u0000\\ud800": "x"}}')

    assert step.attempts[0].state == "bad"
    assert canonical(step.attempts[0].problem).encode()
    assert "\x00" not in step.attempts[0].problem


def jsonish() -> st.SearchStrategy[str]:
    """Return texts that look like replies, more or less."""
    values = st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters())),
        lambda inner: st.one_of(
            st.lists(inner), st.dictionaries(st.one_of(st.sampled_from(list(Verse.model_fields)), st.text()), inner)
        ),
        max_leaves=12,
    )
    whole = values.map(json.dumps)
    pieces = st.sampled_from(
        [
            "{",
            "}",
            "[",
            "]",
            '"',
            ":",
            ",",
            "answer",
            '"answer":',
            "<think>",
            "</think>",
            "```json",
            "\\",
            "NaN",
            "1e999",
        ]
    )
    mixed = st.lists(st.one_of(pieces, whole, st.text(max_size=5)), max_size=12).map("".join)
    cut = st.tuples(whole, st.integers(0, 40)).map(lambda pair: pair[0][: pair[1]])
    return st.one_of(st.text(st.characters()), whole, mixed, cut)


@settings(max_examples=400, deadline=None)
@given(jsonish(), st.sampled_from([Verse, Prose]))
def test_no_text_makes_the_policy_raise_and_what_it_takes_can_be_kept(text: str, reply: type[Reply]) -> None:
    rest, _ = set_reasoning_aside(text)
    for found in (parse(rest, reply), salvage(rest, reply)):
        if isinstance(found, Unparsed):
            assert found.problem
        else:
            assert isinstance(found, reply)
            assert canonical(found).encode()


@settings(max_examples=200, deadline=None)
@given(jsonish(), jsonish())
def test_any_two_replies_end_a_step_and_its_event_reads_back(first: str, second: str) -> None:
    step = answered(first)
    if step.outcome is None:
        step = answered(first, second)

    text = event_text(step.event())

    assert step.outcome is not None
    assert event_text(event_from(text)) == text
    again = Step(ASK, step.member, 0, attempts=list(step.attempts), outcome=step.outcome)
    again.recall()
    assert again.reply == step.reply
