"""Answers are graded by the rule of their set's authors, and an abstention is recognised."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.evals.items.grading import ABSTAINED, final_number, grade, is_abstention, normalise, squad, token_f1
from moot.evals.items.items import AnswerKind, Item

KINDS: tuple[AnswerKind, ...] = ("number", "span", "boolean", "label", "free")
WORDS = (
    *(
        "yes",
        "No,",
        "the",
        "documents",
        "do not",
        "don't",
        "don\u2019t",
        "say",
        "####",
        "-5",
        "$1,200.50",
        "supports",
        "not",
    ),
    *("refuted", "unknown", "(abstained)", "NOT_ENOUGH_INFO", "but", "so", "a", ".", "true", "no information", "7."),
)


def item(kind: AnswerKind, answer: str, **rest: Any) -> Item:
    return Item("i", "d", "q", answer, kind, **rest)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("#### 72", "72"),
        ("First 5, then 7.\n#### 1,200", "1200"),
        ("#### $18.00", "18"),
        ("The total is $18.", "18"),
        ("18.0 dollars", "18"),
        ("1,234,567", "1234567"),
        ("10,00,000", "1000000"),
        ("5 boxes of 3 make 15", "15"),
        ("-5", "-5"),
        ("-$5", "-5"),
        ("\u22127", "-7"),
        ("10-5", "5"),
        (".50", "0.5"),
        ("007", "7"),
        ("-0.0", "0"),
        ("20%", "20"),
        ("about twelve", ""),
        ("123456789012345678901234567890.10", "123456789012345678901234567890.1"),
    ],
)
def test_the_final_number_is_read_as_gsm8k_reads_it(text: str, number: str) -> None:
    assert final_number(text) == number


def test_numbers_are_compared_as_decimals() -> None:
    assert grade(item("number", "1200"), "It comes to $1,200.00").correct
    assert not grade(item("number", "1200"), "It comes to 120").correct


def test_a_span_matches_whatever_its_case_articles_and_punctuation() -> None:
    assert squad("The  Marrow-Bridge, (a bridge)!") == "marrowbridge bridge"
    assert grade(item("span", "the Senn", aliases=("Senn River",)), "senn").correct
    assert grade(item("span", "the Senn", aliases=("Senn River",)), "The Senn River.").correct
    assert not grade(item("span", "the Senn"), "on the Senn").correct


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Yes.", "yes"),
        ("True", "yes"),
        ("no, because it is not true", "no"),
        ("The answer is false", "no"),
        ("yes and no", "yes"),
        ("It may be yes or no", ""),
        ("No, the documents do not say that it does", "no"),
        ("No information is given", ABSTAINED),
        ("maybe", ""),
    ],
)
def test_yes_and_no_are_told_apart(text: str, normal: str) -> None:
    assert normalise("boolean", text) == normal


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("SUPPORTS", "SUPPORTS"),
        ("The claim is supported by the document.", "SUPPORTS"),
        ("true", "SUPPORTS"),
        ("CONTRADICT", "REFUTES"),
        ("False.", "REFUTES"),
        ("The claim is not true", "REFUTES"),
        ("NOT_ENOUGH_INFO", "NOT_ENOUGH_INFO"),
        ("not enough information", "NOT_ENOUGH_INFO"),
        ("NEI", "NOT_ENOUGH_INFO"),
        ("The abstract does not mention tea.", "NOT_ENOUGH_INFO"),
        ("It does not support the claim", ""),
        ("either supports or refutes", ""),
    ],
)
def test_labels_are_known_by_their_synonyms(text: str, label: str) -> None:
    assert normalise("label", text) == label


def test_a_free_answer_is_right_if_it_is_nearer_to_a_correct_answer_than_to_any_incorrect_one() -> None:
    cookies = item(
        "free", "The origin is unclear", aliases=("They came from California",), wrong=("They came from China",)
    )

    assert grade(cookies, "Fortune cookies came from California").correct
    assert not grade(cookies, "Fortune cookies came from China").correct
    assert not grade(cookies, "They came from").correct, "as near to the one as to the other"
    assert not grade(cookies, "I don't know").correct


def test_an_abstention_that_the_set_lists_as_correct_is_right() -> None:
    asked = item("free", "I have no comment", wrong=("Yes",))

    assert grade(asked, "I have no comment.").correct


def test_token_f1_by_hand() -> None:
    # Shared: "red", "boat"; three words against four: 2 * 2 / 7.
    assert token_f1("a red boat", "red boat at sea") == pytest.approx(4 / 7)
    assert token_f1("", "red") == 0


@pytest.mark.parametrize(
    "text",
    [
        *("The documents do not say.", "the document doesn\u2019t mention it", "It cannot be determined from the text"),
        *("Not stated in the documents", "Unknown", "N/A", "I don't know.", "There is not enough information"),
        *(
            "What was shown does not say.",
            "The passages about Holt do not state the cost",
            "They do not say",
            "I cannot tell",
            "not specified",
        ),
    ],
)
def test_an_abstention_is_recognised_in_many_wordings(text: str) -> None:
    assert is_abstention(text)
    assert grade(item("span", "", abstain=True), text).correct
    assert grade(item("span", "Teskow"), text) == grade(item("span", "Bern"), text)
    assert not grade(item("span", "Teskow"), text).correct
    assert grade(item("span", "Teskow"), text).abstained


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Teskow",
            "The documents do not say so outright, but it was Teskow",
            "nobody knows the song Unknown Pleasures",
        ),
        *("", "Notting Hill", "He did not say a word", "it is stated in the text that she was 40"),
    ],
)
def test_an_answer_is_not_taken_for_an_abstention(text: str) -> None:
    assert not is_abstention(text)
    assert not grade(item("span", "", abstain=True), text).correct


def test_a_gold_answer_that_reads_like_an_abstention_is_an_answer() -> None:
    graded = grade(item("span", "Unknown"), "unknown")

    assert graded.correct and not graded.abstained


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("answer", [None, "", "  "])
def test_no_answer_is_wrong_and_no_abstention(kind: AnswerKind, answer: str | None) -> None:
    graded = grade(item(kind, "1", abstain=True), answer)

    assert not graded.correct and not graded.abstained and graded.normalised == ""


@settings(deadline=None)
@given(st.sampled_from(KINDS), st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_a_normal_form_is_its_own_normal_form(kind: AnswerKind, text: str) -> None:
    normal = normalise(kind, text)

    assert normalise(kind, normal) == normal


@settings(deadline=None)
@given(st.sampled_from(KINDS), st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join))
def test_a_vote_in_normal_form_is_worth_what_the_answer_is(kind: AnswerKind, text: str) -> None:
    asked = item(kind, {"number": "-5", "boolean": "no", "label": "SUPPORTS"}.get(kind, "documents"), wrong=("yes",))

    assert grade(asked, grade(asked, text).normalised).correct == grade(asked, text).correct
