"""When a computed value and a stated one are the same: the rule of tolerance of all oracles (rulings S7, S12).

- A whole number is exact: 10/3 is not 3, and 2^10 is 1024 and nothing near it.
- A decimal is stated to its last digit: 10/3 is 3.33 as rounded, since they are equal when rounded to two decimals;
  3.34 is not. `3.00e8` and `3.00 * 10^8` are stated to a million. So is a whole number that a conversion or a percent
  gives: 100 km is 62 miles as rounded, and 1/3 is 33%.
- After `≈` or "about" a whole number is stated to its last digit that is not zero: 299,792 is about 300,000.
- Not decided: a value midway between two roundings; digits that were cut rather than rounded (2/3 = 0.66); after `≈`
  whatever is one off in its last digit; a whole number of a conversion, or one with a power of ten, that is right but
  for its zeros; sixteen digits that a machine's fractions give.
- Where both sides are expressions, they are equal exactly or not at all.
"""

from fractions import Fraction
from typing import Literal

from moot.oracles.engine.exact import Range, difference, evaluated, exactly, sign
from moot.oracles.engine.expressions import Name, Node, Number, Operation
from moot.oracles.finding import Uncomputable

Agreement = Literal["exact", "rounded", "apart"]

_MACHINE_DIGITS = 15


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
    if unit:
        side = sign(difference(apart, exactly(unit / 2)))
        if side == 0:
            raise Uncomputable("a value that is not midway between two roundings")
        if side < 0:
            return "rounded"
    sign(apart)
    _refuse_loose(value, stated, apart, node, about=about, converted=converted)
    return "apart"


def _refuse_loose(value: Range, stated: Range, apart: Range, node: Node, *, about: bool, converted: bool) -> None:
    """Refuse what a usual but looser way of writing a number makes right."""
    number, written = _literal(node), stated_unit(node, converted=True)
    if number is None or not written:
        return
    has_point = "." in number.text
    if (about and stated_unit(node, about=True) == written) or (has_point and _is_cut(value, stated)):
        _refuse_within(apart, written, "a value rounded to its last digit, not cut or one off there")
    is_scientific = "e" in number.text.lower() or _is_scaled(node)
    if is_scientific or (converted and not about and not is_percent(node)):
        loose = (stated_unit(node, about=True) or written) / 2
        _refuse_within(apart, loose, "a value whose last zeros are meant; `about` says that they are not")
    if has_point and len(number.text) > _MACHINE_DIGITS:
        _refuse_within(apart, abs(stated.low) / 10**15, "exact fractions, and those of a machine differ here")


def _refuse_within(apart: Range, reach: Fraction, limit: str) -> None:
    if sign(difference(apart, exactly(reach))) <= 0:
        raise Uncomputable(limit)


def _is_cut(value: Range, stated: Range) -> bool:
    """Whether the stated digits may begin the value: it lies further from zero, on the same side."""
    return value.low > stated.high >= 0 or value.high < stated.low <= 0


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
    if _is_scaled(node):
        unit = stated_unit(first, about=about, converted=converted)
        return unit * evaluated(rest[0]).low if unit is not None else None
    return None


def is_percent(node: Node) -> bool:
    """Return whether an expression is a percentage such as `33%`."""
    return isinstance(node, Operation) and node.operator == "percent"


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


def _literal(node: Node) -> Number | None:
    """The number that is written, under its sign, percent or power of ten."""
    while isinstance(node, Operation) and (node.operator in ("neg", "percent") or _is_scaled(node)):
        node = node.operands[0]
    return node if isinstance(node, Number) else None


def _is_scaled(node: Node) -> bool:
    """Whether a number with a power of ten is written, such as `3.00 * 10^8`."""
    if not isinstance(node, Operation) or node.operator != "*":
        return False
    return isinstance(node.operands[0], Number) and _is_power_of_ten(node.operands[1])


def _is_power_of_ten(node: Node) -> bool:
    if not isinstance(node, Operation) or node.operator != "^" or node.operands[0] != Number("10"):
        return False
    try:
        return evaluated(node).is_exact
    except Uncomputable:
        return False
