"""Algebra: identities, solutions and derivatives of expressions in real variables (rulings S7, S12).

Rational expressions are decided exactly, as quotients of polynomials. Of others an identity is refuted by a point where
both sides are defined and differ, and confirmed where the relations between its functions reduce the difference to
zero; else nothing is said. A claim without variables may round, by the rule of `precision`.
"""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from moot.oracles import arithmetic
from moot.oracles.engine.derivatives import derivative
from moot.oracles.engine.exact import Range, evaluated, shown
from moot.oracles.engine.expressions import (
    CONSTANTS,
    FUNCTIONS,
    Name,
    Node,
    Number,
    Operation,
    has_operator,
    names,
    parsed,
    parsed_relation,
    size,
    substituted,
)
from moot.oracles.engine.numerics import DIGITS, enclosed
from moot.oracles.engine.precision import Agreement, agreement, stated_unit
from moot.oracles.engine.reduction import MOST_LITERAL, bounded_growth, is_same, reduced, solved
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable, shortened
from moot.oracles.reading.wording import in_signs

MOST_NODES = 60
MOST_VARIABLES = 4
MOST_DEGREE = 6
MOST_SOLUTIONS = 6

_OF_AN_ANGLE = ("sin", "cos", "tan")
_TO_AN_ANGLE = ("asin", "acos", "atan")
_VARYING = frozenset("xyztuvwrs")

Relation = Literal["identity", "solution", "solutions", "derivative"]


class Algebra(Deniable):
    """A claim about an expression or an equation.

    identity: `expression` equals `claimed` for all real values of the variables.
    solution: `claimed` (`x = 3`) solves the equation. solutions: `claimed` (`2, 3`) are all its real solutions.
    derivative: `claimed` is the derivative of `expression` in its one variable.
    """

    kind: Literal["algebra"] = "algebra"
    relation: Relation
    expression: Line
    claimed: Line


def decide(check: Algebra) -> Computed:
    """Return whether the claim about the expression holds."""
    if check.relation == "identity":
        return _identity(_small(parsed(check.expression)), _small(parsed(check.claimed)))
    if check.relation == "derivative":
        return _derivative(_small(parsed(check.expression)), _small(parsed(check.claimed)))
    equation = parsed_relation(check.expression)
    if equation.relations != ("=",):
        raise Uncomputable("an equation with one equals sign")
    left, right = map(_small, equation.sides)
    values = _values(check.claimed)
    return _solutions(left, right, values, complete=check.relation == "solutions")


def _small(node: Node) -> Node:
    if size(node) > MOST_NODES:
        raise Uncomputable(f"expressions of at most {MOST_NODES} nodes")
    if len(names(node)) > MOST_VARIABLES:
        raise Uncomputable(f"expressions in at most {MOST_VARIABLES} variables")
    if has_operator(node, "mod"):
        raise Uncomputable("equations between numbers, not congruences")
    return bounded_growth(node)


def _identity(left: Node, right: Node) -> Computed:
    if names(left) | names(right):
        how = "the difference of the two sides was reduced, for all real values where both are defined"
        return Computed(is_same(left, right), shortened(reduced(left)), how)
    _refuse_bare_angles(Operation("-", (left, right)))
    value = enclosed(left)
    match = _agreement(left, right, value)
    return Computed(match != "apart", shown(value), f"evaluated to {DIGITS} digits", rounded=match == "rounded")


def _agreement(left: Node, right: Node, value: Range) -> Agreement:
    """How two sides without variables agree: exactly where that can be proved, else to the digits that are stated."""
    unit = stated_unit(right)
    try:
        if is_same(left, right):
            return "exact"
    except Uncomputable:
        if not unit:
            raise
    return agreement(value, enclosed(right), right) if unit else "apart"


def _refuse_bare_angles(node: Node) -> None:
    """Refuse angles that are plain numbers: 30 may be degrees or radians."""
    if not isinstance(node, Operation):
        return
    inner = node.operands[0]
    if node.operator in _OF_AN_ANGLE and _is_rational(inner):
        raise Uncomputable("angles as parts of pi, since a plain number may be degrees or radians")
    if node.operator in _TO_AN_ANGLE and inner != Number("0"):
        raise Uncomputable("no angle as a result, since it may be in degrees or radians")
    for operand in node.operands:
        _refuse_bare_angles(operand)


def _is_rational(node: Node) -> bool:
    try:
        value = evaluated(node)
    except Uncomputable:
        return False
    return value.is_exact and value.low != 0


def _derivative(node: Node, claimed: Node) -> Computed:
    variables = names(node) | names(claimed)
    if len(variables) != 1 or size(node) > MOST_NODES // 2:
        raise Uncomputable(f"a derivative in one variable, of at most {MOST_NODES // 2} nodes")
    derived = derivative(node, next(iter(variables)))
    return Computed(is_same(derived, claimed), shortened(reduced(derived)), "differentiated")


def _values(claimed: str) -> list[Node]:
    """The stated solutions: `x = 2 or x = 3`, `2 and 3`, `2, 3`, `±3`."""
    parts = [part.strip() for part in re.split(r",\s|;| and | or ", claimed) if part.strip()]
    if not 1 <= len(parts) <= MOST_SOLUTIONS:
        raise Uncomputable(f"one to {MOST_SOLUTIONS} solutions")
    signed = [alternative for part in parts for alternative in _alternatives(part)]
    return [_small(parsed(part.rpartition("=")[2])) for part in signed]


def _alternatives(part: str) -> list[str]:
    return [part.replace("±", sign, 1) for sign in ("", "-")] if "±" in part else [part]


def _solutions(left: Node, right: Node, stated: list[Node], *, complete: bool) -> Computed:
    variables = names(left) | names(right)
    if len(variables) != 1 or any(map(names, stated)):
        raise Uncomputable("an equation in one variable, with numbers for solutions")
    equation = Operation("-", (left, right))
    roots = solved(equation, MOST_DEGREE)
    matched = [_matching(node, roots, equation, next(iter(variables))) for node in stated]
    found = {match.place for match in matched if match}
    holds = None not in matched and (not complete or len(found) == len(roots))
    values = ", ".join(shown(root, 12) for root in roots) or "no real solution"
    how = "all real solutions of the equation were isolated"
    return Computed(holds, shortened(values), how, rounded=holds and any(match and match.rounded for match in matched))


@dataclass(frozen=True, slots=True)
class _Match:
    place: int
    rounded: bool


def _matching(stated: Node, roots: list[Range], equation: Node, variable: str) -> _Match | None:
    """The place of the root that is stated: exactly, or to the digits that are stated."""
    value = enclosed(stated)
    near = [place for place, root in enumerate(roots) if _is_near(value, root)]
    if near and is_same(substituted(equation, variable, stated), Number("0")):
        return _Match(near[0], rounded=False)
    if not stated_unit(stated):
        return None
    agreed = (place for place, root in enumerate(roots) if agreement(root, value, stated) != "apart")
    return next((_Match(place, rounded=True) for place in agreed), None)


def _is_near(first: Range, second: Range) -> bool:
    return abs(first.low - second.low) < max(1, abs(first.low)) / Fraction(10) ** (DIGITS - 5)


_READINGS: tuple[tuple[str, str, Relation], ...] = (
    ("", " simplifies to ", "identity"),
    ("", " expands to ", "identity"),
    ("", " factors as ", "identity"),
    ("", " factors into ", "identity"),
    ("", " is identical to ", "identity"),
    ("the derivative of ", " is ", "derivative"),
    ("the solutions of ", " are ", "solutions"),
    ("the real solutions of ", " are ", "solutions"),
    ("the roots of ", " are ", "solutions"),
    ("the solution of ", " is ", "solutions"),
    ("the only solution of ", " is ", "solutions"),
)
_SOLVES = (" is a solution of ", " is a root of ", " solves ", " satisfies ")
_FOR_ALL = re.compile(r" for (?:all|every|any) (?:real )?[a-z](?:(?: and |, )[a-z])*$")


def read(sentence: str) -> Algebra | None:
    """Return the algebra that a sentence claims as a whole, or nothing."""
    said = _FOR_ALL.sub("", sentence)
    candidates = [_about_all(said)] if said != sentence else [_worded(said), _solving(said), _valued(said)]
    for candidate in candidates:
        if candidate and _is_understood(candidate) and not _has_words(candidate):
            is_plain = (
                _varies(candidate.expression) if candidate.relation == "derivative" else not _may_be_one(candidate)
            )
            return candidate if is_plain else None
    return None


def _has_words(check: Algebra) -> bool:
    """Whether letters that stand together are a word and no product: a letter of a product occurs elsewhere too."""
    text = f"{check.expression} {check.claimed}"
    words = [word for word in re.findall(r"[A-Za-z]+", text) if word.lower() not in FUNCTIONS | CONSTANTS]
    joined = [word for word in words if len(word) > 1 and word not in ("and", "or")]
    letters = Counter("".join(words))
    return check.expression[:2].lower() in ("a ", "i ") or any(
        letters[letter] < 2 for word in joined for letter in word
    )


def _may_be_one(check: Algebra) -> bool:
    """Whether one of several solutions is given, which may be the one that fits or a false list of all."""
    if check.relation != "solutions" or len(re.split(r",\s|;| and | or |±", check.claimed)) > 1:
        return False
    try:
        return not decide(check).holds and decide(check.model_copy(update={"relation": "solution"})).holds
    except Uncomputable:
        return False


def _varies(expression: str) -> bool:
    """Whether an expression is of a letter that usually varies: c and k are constants to most, and t alone may be."""
    node = parsed(expression)
    return names(node) <= _VARYING and (node == Name("x") or not isinstance(node, Name))


def _about_all(said: str) -> Algebra | None:
    left, found, right = said.partition(" = ")
    return Algebra(relation="identity", expression=left, claimed=right) if found else None


def _worded(said: str) -> Algebra | None:
    lowered = said.lower()
    for beginning, middle, relation in _READINGS:
        if lowered.startswith(beginning) and middle in lowered:
            place = lowered.index(middle)
            left, right = said[len(beginning) : place], said[place + len(middle) :]
            return Algebra(relation=relation, expression=left, claimed=right)
    return None


def _solving(said: str) -> Algebra | None:
    for words in _SOLVES:
        value, found, equation = said.partition(words)
        if found and re.fullmatch(r"[A-Za-z] ?= ?[^=]+", value):
            return Algebra(relation="solution", expression=equation, claimed=value)
    return None


def _valued(said: str) -> Algebra | None:
    """A claim without variables that arithmetic leaves: `sin(pi/2) = 1`."""
    left, found, right = (in_signs(said) or "").partition(" = ")
    if not found or not _is_expression(left) or not _is_expression(right):
        return None
    sides = (parsed(left), parsed(right))
    if any(map(names, sides)) or all(map(arithmetic.is_known, sides)):
        return None
    return Algebra(relation="identity", expression=left, claimed=right)


def _is_understood(check: Algebra) -> bool:
    return all(
        _is_expression(side) for side in (*check.expression.split("="), *re.split(r",\s| and | or |=", check.claimed))
    )


def _is_expression(text: str) -> bool:
    try:
        parsed(text.replace("±", ""))
    except Uncomputable:
        return False
    return True


ORACLE = Oracle(
    kind="algebra",
    takes=Algebra,
    help="identities, solutions of equations, derivatives, and values of ln, exp, sin and the like",
    limit=(
        f"{MOST_NODES} nodes, {MOST_VARIABLES} variables, equations of degree {MOST_DEGREE}; literals of "
        f"{MOST_LITERAL} digits; no exponential inside another function"
    ),
    decide=decide,
    read=read,
)
