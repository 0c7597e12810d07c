"""Counting letters and words (rulings S7, S12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.oracles import claim_checks, consult
from moot.oracles.finding import Finding


def found(relation: str, text: str, part: str = "", claimed: str | int = 0) -> Finding:
    return consult({"kind": "counting", "relation": relation, "text": text, "part": part, "claimed": claimed})


@pytest.mark.clause("ruling:S12")
def test_a_reading_says_that_capitals_count_as_small_letters() -> None:
    (check,) = claim_checks("The word Strawberry has 3 R's.")

    finding = consult(check)

    assert finding.verdict == "true"
    assert finding.reading == 'the letter R in "Strawberry", upper and lower case alike: 3'


@pytest.mark.clause("ruling:S12")
@pytest.mark.parametrize(
    "sentence",
    [
        "Mary has 3 A's.",
        "Boston has one T.",
        "education has 3 Rs.",
        "English has 26 letters.",
        "Spanish has 5 vowels.",
        "The word processor has 26 letters.",
        "Mississippi has 2 ss.",
        "strawberry has several r's.",
        "strawberry has at least 2 r's.",
        "strawberry and raspberry has 3 r's.",
    ],
)
def test_what_may_be_about_something_else_is_not_read(sentence: str) -> None:
    assert claim_checks(sentence) == ()


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("relation", "text", "part", "claimed", "limit"),
    [
        ("letter", "a" * 10_001, "a", 1, "at most 10,000 characters"),
        ("letter", "banana", "an", 2, "one letter"),
        ("letter", "café", "e", 1, "é might be counted"),
        ("letter", "e\u0323\u0308x", "x", 1, "marks of their own"),
        ("vowels", "rhythm", "", 0, "without y"),
        ("vowels", "naïve", "", 3, "without y"),
        ("words", "a well-known fact", "", 3, "one word, several or none"),
        ("words", "我爱你", "", 1, "one word, several or none"),
        ("words", "", "", "none", "whole number"),
        ("word", "a b", "a b", 1, "one word to count"),
    ],
)
def test_what_is_beyond_it_names_the_limit(relation: str, text: str, part: str, claimed: str | int, limit: str) -> None:
    finding = found(relation, text, part, claimed)

    assert finding.verdict == "not computable"
    assert limit in finding.limit


@given(st.text(alphabet="abcXYZ éß-'", max_size=40), st.sampled_from("abcxyz"))
def test_a_letter_is_counted_as_often_as_it_stands_there(text: str, letter: str) -> None:
    count = sum(character in (letter, letter.upper()) for character in text)

    assert found("letter", text, letter, count).verdict == "true"
    assert found("letter", text, letter, count + 1).verdict == "false"


@given(st.lists(st.sampled_from(["cat", "the", "The", "don't", "dog."]), min_size=1, max_size=12))
def test_words_are_counted_as_many_as_were_joined(words: list[str]) -> None:
    text = "  ".join(words)

    assert found("words", text, claimed=len(words)).verdict == "true"
    assert found("word", text, "the", sum(word.lower() == "the" for word in words)).verdict == "true"


@given(st.sampled_from(["letter", "letters", "vowels", "words", "word"]), st.text(max_size=30), st.text(max_size=3))
def test_any_text_gets_a_verdict(relation: str, text: str, part: str) -> None:
    assert found(relation, text, part, 1).verdict in ("true", "false", "not computable")
