"""Units and physical constants: conversions, comparisons and dimensions of quantities (rulings S7, S12).

Conversions are exact fractions. A converted quantity is judged to its last digit, by the rule of `precision`, and a
constant to its last digit that is not zero. A measured constant is known no better than its uncertainty: a claim that
differs within ten of it is not decided. Neither is one that another usual sense of its units makes right.
"""

import re
from fractions import Fraction
from typing import Any, Literal

from typing_extensions import override

from moot.oracles.engine import exact
from moot.oracles.engine.constants import BY_NAME, Constant
from moot.oracles.engine.exact import exactly
from moot.oracles.engine.measures import MOST_NAMES, MOST_POWER, base, parsed_unit, written
from moot.oracles.engine.precision import Agreement
from moot.oracles.engine.quantities import (
    MOST_CHARACTERS,
    QUANTITY,
    Quantity,
    constant_name,
    converted,
    dimension,
    quantities,
)
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable, bounded
from moot.oracles.reading.senses import (
    is_scale,
    refuse_other_senses,
    refuse_spoken_as_one,
    refuse_two_orders,
    to_its_digits,
)

Relation = Literal["equals", "exactly", "about", "less", "greater", "same_dimension"]

_READ_AS = {
    "equals": "{} is {}",
    "exactly": "{} is exactly {}",
    "about": "{} is about {}",
    "less": "{} is less than {}",
    "greater": "{} is greater than {}",
    "same_dimension": "{} and {} measure the same thing",
}


class Units(Deniable):
    """A claim about two quantities such as `1 mile` and `1.609344 km`, or a constant's name and its value.

    equals, exactly, about, less, greater: compare them in one unit. same_dimension: the two units measure the same
    thing.
    """

    kind: Literal["units"] = "units"
    relation: Relation
    left: Line
    right: Line

    @property
    @override
    def reading(self) -> str:
        """The comparison as a sentence."""
        read_as = _READ_AS[self.relation].format(self.left.strip(), self.right.strip())
        return f"it is not so that {read_as}" if self.negated else read_as


def decide(check: Units) -> Computed:
    """Return whether the claim about the two quantities holds, exactly or as rounded."""
    if check.relation == "same_dimension":
        return _dimensions(check)
    texts = check.left, check.right
    left, right = quantities(*texts)
    first, second = base(left.unit), base(right.unit)
    if left.unit.dimensionality != right.unit.dimensionality:
        refuse_spoken_as_one(texts, (left, right))
        names = f"{dimension(left.unit)} and {dimension(right.unit)}"
        return Computed(holds=False, value=names, explanation="the dimensions differ")
    if first != second:
        # One hertz is 2 pi radians a second, or one, by whom you ask.
        raise Uncomputable("angles, counts and bits on both sides or on neither")
    value = converted(left.size, left.unit, right.unit)
    size = exact.shown(exactly(value), 15).rpartition("≈ ")[2]
    shown = f"{size} {written(right.unit._units)}".strip()
    how = f"{check.left.strip()} in the other unit"
    if check.relation in ("less", "greater"):
        refuse_two_orders(texts, value, right.size)
        return Computed(value < right.size if check.relation == "less" else value > right.size, shown, how)
    agreed = _agreed(check, left, right, value)
    return Computed(agreed != "apart", shown, how, rounded=agreed == "rounded")


def _agreed(check: Units, left: Quantity, right: Quantity, value: Fraction) -> Agreement:
    if right.stated is None:
        raise Uncomputable("a stated number on the right")
    if check.relation == "exactly":
        return "exact" if value == right.size else "apart"
    agreed = to_its_digits(value, right, about=check.relation == "about", of_constant=left.constant is not None)
    if agreed == "rounded" and not right.size and dimension(left.unit) != "[temperature]":
        raise Uncomputable("a stated number that is not zero where the quantity is not")
    if agreed == "apart":
        refuse_other_senses((check.left, check.right), left, right, value)
    return agreed


def _dimensions(check: Units) -> Computed:
    first, second = (_unit_alone(bounded(text, MOST_CHARACTERS, "units")) for text in (check.left, check.right))
    base(first), base(second)
    same = first.dimensionality == second.dimensionality
    return Computed(same, f"{dimension(first)} and {dimension(second)}", "reduced to base dimensions")


def _unit_alone(text: str) -> Any:
    found = QUANTITY.fullmatch(text.strip())
    return parsed_unit(found[2] if found and found[2] else text)


_BETWEEN: tuple[tuple[str, Relation], ...] = (
    (" has the same dimension as ", "same_dimension"),
    (" is approximately ", "about"),
    (" is about ", "about"),
    (" is roughly ", "about"),
    (" ≈ ", "about"),
    (" is equal to ", "equals"),
    (" is exactly ", "exactly"),
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
    """The text with its article as a number: a mile, half a mile, one dozen."""
    text = re.sub(r"^half an? (?=[a-z])", "0.5 ", text.strip(), flags=re.IGNORECASE)
    return re.sub(r"^(?:an?|one) (?=[a-z])", "1 ", text, flags=re.IGNORECASE)


def _of_one_dimension(left: str, right: str) -> Units | None:
    if " in " in f"{left} {right}":
        # A place or a system, rather than inches.
        return None
    try:
        parsed_unit(left), parsed_unit(right)
    except Uncomputable:
        return None
    return Units(relation="same_dimension", left=left, right=right)


def _units(left: str, relation: Relation, right: str) -> Units | None:
    # Most sentences are about other things: those are told apart before pint is loaded.
    known = BY_NAME.get(constant_name(left))
    if not (known or _is_measured(left)) or not (_is_measured(right) or _is_counted(left, known, right)):
        return None
    try:
        first, second = quantities(left, right)
    except Uncomputable:
        return None
    if first.unit.dimensionality != second.unit.dimensionality or is_scale(first, second):
        return None
    return Units(relation=relation, left=left, right=right)


def _is_measured(text: str) -> bool:
    found = QUANTITY.fullmatch(text) if len(text) <= MOST_CHARACTERS else None
    return found is not None and any(map(str.isalpha, found[2]))


def _is_counted(left: str, known: Constant | None, right: str) -> bool:
    """Whether a plain number is what the left side comes to: dozens, or a constant without a unit."""
    plain = QUANTITY.fullmatch(right)
    without_unit = known is not None and not known.unit
    return bool(plain and not plain[2]) and (without_unit or re.search(r"\bdozens?$", left) is not None)


ORACLE = Oracle(
    kind="units",
    takes=Units,
    help="unit conversions, comparisons of quantities, dimensions, physical constants (CODATA 2022)",
    limit=f"units of {MOST_NAMES} names with powers up to {MOST_POWER}; sizes from 10^-60 to 10^60",
    decide=decide,
    read=read,
)
