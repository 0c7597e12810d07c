"""Units and physical constants: conversions, comparisons and dimensions of quantities (rulings S7, S12).

Conversions are exact fractions. A converted quantity is judged to its last digit, by the rule of `precision`, and a
constant to its last digit that is not zero. A measured constant is known no better than its uncertainty: a claim that
differs within ten of it is not decided. Neither is one that another usual sense of its units makes right.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, cast

from typing_extensions import override

from moot.oracles import exact
from moot.oracles.constants import ALSO_PER_MOLE, BY_NAME, Constant
from moot.oracles.exact import evaluated, exactly
from moot.oracles.expressions import Node, parsed
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable, bounded
from moot.oracles.measures import MOST_NAMES, MOST_POWER, base, parsed_unit, registry, written
from moot.oracles.precision import Agreement, agreement, stated_unit

MOST_CHARACTERS = 150
MOST_SIZE = 10**60
OVEN = 100

Relation = Literal["equals", "exactly", "about", "less", "greater", "same_dimension"]

_QUANTITY = re.compile(
    r"([-+\u2212]?(?:[0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3}|\s?[x\u00d7*]\s?10\s?\^\s?[-+]?[0-9]{1,3})?)\s*(.*)"
)
_READ_AS = {
    "equals": "{} is {}",
    "exactly": "{} is exactly {}",
    "about": "{} is about {}",
    "less": "{} is less than {}",
    "greater": "{} is greater than {}",
    "same_dimension": "{} and {} measure the same thing",
}
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
_NO_DIMENSION = "a plain number"
_DEGREE_SIZES = {"kelvin": 9, "degree_Celsius": 9, "degree_Fahrenheit": 5, "degree_Rankine": 5}
_ON_A_MAP = frozenset(["inch", "centimeter", "millimeter"])
_BARE = re.compile(r"[-\u2212]?[0-9][0-9.,]*\s?[CFK]")
_DEGREES = re.compile(r"°[CF]|(?<![A-Za-z])(?:deg[CF]|celsius|fahrenheit|kelvin)", re.IGNORECASE)
_BARE_DEGREES = {"C": "degC", "F": "degF", "K": "kelvin"}


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


@dataclass(frozen=True, slots=True)
class _Quantity:
    size: Fraction
    unit: Any
    stated: Node | None = None
    constant: Constant | None = None


def decide(check: Units) -> Computed:
    """Return whether the claim about the two quantities holds, exactly or as rounded."""
    if check.relation == "same_dimension":
        return _dimensions(check)
    left, right = _quantities(check.left, check.right)
    first, second = base(left.unit), base(right.unit)
    if left.unit.dimensionality != right.unit.dimensionality:
        return _of_two_dimensions(check, left, right)
    if first != second:
        # One hertz is 2 pi radians a second, or one, by whom you ask.
        raise Uncomputable("angles, counts and bits on both sides or on neither")
    value = _converted(left.size, left.unit, right.unit)
    size = exact.shown(exactly(value), 15).rpartition("≈ ")[2]
    shown = f"{size} {written(right.unit._units)}".strip()
    how = f"{check.left.strip()} in the other unit"
    if check.relation in ("less", "greater"):
        return Computed(value < right.size if check.relation == "less" else value > right.size, shown, how)
    agreed = _agreed(check, left, right, value)
    return Computed(agreed != "apart", shown, how, rounded=agreed == "rounded")


def _quantities(left: str, right: str) -> tuple[_Quantity, _Quantity]:
    """The two quantities, each in the sense that the other gives it."""
    first, second = (_quantity(bounded(text, MOST_CHARACTERS, "quantities")) for text in _with_degrees(left, right))
    other = ALSO_PER_MOLE.get(_name(left))
    if other is not None and first.unit.dimensionality != second.unit.dimensionality:
        first = _of_constant(other)
    return first, second


def _of_two_dimensions(check: Units, left: _Quantity, right: _Quantity) -> Computed:
    """False, unless a number has lost its unit or people speak of the two as one."""
    names = [_dimension(quantity.unit) for quantity in (left, right)]
    if left.constant or right.constant or _NO_DIMENSION in names:
        raise Uncomputable("quantities with their units")
    letters = {text.strip()[-1:] for text in (check.left, check.right)}
    if frozenset(names) in _SPOKEN_AS_ONE or (_TEMPERATURE in names and letters & {"C", "F"}):
        raise Uncomputable("quantities that are not spoken of as one, such as weights and masses")
    if "[time]" in names and re.search(r"[0-9]\s?m$", f"{check.left.strip()}\n{check.right.strip()}", re.MULTILINE):
        raise Uncomputable("metres beside lengths; m may mean minutes")
    return Computed(holds=False, value=" and ".join(names), explanation="the dimensions differ")


def _agreed(check: Units, left: _Quantity, right: _Quantity, value: Fraction) -> Agreement:
    if right.stated is None:
        raise Uncomputable("a stated number on the right")
    if check.relation == "exactly":
        return "exact" if value == right.size else "apart"
    agreed = _to_its_digits(value, right, about=check.relation == "about", of_constant=left.constant is not None)
    if (
        agreed == "rounded"
        and not right.size
        and not left.unit._units.get("kelvin")
        and _dimension(left.unit) != _TEMPERATURE
    ):
        raise Uncomputable("a stated number that is not zero where the quantity is not")
    if agreed == "apart":
        _refuse_uncertain(left, right, value)
        _refuse_other_calories(check, right, value)
        _refuse_degrees_between(left, right, value)
    return agreed


def _to_its_digits(value: Fraction, right: _Quantity, *, about: bool, of_constant: bool) -> Agreement:
    """How they agree; a constant is given to its last digit that is not zero."""
    node = cast("Node", right.stated)
    try:
        return agreement(exactly(value), exactly(right.size), node, about=about, converted=True)
    except Uncomputable:
        loose, strict = stated_unit(node, about=True) or 0, stated_unit(node, converted=True) or 0
        if of_constant and loose > strict and abs(value - right.size) < loose / 2:
            return "rounded"
        raise


def _refuse_uncertain(left: _Quantity, right: _Quantity, value: Fraction) -> None:
    """A constant's digits are often cut rather than rounded, and those of a measured one change."""
    if left.constant is None:
        return
    unit = stated_unit(cast("Node", right.stated), converted=True) or Fraction(0)
    if abs(right.size) < abs(value) < abs(right.size) + unit:
        raise Uncomputable("values of a constant rounded at their last digit, not cut there")
    uncertain = 10 * abs(value / left.size) * left.constant.uncertainty if left.size else 0
    if uncertain and abs(value - right.size) <= uncertain + unit / 2:
        raise Uncomputable("values of a constant that differ by more than ten of its uncertainty")


def _refuse_other_calories(check: Units, right: _Quantity, value: Fraction) -> None:
    """There are calories of 4.184, 4.1855 and 4.1868 joules, and a thousand times as large on food."""
    found = _CALORIES.search(check.left) or _CALORIES.search(check.right)
    if found is None:
        return
    thousands = (Fraction(1),) if found[1] else (Fraction(1, 1000), Fraction(1), Fraction(1000))
    factors = [kind * scale for kind in (Fraction(1), *_OTHER_CALORIES) for scale in thousands]
    others = [value * factor for factor in factors] + [value / factor for factor in factors]
    if any(_to_its_digits(other, right, about=False, of_constant=False) != "apart" for other in others):
        raise Uncomputable("calories of one kind; this claim holds for another")


def _refuse_degrees_between(left: _Quantity, right: _Quantity, value: Fraction) -> None:
    """A rise of 10 °C is one of 18 °F, and ovens are marked in round numbers: 180 °C is 350 °F."""
    if _dimension(left.unit) != _TEMPERATURE:
        return
    first, second = (_DEGREE_SIZES.get(written(unit._units), 0) for unit in (left.unit, right.unit))
    if first * left.size == second * right.size:
        raise Uncomputable("temperatures; as a difference of temperatures this claim holds")
    in_tens = left.size % 10 == 0 == right.size % 10
    if in_tens and min(left.size, right.size) >= OVEN and abs(value - right.size) <= 10:
        raise Uncomputable("temperatures to the degree, not the round numbers of an oven")


def _dimensions(check: Units) -> Computed:
    first, second = (_unit_alone(bounded(text, MOST_CHARACTERS, "units")) for text in (check.left, check.right))
    base(first), base(second)
    same = first.dimensionality == second.dimensionality
    return Computed(same, f"{_dimension(first)} and {_dimension(second)}", "reduced to base dimensions")


def _unit_alone(text: str) -> Any:
    found = _QUANTITY.fullmatch(text.strip())
    return parsed_unit(found[2] if found and found[2] else text)


def _dimension(unit: Any) -> str:
    return written(unit.dimensionality) or _NO_DIMENSION


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


def _quantity(text: str) -> _Quantity:
    if named := BY_NAME.get(_name(text)):
        return _of_constant(named)
    found = _QUANTITY.fullmatch(text.strip())
    if found is None:
        raise Uncomputable("a number with a unit, or the name of a physical constant")
    stated = parsed(re.sub(r"\s?[x\u00d7]\s?", "*", found[1]))
    value = evaluated(stated)
    if abs(value.low) > MOST_SIZE or (value.low and abs(value.low) < Fraction(1, MOST_SIZE)):
        raise Uncomputable("quantities between 10^-60 and 10^60")
    return _Quantity(value.low, parsed_unit(found[2]), stated)


def _of_constant(constant: Constant) -> _Quantity:
    return _Quantity(constant.value, parsed_unit(constant.unit), constant=constant)


def _name(text: str) -> str:
    """A constant's name without its article."""
    return re.sub(r"^(?:the|an?) ", "", " ".join(text.lower().replace("\u2019", "'").split()))


def _converted(size: Fraction, unit: Any, target: Any) -> Fraction:
    from pint.errors import PintError

    try:
        return Fraction(registry().Quantity(size, unit).to(target).magnitude)
    except (PintError, TypeError, ValueError, ArithmeticError):
        raise Uncomputable("units that convert by a factor, or temperatures alone") from None


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
    try:
        parsed_unit(left), parsed_unit(right)
    except Uncomputable:
        return None
    return Units(relation="same_dimension", left=left, right=right)


def _units(left: str, relation: Relation, right: str) -> Units | None:
    # Most sentences are about other things: those are told apart before pint is loaded.
    known = BY_NAME.get(_name(left))
    if not (known or _is_measured(left)) or not (_is_measured(right) or _is_counted(left, known, right)):
        return None
    try:
        first, second = _quantities(left, right)
    except Uncomputable:
        return None
    if first.unit.dimensionality != second.unit.dimensionality or _is_scale(first, second):
        return None
    return Units(relation=relation, left=left, right=right)


def _is_scale(left: _Quantity, right: _Quantity) -> bool:
    """Whether one small length stands for a long one, as on a map."""
    if left.size != 1 or written(left.unit._units) not in _ON_A_MAP or _dimension(right.unit) != "[length]":
        return False
    return _converted(right.size, right.unit, left.unit) > 10


def _is_measured(text: str) -> bool:
    found = _QUANTITY.fullmatch(text) if len(text) <= MOST_CHARACTERS else None
    return found is not None and any(map(str.isalpha, found[2]))


def _is_counted(left: str, known: Constant | None, right: str) -> bool:
    """Whether a plain number is what the left side comes to: dozens, or a constant without a unit."""
    plain = _QUANTITY.fullmatch(right)
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
