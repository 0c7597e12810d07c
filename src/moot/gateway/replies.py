"""What a chat endpoint sent back, read without trust: a wrong or missing part is empty or unknown, never guessed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from moot.core.calls import Completion, Usage

MOST_TOKENS = 1_000_000_000
"""No reply takes more; a larger number is a mistake, and would not fit a database."""

MOST_DOLLARS = 1_000_000.0
LONGEST_FINISH = 40
LONGEST_NAME = 200

Cost = Callable[[int | None, int | None], float | None]
"""Dollars for so many tokens in and out, where that is known."""


def completion_of(data: object, cost: Cost, wanted: int = 1) -> Completion | None:
    """Return the first choice of a chat completion with as many more as were wanted; None where it is none."""
    listed = data.get("choices") if isinstance(data, Mapping) else None
    choices = listed[:wanted] if isinstance(listed, list) else []
    if not isinstance(data, Mapping) or not choices or not all(map(_is_choice, choices)):
        return None
    shares = _shares([choice.get("usage") for choice in choices], data.get("usage"), cost)
    first, *more = (_read(choice, usage) for choice, usage in zip(choices, shares, strict=True))
    return replace(first, more=tuple(more), model=_file_name(_name(data.get("model"))), id=_name(data.get("id")))


def _is_choice(choice: object) -> bool:
    return isinstance(choice, Mapping) and isinstance(choice.get("message"), Mapping)


def _read(choice: Mapping[str, Any], usage: Usage) -> Completion:
    message = choice["message"]
    text, refusal = _text(message.get("content")), message.get("refusal")
    if not text and isinstance(refusal, str) and refusal:
        return Completion(refusal, usage, _reasoning(message), "refusal")
    finish = choice.get("finish_reason")
    return Completion(
        text=text,
        usage=usage,
        reasoning=_reasoning(message),
        finish=finish[:LONGEST_FINISH] if isinstance(finish, str) else "stop",
    )


def _shares(own: Sequence[object], whole: object, cost: Cost) -> list[Usage]:
    """Return what each reply of one call took: by its own count, else the whole call's stands with the first."""
    if len(own) > 1 and all(isinstance(each, Mapping) for each in own):
        # The prompt was read once.
        first, *more = (dict(each) for each in own if isinstance(each, Mapping))
        return [usage_of(each, cost) for each in (first, *({**each, "prompt_tokens": 0} for each in more))]
    added = Usage(0, 0, 0.0) if isinstance(whole, Mapping) else usage_of(None, cost)
    return [usage_of(whole, cost), *(added for _ in own[1:])]


def usage_of(usage: object, cost: Cost) -> Usage:
    """Return what the reply says it took; dollars by the provider's own word, else by the price."""
    said = usage if isinstance(usage, Mapping) else {}
    tokens_in, tokens_out = _count(said.get("prompt_tokens")), _count(said.get("completion_tokens"))
    usd = _dollars(said.get("cost"))
    return Usage(tokens_in, tokens_out, cost(tokens_in, tokens_out) if usd is None else usd)


@dataclass(slots=True)
class GrowingChoice:
    """One of the replies that arrive in pieces."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    finish: str | None = None
    usage: object = None

    def add(self, choice: Mapping[str, Any]) -> bool:
        """Take one piece; return whether it brought a token."""
        self.finish = choice.get("finish_reason") or self.finish
        delta = choice.get("delta")
        if not isinstance(delta, Mapping):
            return False
        text, reasoning = _text(delta.get("content")), _reasoning(delta)
        self.text.append(text)
        self.reasoning.append(reasoning)
        return bool(text or reasoning)

    def whole(self) -> dict[str, Any]:
        """Return all pieces as one choice."""
        message = {"content": "".join(self.text), "reasoning_content": "".join(self.reasoning)}
        return {"message": message, "finish_reason": self.finish, "usage": self.usage}


@dataclass(slots=True)
class Growing:
    """Replies that arrive in pieces; `whole` is what they would have been in one."""

    wanted: int = 1
    choices: dict[int, GrowingChoice] = field(default_factory=dict)
    ended: GrowingChoice | None = None
    """The choice that ended last: llama.cpp sends each one's usage right behind its end."""
    usage: object = None
    model: object = None
    id: object = None
    tokens: int = 0

    def add(self, chunk: object) -> bool:
        """Take one piece; return whether it brought a token."""
        if not isinstance(chunk, Mapping):
            return False
        self.usage = chunk.get("usage") or self.usage
        self.model, self.id = chunk.get("model") or self.model, chunk.get("id") or self.id
        listed = chunk.get("choices")
        if not listed and self.ended is not None:
            self.ended.usage = chunk.get("usage") or self.ended.usage
        new = sum(self._grow(choice) for choice in (listed if isinstance(listed, list) else ()))
        self.tokens += new
        return new > 0

    def _grow(self, choice: object) -> bool:
        if not isinstance(choice, Mapping):
            return False
        index = _count(choice.get("index")) or 0
        if index >= self.wanted:
            return False
        growing = self.choices.setdefault(index, GrowingChoice())
        brought = growing.add(choice)
        if choice.get("finish_reason"):
            self.ended = growing
        return brought

    def whole(self) -> dict[str, Any]:
        """Return all pieces as one chat completion."""
        choices = [choice.whole() for _, choice in sorted(self.choices.items())]
        choices = choices or [GrowingChoice().whole()]
        return {"choices": choices, "usage": self.usage, "model": self.model, "id": self.id}


def _name(said: object) -> str:
    name = said[:LONGEST_NAME] if isinstance(said, str) else ""
    return "".join(letter for letter in name if letter.isprintable())


def _file_name(model: str) -> str:
    """The name of a model; a server that tells which file it has loaded need not tell where that lies."""
    is_path = model.startswith(("/", "~", ".")) or "\\" in model
    return model.replace("\\", "/").rpartition("/")[2] if is_path else model


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
