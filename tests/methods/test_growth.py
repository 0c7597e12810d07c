"""Long hostile texts are read in time that grows with them, and read as a slow literal version reads short ones."""

import re
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from moot.argument.store import GraphStore
from moot.argument.wording.opposites import family
from moot.methods.citing import clauses, replies
from moot.methods.quoting import quoted_span
from moot.methods.sameness import covering, is_equal
from moot.methods.search import titles
from moot.methods.votes import before_answer
from moot.protocols.debate.state import speech

SECONDS = 20.0
"""Of CPU, where a reading that looks at the whole text for each of its words would take minutes."""
LONG = 400_000


@contextmanager
def in_bounded_cpu() -> Generator[None, None, None]:
    def stop(*_: object) -> None:
        raise AssertionError(f"it takes more than {SECONDS} s of CPU")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize(
    ("read", "unit"),
    [
        (covering.proper_names, "Aa: "),
        (before_answer, "Answer: x\n"),
        (replies._bare, " "),
        (replies._bare, "\n"),
        (lambda text: clauses._with("x9", text), "7"),
        (lambda text: is_equal(text, "x"), ". "),
        (lambda text: family(text + "er"), "er"),
        (titles.title_of, " "),
        (titles.title_of, "("),
        (speech.bare, " "),
        # Compared with all of it, each of these takes six seconds.
        (lambda text: [quoted_span("ab " * 260 + end, text) for end in "pqrstuvwxyz"], "ab "),
    ],
)
def test_a_long_hostile_text_is_read_in_time_that_grows_with_it(read: Callable[[str], object], unit: str) -> None:
    with in_bounded_cpu():
        read("x" + unit * (LONG // len(unit)) + "x")


def test_many_long_claims_of_few_words_are_merged_in_bounded_time() -> None:
    chance = Random(1)
    words = ["ice", "dam", "ship", "road", "mill", "tide", "rope", "lamp"]
    claims = [" ".join(chance.choices(words, k=150)) for _ in range(600)]

    with in_bounded_cpu():
        told = GraphStore().assert_graph(
            "g", [{"id": f"c{number}", "claim": claim, "type": "given"} for number, claim in enumerate(claims)]
        )

    assert not told["rejected"]


WORDS = st.text(alphabet="aB9_.:! \n()-\u0660", max_size=30)


@given(WORDS)
@example("\nAa")
@example(" Aa")
@example("a: Bb")
@example("a.\n\nBb")
@example("a- Bb")
def test_a_word_begins_a_sentence_as_where_all_before_it_is_looked_at(text: str) -> None:
    literal = [
        (found.group(), bool(covering._SENTENCE_START.search(text[: found.start()])))
        for found in covering._WORD.finditer(text)
    ]

    assert list(covering._placed_words(text)) == literal


@given(WORDS)
@example("the 9a")
@example("a_9b")
@example("9 b")
def test_a_part_has_a_subject_of_its_own_as_the_plain_pattern_says(part: str) -> None:
    literal = re.compile(r"(?:the|a|an)?\s?(?:[A-Z]|\w*\d\w*[A-Za-z]|[A-Za-z]\w*\d)")

    assert bool(clauses._OWN_SUBJECT.match(part)) == bool(literal.match(part))


@given(WORDS)
@example("Aa (b)")
@example("Aa (b) (9)\n")
@example("Aa (b)) ")
@example("(b)")
def test_a_title_is_without_the_aside_that_the_plain_pattern_finds(name: str) -> None:
    literal = re.sub(r"\s*\([^()]*\)\s*$", "", name)

    assert titles._without_aside(name).rstrip() == literal.rstrip()
