"""What algebra decides: whether two expressions are the same, and where one is zero (ruling S7).

What could grow is refused on the tree before anything is computed: digits times exponents, stacked powers, and an
exponential inside another function, whose argument no precision would hold. Sympy is given the coefficients of a
polynomial and isolates its real roots; it never sees an expression.
"""

from fractions import Fraction
from math import lcm

from moot.oracles.engine import exact
from moot.oracles.engine.exact import Range
from moot.oracles.engine.expressions import Name, Node, Number, Operation, names
from moot.oracles.engine.identities import MOST_POWER, Identities
from moot.oracles.engine.numerics import value_at
from moot.oracles.engine.polynomials import Polynomial
from moot.oracles.finding import Uncomputable

MOST_LITERAL = 30
MOST_WEIGHT = 1_000
MOST_EXPONENT_WEIGHT = 5

_GROWING = frozenset(["exp", "sinh", "cosh", "tanh"])
_PERIODIC = frozenset(["sin", "cos", "tan", "asin", "acos", "atan"])
_POINTS = tuple(Fraction(text) for text in ("2/3", "3", "-7/5", "11/7", "1/4", "-1/2", "5/2", "-3"))
_FINENESS = 10**50


def bounded_growth(node: Node) -> Node:
    """Return the expression if neither its digits nor its values can grow past the limits.

    Raises:
        Uncomputable: they can.

    """
    if _weight(node) > MOST_WEIGHT:
        raise Uncomputable(f"expressions whose digits and powers multiply to at most {MOST_WEIGHT:,}")
    _refuse_towers(node, inside=False)
    return node


def is_same(first: Node, second: Node) -> bool:
    """Return whether two expressions are equal for all real values where both are defined.

    Raises:
        Uncomputable: neither a proof nor a counterexample was found.

    """
    identities = Identities()
    if not identities.form(Operation("-", (first, second))).above:
        return True
    if not identities.has_functions or any(_differ(first, second, shift) for shift in range(len(_POINTS))):
        return False
    raise Uncomputable("identities that reduce to zero, or fail at one of eight points")


def reduced(node: Node) -> str:
    """Return the expression as a quotient of sums, as text."""
    identities = Identities()
    return identities.written(identities.form(node))


def solved(node: Node, most_degree: int) -> list[Range]:
    """Return where an expression in one variable is zero and defined, lowest first.

    Raises:
        Uncomputable: it is not a rational expression of a degree within bounds.

    """
    from sympy import Poly, Rational, Symbol

    identities = Identities()
    form = identities.form(node)
    if identities.has_functions:
        raise Uncomputable("polynomial and rational equations")
    coefficients = _coefficients(form.above)
    if not 1 < len(coefficients) <= most_degree + 1 or len(_coefficients(form.below)) > most_degree + 1:
        raise Uncomputable(f"equations of degree 1 to {most_degree}")
    unknown = Symbol("x")
    above, below = (Poly(_coefficients(part), unknown) for part in (form.above, form.below))
    while (common := above.gcd(below)).degree() > 0:
        above = above.quo(common)
    if above.degree() < 1:
        return []
    found = above.sqf_part().intervals(eps=Rational(1, _FINENESS))
    return [Range(*(Fraction(int(end.p), int(end.q)) for end in ends)) for ends, _ in found]


def _coefficients(polynomial: Polynomial) -> list[int]:
    """The whole coefficients of a polynomial in one variable, highest power first."""
    powers = {(monomial[0][1] if monomial else 0): number for monomial, number in polynomial.items()}
    common = lcm(*(number.denominator for number in powers.values()))
    return [int(powers.get(power, Fraction(0)) * common) for power in range(max(powers, default=0), -1, -1)]


def _differ(first: Node, second: Node, shift: int) -> bool:
    """Whether both sides have real values at a point, and these are apart."""
    variables = sorted(names(first) | names(second))
    point = {variable: _POINTS[(3 * place + shift) % len(_POINTS)] for place, variable in enumerate(variables)}
    values = [value_at(side, point) for side in (first, second)]
    if values[0] is None or values[1] is None:
        return False
    return abs(values[0] - values[1]) > max(1, abs(values[0]), abs(values[1])) / Fraction(10**20)


def _weight(node: Node) -> int:
    """A bound on the digits and the degree that the expression can come to."""
    if isinstance(node, Number):
        if len(node.text) > MOST_LITERAL:
            raise Uncomputable(f"literals of at most {MOST_LITERAL} digits")
        return abs(_exponent(node.text)) + len(node.text)
    if isinstance(node, Name):
        return 1
    weights = [_weight(operand) for operand in node.operands]
    if node.operator == "^" and (power := _literal(node.operands[1])) is not None:
        if abs(power) > MOST_POWER or power.denominator > exact.MOST_ROOT:
            raise Uncomputable(f"powers of at most {MOST_POWER}")
        return weights[0] * max(1, abs(power.numerator))
    return sum(weights)


def _exponent(text: str) -> int:
    exponent = "" if text[:2].lower() in ("0x", "0b", "0o") else text.lower().partition("e")[2]
    if len(exponent) > 4:
        raise Uncomputable("decimal exponents of at most 999")
    return int(exponent or "0")


def _literal(node: Node) -> Fraction | None:
    """The value of an expression of plain numbers, where it is exact."""
    if names(node):
        return None
    try:
        value = exact.evaluated(node)
    except Uncomputable:
        return None
    return value.low if value.is_exact else None


def _refuse_towers(node: Node, *, inside: bool) -> None:
    if not isinstance(node, Operation) or _literal(node) is not None:
        return
    is_power = node.operator == "^" and _literal(node.operands[1]) is None
    grows = is_power or node.operator in _GROWING
    if grows and inside:
        raise Uncomputable("no exponential inside another function")
    if grows and any(_weight(operand) > MOST_EXPONENT_WEIGHT for operand in node.operands):
        raise Uncomputable(f"variable exponents whose digits and powers sum to at most {MOST_EXPONENT_WEIGHT}")
    for place, operand in enumerate(node.operands):
        closed = node.operator in _PERIODIC or (grows and (place == 1 or not is_power))
        _refuse_towers(operand, inside=inside or closed)
