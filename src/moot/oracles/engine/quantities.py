"""Quantities: a number with its unit, or a physical constant by its name (ruling S7)."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from moot.oracles.engine.constants import ALSO_PER_MOLE, BY_NAME, Constant
from moot.oracles.engine.exact import evaluated
from moot.oracles.engine.expressions import Node, parsed
from moot.oracles.engine.measures import parsed_unit, registry, written
from moot.oracles.finding import Uncomputable, bounded

MOST_CHARACTERS = 150
MOST_SIZE = 10**60
NO_DIMENSION = "a plain number"

QUANTITY = re.compile(
    r"([-+\u2212]?(?:[0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3}|\s?[x\u00d7*]\s?10\s?\^\s?[-+]?[0-9]{1,3})?)\s*(.*)"
)
_BARE = re.compile(r"[-\u2212]?[0-9][0-9.,]*\s?[CFK]")
_DEGREES = re.compile(r"°[CF]|(?<![A-Za-z])(?:deg[CF]|celsius|fahrenheit|kelvin)", re.IGNORECASE)
_BARE_DEGREES = {"C": "degC", "F": "degF", "K": "kelvin"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A size in a unit, with the expression that states it or the constant that it is."""

    size: Fraction
    unit: Any
    stated: Node | None = None
    constant: Constant | None = None


def quantities(left: str, right: str) -> tuple[Quantity, Quantity]:
    """Return the two quantities, each in the sense that the other gives it.

    Raises:
        Uncomputable: one of them is no quantity, or too large or small.

    """
    first, second = (_quantity(bounded(text, MOST_CHARACTERS, "quantities")) for text in _with_degrees(left, right))
    other = ALSO_PER_MOLE.get(constant_name(left))
    if other is not None and first.unit.dimensionality != second.unit.dimensionality:
        first = _of_constant(other)
    return first, second


def _quantity(text: str) -> Quantity:
    if named := BY_NAME.get(constant_name(text)):
        return _of_constant(named)
    found = QUANTITY.fullmatch(text.strip())
    if found is None:
        raise Uncomputable("a number with a unit, or the name of a physical constant")
    stated = parsed(re.sub(r"\s?[x\u00d7]\s?", "*", found[1]))
    value = evaluated(stated)
    if abs(value.low) > MOST_SIZE or (value.low and abs(value.low) < Fraction(1, MOST_SIZE)):
        raise Uncomputable("quantities between 10^-60 and 10^60")
    return Quantity(value.low, parsed_unit(found[2]), stated)


def _of_constant(constant: Constant) -> Quantity:
    return Quantity(constant.value, parsed_unit(constant.unit), constant=constant)


def constant_name(text: str) -> str:
    """Return what may be a constant's name, without its article."""
    return re.sub(r"^(?:the|an?) ", "", " ".join(text.lower().replace("\u2019", "'").split()))


def _with_degrees(left: str, right: str) -> tuple[str, str]:
    """`C` is the coulomb, but `100 C` beside `212 F` or `373 kelvin` is a temperature."""
    bare = [_BARE.fullmatch(text.strip()) for text in (left, right)]
    ends = [text.strip()[-1:] for text in (left, right)]
    both = all(bare) and ends[0] != ends[1]
    beside = bool(bare[0]) != bool(bare[1]) and any(map(_DEGREES.search, (left, right)))
    if not (both or beside):
        return left, right
    texts = zip((left, right), bare, ends, strict=True)
    first, second = (f"{text.strip()[:-1]} {_BARE_DEGREES[end]}" if found else text for text, found, end in texts)
    return first, second


def dimension(unit: Any) -> str:
    """Return what a unit measures, in base dimensions."""
    return written(unit.dimensionality) or NO_DIMENSION


def converted(size: Fraction, unit: Any, target: Any) -> Fraction:
    """Return a size in another unit of the same dimension.

    Raises:
        Uncomputable: the units do not convert by a factor.

    """
    from pint.errors import PintError

    try:
        return Fraction(registry().Quantity(size, unit).to(target).magnitude)
    except (PintError, TypeError, ValueError, ArithmeticError):
        raise Uncomputable("units that convert by a factor, or temperatures alone") from None
