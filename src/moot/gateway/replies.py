"""What a chat endpoint sent back, read without trust: a wrong or missing part is empty or unknown, never guessed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from moot.core.calls import Completion, Usage

MOST_TOKENS = 1_000_000_000
"""No reply takes more; a larger number is a mistake, and would not fit a database."""

MOST_DOLLARS = 1_000_000.0
LONGEST_FINISH = 40

Cost = Callable[[int | None, int | None], float | None]
"""Dollars for so many tokens in and out, where that is known."""


def completion_of(data: object, cost: Cost) -> Completion | None:
    """Return the first choice of a chat completion, or None where the data is no chat completion."""
    choices = data.get("choices") if isinstance(data, Mapping) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(data, Mapping) or not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        return None
    text, refusal = _text(message.get("content")), message.get("refusal")
    if not text and isinstance(refusal, str) and refusal:
        return Completion(refusal, usage_of(data.get("usage"), cost), _reasoning(message), "refusal")
    finish = choice.get("finish_reason")
    return Completion(
        text=text,
        usage=usage_of(data.get("usage"), cost),
        reasoning=_reasoning(message),
        finish=finish[:LONGEST_FINISH] if isinstance(finish, str) else "stop",
    )


def usage_of(usage: object, cost: Cost) -> Usage:
    """Return what the reply says it took; dollars by the provider's own word, else by the price."""
    said = usage if isinstance(usage, Mapping) else {}
    tokens_in, tokens_out = _count(said.get("prompt_tokens")), _count(said.get("completion_tokens"))
    usd = _dollars(said.get("cost"))
    return Usage(tokens_in, tokens_out, cost(tokens_in, tokens_out) if usd is None else usd)


@dataclass(slots=True)
class Growing:
    """A reply that arrives in pieces; `whole` is what it would have been in one."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    finish: str | None = None
    usage: object = None
    tokens: int = 0

    def add(self, chunk: object) -> bool:
        """Take one piece; return whether it brought a token."""
        if not isinstance(chunk, Mapping):
            return False
        self.usage = chunk.get("usage") or self.usage
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, Mapping):
            return False
        self.finish = choice.get("finish_reason") or self.finish
        delta = choice.get("delta")
        if not isinstance(delta, Mapping):
            return False
        text, reasoning = _text(delta.get("content")), _reasoning(delta)
        self.text.append(text)
        self.reasoning.append(reasoning)
        self.tokens += bool(text or reasoning)
        return bool(text or reasoning)

    def whole(self) -> dict[str, Any]:
        """Return all pieces as one chat completion."""
        message = {"content": "".join(self.text), "reasoning_content": "".join(self.reasoning)}
        return {"choices": [{"message": message, "finish_reason": self.finish}], "usage": self.usage}


def _reasoning(message: Mapping[str, Any]) -> str:
    return _text(message.get("reasoning_content")) or _text(message.get("reasoning"))


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, Mapping))
    return ""


def _count(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= MOST_TOKENS else None


def _dollars(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= MOST_DOLLARS else None
