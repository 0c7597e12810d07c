"""The parsing policy of ruling G3 (interrogation 4.3), as pure functions of a reply's text.

Set reasoning aside, strip fences and surroundings, parse, validate; one retry that quotes the error; then
salvage. The order of these is decided in `steps`; here is what each of them does.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import SupportsIndex

from pydantic import ValidationError
from typing_extensions import override

from moot.core.calls import Message, Prose, R
from moot.core.canonical import plain

LONGEST_REPLY = 400_000
"""Characters. What is longer is not read: it is no answer."""

LONGEST_SALVAGED = 32_000
"""Characters. The lenient parser is slow, and the whole run waits for it."""

LOOKS_A_CHARACTER = 20
"""How often the lenient parser may look at a text, for each of its characters: what a model breaks takes two."""

MOST_ESCAPED = 30_000_000
"""Escapes times characters: the lenient parser goes through what it has read anew at each."""

QUOTED_REPLY = 4_000
"""Characters of a bad reply that its author gets to see again."""

MOST_PROBLEMS = 5

CORRECTION = (
    "Send the whole answer again as one JSON object of the shape asked for, on one line. "
    "Output ONLY the JSON object: no fences, no words before or after it."
)

FEW_SIGNS = 12
"""Characters of an answer that may do without a letter or a digit."""

TWICE = "stands twice with different values"

DEEPEST = 64
"""Levels of nesting. What is deeper is no answer, and neither the record nor a lenient parser could take it."""

_WORD = re.compile(r"[^\W_]")
_BRACKET = re.compile(r"[{}\[\]]")
_CLOSING = {"{": "}", "[": "]"}
_THINKING = re.compile(r"<think(?:ing)?>(.*?)(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_LATE_END_OF_THINKING = re.compile(r"\A(.*?)</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unparsed:
    """Why a text is not the reply that was asked for, in words that its author can use."""

    problem: str


def set_reasoning_aside(text: str) -> tuple[str, str]:
    """Return the text without its reasoning blocks, and the reasoning."""
    if text.lstrip().startswith(("{", "```")):
        # The object has begun: a tag in it is part of somebody's words, not of the model's thinking.
        return text.strip(), ""
    blocks = [found.strip() for found in _THINKING.findall(text)]
    rest = _THINKING.sub("", text)
    if late := _LATE_END_OF_THINKING.match(rest):
        # Some chat templates open the block in the prompt, so that only its end comes back.
        blocks.insert(0, late.group(1).strip())
        rest = rest[late.end() :]
    return rest.strip(), "\n\n".join(block for block in blocks if block)


def parse(text: str, reply: type[R]) -> R | Unparsed:
    """Return the reply that the text holds, fences and surroundings stripped."""
    if len(text) > LONGEST_REPLY:
        return Unparsed(f"the reply has {len(text)} characters, and {LONGEST_REPLY} are read at most")
    if not text.strip():
        return Unparsed("the reply is empty")
    if reply is Prose:
        return _validated({"text": text.strip()}, reply)
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return Unparsed("there is no JSON object in the reply")
    try:
        value = json.loads(text[start : end + 1], object_pairs_hook=_said_once)
    except SaidTwice as error:
        return Unparsed(str(error))
    except ValueError as error:
        return Unparsed(f"the JSON does not parse: {error}")
    except RecursionError:
        return Unparsed("the JSON is nested too deeply")
    return _validated(value, reply)


def salvage(text: str, reply: type[R], *, anew: bool = False) -> R | Unparsed:
    """Return what a lenient parser makes of a text that the strict one refused.

    It may not take long, by counts that are the same on every machine. `anew` is for what was salvaged before.
    """
    from json_repair import repair_json

    if reply is Prose or "{" not in text or len(text) > LONGEST_SALVAGED:
        return Unparsed("there is nothing to salvage")
    if not anew and text.count("\\") * len(text) > MOST_ESCAPED:
        return Unparsed("too much of it is escaped to salvage it")
    if _tangled(text):
        return Unparsed("the JSON is nested too deeply")
    if isinstance(strict := parse(text, reply), Unparsed) and strict.problem.endswith(TWICE):
        return strict
    begun = text[text.find("{") :]
    watched = begun if anew else _Watched(begun)
    try:
        value = repair_json(watched, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError) as error:
        return Unparsed(f"it could not be salvaged: {type(error).__name__}")
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, dict)), None)
    return _validated(value, reply)


class LookedTooOften(ValueError):
    """A text took the lenient parser more looks than any answer does."""


class _Watched(str):
    """A text that counts how often it is looked at, since the parser that goes back and forth in it does not."""

    __slots__ = ("_left",)

    def __init__(self, text: str) -> None:
        self._left = LOOKS_A_CHARACTER * len(text)

    @override
    def __getitem__(self, place: SupportsIndex | slice) -> str:
        found = super().__getitem__(place)
        self._left -= len(found)
        if self._left < 0:
            raise LookedTooOften
        return found


def retry_messages(
    messages: tuple[Message, ...], text: str, problem: str, *, prose: bool = False
) -> tuple[Message, ...]:
    """Return the prompt of the one retry: the first prompt, the bad reply, and what was wrong with it."""
    shown = text[:QUOTED_REPLY] or "(nothing)"
    correction = f"That reply cannot be used: {problem}. "
    correction += "Send the whole answer again." if prose else CORRECTION
    return (*messages, Message("assistant", shown), Message("user", correction))


class SaidTwice(ValueError):
    """A field stands twice in one object with different values: nobody knows which of them was meant."""


def _said_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    said: dict[str, object] = {}
    for name, value in pairs:
        if name in said and said[name] != value:
            raise SaidTwice(f"the field {name[:40]!r} {TWICE}")
        said[name] = value
    return said


def _validated(value: object, reply: type[R]) -> R | Unparsed:
    if not isinstance(value, dict):
        return Unparsed("the reply is not a JSON object")
    if _too_deep(value):
        return Unparsed("the JSON is nested too deeply")
    try:
        # What the protocol reads is what the record keeps: no NaN, no half characters, the record's rounding.
        value = plain(value)
    except ValueError as error:
        return Unparsed(str(error))
    try:
        read = reply.model_validate(value)
    except ValidationError as error:
        problems = [
            f"{'.'.join(str(part) for part in item['loc']) or 'the object'}: {item['msg']}" for item in error.errors()
        ]
        more = f" and {len(problems) - MOST_PROBLEMS} more" if len(problems) > MOST_PROBLEMS else ""
        return Unparsed("; ".join(problems[:MOST_PROBLEMS]) + more)
    empty = next((name for name in read.puts_forward if _is_noise(getattr(read, name, None))), "")
    return Unparsed(f"the field {empty!r} says nothing") if empty else read


def _is_noise(said: object) -> bool:
    """Whether a text is signs without a word; a few may be an answer, such as `+=`."""
    return isinstance(said, str) and len(said) > FEW_SIGNS and not _WORD.search(said)


def _too_deep(value: object) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [part for item in level for part in _parts(item)]
        if not level:
            return False
    return True


def _parts(value: object) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _tangled(text: str) -> bool:
    """Whether brackets go deeper, or close what they did not open more often, than any answer's do."""
    awaited: list[str] = []
    astray = 0
    for bracket in _BRACKET.findall(text):
        if bracket in _CLOSING:
            awaited.append(_CLOSING[bracket])
        elif awaited and awaited[-1] == bracket:
            awaited.pop()
        else:
            astray += 1
        if max(len(awaited), astray) > DEEPEST:
            return True
    return False
