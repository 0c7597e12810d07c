"""Equal values are equal bytes, and what has no one form is refused."""

import json
import math
import random
import re
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from moot.core.canonical import canonical, digest, harmless_json, plain, rounded, storable
from moot.core.verdict import Status


@dataclass(frozen=True)
class Point:
    y: float
    x: float


class Named(BaseModel):
    inner: str = Field(alias="from")


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(st.characters()),
    ),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(st.characters()), inner)),
    max_leaves=20,
)


def shuffled(value: Any, seed: int) -> Any:
    """Return an equal value whose objects were filled in another order."""
    if isinstance(value, dict):
        items = [(key, shuffled(item, seed)) for key, item in value.items()]
        random.Random(seed).shuffle(items)
        return dict(items)
    return [shuffled(item, seed) for item in value] if isinstance(value, list) else value


@given(VALUES, st.integers(0, 9))
def test_equal_values_are_equal_bytes(value: Any, seed: int) -> None:
    assert canonical(shuffled(value, seed)).encode() == canonical(value).encode()


@given(VALUES)
def test_what_was_written_reads_back_to_the_same_bytes(value: Any) -> None:
    text = canonical(value)

    assert canonical(json.loads(text)) == text
    assert json.loads(text) == plain(value)


@given(st.text(st.characters()))
def test_any_text_can_be_stored(text: str) -> None:
    kept = storable(text)

    assert "\x00" not in kept
    assert kept.encode("utf-8").decode("utf-8") == kept
    assert len(kept) == len(text)
    assert storable(kept) == kept


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
        (0.1 + 0.2, "0.3"),
        (-0.0, "0.0"),
        (-0.0000001, "0.0"),
        (1.0000004, "1.0"),
        (1e300, "1e+300"),
        ("zoë", '"zoë"'),
        ("a\x00b", '"a\ufffdb"'),
        ("\ud800", '"\ufffd"'),
        ({"\ud800": 1}, '{"\ufffd":1}'),
        ((1, 2), "[1,2]"),
        (Point(y=1.0, x=2.0), '{"x":2.0,"y":1.0}'),
        (Named.model_validate({"from": "a"}), '{"from":"a"}'),
        (Status.COMPLETE, '"complete"'),
        (10**30, "1" + "0" * 30),
    ],
)
def test_each_value_has_its_one_text(value: Any, text: str) -> None:
    assert canonical(value) == text


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_none_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="cannot be kept in a record"):
        canonical({"a": [number]})


@pytest.mark.parametrize(
    "value", [{1, 2}, frozenset(), b"bytes", object(), {1: "a"}, {None: 1}, {"a": {1, 2}}, Point, 1j]
)
def test_what_has_no_one_form_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        canonical(value)


def test_a_threshold_compares_the_rounded_value() -> None:
    assert rounded(0.1 + 0.2) == 0.3
    assert rounded(0.8999999999) == 0.9


def test_keys_that_become_one_are_settled_by_their_order() -> None:
    assert canonical({"\x00": 1, "\ufffd": 2}) == canonical({"\ufffd": 2, "\x00": 1})


def test_a_digest_is_that_of_the_text() -> None:
    assert digest({"a": 1}) == "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5))
def test_json_for_a_terminal_has_the_same_value_and_nothing_that_a_terminal_acts_on(value: Any) -> None:
    shown = harmless_json(json.dumps(value, ensure_ascii=False))

    assert json.loads(shown) == value
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", shown)


@pytest.mark.parametrize("sign", ["\x7f", "\x9b", "\u202e", "\u2066", "\u200f"])
def test_a_control_sign_is_escaped_and_letters_stay(sign: str) -> None:
    assert harmless_json(f'"ö{sign}a"') == f'"ö\\u{ord(sign):04x}a"'
