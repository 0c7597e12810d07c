"""Number words are read whole or not at all (ruling S12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.oracles.reading.numerals import with_digits

ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def in_words(number: int, joined: str = " and ") -> str:
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")
    for size, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            above, below = divmod(number, size)
            between = joined if below < 100 else " "
            return f"{in_words(above, joined)} {name}" + (f"{between}{in_words(below, joined)}" if below else "")
    raise AssertionError(number)


@pytest.mark.clause("ruling:S12")
@given(st.integers(0, 10**9 - 1), st.sampled_from([" and ", " "]))
def test_a_number_in_words_is_the_number(number: int, joined: str) -> None:
    assert with_digits(f"it is {in_words(number, joined)}.") == f"it is {number}."


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("four times six is twenty-four", "4 times 6 is 24"),
        ("a hundred", "100"),
        ("a million and one", "1000001"),
        ("twenty four", "24"),
        ("the sum of three and four", "the sum of 3 and 4"),
        ("someone is often tenfold", "someone is often tenfold"),
    ],
)
def test_a_sentence_keeps_its_other_words(words: str, digits: str) -> None:
    assert with_digits(words) == digits


@pytest.mark.parametrize(
    "words",
    [
        "nineteen eighty-four",
        "one two three",
        "five and twenty",
        "twenty twenty",
        "fifty-fifty",
        "forty-twelve",
        "two thousand three million",
        "one hundred and thousand",
        "a thousand thousand",
        "hundred",
        "the sum of one hundred and five",
    ],
)
def test_what_is_no_number_as_a_whole_has_no_reading(words: str) -> None:
    assert with_digits(words) is None
