"""When a computed value and a stated one are the same: the rule of tolerance of all oracles (ruling S7).

- A whole number is exact, however it is written: 10/3 is not 3, and 2^10 is 1024 and nothing near it.
- A decimal is stated to its last digit: 10/3 is 3.33, since they are equal when rounded to two decimals; 3.34 is not.
  A value midway may be rounded either way. `3.00e8` and `3.00 * 10^8` are stated to a million.
- After `≈` or "about" a whole number is stated to its last digit that is not zero: 299,792 is about 300,000.
- Where both sides are expressions, they are equal exactly or not at all.
"""

from fractions import Fraction

from moot.oracles.exact import Range, difference, evaluated, exactly, sign
from moot.oracles.expressions import Name, Node, Number, Operation
from moot.oracles.finding import Uncomputable


def stated_unit(node: Node, *, about: bool = False) -> Fraction | None:
    """Return the unit of the last stated digit of a literal, 0 where it is exact, None where it is no literal."""
    if isinstance(node, Number):
        return _last_digit(node.text, about=about)
    if isinstance(node, Name):
        return None
    first, *rest = node.operands
    if node.operator in ("neg", "percent"):
        unit = stated_unit(first, about=about)
        return unit / 100 if unit and node.operator == "percent" else unit
    if node.operator == "*" and isinstance(first, Number) and _is_power_of_ten(rest[0]):
        unit = stated_unit(first, about=about)
        return unit * evaluated(rest[0]).low if unit is not None else None
    return None


def agrees(value: Range, stated: Range, unit: Fraction | None) -> bool:
    """Return whether a value is the stated one at its last digit, or exactly where the unit is 0 or None.

    Raises:
        Uncomputable: the value is not rational and too near to the border.

    """
    apart = difference(value, stated)
    if not unit:
        return sign(apart) == 0
    half = exactly(unit / 2)
    return sign(difference(apart, half)) <= 0 and sign(difference(Range(-apart.high, -apart.low), half)) <= 0


def _last_digit(text: str, *, about: bool) -> Fraction:
    mantissa, _, exponent = text.lower().replace(",", "").partition("e")
    if text[:2].lower() in ("0x", "0b", "0o"):
        return Fraction(0)
    scale = Fraction(10) ** int(exponent or "0")
    if "." in mantissa:
        return scale / 10 ** len(mantissa.partition(".")[2])
    if not about or not mantissa.strip("0"):
        return Fraction(0) if not about else scale
    return scale * 10 ** (len(mantissa) - len(mantissa.rstrip("0")))


def _is_power_of_ten(node: Node) -> bool:
    if not isinstance(node, Operation) or node.operator != "^" or node.operands[0] != Number("10"):
        return False
    try:
        return evaluated(node).is_exact
    except Uncomputable:
        return False
