"""The form that a prompt demands, as the first member reads it out of the prompt's own words (ruling K9).

What a prompt asks of its answer is a question of meaning, so a member says it. The program checks only what letters
settle: that the words which are said to ask for it are in the prompt. Whether they do ask for it, the judge sees too.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz

from moot.core.question import Question

NEARLY_EQUAL = 85.0
"""Percent of equal letters from which two headings count as one."""
BESIDE_A_NAME = 2
"""Words that may stand before or after the name of a part: an article, a conjunction, `first the`."""
MOST_DEMANDS = 20
LONGEST_WORDS = 300

TOKEN = re.compile(r"[^\W_]+")
NUMBERING = re.compile(r"^\W*\d{1,2}[.)]\s+")
PIECE = re.compile(r"[^\w\s'\u2019&/-]+|\n")
STRAIGHT = str.maketrans("\u2018\u2019“”", "''\"\"")
AROUND_A_QUOTE = "\"'`«»„… .,;:"


@dataclass(frozen=True, slots=True)
class Demand:
    """One thing that a prompt asks of the form of its answer, and the words of the prompt that ask for it."""

    demand: str
    words: str


@dataclass(frozen=True, slots=True)
class Form:
    """What words of the prompt demand of the form, the words that leave the organisation open, and what was dropped."""

    demands: tuple[Demand, ...] = ()
    open_words: str = ""
    dropped: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether words of the prompt leave the overall organisation open (coherence 5.3)."""
        return bool(self.open_words)

    def asks_for(self, heading: str) -> bool:
        """Whether words that demand a form name this heading as a part: alone between signs, or nearly alone."""
        return any(_is_named(bare(heading), piece) for demand in self.demands for piece in PIECE.split(demand.words))


def read_form(question: Question, demanded_form: Any, open_organisation: Any) -> Form:
    """Return what a first member says of the form, as far as words of the prompt say it; `--form` always demands."""
    asked = _folded(f"{question.text}\n{question.form}")
    demands = {_folded(question.form): Demand(question.form, question.form)} if question.form else {}
    dropped: list[str] = []
    for demand, words in _items(demanded_form):
        if problem := _unsaid(words, asked):
            dropped.append(f"{demand!r}: {problem}")
        else:
            demands.setdefault(_folded(words), Demand(demand, words))
    words, problem = _open_words(open_organisation, asked)
    return Form(tuple(demands.values()), words, (*dropped, *([problem] if problem else [])))


def bare(heading: str) -> str:
    """Return a heading without its number, its signs and its case."""
    return " ".join(TOKEN.findall(NUMBERING.sub("", heading).casefold()))


def nearly_equal(heading: str, name: str) -> bool:
    """Whether two bare headings are equal or nearly so (ruling K6)."""
    return fuzz.ratio(heading, name) >= NEARLY_EQUAL


def _items(demanded: Any) -> Iterator[tuple[str, str]]:
    """Yield what is said to be demanded and the words given for it; without a name, the words name it."""
    for item in demanded[:MOST_DEMANDS] if isinstance(demanded, list | tuple) else ():
        fields = item if isinstance(item, Mapping) else {"demand": item}
        demand, words = (_text(fields.get(name)) for name in ("demand", "words"))
        if demand or words:
            yield demand or words, words


def _open_words(said: Any, asked: str) -> tuple[str, str]:
    """Return the words that leave the organisation open, and why there are none though it is said to be open."""
    fields = said if isinstance(said, Mapping) else {"open": said}
    if not fields.get("open"):
        return "", ""
    words = _text(fields.get("words"))
    problem = _unsaid(words, asked) or _too_short(words)
    return ("", f"open organisation: {problem}") if problem else (words, "")


def _too_short(words: str) -> str:
    """Return why these words cannot authorise anything: one word of a script with spaces says nothing outright."""
    folded = _folded(words).strip(AROUND_A_QUOTE)
    return f"one word, {words!r}, says nothing outright" if _is_edge(folded[0]) and " " not in folded else ""


def _unsaid(words: str, asked: str) -> str:
    """Return why these words are none of the prompt's, or nothing."""
    folded = _folded(words).strip(AROUND_A_QUOTE)
    if not folded:
        return "no words of the prompt are given for it"
    # A quote never cuts a word in two; scripts that set no spaces have no such edges.
    before, after = (r"(?<![a-z0-9])" * _is_edge(folded[0]), r"(?![a-z0-9])" * _is_edge(folded[-1]))
    return "" if re.search(f"{before}{re.escape(folded)}{after}", asked) else f"the prompt does not say {words!r}"


def _is_named(heading: str, piece: str) -> bool:
    """Whether a piece of a demand is a part's name, but for a word or two at one of its ends."""
    words, length = TOKEN.findall(piece.casefold()), len(heading.split())
    if not length or not length <= len(words) <= length + BESIDE_A_NAME:
        return False
    return any(nearly_equal(heading, " ".join(part)) for part in (words[:length], words[-length:]))


def _is_edge(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).translate(STRAIGHT).casefold().split())


def _text(value: Any) -> str:
    return value.strip()[:LONGEST_WORDS] if isinstance(value, str) else ""
