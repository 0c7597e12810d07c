"""When a computed value and a stated one are the same: the rule of tolerance of all oracles (rulings S7, S12).

- A whole number is exact: 10/3 is not 3, and 2^10 is 1024 and nothing near it.
- A decimal is stated to its last digit: 10/3 is 3.33 as rounded, since they are equal when rounded to two decimals;
  3.34 is not. `3.00e8` and `3.00 * 10^8` are stated to a million. So is a whole number that a conversion or a percent
  gives: 100 km is 62 miles as rounded, and 1/3 is 33%.
- After `≈` or "about" a whole number is stated to its last digit that is not zero: 299,792 is about 300,000.
- Not decided: a value midway between two roundings; after `≈` a value that was cut rather than rounded, within one of
  its last digit; a conversion that only a rounding to its zeros makes right.
- Where both sides are expressions, they are equal exactly or not at all.
"""

from fractions import Fraction
from typing import Literal

from moot.oracles.exact import Range, difference, evaluated, exactly, sign
from moot.oracles.expressions import Name, Node, Number, Operation
from moot.oracles.finding import Uncomputable

Agreement = Literal["exact", "rounded", "apart"]


def agreement(value: Range, stated: Range, node: Node, *, about: bool = False, converted: bool = False) -> Agreement:
    """Return how a value and the stated one, written as `node`, agree (S12).

    `converted`: the value comes from a conversion or a percent, so that a whole number is stated to its last digit.

    Raises:
        Uncomputable: the value is midway, cut, or too near to the border.

    """
    apart = _size(difference(value, stated))
    if apart.is_exact and apart.low == 0:
        return "exact"
    unit = stated_unit(node, about=about, converted=converted)
    if not unit:
        sign(apart)
        return "apart"
    side = sign(difference(apart, exactly(unit / 2)))
    if side < 0:
        return "rounded"
    if side == 0:
        raise Uncomputable("a value that is not midway between two roundings")
    _refuse_uncertain(apart, node, unit, about=about, converted=converted)
    return "apart"


def _refuse_uncertain(apart: Range, node: Node, unit: Fraction, *, about: bool, converted: bool) -> None:
    """Refuse what a usual but looser way of rounding makes right: digits cut off, or zeros that are not meant."""
    exact_unit = stated_unit(node, converted=True)
    if about and unit == exact_unit and sign(difference(apart, exactly(unit))) <= 0:
        raise Uncomputable("a value rounded to its last digit, not cut or one off there")
    loose = stated_unit(node, about=True)
    if converted and not about and not is_percent(node) and loose and sign(difference(apart, exactly(loose / 2))) <= 0:
        raise Uncomputable("a converted value whose last zeros are meant; `about` says that they are not")


def stated_unit(node: Node, *, about: bool = False, converted: bool = False) -> Fraction | None:
    """Return the unit of the last stated digit of a literal, 0 where it is exact, None where it is no literal."""
    if isinstance(node, Number):
        return _last_digit(node.text, about=about, converted=converted)
    if isinstance(node, Name):
        return None
    first, *rest = node.operands
    if node.operator == "neg":
        return stated_unit(first, about=about, converted=converted)
    if is_percent(node):
        unit = stated_unit(first, about=about, converted=True)
        return unit / 100 if unit else unit
    if node.operator == "*" and isinstance(first, Number) and _is_power_of_ten(rest[0]):
        unit = stated_unit(first, about=about, converted=converted)
        return unit * evaluated(rest[0]).low if unit is not None else None
    return None


def is_percent(node: Node) -> bool:
    """Return whether an expression is a percentage such as `33%`."""
    return isinstance(node, Operation) and node.operator == "percent"


def agrees(value: Range, stated: Range, unit: Fraction | None) -> bool:
    """Return whether a value is the stated one at its last digit, or exactly where the unit is 0 or None.

    Raises:
        Uncomputable: the value is not rational and too near to the border.

    """
    apart = _size(difference(value, stated))
    return sign(difference(apart, exactly(unit / 2))) <= 0 if unit else sign(apart) == 0


def _size(apart: Range) -> Range:
    """The distance from zero; a range on both sides of zero begins there."""
    if apart.low >= 0:
        return apart
    if apart.high <= 0:
        return Range(-apart.high, -apart.low)
    return Range(Fraction(0), max(-apart.low, apart.high))


def _last_digit(text: str, *, about: bool, converted: bool) -> Fraction:
    mantissa, _, exponent = text.lower().replace(",", "").partition("e")
    if text[:2].lower() in ("0x", "0b", "0o"):
        return Fraction(0)
    scale = Fraction(10) ** int(exponent or "0")
    if "." in mantissa:
        return scale / 10 ** len(mantissa.partition(".")[2])
    if not about:
        return scale if converted else Fraction(0)
    zeros = len(mantissa) - len(mantissa.rstrip("0")) if mantissa.strip("0") else 0
    return scale * 10**zeros


def _is_power_of_ten(node: Node) -> bool:
    if not isinstance(node, Operation) or node.operator != "^" or node.operands[0] != Number("10"):
        return False
    try:
        return evaluated(node).is_exact
    except Uncomputable:
        return False
