"""Arithmetic said in words, turned into signs; what two people would turn into different signs is refused (S12)."""

import re

from moot.oracles.reading.numerals import with_digits

_TERM = r"(-?[0-9][0-9.,]*)"
_PARTS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
}
_IS = r"(?:is|are|equals|makes|gives)"
_RELATING = (
    (re.compile(r" (?:is not equal to|does not equal|is not) "), " != "),
    (re.compile(r" (?:is (?:greater|larger|bigger|more) than|exceeds) "), " > "),
    (re.compile(r" is (?:less|smaller) than "), " < "),
    (re.compile(r" is at least "), " >= "),
    (re.compile(r" is at most "), " <= "),
    (re.compile(rf" (?:{_IS} (?:about|approximately|roughly|around)|is approximately equal to) "), " ≈ "),
    (re.compile(r" (?:is equal to|is exactly) "), " = "),
    (re.compile(rf" {_IS} (?:equal to )?"), " = "),
)
_OPERATING = (
    (re.compile(rf"\bthe sum of {_TERM} and {_TERM}"), r"(\1 + \2)"),
    (re.compile(rf"\bthe product of {_TERM} and {_TERM}"), r"(\1 * \2)"),
    (re.compile(rf"\bthe difference (?:of|between) {_TERM} and {_TERM}"), r"abs(\1 - \2)"),
    (re.compile(r"\b(?:the )?square root of ([0-9][0-9.,]*)"), r"sqrt(\1)"),
    (re.compile(r"\b(?:the )?cube root of ([0-9][0-9.,]*)"), r"cbrt(\1)"),
    (re.compile(r"\b(?:the )?factorial of ([0-9]+)"), r"factorial(\1)"),
    (re.compile(r"\b([0-9]+) factorial\b"), r"factorial(\1)"),
    (re.compile(r"\bhalf of (?=[0-9])"), "(1/2) of "),
    (
        re.compile(
            rf"\b(?:([0-9]+)|an?)[ -]({'|'.join(_PARTS)})s?(?= of [0-9]|(?= ).*(?:%|per ?cent|\b0\.[0-9]|[0-9]/[0-9]))"
        ),
        lambda found: f"({found[1] or 1}/{_PARTS[found[2]]})",
    ),
    (re.compile(r" (?:raised )?to the power "), "^"),
    (re.compile(r" squared\b"), "^2"),
    (re.compile(r" cubed\b"), "^3"),
    (re.compile(r" plus "), " + "),
    (re.compile(r" minus "), " - "),
    (re.compile(r" (?:times|multiplied by) "), " * "),
    (re.compile(r"(?<=[0-9]) x (?=[0-9])"), " * "),
    (re.compile(r" divided by "), " / "),
    (re.compile(r" modulo "), " mod "),
    (re.compile(r" ?per ?cent\b"), "%"),
)
_RELATION = re.compile(r"[=<>≈≤≥≠]")
# How strongly a word or a sign binds; a listener brackets words by the pause, a reader signs by the rule.
_LEVELS = (
    (1, re.compile(r" plus | minus "), re.compile(r"[-+\u2212]")),
    (2, re.compile(r" times | multiplied by | divided by | modulo | mod | of "), re.compile(r"[*/\u00d7·÷]| x ")),
    (3, re.compile(r" squared| cubed| to the power| factorial"), re.compile(r"\^|(?<=[0-9)])!")),
)
# "Half of 10 + 6" is 8 or 11, by who says it.
_OF_A_SUM = re.compile(
    r"\bof -?[0-9][0-9.,]*(?: and -?[0-9][0-9.,]*)? ?(?:[-+*/^!]|plus|minus|times|multiplied|divided)"
)
# What is written like a sum and is a date, a score, a size, a metre or an idiom.
_NO_SUM = re.compile(
    r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b|\b[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}\b|\b24/7\b"
    r"|[0-9][-\u2013][0-9][^=<>≈]* (?:is|are|makes|gives|exceeds) "
    r"|[0-9] ?[-/x\u00d7] ?[0-9]+ (?:is|are) (?:not|more|less|greater|bigger|larger|smaller) [^=<>]*[0-9] ?"
    r"[-/x\u00d7] ?[0-9]"
)
# A capital E may be a digit, a note or an energy, and a function before a bare number something else altogether.
_OTHER_THINGS = re.compile(r"(?<![0-9.])\bE\b|\b(?:abs|floor|ceil|exp|log|ln|sin|cos|tan)\s+[0-9a-z]")
# The number of a note may stand behind an equation.
_NOTED = re.compile(r"(?P<claim>.*(?:[=≈]|\bis|\babout) ?[0-9][0-9.,]*)[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}")
# A difference may be counted either way, and of two square roots one is negative.
_SIGNED = re.compile(r"\b(?:difference|square root)\b[^=]*(?:=|\b(?:is|equals)\b)[^0-9]*(?:[-\u2212]|minus) ?[0-9]")


def in_signs(sentence: str) -> str | None:
    """Return a sentence with its words for numbers, operations and relations as signs; nothing where two-way."""
    if _OTHER_THINGS.search(sentence):
        return None
    said = with_digits(sentence.lower().replace(" to the power of ", " to the power "))
    if said is None or any(pattern.search(said) for pattern in (_NO_SUM, _OF_A_SUM, _SIGNED)):
        return None
    for pattern, sign in _RELATING:
        said = pattern.sub(sign, said, count=3)
    if any(map(_is_two_way, _RELATION.split(said))):
        return None
    for pattern, sign in _OPERATING:
        said = pattern.sub(sign, said)
    return " ".join(said.split())


def _is_two_way(side: str) -> bool:
    """Whether a side mixes operations of different strength and says one of them in words, or divides twice."""
    padded = f" {side.strip()} "
    worded = [level for level, words, _ in _LEVELS for _ in words.findall(padded)]
    levels = {*worded, *(level for level, _, signs in _LEVELS if signs.search(padded.strip().lstrip("-")))}
    return bool(worded) and (len(levels) > 1 or (" divided by " in padded and len(worded) > 1))


def without_note(sentence: str) -> str | None:
    """Return a sentence without the raised digits behind its last number, which may be a note or a power."""
    noted = _NOTED.fullmatch(sentence)
    return noted["claim"] if noted else None
