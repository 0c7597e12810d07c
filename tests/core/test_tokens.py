"""The estimate of tokens, where no tokenizer is at hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.core.calls import Message
from moot.core.tokens import estimated_tokens, prompt_tokens


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("ööö", 2), ("\ud800", 1)])
def test_three_bytes_are_a_token_and_a_begun_one_counts(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


@given(st.text(), st.text())
def test_a_text_and_its_parts_agree_to_within_one_token(one: str, two: str) -> None:
    assert 0 <= estimated_tokens(one) + estimated_tokens(two) - estimated_tokens(one + two) <= 1


def test_each_message_costs_what_a_template_adds() -> None:
    assert prompt_tokens([Message("system", "abc"), Message("user", "")]) == 1 + 8 + 8
