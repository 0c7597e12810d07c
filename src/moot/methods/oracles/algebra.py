"""Algebra: identities, solutions and derivatives of expressions in real variables (ruling S7).

Rational expressions are decided exactly, as quotients of polynomials. Of others an identity is refuted by a point where
both sides are defined and differ, and confirmed where sympy reduces the difference to zero; else nothing is said. A
claim without variables may round, by the rule of `precision`.
"""

import re
from fractions import Fraction
from typing import Any, Literal

from moot.methods.oracles import arithmetic, reduction
from moot.methods.oracles.exact import Range, exactly
from moot.methods.oracles.expressions import Node, names, parsed, parsed_relation, size
from moot.methods.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable, shortened
from moot.methods.oracles.precision import agrees, stated_unit
from moot.methods.oracles.reduction import as_sympy, is_same, solved

MOST_NODES = 60
MOST_VARIABLES = 4
MOST_DEGREE = 6
MOST_SOLUTIONS = 6

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
    return node


def _identity(left: Node, right: Node) -> Computed:
    first, second = as_sympy(left), as_sympy(right)
    if not names(left) | names(right):
        return _constants(first, second, right)
    return Computed(
        is_same(first, second),
        shortened(reduction.expanded(first)),
        "the difference of the two sides was reduced, for all real values where both are defined",
    )


def _constants(first: Any, second: Any, right: Node) -> Computed:
    unit = stated_unit(right)
    value = reduction.enclosed(first)
    shown = reduction.digits(first)
    if unit:
        return Computed(agrees(value, reduction.enclosed(second), unit), shown, "evaluated to 40 digits")
    return Computed(is_same(first, second), shown, "the difference of the two sides was reduced")


def _derivative(node: Node, claimed: Node) -> Computed:
    variables = names(node) | names(claimed)
    if len(variables) != 1:
        raise Uncomputable("a derivative in one variable")
    derived = reduction.derivative(as_sympy(node), next(iter(variables)))
    return Computed(is_same(derived, as_sympy(claimed)), shortened(reduction.written(derived)), "differentiated")


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
    roots = solved(as_sympy(left) - as_sympy(right), MOST_DEGREE)
    shown = ", ".join(reduction.digits(root, 12) for root in roots) or "no real solution"
    matched = [_matching(node, roots) for node in stated]
    holds = None not in matched and (not complete or len(set(matched)) == len(roots))
    return Computed(holds, shortened(shown), "all real solutions of the equation were computed")


def _matching(stated: Node, roots: list[Any]) -> int | None:
    """The place of the root that is stated, to the digits that are stated."""
    unit = stated_unit(stated) or Fraction(0)
    value = as_sympy(stated)
    for place, root in enumerate(roots):
        if is_same(value, root) or (unit and agrees(reduction.enclosed(root), _known(value), unit)):
            return place
    return None


def _known(value: Any) -> Range:
    return exactly(Fraction(int(value.p), int(value.q)))


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
        if candidate and _is_understood(candidate):
            return candidate
    return None


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
        if found and "=" in value:
            return Algebra(relation="solution", expression=equation, claimed=value)
    return None


def _valued(said: str) -> Algebra | None:
    """A claim without variables that arithmetic leaves: `sin(pi/2) = 1`."""
    left, found, right = arithmetic.worded(said).partition(" = ")
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
        f"{reduction.MOST_LITERAL} digits; no exponential inside another function"
    ),
    decide=decide,
    read=read,
)
