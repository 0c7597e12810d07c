"""The part of algebra that sympy does: trees become its nodes, never its text (ruling S7).

Sympy computes as it builds, so what could grow is refused on the tree before: digits times exponents, stacked powers,
and an exponential inside another function, whose argument no precision would hold.
"""

from fractions import Fraction
from functools import lru_cache
from types import ModuleType
from typing import Any

from moot.methods.oracles import exact
from moot.methods.oracles.exact import Range
from moot.methods.oracles.expressions import Name, Node, Number, Operation, names
from moot.methods.oracles.finding import Uncomputable

MOST_LITERAL = 30
MOST_POWER = 50
MOST_WEIGHT = 1_000
MOST_EXPONENT_WEIGHT = 5
MOST_TERMS = 1_000
MOST_BITS = 10_000

_GROWING = frozenset(["exp", "sinh", "cosh", "tanh"])
_STEADY = frozenset(["ln", "log", "log2", "log10", "sqrt", "cbrt", "abs"])
_TRIGONOMETRIC = frozenset(["sin", "cos", "tan", "asin", "acos", "atan"])
_ARITHMETIC = frozenset(["+", "-", "*", "/", "neg", "percent"])
_POINTS = tuple(Fraction(text) for text in ("2/3", "3", "-7/5", "11/7", "1/4", "-1/2", "5/2", "-3"))
_NOT_A_VALUE = "expressions that have a real value"


@lru_cache(maxsize=1)
def _sympy() -> ModuleType:
    """Half a second to import: only who asks for algebra waits for it."""
    import sympy

    return sympy


def as_sympy(node: Node) -> Any:
    """Return the expression as sympy's own nodes, with real variables.

    Raises:
        Uncomputable: it could grow past the limits, or has no value.

    """
    if _weight(node) > MOST_WEIGHT:
        raise Uncomputable(f"expressions whose digits and powers multiply to at most {MOST_WEIGHT:,}")
    _refuse_towers(node, inside=False)
    made = _built(node)
    if made.has(_sympy().zoo, _sympy().nan, _sympy().oo, -_sympy().oo):
        raise Uncomputable(_NOT_A_VALUE)
    if any(max(abs(atom.p), atom.q).bit_length() > MOST_BITS for atom in made.atoms(_sympy().Rational)):
        raise Uncomputable(f"numbers of at most {MOST_BITS:,} bits")
    return made


def is_same(first: Any, second: Any) -> bool:
    """Return whether two expressions are equal for all real values where both are defined.

    Raises:
        Uncomputable: neither a proof nor a counterexample was found.

    """
    pair = _fraction(first - second)
    if pair is not None:
        return not pair[0]
    if any(_differ(first, second, shift) for shift in range(len(_POINTS))):
        return False
    if _sympy().simplify(first - second) == 0:
        return True
    raise Uncomputable("identities that reduce to zero, or fail at one of eight points")


def derivative(expression: Any, variable: str) -> Any:
    """Return the derivative of an expression."""
    return _sympy().diff(expression, _sympy().Symbol(variable, real=True))


def solved(expression: Any, most_degree: int) -> list[Any]:
    """Return the real values of the one variable for which the expression is zero, lowest first.

    Raises:
        Uncomputable: it is not a rational expression of a degree within bounds.

    """
    sympy = _sympy()
    pair = _fraction(expression)
    if pair is None:
        raise Uncomputable("polynomial and rational equations")
    variable = next(iter(expression.free_symbols), None)
    above = sympy.Poly(pair[0].as_expr(), variable) if variable is not None and pair[0] else None
    if above is None or not 1 <= above.degree() <= most_degree:
        raise Uncomputable(f"equations of degree 1 to {most_degree}")
    below = pair[1].as_expr()
    return [root for root, _ in above.real_roots(multiple=False) if not _vanishes(below, root)]


def enclosed(expression: Any) -> Range:
    """Return the value of an expression without variables, to 40 digits or better.

    Raises:
        Uncomputable: it has no real value, or one that is too large or too small.

    """
    if expression.is_Rational:
        return exact.exactly(Fraction(int(expression.p), int(expression.q)))
    value = _evaluated(expression)
    if value is None:
        raise Uncomputable(f"{_NOT_A_VALUE}, of at most {MOST_BITS:,} bits")
    slack = abs(value) / 10**40
    return Range(value - slack, value + slack)


def digits(expression: Any, most: int = 20) -> str:
    """Return the value of an expression without variables as short text."""
    return exact.shown(enclosed(expression), most)


def expanded(expression: Any) -> str:
    """Return a polynomial as a sum of its terms, and anything else as it is."""
    pair = _fraction(expression)
    is_short = pair is not None and pair[1] == 1 and len(pair[0]) <= 20
    return written(pair[0].as_expr() if pair is not None and is_short else expression)


def written(expression: Any) -> str:
    """Return an expression as text."""
    return str(expression).replace("**", "^")


def _weight(node: Node) -> int:
    """A bound on the digits and the degree that building the expression can come to."""
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
    # Sympy computes 2**(x**9) with whole numbers as soon as x is one.
    if grows and any(_weight(operand) > MOST_EXPONENT_WEIGHT for operand in node.operands):
        raise Uncomputable(f"variable exponents whose digits and powers sum to at most {MOST_EXPONENT_WEIGHT}")
    for place, operand in enumerate(node.operands):
        closed = node.operator in _TRIGONOMETRIC or (grows and (place == 1 or not is_power))
        _refuse_towers(operand, inside=inside or closed)


def _built(node: Node) -> Any:
    sympy = _sympy()
    value = _literal(node)
    if value is not None:
        return sympy.Rational(value.numerator, value.denominator)
    if isinstance(node, Name):
        constant = {"pi": sympy.pi, "e": sympy.E}.get(node.name)
        if node.name == "i":
            raise Uncomputable("real variables; i is left to complex numbers")
        return constant if constant is not None else sympy.Symbol(node.name, real=True)
    if isinstance(node, Number):
        raise Uncomputable(f"numbers of at most {exact.MOST_DIGITS:,} digits")
    return _operated(node.operator, [_built(operand) for operand in node.operands])


def _operated(operator: str, operands: list[Any]) -> Any:
    sympy = _sympy()
    first, last = operands[0], operands[-1]
    if operator in _TRIGONOMETRIC | _GROWING:
        return getattr(sympy, operator)(first)
    if operator in _ARITHMETIC:
        sums = {"+": first + last, "-": first - last, "*": first * last, "neg": -first, "percent": first / 100}
        return first / last if operator == "/" else sums[operator]
    known = {
        "^": lambda: first**last,
        "sqrt": lambda: sympy.sqrt(first),
        "cbrt": lambda: sympy.real_root(first, 3),
        "abs": lambda: sympy.Abs(first),
        "ln": lambda: sympy.log(first),
        "log10": lambda: sympy.log(first, 10),
        "log2": lambda: sympy.log(first, 2),
    }
    if operator not in known:
        raise Uncomputable("log2, log10 or ln, since log alone is ambiguous" if operator == "log" else f"no {operator}")
    return known[operator]()


def _differ(first: Any, second: Any, shift: int) -> bool:
    """Whether both sides have real values at a point, and these are apart."""
    sympy = _sympy()
    variables = sorted(first.free_symbols | second.free_symbols, key=str)
    point = {
        variable: sympy.Rational(*_POINTS[(3 * place + shift) % len(_POINTS)].as_integer_ratio())
        for place, variable in enumerate(variables)
    }
    values = [_evaluated(side.subs(point)) for side in (first, second)]
    if values[0] is None or values[1] is None:
        return False
    return abs(values[0] - values[1]) > max(1, abs(values[0]), abs(values[1])) / Fraction(10**20)


def _evaluated(expression: Any) -> Fraction | None:
    """The value to 50 digits as a fraction, or nothing where it is not real, not finite or out of bounds."""
    from sympy.core.evalf import PrecisionExhausted

    try:
        value = expression.evalf(50, maxn=2_000, strict=True)
    except PrecisionExhausted:
        return None
    if value.is_zero:
        return Fraction(0)
    if not value.is_Float and not value.is_Rational:
        return None
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    negative, mantissa, exponent, _ = value._mpf_
    if not mantissa or abs(exponent) > MOST_BITS:
        return None
    return (-1 if negative else 1) * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _vanishes(expression: Any, root: Any) -> bool:
    value = _evaluated(expression.subs(dict.fromkeys(expression.free_symbols, root)))
    return value is not None and abs(value) < Fraction(1, 10**30)


def _fraction(expression: Any) -> tuple[Any, Any] | None:
    """Numerator and denominator as polynomials over the rationals, or nothing where the expression is not rational."""
    from sympy.polys.domains import QQ
    from sympy.polys.rings import ring

    variables = sorted(expression.free_symbols, key=str)
    polynomials = ring(variables or [_sympy().Symbol("x", real=True)], QQ)[0]
    return _quotient(expression, polynomials)


def _quotient(expression: Any, ring: Any) -> tuple[Any, Any] | None:
    if expression.is_Rational:
        return ring(1) * ring.domain(int(expression.p), int(expression.q)), ring(1)
    if expression.is_Symbol:
        return ring.from_expr(expression), ring(1)
    if expression.is_Add or expression.is_Mul:
        return _combined(expression, ring)
    if expression.is_Pow and expression.exp.is_Integer and abs(expression.exp) <= MOST_POWER:
        base = _quotient(expression.base, ring)
        if base is None:
            return None
        above, below = (_repeated(part, abs(int(expression.exp))) for part in base)
        return (above, below) if expression.exp > 0 else (below, above)
    return None


def _combined(expression: Any, ring: Any) -> tuple[Any, Any] | None:
    above, below = (ring(0) if expression.is_Add else ring(1)), ring(1)
    for argument in expression.args:
        part = _quotient(argument, ring)
        if part is None:
            return None
        above = _times(above, part[1]) + _times(part[0], below) if expression.is_Add else _times(above, part[0])
        below = _times(below, part[1])
    return above, below


def _repeated(polynomial: Any, times: int) -> Any:
    power = polynomial.ring(1)
    for _ in range(times):
        power = _times(power, polynomial)
    return power


def _times(first: Any, second: Any) -> Any:
    if len(first) * len(second) > 20 * MOST_TERMS or max(len(first), len(second)) > MOST_TERMS:
        raise Uncomputable(f"polynomials of at most {MOST_TERMS:,} terms")
    return first * second
