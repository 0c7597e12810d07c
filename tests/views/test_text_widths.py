"""How wide a text is, and where its lines break."""

from unicodedata import combining

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.views.text_widths import ELLIPSIS, TO_SPARE, shortened_line, text_width, wrapped_lines
from moot.views.words import flat

ROOM, SIZE = 180.0, 12.0


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200), st.integers(1, 4))
def test_no_line_is_wider_than_its_room_and_none_of_the_text_is_lost_unless_it_says_so(text: str, most: int) -> None:
    lines = wrapped_lines(text, ROOM, SIZE, most)

    assert len(lines) <= most
    assert all(text_width(line.text, SIZE) <= ROOM + 1e-6 for line in lines)
    said = "".join("".join(line.text for line in lines).split())
    if not said.endswith(ELLIPSIS):
        # Towers of accents are made lower, and nothing else is taken away.
        assert len("".join(flat(text).split())) - len(said) <= sum(combining(letter) > 0 for letter in text)


def test_a_letter_takes_its_width_in_dejavu_and_eight_per_cent_to_spare() -> None:
    assert text_width("W", 10) == pytest.approx(10 * TO_SPARE)
    assert text_width("i" * 10, 10) < text_width("m" * 4, 10)
    assert text_width("é", 10) == text_width("e", 10) == text_width("e\u0301", 10)
    assert text_width("a", 10, bold=True) > text_width("a", 10)


@pytest.mark.parametrize(
    "text", ["x" * 200_000, "W" * 200_000, "\U0001f468\u200d\U0001f469" * 5_000, "中" * 100_000, "\ufdfd" * 9_000]
)
def test_a_word_of_200_kilobytes_fills_the_lines_there_are_and_ends_in_an_ellipsis(text: str) -> None:
    lines = wrapped_lines(text, ROOM, SIZE, 3)

    assert len(lines) == 3
    assert lines[-1].text.endswith(ELLIPSIS)
    assert all(line.width <= ROOM for line in lines)


def test_a_line_with_letters_of_unknown_width_has_its_length_stated_and_a_plain_one_has_not() -> None:
    assert [
        shortened_line(text, ROOM, SIZE).stated for text in ("plain — “words” ✓", "中文", "שלום", "\U0001f600")
    ] == [
        False,
        True,
        True,
        True,
    ]


def test_words_stay_whole_where_they_fit_and_turned_text_is_made_harmless() -> None:
    lines = wrapped_lines("The survey covers every server in the hall", ROOM, SIZE, 3)

    assert [line.text for line in lines] == ["The survey covers every", "server in the hall"]
    assert "\u202e" not in shortened_line("\u202eevil", ROOM, SIZE).text
    assert wrapped_lines(" \n\t ", ROOM, SIZE, 3) == ()
    assert len(shortened_line("e" + "\u0301" * 500, ROOM, SIZE).text) == 4
