"""Two rules for what an answer is worth: Moot's exact match, and a lenient one. Both are printed.

Lenient: right by exact match; or, for words, the answer has at most twelve of them and holds the gold answer's words in
a row, or the other way round. Yes and no, numbers and abstentions are never read leniently.
"""

import hashlib
from dataclasses import dataclass

from moot.evals.items.grading import grade
from moot.evals.items.items import Item
from moot.methods.abstaining import squad

SHORT = 12


@dataclass(frozen=True, slots=True)
class Graded:
    """An answer's worth by both rules, and its trace that gives no text away."""

    right: bool
    lenient: bool
    abstained: bool
    trace: str


NOTHING = Graded(right=False, lenient=False, abstained=False, trace="")


def graded(item: Item, answer: str | None) -> Graded:
    """Return what an answer is worth on this item; no answer is wrong."""
    if not answer:
        return NOTHING
    exact = grade(item, answer)
    lenient = exact.correct or (not (exact.abstained or item.abstain) and is_contained(item, answer))
    return Graded(exact.correct, lenient, exact.abstained, trace_of(item, exact.normalised))


def is_contained(item: Item, answer: str) -> bool:
    """Return whether a short answer in words holds a known answer, or a known answer holds it."""
    if item.kind != "span":
        return False
    said = squad(answer).split()
    known = [words for text in (item.answer, *item.aliases) if (words := squad(text).split())]
    if not 0 < len(said) <= SHORT or said[0] in ("yes", "no"):
        return False
    return any(words[0] not in ("yes", "no") and (_in_a_row(words, said) or _in_a_row(said, words)) for words in known)


def trace_of(item: Item, normalised: str) -> str:
    """Return a number as it is, and of anything else what tells it from another."""
    return normalised if item.kind == "number" else hashlib.sha256(normalised.encode()).hexdigest()[:12]


def _in_a_row(few: list[str], many: list[str]) -> bool:
    return any(many[place : place + len(few)] == few for place in range(len(many) - len(few) + 1))
