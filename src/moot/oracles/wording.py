"""Arithmetic said in words, turned into signs; what two people would turn into different signs is refused (S12)."""

import re

from moot.oracles.numerals import with_digits

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
    (re.compile(r"\bhalf of ([0-9][0-9.,]*)"), r"(\1 / 2)"),
    (
        re.compile(rf"\b(?:([0-9]+)|an?)[ -]({'|'.join(_PARTS)})s?\b"),
        lambda found: f"({found[1] or 1}/{_PARTS[found[2]]})",
    ),
    (re.compile(r" (?:raised )?to the power (?:of )?"), "^"),
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
_DATE = re.compile(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b|\b[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}\b")
# A capital E may be a digit, a note or an energy, and a function before a bare number something else altogether.
_OTHER_THINGS = re.compile(r"(?<![0-9.])\bE\b|\b(?:abs|floor|ceil|exp|log|ln|sin|cos|tan)\s+[0-9a-z]")
_SIGNED_DIFFERENCE = re.compile(r"\bdifference\b.*[-\u2212] ?[0-9]")
_METERS = re.compile(r"[0-9]{1,2}/[0-9]{1,2} (?:is not|!=|≠) [0-9]{1,2}/[0-9]{1,2}")


def in_signs(sentence: str) -> str | None:
    """Return a sentence with its words for numbers, operations and relations as signs; nothing where two-way."""
    if _OTHER_THINGS.search(sentence) or _DATE.search(sentence):
        return None
    said = with_digits(sentence.lower())
    # Two metres or two dates written as fractions may differ where the numbers do not.
    if said is None or _OF_A_SUM.search(said) or _SIGNED_DIFFERENCE.search(said) or _METERS.fullmatch(said):
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
