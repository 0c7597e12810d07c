"""The other usual ways to read an equation: where one gives another verdict, none is given (ruling S12).

Each way is a change of the tree that was read. Some are usual enough that they always count; others count only before
a claim is refuted, since what the plain reading makes true was most likely meant so.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod

from moot.oracles.engine.expressions import Node, Number, Operation, Relation, has_operator

_DOT_GROUPS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
_COMMA_GROUPS = re.compile(r"[0-9]{1,3},[0-9]{3}")


@dataclass(frozen=True, slots=True)
class OtherReading:
    """Relations that hold together where a claim is read in another way; `always`: also where the plain one holds."""

    why: str
    claims: tuple[Relation, ...]
    always: bool = False


def other_readings(claim: Relation) -> Iterator[OtherReading]:
    """Return the other usual ways to read a claim."""
    for why, change, always in _CHANGES:
        changed = tuple(_everywhere(side, change) for side in claim.sides)
        if changed != claim.sides:
            yield OtherReading(why, (Relation(changed, claim.relations),), always)
    if len(claim.sides) > 2 and set(claim.relations) == {"="}:
        yield OtherReading("as steps, each from the last result", _as_steps(claim))


def _as_steps(claim: Relation) -> tuple[Relation, ...]:
    """`5 + 3 = 8 * 2 = 16` counts on from each result: the first side is 8, and twice that is 16."""
    pairs = zip(claim.sides, claim.sides[1:], strict=False)
    return tuple(Relation((left, _leftmost(right)), ("=",)) for left, right in pairs)


def _leftmost(node: Node) -> Node:
    while isinstance(node, Operation) and node.operator in ("+", "-", "*", "/"):
        node = node.operands[0]
    return node


def _everywhere(node: Node, change: Callable[[Node], Node]) -> Node:
    if isinstance(node, Operation):
        node = Operation(node.operator, tuple(_everywhere(operand, change) for operand in node.operands))
    return change(node)


def _is(node: Node, operator: str) -> bool:
    return isinstance(node, Operation) and node.operator == operator


def _relative_percent(node: Node) -> Node:
    """`100 - 20%` takes away twenty hundredths, or a fifth of what stands there."""
    if isinstance(node, Operation) and node.operator in ("+", "-"):
        first, second = node.operands
        if _is(second, "percent") and not _is(first, "percent"):
            return Operation("*", (first, Operation(node.operator, (Number("1"), second))))
    return node


def _compounded(node: Node) -> Node:
    """`20% + 20%` is 40%, or 44% where one change follows the other."""
    if (
        isinstance(node, Operation)
        and node.operator in ("+", "-")
        and all(_is(part, "percent") for part in node.operands)
    ):
        first, second = node.operands
        grown = Operation("+", (Number("1"), first))
        return Operation("-", (Operation("*", (grown, Operation(node.operator, (Number("1"), second)))), Number("1")))
    return node


def _signed_base(node: Node) -> Node:
    """`-3^2` is the square of 3 with a sign, or that of -3."""
    if isinstance(node, Operation) and node.operator == "neg":
        inner = node.operands[0]
        if isinstance(inner, Operation) and inner.operator == "^":
            base, exponent = inner.operands
            return Operation("^", (Operation("neg", (base,)), exponent))
    return node


def _exclusive_or(node: Node) -> Node:
    if isinstance(node, Operation) and node.operator == "^":
        first, second = node.operands
        if isinstance(first, Number) and isinstance(second, Number) and first.text.isdigit() and second.text.isdigit():
            return Number(str(int(first.text[:300]) ^ int(second.text[:300])))
    return node


def _powers_to_the_left(node: Node) -> Node:
    if isinstance(node, Operation) and node.operator == "^":
        base, exponent = node.operands
        if isinstance(exponent, Operation) and exponent.operator == "^":
            return Operation("^", (Operation("^", (base, exponent.operands[0])), exponent.operands[1]))
    return node


def _double_factorial(node: Node) -> Node:
    if isinstance(node, Operation) and node.operator == "factorial":
        inner = node.operands[0]
        if isinstance(inner, Operation) and inner.operator == "factorial" and isinstance(inner.operands[0], Number):
            text = inner.operands[0].text
            return Number(str(prod(range(int(text), 0, -2)))) if text.isdigit() and len(text) < 3 else node
    return node


def _other_separators(node: Node) -> Node:
    """`1,500` is fifteen hundred or one and a half, by the country; so is `1.500`."""
    if isinstance(node, Number):
        if _COMMA_GROUPS.fullmatch(node.text):
            return Number(node.text.replace(",", "."))
        if _DOT_GROUPS.fullmatch(node.text):
            return Number(node.text.replace(".", ""))
    return node


def may_be_congruence(claim: Relation) -> bool:
    """Return whether a `mod` may speak of all sides, as in `17 = 2 mod 5`, or of inverses, as in `1/2 mod 5 = 3`."""
    first, *others = claim.sides
    if isinstance(first, Operation) and first.operator == "mod" and not any(has_operator(o, "mod") for o in others):
        return any(has_operator(operand, mark) for operand in first.operands for mark in ("mod", "/", "+", "-"))
    return any(has_operator(side, "mod") for side in claim.sides)


_CHANGES: tuple[tuple[str, Callable[[Node], Node], bool], ...] = (
    ("with the percent taken of what stands before it", _relative_percent, True),
    ("as one change after the other", _compounded, False),
    ("with the sign under the power", _signed_base, False),
    ("with ^ as exclusive or", _exclusive_or, False),
    ("with the powers from left to right", _powers_to_the_left, False),
    ("with !! as the double factorial", _double_factorial, True),
    ("with the other country's decimal mark", _other_separators, False),
)
