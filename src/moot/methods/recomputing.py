"""The equations of a reply, recomputed by the oracles (ruling I18).

A sentence is recomputed where an oracle reads it as a whole (S12); else the equations that stand in it are. What stands
beside an equation may change it: where a text counts in another way, or the sentence, the one before or the one behind
says that something is wrong or only supposed, nothing is decided. A false one that a unit may explain, or a dash that
is no minus, is not decided either.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from moot.methods.equations import Equation, equations_in, without_tex
from moot.methods.programs import worked_out
from moot.methods.sameness import sentences_of
from moot.methods.sameness.covering import numbers
from moot.oracles import judged
from moot.oracles.finding import shortened
from moot.oracles.judging import LONGEST_CLAIM

MOST_SENTENCES = 200
"""Sentences of one reply that are looked at."""

_EQUATION = re.compile(r"[=≈]")
_OTHER_COUNTING = re.compile(
    r"\b(?:binary|ternary|octal|hex(?:adecimal)?|duodecimal|mod|modul(?:o|us)|modular arithmetic|congruent|xor"
    r"|base[- ]?(?:\d+|two|three|five|eight|ten|twelve|sixteen)|(?:number|other) base|roman numerals?|concatenat\w+"
    r"|finite field|boolean|saturat\w+|significant (?:figures|digits))\b|≡",
    re.IGNORECASE,
)
_NOT_CLAIMED = re.compile(
    r"\b(?:wrong|incorrect|false|mistaken?(?:ly)?|error|not (?:true|right|correct)|suppose|imagine|pretend)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|cannot|isn['\u2019]t|instead of|rather than|contrary to|unlike)\b", re.IGNORECASE)
_NOT_ASSERTED = re.compile(
    r"\b(?:if|unless|whether|assum\w+|let|would|could|might|(?-i:may)|should|says?|said|claim\w*|believ\w+|think\w*|thought"
    r"|wrote|writes?|guess\w*|estimat\w+|according to|about|approximately|roughly|nearly|almost|around|o['\u2019]clock"
    r"|a\.?m\.?|p\.?m\.?|clock|degrees?|remainder|remaining|left over|rounded?|rounding|decibels?)\b|\?|…|\.\.\.",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\s*(?:times|plus|minus|divided|multiplied|over|hundred|thousand|million|billion|dozens?|percent|of\s+[$€£]?\d+|squared|cubed"
    r"|to the|and a|with|r\d*|mod)\b",
    re.IGNORECASE,
)
_LED_BY = re.compile(
    r"\b(?:times|plus|minus|by|over|(?<!total )(?<!sum )of|than|per|least|most|negative|half|twice|double|triple"
    r"|squared|(?:add|added|adding) to|(?:subtract|subtracted|subtracting|taken) from)\s*$",
    re.IGNORECASE,
)
_DASH = re.compile(r"\d[-\u2013\u2212]\d")
_UNIT_BEHIND = re.compile(r"\s*(?:[$€£¢°]|[^\W\d_]{1,20}\b)")
_MONEY = re.compile(r"[$€£]")
_CLAUSE = re.compile(r"[,;:](?=\s)")
_FACTORS = {Fraction(number) for number in (3, 4, 7, 8, 12, 14, 16, 24, 28, 30, 31, 36, 48, 52, 60, 90, 144, 360, 365)}
_FACTORS |= {Fraction(10**power) for power in range(1, 10)} | {Fraction(3_600), Fraction(1_440), Fraction(1_024)}


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A sentence of a reply that an oracle decided, how it was read, and what it comes to.

    `operands` are the numbers that it starts from and `result` the one that it states, where it states one.
    """

    sentence: str
    verdict: Literal["true", "false", "true as rounded"]
    reading: str
    how: str
    operands: tuple[str, ...] = ()
    result: str = ""


def recomputed(text: str, question: str = "") -> tuple[Recomputed, ...]:
    """Return every equation of a reply that the oracles decide, in order."""
    sentences = sentences_of(without_tex(text))[:MOST_SENTENCES]
    return tuple(item for items in recomputed_sentences(sentences, text, question) for item in items)


def recomputed_sentences(sentences: Sequence[str], text: str, question: str = "") -> tuple[tuple[Recomputed, ...], ...]:
    """Return for each sentence of a text the equations in it that the oracles decide."""
    if _OTHER_COUNTING.search(text) or _OTHER_COUNTING.search(question):
        return ((),) * len(sentences)
    decided: list[tuple[Recomputed, ...]] = []
    for place, sentence in enumerate(sentences):
        beside = (*sentences[max(0, place - 1) : place], *sentences[place + 1 : place + 2])
        is_open = not _EQUATION.search(sentence) or any(map(_NOT_CLAIMED.search, beside))
        decided.append(() if is_open else _decided(sentence))
    return tuple(decided)


def _decided(sentence: str) -> tuple[Recomputed, ...]:
    whole = judged(sentence)
    if whole.verdict != "not decided":
        operands, result = _told_by(whole.reading)
        return (Recomputed(whole.claim, whole.verdict, whole.reading, whole.how, operands, result),)
    if _NOT_CLAIMED.search(sentence):
        return ()
    return tuple(item for equation in equations_in(sentence) if (item := _judged(sentence, equation)) is not None)


def _judged(sentence: str, equation: Equation) -> Recomputed | None:
    before, after = sentence[: equation.start], sentence[equation.end :]
    clause = _CLAUSE.split(before)[-1] + " " + _CLAUSE.split(after)[0]
    if _DENIED.search(clause) or _GOES_ON.match(after) or _LED_BY.search(before):
        return None
    judgement = judged(equation.text)
    if judgement.verdict == "not decided":
        return None
    if judgement.verdict == "false" and (_NOT_ASSERTED.search(sentence) or _may_be_otherwise(sentence, equation)):
        return None
    claim = shortened(sentence, LONGEST_CLAIM)
    return Recomputed(claim, judgement.verdict, judgement.reading, judgement.how, equation.operands, equation.result)


def _may_be_otherwise(sentence: str, equation: Equation) -> bool:
    """Whether a false equation may be right in other units, or a dash in it be no minus."""
    written = sentence[equation.start : equation.end]
    if _DASH.search(written):
        return True
    has_units = bool(_UNIT_BEHIND.match(sentence[equation.end :]) or _MONEY.search(written))
    return has_units and any(
        _differ_by_a_factor(*pair) for pair in zip(equation.sides, equation.sides[1:], strict=False)
    )


def _differ_by_a_factor(one: str, other: str) -> bool:
    values = [worked_out(f"side = {side}".replace("^", "**").replace("%", "")).value for side in (one, other)]
    if None in values or not all(values):
        return False
    first, second = (abs(value) for value in values if value is not None)
    return max(first, second) / min(first, second) in _FACTORS


def _told_by(reading: str) -> tuple[tuple[str, ...], str]:
    """The numbers that a reading starts from, and the last one that it comes to."""
    if equations := equations_in(reading):
        reached = [equation.result for equation in equations]
        operands = (
            number
            for place, equation in enumerate(equations)
            for number in equation.operands
            if number not in reached[:place]
        )
        return tuple(dict.fromkeys(operands)), reached[-1]
    before, _, behind = reading.rpartition("=")
    stated = sorted(numbers(behind)) if before else []
    return tuple(sorted(numbers(before))), stated[0] if len(stated) == 1 else ""
