"""Units of measurement: text to pint's units, name by name, so that pint never parses what a member wrote (ruling S7).

The grammar: names with whole powers (`m^2`, `m2`), `*`, `/`, `per`, a space for a product, parentheses. A name that
means different sizes in different places (ton, gallon, year, kilobyte) is refused until it is qualified. A Calorie with
its capital is the one of food.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from moot.oracles.finding import Uncomputable, bounded

MOST_CHARACTERS = 100
MOST_NAMES = 12
MOST_POWER = 9
MOST_DEPTH = 5

_QUALIFIED = {
    "metric ton": "metric_ton",
    "short ton": "short_ton",
    "long ton": "long_ton",
    "us gallon": "US_liquid_gallon",
    "imperial gallon": "imperial_gallon",
    "us pint": "US_pint",
    "imperial pint": "imperial_pint",
    "us quart": "US_liquid_quart",
    "metric horsepower": "metric_horsepower",
    "nautical mile": "nautical_mile",
    "light year": "light_year",
    "light-year": "light_year",
    "astronomical unit": "astronomical_unit",
    "electron volt": "electron_volt",
    "electronvolt": "electron_volt",
    "troy ounce": "troy_ounce",
    "degrees celsius": "degC",
    "degree celsius": "degC",
    "celsius": "degC",
    "°c": "degC",
    "degrees fahrenheit": "degF",
    "degree fahrenheit": "degF",
    "fahrenheit": "degF",
    "°f": "degF",
    "°": "degree",
}
_QUALIFYING = re.compile(
    r"(?<![a-z])(?:" + "|".join(sorted(map(re.escape, _QUALIFIED), key=len, reverse=True)) + r")(?![a-rt-z])s?"
)
_AMBIGUOUS = frozenset(
    [
        "ton",
        "gallon",
        "gal",
        "quart",
        "qt",
        "pint",
        "pt",
        "cup",
        "gill",
        "tablespoon",
        "tbsp",
        "teaspoon",
        "tsp",
        "barrel",
        "bbl",
        "bushel",
        "peck",
        "hogshead",
        "fluid_ounce",
        "acre",
        "fathom",
        "furlong",
        "chain",
        "rod",
        "league",
        "survey_foot",
        "horsepower",
        "hp",
        "rpm",
        "year",
        "yr",
        "month",
        "decade",
        "century",
        "millennium",
        "kilobyte",
        "megabyte",
        "gigabyte",
        "terabyte",
        "kb",
        "mb",
        "gb",
        "tb",
        "btu",
        "billion",
        "degree_day",
        "annum",
        "b",
        "jig",
        "jigger",
        "mil",
        "point",
        "quarter",
        "shot",
        "hundredweight",
        "cwt",
    ]
)
_SPELLED = {"Calorie": "kilocalorie", "Calories": "kilocalorie", "Cal": "kilocalorie"}
_POWERED = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
_TOKEN = re.compile(r"\s+|([A-Za-zµ\u03bcΩÅ°_]+|\*\*|[*·⋅\u00d7/^()²³]|-?[0-9]{1,4})")
_WRITTEN_TOGETHER = re.compile(r"(?<=[A-Za-zµ\u03bc])(-?[1-3])(?![0-9A-Za-z])")


@lru_cache(maxsize=1)
def registry() -> Any:
    """Return pint's own units, with exact fractions; it is read from the package's files, once."""
    from pint import UnitRegistry

    units = UnitRegistry(non_int_type=Fraction, cache_folder=None)
    units.define("dozen = 12")
    return units


def parsed_unit(text: str) -> Any:
    """Return the unit that a text names; an empty text names the number one.

    Raises:
        Uncomputable: it is unknown, ambiguous or too large.

    """
    flat = " ".join(bounded(text, MOST_CHARACTERS, "units").split())
    lowered = flat.lower()
    # Qualified names are found whatever their case; symbols keep theirs, since mW is not MW.
    if len(lowered) == len(flat) and _QUALIFYING.search(lowered):
        flat = _requalified(flat, lowered)
    return _Parser(_tokens(_WRITTEN_TOGETHER.sub(r"^\1", flat))).unit()


def base(unit: Any) -> Mapping[str, Any]:
    """Return the base units of a unit, with their powers.

    Raises:
        Uncomputable: it belongs to the Gaussian system, whose dimensions are not those of the SI.

    """
    powers: Mapping[str, Any] = registry().get_base_units(unit)[1]._units
    if any(power != int(power) for power in powers.values()) or any(name.startswith("stat") for name in unit._units):
        raise Uncomputable("units of the SI, not those of the Gaussian system")
    return powers


def written(powers: Mapping[str, Any]) -> str:
    """Return a unit or a dimension as text: its names, each with its power, those with a negative one last."""
    ordered = sorted(powers.items(), key=lambda item: (item[1] < 0, item[0]))
    return " ".join(name if power == 1 else f"{name}^{power}" for name, power in ordered)


def _requalified(flat: str, lowered: str) -> str:
    parts: list[str] = []
    place = 0
    for found in _QUALIFYING.finditer(lowered):
        name = found.group()
        parts += [flat[place : found.start()], _QUALIFIED.get(name) or _QUALIFIED[name.removesuffix("s")]]
        place = found.end()
    return "".join([*parts, flat[place:]])


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise Uncomputable(f"units of names, powers and quotients, not {text[place]!r}")
        place = found.end()
        if found[1]:
            tokens.append({"**": "^", "·": "*", "⋅": "*", "\u00d7": "*"}.get(found[1], found[1]))
    if sum(symbol[0].isalpha() for symbol in tokens) > MOST_NAMES:
        raise Uncomputable(f"units of at most {MOST_NAMES} names")
    return tokens


def _named(name: str) -> Any:
    from pint.errors import UndefinedUnitError

    name = _SPELLED.get(name, name)
    lowered = name.lower()
    if lowered in _AMBIGUOUS or lowered.removesuffix("s") in _AMBIGUOUS:
        raise Uncomputable(f"units of one size; {name!r} has several until it is qualified")
    spelled = [name] if len(name) < 4 or name == lowered else [name, lowered]
    for spelling in spelled:
        try:
            meant = registry().get_name(spelling)
        except (UndefinedUnitError, KeyError, ValueError):
            continue
        if meant in _AMBIGUOUS and spelling not in _QUALIFIED.values():
            raise Uncomputable(f"units of one size; {name!r} has several until it is qualified")
        return registry().Unit(registry().UnitsContainer({meant: 1}))
    raise Uncomputable(f"units that pint knows, not {name[:30]!r}")


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = [*tokens, ""]
        self._place = 0
        self._depth = 0

    def unit(self) -> Any:
        unit = self._product()
        if self._tokens[self._place]:
            raise Uncomputable(f"complete units, not {self._tokens[self._place]!r} there")
        return unit

    def _product(self) -> Any:
        unit = registry().Unit("")
        divide = False
        while (symbol := self._tokens[self._place]) and symbol != ")":
            self._place += 1
            if symbol in ("/", "per"):
                if divide:
                    raise Uncomputable("units with a name after each division")
                divide = True
            elif symbol != "*":
                factor = self._factor(symbol)
                unit, divide = (unit / factor if divide else unit * factor), False
        if divide:
            raise Uncomputable("units with a name after each division")
        return unit

    def _factor(self, symbol: str) -> Any:
        power = _POWERED.get(symbol.lower(), 1)
        if power > 1:
            symbol, self._place = self._tokens[self._place], self._place + 1
        if symbol == "(":
            factor = self._closed()
        elif symbol == "1":
            factor = registry().Unit("")
        elif symbol[:1].isalpha() or symbol[:1] in ("°", "_"):
            factor = _named(symbol)
        else:
            raise Uncomputable("units of names, powers and quotients")
        raised = factor ** (power * self._power())
        if any(abs(total) > MOST_POWER for total in raised._units.values()):
            raise Uncomputable(f"whole powers of at most {MOST_POWER}")
        return raised

    def _closed(self) -> Any:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise Uncomputable(f"units nested at most {MOST_DEPTH} deep")
        unit = self._product()
        if self._tokens[self._place] != ")":
            raise Uncomputable("balanced parentheses")
        self._place += 1
        self._depth -= 1
        return unit

    def _power(self) -> int:
        symbol = self._tokens[self._place]
        if symbol in ("²", "³"):
            self._place += 1
            return 2 if symbol == "²" else 3
        if symbol != "^":
            return 1
        power = self._tokens[self._place + 1]
        if not power.lstrip("-").isdecimal() or abs(int(power)) > MOST_POWER:
            raise Uncomputable(f"whole powers of at most {MOST_POWER}")
        self._place += 2
        return int(power)
