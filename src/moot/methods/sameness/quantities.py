"""A short answer that is a number with its unit and nothing else (ruling G12)."""

import re
from dataclasses import dataclass
from decimal import Decimal

from moot.argument.wording.folding import fold_inflection
from moot.oracles.reading.numerals import with_digits

LONGEST = 80
"""Characters: a longer answer is more than a number and its unit."""

# A billion is a thousand or a million millions, by the country.
_MULTIPLES = {"hundred": 100, "thousand": 1_000, "million": 10**6}
_QUANTITY = re.compile(
    r"(?P<sign>[-\u2212])?(?P<money>[$€£¥])?\s?(?P<number>\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)"
    r"(?:\s(?P<multiple>hundred|thousand|million)\b)?"
    r"\s?(?P<unit>[^\W\d]\S*(?: [^\W\d]\S*){0,2}|%|°\S?)?"
)
# One spelling for the units that people write in two ways; symbols keep their case, since mW is not MW.
_UNITS = {
    **dict.fromkeys(["kilometer", "kilometre"], "km"),
    **dict.fromkeys(["meter", "metre"], "m"),
    **dict.fromkeys(["centimeter", "centimetre"], "cm"),
    **dict.fromkeys(["millimeter", "millimetre"], "mm"),
    "kilogram": "kg",
    "gram": "g",
    "milligram": "mg",
    **dict.fromkeys(["liter", "litre", "L"], "l"),
    **dict.fromkeys(["hour", "hr", "hrs"], "h"),
    "minute": "min",
    **dict.fromkeys(["second", "sec"], "s"),
    **dict.fromkeys(["percent", "per cent"], "%"),
    **dict.fromkeys(["dollar", "usd"], "$"),
    **dict.fromkeys(["euro", "eur"], "€"),
}
_FOLDED = {fold_inflection(name) if name.islower() else name: unit for name, unit in _UNITS.items()}
_LONGEST_SYMBOL = 3


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as a decimal, and its unit in one spelling."""

    value: Decimal
    unit: str

    @property
    def as_share(self) -> "Amount":
        """A percentage as a share of one; any other quantity as it is."""
        return Amount(self.value / 100, "") if self.unit == "%" else self


def quantity(answer: str) -> Amount | None:
    """Return the number and the unit that an answer consists of; None where it says anything else."""
    text = " ".join(answer.split()).rstrip(".,;:")
    if not 0 < len(text) <= LONGEST:
        return None
    written = with_digits(text.casefold()) if text[0].isalpha() else text
    found = _QUANTITY.fullmatch(written) if written else None
    if found is None:
        return None
    value = Decimal(found["number"].replace(",", "")) * _MULTIPLES.get(found["multiple"] or "", 1)
    if found["money"] and found["unit"]:
        return None
    return Amount(-value if found["sign"] else value, found["money"] or _unit(found["unit"] or ""))


def _unit(written: str) -> str:
    if len(written) <= _LONGEST_SYMBOL:
        return _FOLDED.get(written) or _FOLDED.get(fold_inflection(written), written)
    folded = " ".join(fold_inflection(word) for word in written.casefold().split())
    return _FOLDED.get(folded, folded)
