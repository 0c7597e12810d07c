"""Arithmetic: whether equations and comparisons of numbers hold, over fractions (ruling S7).

Sums, products, quotients, powers, roots, factorials, percentages, remainders, pi and e. A rounded value is judged by
the rule of `precision`.
"""

import re
from typing import Literal

from moot.oracles import exact
from moot.oracles.exact import Range, difference, evaluated, sign
from moot.oracles.expressions import (
    MOST_CHARACTERS,
    MOST_DEPTH,
    MOST_TOKENS,
    Name,
    Node,
    Number,
    Operation,
    names,
    parsed_relation,
)
from moot.oracles.finding import Check, Computed, Line, Oracle, Uncomputable
from moot.oracles.precision import agrees, stated_unit

MOST_RELATIONS = 4


class Arithmetic(Check):
    """A claim such as `17 * 23 = 391`, `2^10 > 1000` or `sqrt(2) ≈ 1.414`."""

    kind: Literal["arithmetic"] = "arithmetic"
    claim: Line


def decide(check: Arithmetic) -> Computed:
    """Return whether every relation of the claim holds between its two sides."""
    claim = parsed_relation(check.claim)
    if not 1 <= len(claim.relations) <= MOST_RELATIONS:
        raise Uncomputable(f"claims with one to {MOST_RELATIONS} relations (=, !=, <, <=, >, >=, ≈)")
    values = [evaluated(side) for side in claim.sides]
    pairs = zip(claim.relations, claim.sides, claim.sides[1:], values, values[1:], strict=False)
    holds = all(_holds(*pair) for pair in pairs)
    place = next((place for place, side in enumerate(claim.sides) if isinstance(side, Operation)), 0)
    return Computed(holds, exact.shown(values[place]), f"the sides are {' and '.join(map(exact.shown, values))}")


def _holds(relation: str, left: Node, right: Node, first: Range, second: Range) -> bool:
    if relation in ("=", "≈"):
        return _equal(left, right, first, second, about=relation == "≈")
    order = sign(difference(first, second))
    return {"!=": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[relation]


def _equal(left: Node, right: Node, first: Range, second: Range, *, about: bool) -> bool:
    for stated, value, node in ((second, first, right), (first, second, left)):
        unit = stated_unit(node, about=about)
        if unit is not None:
            return agrees(value, stated, unit)
    if about:
        raise Uncomputable("an approximate claim that states a number")
    return sign(difference(first, second)) == 0


_COUNTED = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_NUMERALS = {word: str(number) for number, word in enumerate(_COUNTED)}
_TERM = r"(-?[0-9][0-9.,]*)"
_WORDINGS = (
    (re.compile(rf"\bthe sum of {_TERM} and {_TERM}"), r"(\1 + \2)"),
    (re.compile(rf"\bthe product of {_TERM} and {_TERM}"), r"(\1 * \2)"),
    (re.compile(rf"\bthe quotient of {_TERM} and {_TERM}"), r"(\1 / \2)"),
    (re.compile(rf"\bthe difference (?:of|between) {_TERM} and {_TERM}"), r"abs(\1 - \2)"),
    (re.compile(r"\b(?:the )?square root of ([0-9][0-9.,]*)"), r"sqrt(\1)"),
    (re.compile(r"\b(?:the )?cube root of ([0-9][0-9.,]*)"), r"cbrt(\1)"),
    (re.compile(r"\b(?:the )?factorial of ([0-9]+)"), r"factorial(\1)"),
    (re.compile(r"\b([0-9]+) factorial\b"), r"factorial(\1)"),
    (re.compile(r"\bhalf of ([0-9][0-9.,]*)"), r"(\1 / 2)"),
    (re.compile(r" (?:raised )?to the power (?:of )?"), "^"),
    (re.compile(r" squared\b"), "^2"),
    (re.compile(r" cubed\b"), "^3"),
    (re.compile(r" plus "), " + "),
    (re.compile(r" minus "), " - "),
    (re.compile(r" (?:times|multiplied by) "), " * "),
    (re.compile(r"(?<=[0-9]) x (?=[0-9])"), " * "),
    (re.compile(r" (?:divided by|over) "), " / "),
    (re.compile(r" modulo "), " mod "),
    (re.compile(r" ?percent of "), "% of "),
)
_IS = r"(?:is|are|was|equals|makes|gives)"
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
# "Half of 10 + 6" is 8 or 11, "two plus two times two" is 6 or 8, by who says it.
_TWO_WAYS = re.compile(
    r"\bof -?[0-9][0-9.,]*(?: and -?[0-9][0-9.,]*)? ?"
    r"(?:[-+*/^]|plus|minus|times|multiplied|divided|squared|cubed|to the)"
    r"|\b(?:plus|minus) [^ ]+ (?:times|multiplied|divided)"
)
_DATE = re.compile(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b")
_WORD = re.compile(r"[a-z]+")


def read(sentence: str) -> Arithmetic | None:
    """Return the arithmetic that a sentence claims as a whole, or nothing."""
    if _DATE.search(sentence) or _TWO_WAYS.search(sentence.lower()):
        return None
    said = worded(sentence)
    try:
        claim = parsed_relation(said)
    except Uncomputable:
        return None
    if not 1 <= len(claim.relations) <= MOST_RELATIONS or not all(map(is_known, claim.sides)):
        return None
    ordered = claim.relations[0] in ("<", "<=", ">", ">=")
    if not ordered and all(map(_is_plain, claim.sides)):
        return None
    return Arithmetic(claim=" ".join(said.split()))


def _is_plain(node: Node) -> bool:
    """A number as usually written: that 3 is 4 is no arithmetic, that 255 is 0xff is."""
    return isinstance(node, Name) or (isinstance(node, Number) and node.text[:2] not in ("0x", "0b", "0o"))


def worded(sentence: str) -> str:
    """Return a sentence with its words for numbers, operations and relations turned into signs."""
    said = _WORD.sub(lambda found: _NUMERALS.get(found[0], found[0]), sentence.lower())
    for pattern, sign_of_it in (*_RELATING, *_WORDINGS):
        said = pattern.sub(sign_of_it, said, count=2)
    return said


def is_known(node: Node) -> bool:
    """Return whether an expression has no variables and no function that only algebra has."""
    if isinstance(node, Operation):
        return node.operator in exact.OPERATORS and all(map(is_known, node.operands))
    return not names(node)


ORACLE = Oracle(
    kind="arithmetic",
    takes=Arithmetic,
    help="equations and comparisons of numbers: + - * / ^ ! %, roots, mod, pi, e",
    limit=(
        f"{MOST_CHARACTERS} characters, {MOST_TOKENS} tokens, {MOST_DEPTH} levels; "
        f"results of {exact.MOST_DIGITS:,} digits; "
        f"exponents up to {exact.MOST_EXPONENT:,}; factorials up to {exact.MOST_FACTORIAL}!"
    ),
    decide=decide,
    read=read,
)
