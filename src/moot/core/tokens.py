"""How many tokens a text is: by what a member's own tokenizer makes of its prompts, an estimate, or an upper bound.

Plans are made with the estimate, and say "about". Money is kept by the bound: prose takes a fourth of it, digits and
other scripts take nearly all of it with some tokenizers (`benchmarks/tokens.py`).
"""

import math
from collections.abc import Iterable

from moot.core.calls import Message

BYTES_PER_TOKEN = 3.0
MESSAGE_OVERHEAD = 8


def estimated_tokens(text: str, bytes_per_token: float = BYTES_PER_TOKEN) -> int:
    """Return an estimate by the bytes of UTF-8, begun tokens counted; for prose it is an upper one, for digits none."""
    return math.ceil(len(text.encode("utf-8", "replace")) / bytes_per_token)


def most_tokens(text: str) -> int:
    """Return a number of tokens that no tokenizer passes: each token is a byte of UTF-8 at least, but for a space that
    some set before a text."""
    return len(text.encode("utf-8", "replace")) + 1


def prompt_tokens(messages: Iterable[Message], bytes_per_token: float = BYTES_PER_TOKEN) -> int:
    """Return an estimate for a whole prompt, with what a chat template adds to each message."""
    return sum(estimated_tokens(message.content, bytes_per_token) + MESSAGE_OVERHEAD for message in messages)


def bytes_per_token(contents: Iterable[str], tokens: int) -> float | None:
    """Return how many bytes of these messages were a token, given how many tokens a member counted; None for nothing.

    Rounded down to a tenth, so that the same member gives the same figure from prompt to prompt.
    """
    texts = list(contents)
    counted = tokens - MESSAGE_OVERHEAD * len(texts)
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    return math.floor(10 * (size / counted) + 0.1) / 10 if size and counted > 0 else None
