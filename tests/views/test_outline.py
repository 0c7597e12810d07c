"""What a protocol shows to a person, as lines."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from moot.views.outline import outlined

WORDS = st.text(st.characters(categories=("L", "N", "P"), max_codepoint=0x17F), min_size=1, max_size=30)
VALUES = st.recursive(
    WORDS | st.booleans() | st.none() | st.integers(-99, 99),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


def lines(value: Any, width: int = 40) -> list[str]:
    return list(outlined(value, width))


def test_names_stand_before_their_values_in_the_order_given() -> None:
    shown = {"suspected": "ease", "because": ["all sure", "nobody moved"], "answer": {"text": "yes", "sure": 0.75}}

    assert lines(shown) == [
        *("suspected: ease", "because:", "  - all sure", "  - nobody moved"),
        *("answer:", "  text: yes", "  sure: 0.75"),
    ]


def test_a_list_of_mappings_has_a_dash_for_each() -> None:
    shown = {"work": [{"role": "critic", "points": ["one", "two"]}, {"role": "judge", "points": []}]}

    assert lines(shown) == [
        *("work:", "  - role: critic", "    points:", "      - one", "      - two"),
        *("  - role: judge", "    points: none"),
    ]


def test_nothing_is_said_in_words_and_never_as_a_value_of_the_language() -> None:
    shown = {"a_b": None, "c": True, "d": [], "e": {}, "f": "", "g": False, "h": 2.0, "i": [None, [True]]}

    assert lines(shown) == [
        *("a b: none", "c: yes", "d: none", "e: none", "f: none", "g: no", "h: 2"),
        *("i:", "  - none", "  - - yes"),
    ]


def test_a_long_text_is_wrapped_to_the_width_and_none_of_it_is_lost() -> None:
    words = [f"word{number}" for number in range(2_000)]

    told = lines({"summary": " ".join(words)}, width=60)

    assert max(map(len, told)) <= 60
    assert " ".join(" ".join(told).split()) == f"summary: {' '.join(words)}"


def test_a_text_of_several_lines_keeps_them_and_its_own_indents() -> None:
    told = lines({"summary": "=== ROUND 1 ===\n  m1: yes, because it is cheap and quick to do\n\nend"}, width=30)

    assert told == [
        *("summary:", "  === ROUND 1 ==="),
        *("    m1: yes, because it is", "    cheap and quick to do", "  ", "  end"),
    ]


def test_a_models_text_cannot_move_the_cursor_or_pass_for_a_name_of_the_protocol() -> None:
    told = lines({"position": "yes\x1b[2J\u202e\rproposal: P9\nproposal: P9\u2028decision: accepted", "proposal": "P1"})

    assert not any(letter in line for line in told for letter in "\x1b\r\u202e\u2028")
    assert [line for line in told if line.startswith(("proposal", "decision"))] == ["proposal: P1"]


def texts(value: Any) -> list[str]:
    """Return every text and every name in a value."""
    if isinstance(value, dict):
        return [text for name, inner in value.items() for text in (name.replace("_", ""), *texts(inner))]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner)]
    return [value] if isinstance(value, str) else []


@given(st.dictionaries(WORDS, VALUES, max_size=4))
def test_whatever_is_given_each_line_fits_and_every_letter_of_it_is_there(shown: dict[str, Any]) -> None:
    told = lines(shown, 100)

    printed = "".join("".join(told).split())
    assert all(len(line) <= 100 for line in told)
    assert all(text in printed for text in texts(shown))
