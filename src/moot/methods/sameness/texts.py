"""Same, opposed or undecided: what letters settle of two texts, and nothing else (ruling G11)."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from moot.argument.guards import opposing_guard
from moot.argument.wording.normal_form import IDENTIFIER_NOUNS, NormalForm, canonical_number, normal_form

Outcome = Literal["same", "opposed", "undecided"]

LONGEST_COMPARED = 20_000
"""Characters. The guards do not look at longer texts, which only equality can then settle."""

_SPACED_SIGN = re.compile(r" ?([=<>≠≤≥≈+*/^\u00d7÷]+) ?| (?=%)")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_DECIMAL = re.compile(r"(?<![\w.])(?:\d+\.\d+|\.\d+|\d+)(?![\w]|\.\d)")
_ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)")
_STOPS = ".,;:… "
# Marks of force belong to the sentence only behind a word: 5! is no 5, and !p is no p.
_FORCE = re.compile(r"(?:(?<=[^\W\d_]{2})|(?<=[\"”»]))[!?]+$")
_EMPHASIS = re.compile(r"(\*{1,3}|_{1,3}|`{1,3})([^*_`]+)\1")
_PAIRS = {'"': '"', "“": "”", "„": "“", "«": "»", "\u2018": "\u2019", "'": "'", "(": ")", "[": "]"}


@dataclass(frozen=True, slots=True)
class PairDecision:
    """What became of a pair, who decided it, and why: a guard's name, or a judge's words."""

    outcome: Outcome
    by: str
    """`equal`, `guard`, `judge m2`, or `nobody`."""
    reason: str = ""


UNDECIDED = PairDecision("undecided", "nobody")


def compared(first: str, second: str) -> PairDecision:
    """Return what the program itself can say of two texts; what is merely similar is undecided (ruling G11)."""
    if is_equal(first, second):
        return PairDecision("same", "equal")
    if max(len(first), len(second)) > LONGEST_COMPARED:
        return UNDECIDED
    guard = opposing_guard(guarded_form(first), guarded_form(second))
    return PairDecision("opposed", "guard", guard) if guard else UNDECIDED


def is_equal(first: str, second: str) -> bool:
    """Return whether two texts are equal in the strict form; two empty ones say nothing and are not."""
    form = strict_form(first)
    return bool(form) and form == strict_form(second)


@lru_cache(maxsize=4_096)
def strict_form(text: str) -> str:
    """Return a text with case, white space, outer punctuation and a leading article aside, its numbers as decimals.

    Every inner sign and every other word stays: `C` is not `C#`, `x = y` is not `x != y`, "on" is not "in".
    """
    flat = " ".join(unicodedata.normalize("NFC", text).split()).replace("\u2212", "-")
    numbered = _DECIMAL.sub(_decimal, _THOUSANDS.sub(lambda found: found[0].replace(",", ""), flat))
    # Before the spaces go: 5! = 120 is an equation, 5 != 120 is none.
    signed = _SPACED_SIGN.sub(lambda found: found[1] or "", numbered.replace("!=", "≠"))
    bare = _bare(signed.casefold())
    return _bare(_ARTICLE.sub("", bare, count=1) if _ARTICLE.match(bare) else bare)


@lru_cache(maxsize=4_096)
def guarded_form(text: str) -> NormalForm:
    """Return the form on which the guards work, with names such as "rack 7" kept together (ruling A4)."""
    return normal_form(text, identifiers=True)


def _bare(text: str) -> str:
    """The text without the stops, the marks of force and the pairs of marks around it; signs alone stay as they are."""
    bare = text
    while True:
        inner = _unwrapped(_FORCE.sub("", bare.strip().rstrip(_STOPS)))
        if inner in (bare, ""):
            return bare if inner else text.strip()
        bare = inner


def _unwrapped(text: str) -> str:
    if marked := _EMPHASIS.fullmatch(text):
        return marked[2]
    is_pair = len(text) > 2 and _PAIRS.get(text[0]) == text[-1] and not {text[0], text[-1]} & set(text[1:-1])
    return text[1:-1] if is_pair else text


def _decimal(found: re.Match[str]) -> str:
    """A number in one spelling; one that names something keeps its zeros, since Python 3.10 is not Python 3.1."""
    written = found[0]
    return written if "." in written and _is_name(found.string[: found.start()]) else canonical_number(written)


def _is_name(before: str) -> bool:
    word = before[-40:].split(" ")[-2] if before.endswith(" ") else ""
    return word.casefold() in IDENTIFIER_NOUNS or (word.isalpha() and word[0].isupper())
