"""Bases: whole numbers written in bases from 2 to 36 (rulings S7, S12).

"1010 in binary is 10" may name the base of the first number or of the second: it is true where one of the two readings
holds, and false where neither does.
"""

import re
from typing import Literal

from typing_extensions import override

from moot.oracles.engine.exact import exactly, shown
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable, bounded, shortened

MOST_CHARACTERS = 300

_BASES = {"binary": 2, "octal": 8, "decimal": 10, "hexadecimal": 16, "hex": 16}
_PREFIXES = {2: "0b", 8: "0o", 16: "0x"}
_DIGITS = re.compile(r"[0-9a-z]+")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")


class Bases(Deniable):
    """A claim that `digits`, written in `base`, are the number that `claimed`, written in `claimed_base`, is.

    A base is a number from 2 to 36 or its name: binary, octal, decimal, hexadecimal.
    """

    kind: Literal["bases"] = "bases"
    digits: Line
    base: Line
    claimed: Line
    claimed_base: Line = "decimal"

    @property
    @override
    def reading(self) -> str:
        """Both numbers with their bases."""
        left, right = shortened(self.digits, 80), shortened(self.claimed, 80)
        return f"{left} in {self.base} {'is not' if self.negated else 'is'} {right} in {self.claimed_base}"


def decide(check: Bases) -> Computed:
    """Return whether the two numerals are one number."""
    value = _number(check.digits, check.base)
    claimed = _number(check.claimed, check.claimed_base)
    return Computed(
        value == claimed, f"{shown(exactly(value))} in decimal", f"{shortened(check.reading, 150)}, by value"
    )


def _base(text: str) -> int:
    name = text.strip().lower().removeprefix("base ").strip()
    base = _BASES.get(name) or (int(name) if name.isdecimal() and name.isascii() and len(name) <= 2 else 0)
    if not 2 <= base <= 36:
        raise Uncomputable(f"bases from 2 to 36, or {', '.join(_BASES)}")
    return base


def _number(text: str, base_text: str) -> int:
    base = _base(base_text)
    plain = bounded(text, MOST_CHARACTERS, "numerals").strip().lower()
    plain = plain.replace(",", "") if base == 10 and _THOUSANDS.fullmatch(plain) else plain
    plain = plain.removeprefix(_PREFIXES.get(base, " "))
    if not _DIGITS.fullmatch(plain) or any(int(digit, 36) >= base for digit in plain):
        raise Uncomputable(f"whole numbers in the digits of base {base}")
    return int(plain, base)


_NUMERAL = r"(0x[0-9a-f]+|[0-9a-f]+|[0-9]{1,3}(?:,[0-9]{3})+)"
_NAME = r"(binary|octal|decimal|hexadecimal|hex|base (?:[2-9]|1[0-6]))"
_BOTH = re.compile(rf"{_NUMERAL} in {_NAME} (?:is|equals|=) {_NUMERAL} in {_NAME}", re.IGNORECASE)
_ONE = re.compile(
    rf"{_NUMERAL} (?:in {_NAME} (?:is|equals|=) (?:written )?{_NUMERAL}|is (?:written )?{_NUMERAL} in {_NAME})",
    re.IGNORECASE,
)
_FORM_OF = re.compile(
    rf"the {_NAME} (?:representation|form|notation|expansion) of {_NUMERAL} (?:is|equals|=) {_NUMERAL}", re.IGNORECASE
)


def read(sentence: str) -> Bases | None:
    """Return the claim about a numeral in another base that a sentence makes as a whole, or nothing."""
    if found := _BOTH.fullmatch(sentence):
        return _first((found[1], found[2], found[3], found[4]))
    if found := _FORM_OF.fullmatch(sentence):
        return _first((found[3], found[1], found[2], "decimal"))
    if found := _ONE.fullmatch(sentence):
        base, other = found[2] or found[5], found[3] or found[4]
        return _first((found[1], base, other, "decimal"), (other, base, found[1], "decimal"))
    return None


def _first(*readings: tuple[str, str, str, str]) -> Bases | None:
    """The reading that holds, else the first whose digits are those of its bases."""
    possible: list[Bases] = []
    for digits, base, claimed, claimed_base in readings:
        check = Bases(digits=digits, base=base.lower(), claimed=claimed, claimed_base=claimed_base.lower())
        try:
            holds = decide(check).holds
        except Uncomputable:
            continue
        possible = [check, *possible] if holds else [*possible, check]
    return possible[0] if possible else None


ORACLE = Oracle(
    kind="bases",
    takes=Bases,
    help="whole numbers in binary, octal, hexadecimal and other bases",
    limit=f"bases from 2 to 36, {MOST_CHARACTERS} digits",
    decide=decide,
    read=read,
)
