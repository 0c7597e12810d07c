"""Sentences with numbers and places (ruling I10)."""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from moot.core.question import Document
from moot.methods.sentences import (
    LONGEST_LEAD,
    LONGEST_SENTENCE,
    MOST_LEADS,
    Sentence,
    sentences_of,
    sentences_touching,
    shown_with_numbers,
)

pytestmark = pytest.mark.clause("ruling:I10")


def split(*texts: str) -> tuple[Sentence, ...]:
    return sentences_of([Document(name=f"d{place}", text=text) for place, text in enumerate(texts)])


def said(text: str) -> list[str]:
    return [sentence.said for sentence in split(text)]


def test_sentences_are_numbered_through_all_documents_and_keep_their_places() -> None:
    first, second, third = split("It rains. It pours.", "  The old man snores.\n")

    assert [first.number, second.number, third.number] == [1, 2, 3]
    assert (second.document, second.start, second.end) == (0, 10, 19)
    assert (third.document, third.start, third.end, third.text) == (1, 2, 21, "The old man snores.")


def test_a_list_item_is_one_sentence_with_its_lead() -> None:
    text = "A job runs if both hold:\n\n1. it is Linux. Any kind\n   of it;\n2) it is on.\n\nElse it waits."

    assert said(text) == [
        "A job runs if both hold:",
        "A job runs if both hold: it is Linux. Any kind of it;",
        "A job runs if both hold: it is on.",
        "Else it waits.",
    ]
    assert split(text)[2].text == "it is on."


def test_the_items_above_that_end_in_a_colon_are_leads_of_those_beneath_them() -> None:
    text = "The hall:\n- Rack 7:\n  - x8\n  - x9\n- Rack 8: x1"

    assert said(text)[2:] == ["The hall: Rack 7: x8", "The hall: Rack 7: x9", "The hall: Rack 8: x1"]


def test_a_list_after_another_paragraph_has_no_lead_of_the_first() -> None:
    assert said("Fruit:\n- apples\n\nThat was it.\n\n- nails")[-1] == "nails"


def test_a_table_row_is_a_sentence_with_the_head_of_its_table() -> None:
    assert said("| server | system |\n|---|---|\n| x9 | Linux |\n| x8 | BSD |\n\n| x1 | none |") == [
        "| server | system |",
        "| server | system | | x9 | Linux |",
        "| server | system | | x8 | BSD |",
        "| x1 | none |",
    ]


def test_records_are_rows_and_a_first_row_with_numbers_is_no_head() -> None:
    assert said("name,system\nann,Linux\nbob,BSD") == ["name,system", "name,system ann,Linux", "name,system bob,BSD"]
    assert said("x9,Linux\nx8,BSD") == ["x9,Linux", "x8,BSD"]


@pytest.mark.parametrize(
    "text", ["## The C# rack ##\nIt is red.", "The C# rack\n===\nIt is red.", "# The C# rack\n\nIt is red."]
)
def test_a_heading_is_a_sentence(text: str) -> None:
    heading, prose = split(text)

    assert (heading.kind, heading.text) == ("heading", "The C# rack")
    assert (prose.kind, prose.text) == ("prose", "It is red.")


def test_the_hashes_of_a_name_are_its_own() -> None:
    assert said("# About C#\nIt is sharp.") == ["About C#", "It is sharp."]


def test_lines_of_code_and_lines_that_never_end_are_a_sentence_each() -> None:
    assert said("```python\ndef run(x):\n\n    return x. y\n```") == ["def run(x):", "return x. y"]
    assert [item.kind for item in split("~~~\n# so. Then\nrun it. Now\n~~~\n\nDone.")] == ["line", "line", "prose"]
    assert said("roses are red\nviolets are blue") == ["roses are red", "violets are blue"]


def test_wrapped_prose_is_not_cut_at_its_lines() -> None:
    assert said("The bridge was built\nin 1931. It stands\nto this day.") == [
        "The bridge was built in 1931.",
        "It stands to this day.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Mr. J. K. Smith met Dr. Jones in the U.S. Senate.",
        "It took 3.5 hours, i.e. Most of the day.",
        "See No. 7 and fig. 2 there.",
        '"Really?" she asked.',
        "He met e.g. the mayor.",
    ],
)
def test_abbreviations_initials_and_what_goes_on_end_no_sentence(text: str) -> None:
    assert said(text) == [text]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The answer is no. Then he left.", 2),
        ("He left (at last.) She stayed… It rained?! Yes.", 4),
        ("它是好的。我们走吧。好", 3),
        ("यह अच्छा है। वह गया।", 2),
        ("هل ذهب؟ نعم.", 2),
        ("", 0),
        (" \n\n\t\n", 0),
        ("---\n\n***", 0),
    ],
)
def test_sentences_end_in_other_scripts_too(text: str, count: int) -> None:
    assert len(said(text)) == count


@pytest.mark.parametrize(
    "text",
    [
        "x" * 50_000,
        "word " * 10_000,
        "word\n" * 10_000 + "end.",
        "." * 50_000,
        '."' * 25_000,
        ". " * 10_000,
        "# a" + " #" * 25_000 + "x",
        "#" + " " * 50_000 + "x",
        "\ta" * 25_000,
        "| " * 25_000,
        "a,b\n" * 10_000,
        "漢" * 20_000,
    ],
    ids=lambda text: f"{text[:3]!r}",
)
def test_a_document_without_sentences_is_cut_into_bounded_pieces(text: str) -> None:
    assert all(len(sentence.text) <= LONGEST_SENTENCE for sentence in split(text))


def test_five_thousand_sentences_are_five_thousand() -> None:
    assert len(split("It is so. " * 5_000)) == 5_000


def test_leads_are_bounded_however_deep_a_list_is() -> None:
    deep = split("\n".join(f"{' ' * depth}- {depth}:" for depth in range(300)))
    long = split("x" * (LONGEST_LEAD + 1) + ":\n- item")

    assert deep[-1].said == "296: 297: 298: 299:"
    assert MOST_LEADS == 3
    assert long[-1].lead == ""


def test_a_place_touches_the_sentences_that_it_overlaps_and_no_neighbour() -> None:
    sentences = split("It rains. It pours. It ends.", "It rains.")

    assert [sentence.number for sentence in sentences_touching(sentences, 0, 4, 12)] == [1, 2]
    assert [sentence.number for sentence in sentences_touching(sentences, 0, 9, 10)] == []
    assert [sentence.number for sentence in sentences_touching(sentences, 1, 0, 9)] == [4]


def test_sentences_are_shown_a_line_each_with_their_numbers() -> None:
    assert shown_with_numbers(split("Two:\n- it\n  rains")) == "[1] Two:\n[2] it rains"


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(["Ann ran. ", "\n", "\n\n", "- ", "| a | b |", "# ", "x: ", "1. ", "。", "go", "\t", "\r\n"])
    )
)
@example(["\n", "a"])
def test_sentences_stand_in_order_where_they_say_and_no_letter_is_lost(parts: list[str]) -> None:
    text = "".join(parts)

    sentences = split(text)

    assert all(text[item.start : item.end] == item.text == item.text.strip() != "" for item in sentences)
    assert all(first.end <= second.start for first, second in pairwise(sentences))
    assert sum(map(str.isalpha, text)) == sum(letter.isalpha() for item in sentences for letter in item.text)
