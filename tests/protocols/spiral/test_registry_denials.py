"""Positions that deny what they rely on to be stated: seen where asserted, not where mentioned (rulings S5, S6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.protocols.spiral.denials import Denial, DenialTemplate, asserted_clauses, denial_in
from moot.protocols.spiral.registry import at_level
from moot.protocols.spiral.shipped import all_axioms

SHIPPED = all_axioms()
RELIED_ON = [axiom for axiom in SHIPPED if axiom.denials]


def denied(position: str) -> list[str]:
    return [axiom.id for axiom in RELIED_ON if axiom.denied_by(position)]


def written_out(denial: str) -> list[str]:
    """A template with the first of each alternative, with and without what may be left out; and with the last."""
    parts = [(part.removesuffix("?").split("/"), part.endswith("?")) for part in denial.split()]
    whole = " ".join(words[0] for words, _ in parts)
    short = " ".join(words[0] for words, optional in parts if not optional)
    return [whole, short, " ".join(words[-1] for words, _ in parts)]


def test_each_of_the_levels_five_to_seven_has_axioms_that_positions_rely_on():
    assert all(sum(bool(axiom.denials) for axiom in at_level(SHIPPED, level)) >= 5 for level in (5, 6, 7))
    assert {axiom.level for axiom in RELIED_ON} == {5, 6, 7}


@pytest.mark.parametrize("axiom", RELIED_ON, ids=lambda axiom: axiom.id)
def test_every_shipped_denial_denies_its_axiom(axiom):
    for denial in axiom.denials:
        for position in written_out(denial):
            assert axiom.denied_by(f"{position.capitalize()}."), position


@pytest.mark.parametrize(
    ("position", "axiom"),
    [
        ("No statement is true.", "LI1"),
        ("I believe that no statement is ever true, so the question is moot.", "LI1"),
        ("Because nothing is true, we cannot decide.", "LI1"),
        ("In fact, there's no truth at all.", "LI1"),
        ("Language cannot convey anything.", "LI2"),
        ("Language can't really convey anything!", "LI2"),
        ("Words have no meaning", "LI3"),
        ("Every opinion is equally true.", "LI6"),
        ("All generalisations are false.", "LI7"),
        ("This protocol's messages are never delivered.", "PR1"),
        ("The answer is 4, but no argument is valid.", "PR4"),
        ("I produce no output.", "AR1"),
        ("My answer: nothing is true; it cannot be settled.", "LI1"),
        ("I don\u2019t exist.", "AR3"),
        ("Everything I say is false.", "AR4"),
    ],
)
def test_a_position_that_denies_what_it_relies_on_is_seen_with_the_axiom(position, axiom):
    assert denied(position) == [axiom]


@pytest.mark.parametrize(
    "position",
    [
        "",
        "If no statement is true, then this one is not true either.",
        "Unless language fails us, words have no meaning, and nothing is true.",
        "Is no statement true?",
        "Nobody should hold the thesis: no statement is true.",
        "The sentence \"no statement is true\" is self-refuting.",
        "He wrote 'nothing is true.' on the wall.",
        "It is false that no statement is true.",
        "It is not the case that nothing is true.",
        "Gorgias says that nothing exists, and nothing can be said.",
        "According to some, nothing is true.",
        "No statement is true of all numbers.",
        "In the empty theory, no statement is true.",
        "Nothing is true about that rumour.",
        "No message is delivered while the broker is down.",
        "This claim is false.",
        "This statement is not true.",
        "I cannot say anything about the second document.",
        "I have no position on this.",
        "I cannot read the attached file.",
        "Either no statement is true or some are.",
        "No statement in the report is true.",
        "All of the statements in the table are false.",
        "There is no question that Paris is in France.",
    ],
)  # fmt: skip
def test_what_is_mentioned_supposed_reported_or_limited_denies_nothing(position):
    assert denied(position) == []


def test_no_shipped_axiom_denies_another():
    texts = [text for axiom in SHIPPED for text in (axiom.statement, axiom.question, axiom.relied_on or "")]

    assert [text for text in texts if denied(text)] == []


def test_a_denial_comes_with_the_template_and_the_clause():
    found = denial_in("I think that nothing is ever true.", ["no claim is true", "nothing is ever? true"])

    assert found == Denial("nothing is ever? true", "nothing is ever true")


@pytest.mark.parametrize(
    "text", ["", "nothing", "nothing ever? here?", "no / is true", "no state.ment is true", "a b/"]
)
def test_a_template_that_is_no_row_of_words_is_refused(text):
    with pytest.raises(ValueError, match="denial"):
        DenialTemplate.parse(text)


WORDS = st.sampled_from(["no", "claim", "is", "ever", "true", "all"])


def literally_said(places, clause):
    """Say slowly, by trying every way to leave words out, whether a clause is a template."""
    if not places:
        return not clause
    (alternatives, optional), *rest = places
    taken = bool(clause) and clause[0] in alternatives and literally_said(rest, clause[1:])
    return taken or (optional and literally_said(rest, clause))


@given(st.lists(st.tuples(st.frozensets(WORDS, min_size=1), st.booleans()), max_size=5), st.lists(WORDS, max_size=6))
def test_a_template_is_said_exactly_where_the_literal_definition_says_so(places, clause):
    assert DenialTemplate(tuple(places)).is_said_by(clause) == literally_said(places, clause)


@given(st.text())
def test_any_text_has_clauses_of_words(text):
    assert all(words and all(words) for words in asserted_clauses(text))


def test_a_text_full_of_opening_marks_is_read_all_the_same():
    assert denied("\u201c" * 30_000 + " 'x" * 30_000) == []
