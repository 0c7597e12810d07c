"""Angles: sine, cosine and tangent of degrees, by the rule of `precision` (rulings S7, S12).

Without its sign `sin(30)` may mean degrees or radians, and is not read.
"""

import re
from fractions import Fraction
from typing import Literal

from typing_extensions import override

from moot.oracles.engine.exact import Range, evaluated, shown
from moot.oracles.engine.expressions import MOST_CHARACTERS, Name, Node, Number, Operation, names, parsed, size
from moot.oracles.engine.numerics import DIGITS, enclosed
from moot.oracles.engine.precision import agreement, stated_unit
from moot.oracles.engine.reduction import is_same
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable

MOST_DEGREES = 100_000
MOST_NODES = 20

Function = Literal["sin", "cos", "tan"]

_DEGREES = re.compile(r"-?[0-9]{1,6}(?:\.[0-9]{1,6})?")
_SINES = {0: "0", 30: "1/2", 45: "sqrt(2)/2", 60: "sqrt(3)/2", 90: "1"}
_TANGENTS = {0: "0", 30: "sqrt(3)/3", 45: "1", 60: "sqrt(3)"}


class Angles(Deniable):
    """A claim that the sine, cosine or tangent of an angle in `degrees` is `claimed`; with `about`, approximately."""

    kind: Literal["angles"] = "angles"
    function: Function
    degrees: Line
    claimed: Line
    about: bool = False

    @property
    @override
    def reading(self) -> str:
        """The value with the sign of degrees."""
        between = "≈" if self.about else "!=" if self.negated else "="
        return f"{self.function}({self.degrees.strip()}°) {between} {self.claimed.strip()}"


def decide(check: Angles) -> Computed:
    """Return whether the function of the angle has the claimed value, exactly or as rounded."""
    value = _value(check.function, _degrees(check.degrees))
    claimed = parsed(check.claimed)
    if names(claimed) or size(claimed) > MOST_NODES:
        raise Uncomputable(f"a claimed number of at most {MOST_NODES} nodes")
    known = _known(value)
    if stated_unit(claimed, about=check.about) is None:
        return Computed(_is_equal(value, claimed), shown(known), f"evaluated to {DIGITS} digits")
    how = agreement(known, evaluated(claimed), claimed, about=check.about)
    return Computed(how != "apart", shown(known), f"evaluated to {DIGITS} digits", rounded=how == "rounded")


def _is_equal(value: Node, claimed: Node) -> bool:
    """Whether two expressions are equal: they differ in their digits, or are proved the same."""
    first, second = enclosed(value), enclosed(claimed)
    apart = first.high < second.low or second.high < first.low
    return not apart and is_same(value, claimed)


def _degrees(text: str) -> Fraction:
    plain = text.strip().removesuffix("°").removesuffix("degrees").strip()
    if not _DEGREES.fullmatch(plain) or abs(Fraction(plain)) > MOST_DEGREES:
        raise Uncomputable(f"degrees in plain digits, up to {MOST_DEGREES:,}")
    return Fraction(plain)


def _value(function: Function, degrees: Fraction) -> Node:
    """The value as an expression, with roots where the angle is one of those that have them."""
    if function == "tan":
        return _tangent(degrees % 180)
    turned = (degrees + (90 if function == "cos" else 0)) % 360
    sign, turned = (-1, turned - 180) if turned >= 180 else (1, turned)
    folded = min(turned, 180 - turned)
    known = _SINES.get(int(folded)) if folded.denominator == 1 else None
    return _signed(parsed(known) if known else Operation("sin", (_radians(folded),)), sign)


def _tangent(degrees: Fraction) -> Node:
    if degrees == 90:
        raise Uncomputable("tangents that exist, not those of right angles")
    sign, folded = (1, degrees) if degrees < 90 else (-1, 180 - degrees)
    known = _TANGENTS.get(int(folded)) if folded.denominator == 1 else None
    return _signed(parsed(known) if known else Operation("tan", (_radians(folded),)), sign)


def _signed(node: Node, sign: int) -> Node:
    return node if sign > 0 else Operation("neg", (node,))


def _radians(degrees: Fraction) -> Node:
    over = Operation("*", (Number(str(degrees.numerator)), Name("pi")))
    return Operation("/", (over, Number(str(180 * degrees.denominator))))


def _known(value: Node) -> Range:
    try:
        return evaluated(value)
    except Uncomputable:
        return enclosed(value)


_NAMES: dict[str, Function] = {
    "sin": "sin",
    "sine": "sin",
    "cos": "cos",
    "cosine": "cos",
    "tan": "tan",
    "tangent": "tan",
}
_N = r"(-?[0-9]+(?:\.[0-9]+)?)"
_BETWEEN = r" ?(=|≈|is about|is approximately|is not|is|equals) ?"
_CLAIMED = r"([-0-9./√() ]*(?:sqrt\([0-9]+\)[-0-9/() ]*)?)"
_SIGNED = re.compile(rf"(sin|cos|tan) ?(?:\( ?)?{_N} ?(?:°|degrees)(?: ?\))?{_BETWEEN}{_CLAIMED}", re.IGNORECASE)
_WORDED = re.compile(rf"the (sine|cosine|tangent) of {_N} ?(?:°|degrees){_BETWEEN}{_CLAIMED}", re.IGNORECASE)


def read(sentence: str) -> Angles | None:
    """Return the claim about an angle in degrees that a sentence makes as a whole, or nothing."""
    found = _SIGNED.fullmatch(sentence) or _WORDED.fullmatch(sentence)
    if found is None or len(sentence) > MOST_CHARACTERS:
        return None
    try:
        parsed(found[4])
    except Uncomputable:
        return None
    about = found[3].lower() in ("≈", "is about", "is approximately")
    negated = found[3].lower() == "is not"
    function = _NAMES[found[1].lower()]
    return Angles(function=function, degrees=found[2], claimed=found[4].strip(), about=about, negated=negated)


ORACLE = Oracle(
    kind="angles",
    takes=Angles,
    help="sine, cosine and tangent of angles in degrees",
    limit=f"degrees up to {MOST_DEGREES:,}",
    decide=decide,
    read=read,
)
