"""The small limits of the context, kept by the program (debate 7.2, 7.3; ruling D10)."""

import json
from typing import Any

from moot.core.tokens import BYTES_PER_TOKEN, estimated_tokens

CLAIM, GIST, ONE_LINER, NOTE, BEST = 30, 25, 35, 20, 25
"""The small limits of debate 7.2 and 7.3, in tokens."""


def clipped(text: str, tokens: int) -> str:
    """Return the start of a text that is at most so many tokens, cut between words."""
    flat = " ".join(text.split())
    if estimated_tokens(flat) <= tokens:
        return flat
    room = flat.encode()[: tokens * BYTES_PER_TOKEN - len("…".encode())].decode("utf-8", "ignore")
    return f"{room.rsplit(' ', 1)[0] if ' ' in room else room}…"


def compact(value: Any) -> str:
    """Return a plain value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def without_nothing(**fields: Any) -> dict[str, Any]:
    """Return the fields that say something: what is empty is paid for by the token too."""
    return {name: value for name, value in fields.items() if value not in ("", None, False, [])}
