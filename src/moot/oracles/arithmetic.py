"""Arithmetic: whether equations and comparisons of numbers hold, over fractions (rulings S7, S12).

Sums, products, quotients, powers, roots, factorials, percentages, remainders, pi and e. A rounded value is judged by
the rule of `precision`; a claim with two usual readings is refused by `ambiguity`.
"""

from typing import Literal

from moot.oracles.engine import exact
from moot.oracles.engine.exact import Range, difference, evaluated, sign
from moot.oracles.engine.expressions import (
    MOST_CHARACTERS,
    MOST_DEPTH,
    MOST_TOKENS,
    Name,
    Node,
    Number,
    Operation,
    Relation,
    has_operator,
    names,
    parsed_relation,
)
from moot.oracles.engine.precision import Agreement, agreement, stated_unit
from moot.oracles.engine.reduction import is_same
from moot.oracles.finding import Check, Computed, Line, Oracle, Uncomputable
from moot.oracles.reading.ambiguity import OtherReading, may_be_congruence, other_readings
from moot.oracles.reading.wording import in_signs, without_note

MOST_RELATIONS = 4


class Arithmetic(Check):
    """A claim such as `17 * 23 = 391`, `2^10 > 1000` or `sqrt(2) ≈ 1.414`."""

    kind: Literal["arithmetic"] = "arithmetic"
    claim: Line


def decide(check: Arithmetic) -> Computed:
    """Return whether every relation of the claim holds between its two sides."""
    claim = parsed_relation(check.claim)
    if not 1 <= len(claim.relations) <= MOST_RELATIONS:
        raise Uncomputable(f"claims with one to {MOST_RELATIONS} relations (=, !=, <, <=, >, >=, ≈)")
    values = [evaluated(side) for side in claim.sides]
    agreements = _agreements(claim)
    holds = "apart" not in agreements
    _refuse_two_ways(claim, holds=holds)
    place = next((place for place, side in enumerate(claim.sides) if isinstance(side, Operation)), 0)
    how = f"the sides are {' and '.join(map(exact.shown, values))}"
    return Computed(holds, exact.shown(values[place]), how, rounded=holds and "rounded" in agreements)


def _agreements(claim: Relation) -> list[Agreement]:
    values = [evaluated(side) for side in claim.sides]
    pairs = zip(claim.relations, claim.sides, claim.sides[1:], values, values[1:], strict=False)
    return [_agreement(*pair) for pair in pairs]


def _agreement(relation: str, left: Node, right: Node, first: Range, second: Range) -> Agreement:
    if relation in ("=", "≈"):
        return _equal(left, right, first, second, about=relation == "≈")
    order = sign(difference(first, second))
    holds = {"!=": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[relation]
    return "exact" if holds else "apart"


def _equal(left: Node, right: Node, first: Range, second: Range, *, about: bool) -> Agreement:
    if _is_proved(left, right, difference(first, second)):
        return "exact"
    literals = [
        (value, stated, node, other)
        for stated, value, node, other in ((second, first, right, left), (first, second, left, right))
        if stated_unit(node, about=about) is not None
    ]
    if literals:
        return _stated(literals, about=about)
    if about:
        raise Uncomputable("an approximate claim that states a number")
    return "exact" if sign(difference(first, second)) == 0 else "apart"


def _stated(literals: list[tuple[Range, Range, Node, Node]], *, about: bool) -> Agreement:
    """How a value agrees with a number that is stated, on either side: each may be the other's rounding."""
    limits: list[Uncomputable] = []
    for value, stated, node, other in literals:
        try:
            match = agreement(value, stated, node, about=about, converted=_takes_a_share(other))
        except Uncomputable as reached:
            limits.append(reached)
        else:
            if match != "apart":
                return match
    if limits:
        raise limits[0]
    return "apart"


def _takes_a_share(node: Node) -> bool:
    """Whether a percentage or a fraction of something is taken, which is usually rounded."""
    return has_operator(node, "percent") or has_operator(node, "of")


def _is_proved(left: Node, right: Node, apart: Range) -> bool:
    """Whether sides that no digits tell apart are the same by the rules for roots."""
    if apart.is_exact or not apart.low <= 0 <= apart.high:
        return False
    try:
        return is_same(left, right)
    except Uncomputable:
        return False


def _refuse_two_ways(claim: Relation, *, holds: bool) -> None:
    if not holds and may_be_congruence(claim):
        raise Uncomputable("a remainder as the first side, since `= a mod n` may be a congruence")
    for other in other_readings(claim):
        if (other.always or not holds) and _holds(other) not in (None, holds):
            raise Uncomputable(f"claims with one usual reading; read {other.why}, this one has the other verdict")


def _holds(other: OtherReading) -> bool | None:
    """Whether another reading makes the claim true; nothing where it cannot be computed."""
    try:
        return all("apart" not in _agreements(claim) for claim in other.claims)
    except Uncomputable:
        return None


def read(sentence: str) -> Arithmetic | None:
    """Return the arithmetic that a sentence claims as a whole, or nothing."""
    check, noted = _read(sentence), without_note(sentence)
    if check is None or noted is None or (plain := _read(noted)) is None:
        return check
    return check if _is_true(check) or not _is_true(plain) else None


def _is_true(check: Arithmetic) -> bool:
    try:
        return decide(check).holds
    except Uncomputable:
        return False


def _read(sentence: str) -> Arithmetic | None:
    said = in_signs(sentence)
    if said is None:
        return None
    try:
        claim = parsed_relation(said)
    except Uncomputable:
        return None
    if not 1 <= len(claim.relations) <= MOST_RELATIONS or not all(map(is_known, claim.sides)):
        return None
    ordered = claim.relations[0] in ("<", "<=", ">", ">=")
    if not ordered and all(map(_is_plain, claim.sides)) and not _is_about_pi(claim):
        return None
    if Name("pi") in claim.sides and any(_is_quotient(side) for side in claim.sides):
        return None
    return Arithmetic(claim=said)


def _is_plain(node: Node) -> bool:
    """A number as usually written: that 3 is 4 is no arithmetic, that 255 is 0xff is."""
    return isinstance(node, Name) or (isinstance(node, Number) and node.text[:2] not in ("0x", "0b", "0o"))


def _is_about_pi(claim: Relation) -> bool:
    """Whether pi is given to some digits; e is also a charge, and that pi is 3 may be a joke or a law."""
    first, *others = claim.sides
    given = [node.text for node in others if isinstance(node, Number)]
    return first == Name("pi") and len(given) == len(others) and (claim.relations == ("≈",) or "." in given[0])


def _is_quotient(node: Node) -> bool:
    """Whether a fraction is written: that pi is 22/7 is taught as a value to use."""
    return isinstance(node, Operation) and node.operator == "/"


def is_known(node: Node) -> bool:
    """Return whether an expression has no variables and no function that only algebra has."""
    if isinstance(node, Operation):
        return node.operator in exact.OPERATORS and all(map(is_known, node.operands))
    return not names(node)


ORACLE = Oracle(
    kind="arithmetic",
    takes=Arithmetic,
    help="equations and comparisons of numbers: + - * / ^ ! %, roots, mod, pi, e",
    limit=(
        f"{MOST_CHARACTERS} characters, {MOST_TOKENS} tokens, {MOST_DEPTH} levels; "
        f"results of {exact.MOST_DIGITS:,} digits; "
        f"exponents up to {exact.MOST_EXPONENT:,}; factorials up to {exact.MOST_FACTORIAL}!"
    ),
    decide=decide,
    read=read,
)
