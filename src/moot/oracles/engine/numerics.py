"""The value of an expression at a point, to forty digits or not at all (ruling S7)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from moot.oracles.engine import exact
from moot.oracles.engine.exact import Range
from moot.oracles.engine.expressions import Name, Node, Number, names
from moot.oracles.engine.identities import absent
from moot.oracles.finding import Uncomputable

DIGITS = 40
MOST_BITS = 20_000

_WORKING = (60, 100)
"""Digits; where a value at the first is not that at the second, nothing is said."""


def value_at(node: Node, point: Mapping[str, Fraction]) -> Fraction | None:
    """Return the value of an expression at a point, or nothing where it is not real or not precise."""
    rough, fine = (_evaluated(node, point, digits) for digits in _WORKING)
    if rough is None or fine is None or abs(rough - fine) > max(1, abs(fine)) / Fraction(10) ** (DIGITS + 5):
        return None
    return fine


def enclosed(node: Node) -> Range:
    """Return the value of an expression without variables.

    Raises:
        Uncomputable: it has no real value, or one that is too large or too small.

    """
    value = value_at(node, {})
    if value is None:
        raise Uncomputable(f"expressions that have a real value, of at most {MOST_BITS:,} bits")
    slack = max(1, abs(value)) / Fraction(10) ** DIGITS
    return Range(value - slack, value + slack)


def _evaluated(node: Node, point: Mapping[str, Fraction], digits: int) -> Fraction | None:
    from mpmath import MPContext

    context = MPContext()
    context.dps = digits
    try:
        value = _number(node, point, context)
    except (ArithmeticError, ValueError):
        return None
    if not isinstance(value, context.mpf) or not context.isfinite(value):
        return None
    mantissa, exponent = value.man_exp
    mantissa = int(context.sign(value)) * int(mantissa)
    if abs(exponent) > MOST_BITS:
        return None
    return mantissa * Fraction(2) ** int(exponent)


def _number(node: Node, point: Mapping[str, Fraction], context: Any) -> Any:
    if isinstance(node, Number):
        return _fraction(exact.number(node.text), context)
    if isinstance(node, Name):
        constant = {"pi": context.pi, "e": context.e}.get(node.name)
        return +constant if constant is not None else _fraction(point[node.name], context)
    if node.operator not in _ARITHMETIC and node.operator not in _FUNCTIONS:
        if names(node) or node.operator not in exact.OPERATORS:
            raise Uncomputable(absent(node.operator))
        return _fraction(exact.evaluated(node).low, context)
    operands = [_number(operand, point, context) for operand in node.operands]
    if not all(isinstance(operand, context.mpf) for operand in operands):
        # A part without a real value has none as a whole.
        raise ValueError(node.operator)
    if node.operator in _ARITHMETIC:
        return _ARITHMETIC[node.operator](*operands)
    return _FUNCTIONS[node.operator](context, *operands)


def _fraction(value: Fraction, context: Any) -> Any:
    return context.mpf(value.numerator) / value.denominator


def _cube_root(context: Any, value: Any) -> Any:
    return context.cbrt(value) if value >= 0 else -context.cbrt(-value)


_ARITHMETIC: dict[str, Any] = {
    "+": lambda first, second: first + second,
    "-": lambda first, second: first - second,
    "*": lambda first, second: first * second,
    "/": lambda first, second: first / second,
    "neg": lambda value: -value,
    "percent": lambda value: value / 100,
}
_FUNCTIONS: dict[str, Any] = {
    "^": lambda context, base, power: context.power(base, power),
    "cbrt": _cube_root,
    "abs": lambda context, value: context.fabs(value),
    "log2": lambda context, value: context.log(value, 2),
    "log10": lambda context, value: context.log10(value),
    **{
        name: (lambda context, value, name=name: getattr(context, name)(value))
        for name in ("sqrt", "exp", "ln", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")
    },
}
