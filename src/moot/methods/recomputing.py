"""The equations of a reply, recomputed by the oracles (ruling I18).

A sentence is recomputed where an oracle reads it as a whole (S12). What stands beside it may change it: where a
text counts in another base, or the sentence before or behind says that something is wrong or only supposed, nothing is
decided.
"""

import re
from dataclasses import dataclass
from typing import Literal

from moot.methods.sameness import sentences_of
from moot.oracles import judged

MOST_SENTENCES = 200
"""Sentences of one reply that are looked at."""

_EQUATION = re.compile(r"[=≈]")
_OTHER_COUNTING = re.compile(r"\b(?:binary|octal|hex(?:adecimal)?|base|modul\w+|mod)\b", re.IGNORECASE)
_NOT_CLAIMED = re.compile(
    r"\b(?:wrong|incorrect|false|mistaken?|error|not (?:true|right|correct)|suppose|imagine)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A sentence of a reply that an oracle decided, how it was read, and what it comes to."""

    sentence: str
    verdict: Literal["true", "false", "true as rounded"]
    reading: str
    how: str


def recomputed(text: str, question: str = "") -> tuple[Recomputed, ...]:
    """Return every equation of a reply that the oracles decide, in order."""
    if _OTHER_COUNTING.search(text) or _OTHER_COUNTING.search(question):
        return ()
    sentences = sentences_of(text)[:MOST_SENTENCES]
    decided: list[Recomputed] = []
    for place, sentence in enumerate(sentences):
        beside = (*sentences[max(0, place - 1) : place], *sentences[place + 1 : place + 2])
        if not _EQUATION.search(sentence) or any(map(_NOT_CLAIMED.search, beside)):
            continue
        judgement = judged(sentence)
        if judgement.verdict != "not decided":
            decided.append(Recomputed(judgement.claim, judgement.verdict, judgement.reading, judgement.how))
    return tuple(decided)
