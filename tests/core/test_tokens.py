"""The estimate of tokens, where no tokenizer is at hand."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.core.calls import Message
from moot.core.tokens import bytes_per_token, estimated_tokens, most_tokens, prompt_tokens


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("ööö", 2), ("\ud800", 1)])
def test_three_bytes_are_a_token_and_a_begun_one_counts(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


@pytest.mark.parametrize(
    "text", ["0123456789" * 50, "\n".join("3.141" for _ in range(90)), "ወደቡ በመከር ተቆፈረ፣", "🦉🧮👩‍🚀", "\x01\x02" * 40]
)
def test_what_money_is_kept_by_is_never_less_than_the_tokens_that_a_tokenizer_makes_of_it(text: str) -> None:
    wordllama = pytest.importorskip("wordllama", reason="its wheel carries a tokenizer that falls back to bytes")
    tokenizers = pytest.importorskip("tokenizers", reason="it reads that tokenizer")
    folder = Path(wordllama.__path__[0]) / "tokenizers"
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "l2_supercat_tokenizer_config.json"))
    tokenizer.no_truncation()

    made = len(tokenizer.encode(text, add_special_tokens=False).ids)

    assert estimated_tokens(text) < made <= most_tokens(text)


@given(st.text(), st.text())
def test_a_text_and_its_parts_agree_to_within_one_token(one: str, two: str) -> None:
    assert 0 <= estimated_tokens(one) + estimated_tokens(two) - estimated_tokens(one + two) <= 1


def test_each_message_costs_what_a_template_adds() -> None:
    assert prompt_tokens([Message("system", "abc"), Message("user", "")]) == 1 + 8 + 8


@given(st.lists(st.text(min_size=40, max_size=400), min_size=1, max_size=4), st.sampled_from([1.5, 2.0, 3.0, 4.2]))
def test_what_a_tokenizer_counted_gives_its_bytes_a_token_rounded_down(texts: list[str], size: float) -> None:
    counted = prompt_tokens([Message("user", text) for text in texts], size)

    found = bytes_per_token(texts, counted)

    assert found is not None
    assert size - 0.5 <= found <= size + 0.01
    assert round(10 * found) == pytest.approx(10 * found)


def test_a_count_that_cannot_be_is_no_figure() -> None:
    assert bytes_per_token(["abc"], 3) is None
    assert bytes_per_token([], 100) is None
