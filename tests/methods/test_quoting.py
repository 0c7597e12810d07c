"""Where a quote stands in a text (ruling I5)."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.methods.quoting import MOST_COMPARED, quoted_span

PUMP = (
    "The pump was started on 3 May 2021 by Ada Brook. It \u201cran well\u201d \u2013 all night \u2013 and\n"
    "never stopped. The bill came to 1,250.50 euros. The cellar stayed at -5 degrees."
)
MILL = "The mill stands by the river. Two wheels were replaced in 2019."
STARTED = "The pump was started on 3 May 2021 by Ada Brook"


def words(quote: str, text: str = PUMP, **options: bool) -> str | None:
    """The words of the text that a quote is found to be."""
    span = quoted_span(quote, text, **options)
    return text[span.start : span.end] if span else None


@pytest.mark.clause("ruling:I5")
@pytest.mark.parametrize(
    ("quote", "there"),
    [
        (STARTED, f"{STARTED}."),
        (f"{STARTED}.", f"{STARTED}."),
        ("the  PUMP was\nstarted on 3 May 2021 by Ada Brook", f"{STARTED}."),
        ("It 'ran well' - all night", "It \u201cran well\u201d \u2013 all night"),
        ('"ran well" \u2014 all night \u2014 and never stopped.', PUMP[52:95]),
        ("The bill came to 1,250.50 euros", "The bill came to 1,250.50 euros."),
    ],
)
def test_a_quote_is_found_to_the_letter_and_in_other_white_space_case_quotes_and_dashes(quote: str, there: str) -> None:
    assert words(quote, to_the_letter=True) == there


@pytest.mark.clause("ruling:I5")
def test_a_quote_with_a_slip_or_a_torn_last_word_is_found_above_the_floor() -> None:
    assert words("The pump was startd on 3 May 2021 by Ada Brook") == f"{STARTED}."
    assert words("The bill came to 1,250.50 eur") == "The bill came to 1,250.50 euros."
    assert words("A pump had been set going in 2021 by Ada Brook") is None
    assert words("The pump was stopped on 3 May 2021 by Eve Crook") is None
    assert words("The pump was startd on 3 May 2021 by Ada Brook", to_the_letter=True) is None


@pytest.mark.clause("ruling:I5")
@pytest.mark.parametrize(
    "quote",
    [
        "The pump was not started on 3 May 2021 by Ada Brook",
        "The pump wasn't started on 3 May 2021 by Ada Brook",
        "The pump was started on 4 May 2021 by Ada Brook",
        "The pump was started on 3 May 2022 by Ada Brook",
        "It ran well - all night - and stopped",
        "The bill came to 1,250",
        "The bill came to 1,25",
        "The bill came to 250.50 euros",
        "The cellar stayed at 5 degrees",
        "5 degrees is what it stayed at",
    ],
)
def test_a_quote_with_another_negation_or_another_number_is_not_found_however_alike(quote: str) -> None:
    assert words(quote) is None


@pytest.mark.clause("ruling:I5")
def test_numbers_in_words_are_numbers_too() -> None:
    assert words("Two wheels were replaced in 2019", MILL) == "Two wheels were replaced in 2019."
    assert words("Ten wheels were replaced in 2019", MILL) is None


@pytest.mark.clause("ruling:I5")
def test_a_number_is_quoted_whole_or_not_at_all() -> None:
    text = "The fine was 100 euros, the fee 10.5 euros, the dip -5 degrees."

    assert words("The fine was 10", text) is None
    assert words("the fee 10", text) is None
    assert words("5 euros, the dip", text) is None
    assert words("the dip -5 degrees", text) == "the dip -5 degrees."


def test_nothing_is_quoted_from_nothing_and_nothing_is_no_quote() -> None:
    assert words("", PUMP) is None
    assert words('"..."', PUMP) is None
    assert words("a quote", " \n ") is None


def test_an_endless_quote_is_refused_without_aligning_it() -> None:
    assert words("lorem upsum dolor " * 20_000, "lorem ipsum dolor " * 30_000) is None


@pytest.mark.parametrize("number", [0, 1, 777, 4_000, 7_999])
def test_a_quote_with_a_slip_is_found_in_a_long_text_among_others_that_are_much_like_it(number: int) -> None:
    names = [f"{chr(97 + place % 26)}{chr(97 + place // 26 % 26)}{chr(97 + place // 676)}" for place in range(8_000)]
    said = [f"The pump of {name} was started by Ada {name} Brook and ran all night in the cellar." for name in names]
    text = " ".join(said)
    assert len(said[0]) * len(text) > MOST_COMPARED

    quote = said[number].replace("started", "startd")

    assert words(quote, text) == said[number]
    assert words(quote.replace("night", "12 nights"), text) is None


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.text(max_size=80))
def test_whatever_is_found_is_a_part_of_the_text(quote: str, text: str) -> None:
    span = quoted_span(quote, text)

    assert span is None or 0 <= span.start < span.end <= len(text)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 30), st.integers(1, 30))
def test_every_part_of_a_text_is_found_in_it_where_it_stands(start: int, length: int) -> None:
    found = list(re.finditer(r"\S+", PUMP))[start : start + length]
    quote = PUMP[found[0].start() : found[-1].end()] if found else ""

    span = quoted_span(quote, PUMP)

    if span and PUMP.count(quote) == 1:
        assert (span.start, span.end) == (found[0].start(), found[-1].end())
    else:
        assert not re.search(r"\w", quote) or PUMP.count(quote) > 1
