"""What a step says it holds because of: numbers of sentences, ids of other claims, or a quote in words (I10, I11)."""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from moot.methods.grounding import SHORTEST_QUOTE, Grounds, found_quote
from moot.methods.sentences import Sentence

MOST_REASONS = 20
"""Reasons of one step that are read."""

LONGEST_SHOWN = 60
"""Characters of a reason that a repair repeats."""

# A small s is a step, as it was asked for; a capital one is a sentence.
_SENTENCE = re.compile(r"(?:S|[Ss](?:entence|ent\.?)s?\s*|#)?\s*#?(\d{1,6})(?:\.0)?")
# The line that was shown, number and words.
_LINE = re.compile(r"\[(\d{1,6})\]\s*[^\s\[\d].*|[Ss]entence (\d{1,6})[:.]\s+\S.*", re.DOTALL)
_LISTED = re.compile(r"\s*(?:[,;&]|\band\b|\]\s*\[)\s*")
_OUTER = " \t\n[]()\"'."


@dataclass(frozen=True, slots=True)
class StepReasons:
    """The sentences and the claims that a step rests on together, and what of its reasons is nothing."""

    sentences: tuple[Sentence, ...] = ()
    claims: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()


def read_reasons(because: Any, known: Container[str], grounds: Grounds) -> StepReasons:
    """Return what reasons name; what names nothing is a repair and no reason."""
    listed = because if isinstance(because, list | tuple) else () if because is None else (because,)
    sentences: dict[int, Sentence] = {}
    claims: dict[str, None] = {}
    repairs = [f"reasons past the {MOST_REASONS}th were left out"] if len(listed) > MOST_REASONS else []
    for reason in (part for item in listed[:MOST_REASONS] for part in _parts(item, known)):
        if isinstance(reason, str) and reason in known:
            claims[reason] = None
        elif named := read_sentences(reason, grounds):
            sentences |= {sentence.number: sentence for sentence in named}
        else:
            repairs.append(f"{shown(reason)} is no sentence, step or assumption")
    return StepReasons(tuple(sentences[number] for number in sorted(sentences)), tuple(claims), tuple(repairs))


def read_sentences(reason: Any, grounds: Grounds) -> tuple[Sentence, ...]:
    """Return the sentence that a reason names by its number, or those whose words it quotes."""
    number = _number(reason)
    if number is not None:
        sentence = grounds.sentence(number)
        return (sentence,) if sentence else ()
    if isinstance(reason, str) and len(reason.split()) >= SHORTEST_QUOTE:
        return found_quote(reason, "", grounds).sentences
    return ()


def shown(value: Any) -> str:
    """Return something that was read as a repair repeats it."""
    if isinstance(value, int) and abs(value) >= 10**LONGEST_SHOWN:
        return "a number without end"
    text = value if isinstance(value, str) else type(value).__name__ if _is_held(value) else str(value)
    return repr(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…")


def _parts(item: Any, known: Container[str]) -> Iterator[Any]:
    """Several names in one text, such as "[3], [5]" or "s1 and 3", are as many reasons."""
    if isinstance(item, Mapping):
        item = next((item[name] for name in ("sentence", "number", "id", "quote") if item.get(name) is not None), item)
    if not isinstance(item, str):
        yield item
        return
    whole = item.strip()
    parts = [part.strip(_OUTER) for part in _LISTED.split(whole)]
    is_list = len(parts) <= MOST_REASONS and all(part in known or _SENTENCE.fullmatch(part) for part in parts if part)
    yield from (part for part in parts if part) if is_list and whole not in known else (whole,)


def _number(reason: Any) -> int | None:
    if isinstance(reason, str):
        found = _SENTENCE.fullmatch(reason.strip(_OUTER)) or _LINE.fullmatch(reason.strip())
        return int(next(filter(None, found.groups()))) if found else None
    if isinstance(reason, bool) or not isinstance(reason, int | float):
        return None
    return int(reason) if reason == reason and abs(reason) < 10**6 and reason == int(reason) else None


def _is_held(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)
