"""Units and physical constants: conversions, comparisons and dimensions of quantities (ruling S7).

Conversions are exact fractions. A rounded quantity is judged by the rule of `precision`. A measured constant is known
no better than its uncertainty: a claim that differs within ten of it is not decided.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from moot.oracles import exact
from moot.oracles.constants import BY_NAME, Constant
from moot.oracles.exact import evaluated, exactly
from moot.oracles.expressions import Node, parsed
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable, bounded
from moot.oracles.measures import MOST_NAMES, MOST_POWER, base, parsed_unit, registry, written
from moot.oracles.precision import agrees, stated_unit

MOST_CHARACTERS = 150
MOST_SIZE = 10**60

Relation = Literal["equals", "about", "less", "greater", "same_dimension"]

_QUANTITY = re.compile(
    r"([-+\u2212]?(?:[0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3}|\s?[x\u00d7*]\s?10\s?\^\s?[-+]?[0-9]{1,3})?)\s*(.*)"
)
_BARE_DEGREES = {"C": "degC", "F": "degF", "K": "kelvin"}


class Units(Deniable):
    """A claim about two quantities such as `1 mile` and `1.609344 km`, or a constant's name and its value.

    equals, about, less, greater: compare them in one unit. same_dimension: the two units measure the same thing.
    """

    kind: Literal["units"] = "units"
    relation: Relation
    left: Line
    right: Line


@dataclass(frozen=True, slots=True)
class _Quantity:
    size: Fraction
    unit: Any
    stated: Node | None = None
    uncertainty: Fraction = Fraction(0)


def decide(check: Units) -> Computed:
    """Return whether the claim about the two quantities holds."""
    if check.relation == "same_dimension":
        return _dimensions(check)
    texts = _with_degrees(check.left, check.right)
    left, right = (_quantity(bounded(text, MOST_CHARACTERS, "quantities")) for text in texts)
    first, second = base(left.unit), base(right.unit)
    if left.unit.dimensionality != right.unit.dimensionality:
        return Computed(
            holds=False,
            value=f"{_dimension(left.unit)} and {_dimension(right.unit)}",
            explanation="the dimensions differ",
        )
    if first != second:
        # One hertz is 2 pi radians a second, or one, by whom you ask.
        raise Uncomputable("angles, counts and bits on both sides or on neither")
    value = _converted(left.size, left.unit, right.unit)
    shown = f"{exact.shown(exactly(value), 15)} {written(right.unit._units)}".strip()
    return Computed(_holds(check.relation, left, right, value), shown, f"{check.left.strip()} in the other unit")


def _dimensions(check: Units) -> Computed:
    first, second = (_unit_alone(bounded(text, MOST_CHARACTERS, "units")) for text in (check.left, check.right))
    base(first), base(second)
    same = first.dimensionality == second.dimensionality
    return Computed(same, f"{_dimension(first)} and {_dimension(second)}", "reduced to base dimensions")


def _unit_alone(text: str) -> Any:
    found = _QUANTITY.fullmatch(text.strip())
    return parsed_unit(found[2] if found and found[2] else text)


def _dimension(unit: Any) -> str:
    return written(unit.dimensionality) or "a plain number"


def _with_degrees(left: str, right: str) -> tuple[str, str]:
    """`C` is the coulomb, but `100 C` beside `212 F` is a temperature."""
    ends = [text.strip()[-1:] for text in (left, right)]
    bare = [re.fullmatch(r"[-\u2212]?[0-9][0-9.,]*\s?[CFK]", text.strip()) for text in (left, right)]
    if not all(bare) or ends[0] == ends[1]:
        return left, right
    return f"{left.strip()[:-1]} {_BARE_DEGREES[ends[0]]}", f"{right.strip()[:-1]} {_BARE_DEGREES[ends[1]]}"


def _quantity(text: str) -> _Quantity:
    if named := _constant(text):
        return _Quantity(named.value, parsed_unit(named.unit), uncertainty=named.uncertainty)
    found = _QUANTITY.fullmatch(text.strip())
    if found is None:
        raise Uncomputable("a number with a unit, or the name of a physical constant")
    stated = parsed(re.sub(r"\s?[x\u00d7]\s?", "*", found[1]))
    value = evaluated(stated)
    if abs(value.low) > MOST_SIZE or (value.low and abs(value.low) < Fraction(1, MOST_SIZE)):
        raise Uncomputable("quantities between 10^-60 and 10^60")
    return _Quantity(value.low, parsed_unit(found[2]), stated)


def _constant(text: str) -> Constant | None:
    return BY_NAME.get(re.sub(r"^(?:the|an?) ", "", " ".join(text.lower().replace("\u2019", "'").split())))


def _converted(size: Fraction, unit: Any, target: Any) -> Fraction:
    from pint.errors import PintError

    try:
        return Fraction(registry().Quantity(size, unit).to(target).magnitude)
    except (PintError, TypeError, ValueError, ArithmeticError):
        raise Uncomputable("units that convert by a factor, or temperatures alone") from None


def _holds(relation: Relation, left: _Quantity, right: _Quantity, value: Fraction) -> bool:
    if relation in ("less", "greater"):
        return value < right.size if relation == "less" else value > right.size
    if right.stated is None:
        raise Uncomputable("a stated number on the right")
    unit = stated_unit(right.stated, about=relation == "about")
    same = agrees(exactly(value), exactly(right.size), unit)
    if not same and left.uncertainty:
        uncertain = abs(value / left.size) * left.uncertainty
        if abs(value - right.size) <= 10 * uncertain + (unit or 0) / 2:
            raise Uncomputable("values of a constant that differ by more than ten of its uncertainty")
    return same


_BETWEEN: tuple[tuple[str, Relation], ...] = (
    (" has the same dimension as ", "same_dimension"),
    (" is approximately ", "about"),
    (" is about ", "about"),
    (" is roughly ", "about"),
    (" ≈ ", "about"),
    (" is equal to ", "equals"),
    (" is exactly ", "equals"),
    (" equals ", "equals"),
    (" is longer than ", "greater"),
    (" is heavier than ", "greater"),
    (" is faster than ", "greater"),
    (" is more than ", "greater"),
    (" is greater than ", "greater"),
    (" is shorter than ", "less"),
    (" is lighter than ", "less"),
    (" is slower than ", "less"),
    (" is less than ", "less"),
    (" has ", "equals"),
    (" is ", "equals"),
    (" are ", "equals"),
    (" = ", "equals"),
)
_THERE_ARE = re.compile(r"there are ([0-9][^\s]* [a-z ]+) in (an? [a-z ]+)", re.IGNORECASE)


def read(sentence: str) -> Units | None:
    """Return the claim about quantities or a constant that a sentence makes as a whole, or nothing."""
    if found := _THERE_ARE.fullmatch(sentence):
        return _units(_counted(found[2]), "equals", found[1])
    for words, relation in _BETWEEN:
        left, middle, right = sentence.partition(words)
        if middle and relation == "same_dimension":
            return _of_one_dimension(
                *(re.sub(r"^(?:the|an?) ", "", text, flags=re.IGNORECASE) for text in (left, right))
            )
        if middle:
            return _units(_counted(left), relation, _counted(right))
    return None


def _counted(text: str) -> str:
    return re.sub(r"^(?:an?|one) (?=[a-z])", "1 ", text.strip(), flags=re.IGNORECASE)


def _of_one_dimension(left: str, right: str) -> Units | None:
    try:
        parsed_unit(left), parsed_unit(right)
    except Uncomputable:
        return None
    return Units(relation="same_dimension", left=left, right=right)


def _units(left: str, relation: Relation, right: str) -> Units | None:
    # Most sentences are about other things: those are told apart before pint is loaded.
    if not _is_measured(right) or not (_is_measured(left) or _constant(left)):
        return None
    try:
        first, second = (_quantity(bounded(text, MOST_CHARACTERS, "quantities")) for text in _with_degrees(left, right))
    except Uncomputable:
        return None
    if first.unit.dimensionality != second.unit.dimensionality:
        return None
    return Units(relation=relation, left=left, right=right)


def _is_measured(text: str) -> bool:
    found = _QUANTITY.fullmatch(text) if len(text) <= MOST_CHARACTERS else None
    return found is not None and any(map(str.isalpha, found[2]))


ORACLE = Oracle(
    kind="units",
    takes=Units,
    help="unit conversions, comparisons of quantities, dimensions, physical constants (CODATA 2022)",
    limit=f"units of {MOST_NAMES} names with powers up to {MOST_POWER}; sizes from 10^-60 to 10^60",
    decide=decide,
    read=read,
)
