"""Step 0: task, structure and self-reference by rules that explain themselves (spiral 5.1 step 0, ruling S6)."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.protocols.spiral.agreement.measures import all_pairs
from moot.protocols.spiral.positions import Position, themes
from moot.protocols.spiral.structure.sentences import sentences_of
from moot.protocols.spiral.structure.step_rules import step_rules
from moot.protocols.spiral.structure.structures import initialization, self_reference_in
from moot.protocols.spiral.turn_orders import turns

QUESTIONS = [
    json.loads(line) for line in Path(__file__).with_name("questions.jsonl").read_text(encoding="utf-8").splitlines()
]
POSITIONS = {seat: Position(seat, seat) for seat in "abcd"}
AGREEMENTS = dict.fromkeys(all_pairs("abcd"), 0.5) | {("a", "c"): 0.9, ("a", "b"): 0.1, ("b", "d"): 0.8}


@pytest.mark.clause("spiral:5.1.0", "ruling:S6")
def test_every_question_of_the_corpus_is_read_as_the_task_that_it_is() -> None:
    read = {row["question"]: initialization(row["question"]) for row in QUESTIONS}

    assert {row["question"]: read[row["question"]].task for row in QUESTIONS} == {
        row["question"]: row["task"] for row in QUESTIONS
    }
    assert {(found.task, found.structure) for found in read.values()} == {
        ("analysis", "fugue"),
        ("conflict", "sonata"),
        ("creation", "concert"),
    }


@pytest.mark.clause("spiral:5.1.0", "ruling:S6")
def test_every_question_of_the_corpus_that_speaks_of_models_protocols_or_languages_is_noticed() -> None:
    noticed = [row["question"] for row in QUESTIONS if initialization(row["question"]).self_reference]

    assert noticed == [row["question"] for row in QUESTIONS if row["self_reference"]]


def test_the_corpus_is_large_and_more_than_half_of_it_are_near_misses_or_plain_questions() -> None:
    tasks = Counter(row["task"] for row in QUESTIONS)

    assert len({row["question"] for row in QUESTIONS}) == len(QUESTIONS) >= 300
    assert min(tasks.values()) >= 50 and tasks["analysis"] > len(QUESTIONS) / 2
    assert sum(row["self_reference"] for row in QUESTIONS) >= 50


@pytest.mark.clause("ruling:S6")
@pytest.mark.parametrize(
    ("question", "reasons"),
    [
        (
            "Please write a slogan for a bakery.",
            (
                "creation: a sentence begins with an imperative of making, 'write a slogan'",
                "self-reference: none: it speaks of no model, protocol or programming language, nor of itself",
            ),
        ),
        (
            "Should chatbots be allowed in exams?",
            ("conflict: it asks what should be, 'Should chatbots'", "self-reference: language models, 'chatbots'"),
        ),
        (
            "Ist Python schneller als Rust und warum ist das so?",
            (
                "analysis: the rules are English, and the question reads as german",
                "self-reference: not looked for in another language",
            ),
        ),
    ],
)
def test_every_decision_names_its_rule_and_its_words(question: str, reasons: tuple[str, ...]) -> None:
    assert initialization(question).because == reasons


@pytest.mark.clause("ruling:S6")
def test_every_rule_of_step_0_decides_a_question_of_the_corpus() -> None:
    because = [why for row in QUESTIONS for why in initialization(row["question"]).because]

    idle = [
        rule.rule
        for reading in ("creation", "conflict", "self_reference")
        for rule in step_rules(reading)
        if not any(f"{rule.rule}, " in why for why in because)
    ]
    assert idle == []


def test_what_is_quoted_or_code_is_not_said() -> None:
    quoted = 'Who said "Should AI rule?" and `import Python`?\n```\nWrite a poem about JavaScript.\n```'

    assert initialization(quoted).task == "analysis"
    assert self_reference_in(quoted) == ()


def test_the_sentence_that_asks_may_stand_anywhere_and_at_the_end_of_a_long_text() -> None:
    long = "The shop sells bread. " * 5_000

    assert initialization(f"{long}Write a slogan for it.").task == "creation"
    assert sum(map(len, sentences_of(long))) <= 4_000


@given(st.text(max_size=300))
def test_any_text_is_read_with_a_reason(text: str) -> None:
    found = initialization(text)

    assert found.because[0].startswith(f"{found.task}: ") and found.because[-1].startswith("self-reference: ")


@pytest.mark.clause("spiral:5.1.0", "ruling:S6")
@pytest.mark.parametrize("chosen", [True, False])
def test_settings_overrule_the_rules_and_the_record_says_so(chosen: bool) -> None:
    about = "a language model" if not chosen else "a tree"

    found = initialization(f"Write a poem about {about}.", structure="sonata", self_reference=chosen)

    assert (found.task, found.structure, found.self_reference) == ("creation", "sonata", chosen)
    assert found.because[1:] == (
        "the structure sonata was chosen by setting",
        f"self-reference {'yes' if chosen else 'no'} was chosen by setting",
    )


@pytest.mark.clause("ruling:S6")
def test_in_a_fugue_each_voice_hears_the_revisions_before_it() -> None:
    found = turns("fugue", ["a", "b", "c"], POSITIONS, AGREEMENTS, ["c", "a", "b"])

    assert [(turn.seats, turn.hears) for turn in found] == [(("a",), ()), (("b",), ("a",)), (("c",), ("a", "b"))]


@pytest.mark.clause("ruling:S6")
def test_in_a_sonata_two_themes_answer_each_other_and_are_drawn_together() -> None:
    found = turns("sonata", ["a", "b", "c", "d"], POSITIONS, AGREEMENTS, ["c", "a", "b", "d"])

    assert themes(POSITIONS, AGREEMENTS) == (["a", "c"], ["b", "d"])
    assert [(turn.name, turn.seats, turn.hears) for turn in found] == [
        ("revise", ("a", "c"), ("b", "d")),
        ("revise", ("b", "d"), ("a", "c")),
        ("synthesis", ("c",), ("a", "b", "d")),
    ]


@pytest.mark.clause("ruling:S6")
def test_in_a_concert_a_soloist_drafts_and_the_ensemble_refines() -> None:
    found = turns("concert", ["a", "b", "c"], POSITIONS, AGREEMENTS, ["c", "a", "b"])

    assert [(turn.name, turn.seats, turn.hears) for turn in found] == [
        ("solo", ("c",), ("a", "b")),
        ("revise", ("a",), ("c",)),
        ("revise", ("b",), ("c", "a")),
    ]
