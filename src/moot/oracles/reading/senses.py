"""The other usual senses of units: what one of them makes right is not refuted (ruling S12).

Ounces of water, weights in kilograms, food calories, differences of temperature, ovens, scales of maps.
"""

import re
from fractions import Fraction
from typing import cast

from moot.oracles.engine.exact import exactly
from moot.oracles.engine.expressions import Node
from moot.oracles.engine.measures import written
from moot.oracles.engine.precision import Agreement, agreement, stated_unit
from moot.oracles.engine.quantities import NO_DIMENSION, Quantity, converted, dimension
from moot.oracles.finding import Uncomputable

OVEN = 100

_MASS, _ENERGY = "[mass]", "[length]^2 [mass] [time]^-2"
_TEMPERATURE = "[temperature]"
# Ounces of water, weights in kilograms, pressures in inches, masses in electronvolts: people who know say them.
_SPOKEN_AS_ONE = {
    frozenset(pair)
    for pair in (
        (_MASS, "[length]^3"),
        (_MASS, "[length] [mass] [time]^-2"),
        (_MASS, "[length] [time]^-2"),
        (_MASS, _ENERGY),
        (_TEMPERATURE, _ENERGY),
        ("[time]^-1", _ENERGY),
        ("[length]^-1", _ENERGY),
        ("[length]", "[mass] [length]^-1 [time]^-2"),
    )
}
_CALORIES = re.compile(r"(?<![A-Za-z])(k|kilo)?cal(?:orie)?s?(?![A-Za-z])", re.IGNORECASE)
_OTHER_CALORIES = (Fraction("4.1868") / Fraction("4.184"), Fraction("4.1855") / Fraction("4.184"))
_DEGREE_SIZES = {"kelvin": 9, "degree_Celsius": 9, "degree_Fahrenheit": 5, "degree_Rankine": 5}
_ON_A_MAP = frozenset(["inch", "centimeter", "millimeter"])


def refuse_spoken_as_one(texts: tuple[str, str], quantities: tuple[Quantity, Quantity]) -> None:
    """Refuse two dimensions where a number has lost its unit, or people who know speak of the two as one.

    Raises:
        Uncomputable: the claim may be right in such a sense.

    """
    names = [dimension(quantity.unit) for quantity in quantities]
    if any(quantity.constant for quantity in quantities) or NO_DIMENSION in names:
        raise Uncomputable("quantities with their units")
    bare_degrees = _TEMPERATURE in names and any(text.strip()[-1:] in ("C", "F") for text in texts)
    if frozenset(names) in _SPOKEN_AS_ONE or bare_degrees:
        raise Uncomputable("quantities that are not spoken of as one, such as weights and masses")
    if "[time]" in names and any(re.search(r"[0-9]\s?m$", text.strip()) for text in texts):
        raise Uncomputable("metres beside lengths; m may mean minutes")


def refuse_other_senses(texts: tuple[str, str], left: Quantity, right: Quantity, value: Fraction) -> None:
    """Refuse a claim that does not hold where another sense of its words makes it right.

    Raises:
        Uncomputable: the claim is right in such a sense.

    """
    _refuse_uncertain(left, right, value)
    _refuse_other_calories(texts, right, value)
    _refuse_degrees_between(left, right, value)


def to_its_digits(value: Fraction, right: Quantity, *, about: bool, of_constant: bool) -> Agreement:
    """Return how a value and the stated one agree; a constant is given to its last digit that is not zero.

    Raises:
        Uncomputable: as `agreement` does.

    """
    node = cast("Node", right.stated)
    try:
        return agreement(exactly(value), exactly(right.size), node, about=about, converted=True)
    except Uncomputable:
        loose, strict = stated_unit(node, about=True) or 0, stated_unit(node, converted=True) or 0
        if of_constant and loose > strict and abs(value - right.size) < loose / 2:
            return "rounded"
        raise


def _refuse_uncertain(left: Quantity, right: Quantity, value: Fraction) -> None:
    """A constant's digits are often cut rather than rounded, and those of a measured one change."""
    if left.constant is None:
        return
    unit = stated_unit(cast("Node", right.stated), converted=True) or Fraction(0)
    if abs(right.size) < abs(value) < abs(right.size) + unit:
        raise Uncomputable("values of a constant rounded at their last digit, not cut there")
    uncertain = 10 * abs(value / left.size) * left.constant.uncertainty if left.size else 0
    if uncertain and abs(value - right.size) <= uncertain + unit / 2:
        raise Uncomputable("values of a constant that differ by more than ten of its uncertainty")


def refuse_two_orders(texts: tuple[str, str], value: Fraction, other: Fraction) -> None:
    """Refuse a comparison of calories that the other calorie turns round.

    Raises:
        Uncomputable: it does.

    """
    thousand = _other_thousand(texts)
    if (thousand * value < other) != (value < other):
        raise Uncomputable("calories of one kind; this claim holds for another")


def _other_thousand(texts: tuple[str, str]) -> Fraction:
    """How many times the first quantity grows where a calorie is the one of food, or a Calorie is not."""
    for text, sign in zip(texts, (1, -1), strict=True):
        found = _CALORIES.search(text)
        if found and not found[1]:
            return Fraction(1000) ** (-sign if found[0][0].isupper() else sign)
    return Fraction(1)


def _refuse_other_calories(texts: tuple[str, str], right: Quantity, value: Fraction) -> None:
    """There are calories of 4.184, 4.1855 and 4.1868 joules, and a thousand times as large on food."""
    if not any(map(_CALORIES.search, texts)):
        return
    kinds = [Fraction(1), *_OTHER_CALORIES, *(1 / kind for kind in _OTHER_CALORIES)]
    others = [value * kind * scale for kind in kinds for scale in (Fraction(1), _other_thousand(texts))]
    if any(to_its_digits(other, right, about=False, of_constant=False) != "apart" for other in others):
        raise Uncomputable("calories of one kind; this claim holds for another")


def _refuse_degrees_between(left: Quantity, right: Quantity, value: Fraction) -> None:
    """A rise of 10 °C is one of 18 °F, and ovens are marked in round numbers: 180 °C is 350 °F."""
    if dimension(left.unit) != _TEMPERATURE:
        return
    first, second = (_DEGREE_SIZES.get(written(unit._units), 0) for unit in (left.unit, right.unit))
    if first * left.size == second * right.size:
        raise Uncomputable("temperatures; as a difference of temperatures this claim holds")
    in_tens = left.size % 10 == 0 == right.size % 10
    if in_tens and min(left.size, right.size) >= OVEN and abs(value - right.size) <= 10:
        raise Uncomputable("temperatures to the degree, not the round numbers of an oven")


def is_scale(left: Quantity, right: Quantity) -> bool:
    """Return whether one small length stands for a long one, as on a map."""
    if left.size != 1 or written(left.unit._units) not in _ON_A_MAP or dimension(right.unit) != "[length]":
        return False
    return converted(right.size, right.unit, left.unit) > 10
