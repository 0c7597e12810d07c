"""How many tokens a text is, where no tokenizer is at hand."""

from collections.abc import Iterable

from moot.core.calls import Message

BYTES_PER_TOKEN = 3
MESSAGE_OVERHEAD = 8


def estimated_tokens(text: str) -> int:
    """Return an upper estimate for prose: one token for every three bytes of UTF-8, begun ones counted."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def prompt_tokens(messages: Iterable[Message]) -> int:
    """Return an upper estimate for a whole prompt, with what a chat template adds to each message."""
    return sum(estimated_tokens(message.content) + MESSAGE_OVERHEAD for message in messages)
