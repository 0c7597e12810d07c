"""What members send: an answer, a ranking, and the chairman's text."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StringConstraints

from moot.protocol import Reply

Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=40_000)]
Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40_000)]


def order_items(order: Any) -> Any:
    """Return the items of an order that came as one text, such as "B > A > C" or "BAC"; anything else as it is."""
    match order:
        case str(text) | [str(text)]:
            parts = [part.strip() for part in re.split(r"[>,;\n]+", text) if part.strip()]
            words = parts if len(parts) > 1 else text.split()
            return list(words[0]) if len(words) == 1 and re.fullmatch("[A-Z]+", words[0]) else words
        case _:
            return order


class Answer(Reply):
    """A member's own answer. Reasons come first: what is written first is thought of first."""

    reasons: Text = ""
    answer: Said


class Ranking(Reply):
    """Letters, best first. Whether they make a ranking is for the rules to say: a poor one is still evidence."""

    reason: Text = ""
    order: Annotated[tuple[Text, ...], BeforeValidator(order_items), Field(max_length=200)]


class Final(Reply):
    """The chairman's answer, and which answer it follows. It is not asked how sure it is: that is measured."""

    reasons: Text = ""
    follows: Text = ""
    answer: Said
