"""The derivative of an expression in one variable, by the rules (ruling S7)."""

from collections.abc import Callable

from moot.oracles.engine.expressions import Name, Node, Number, Operation, names
from moot.oracles.finding import Uncomputable

_ONE, _TWO = Number("1"), Number("2")


def derivative(node: Node, variable: str) -> Node:
    """Return the derivative as an expression that is not simplified.

    Raises:
        Uncomputable: a function of it has no derivative here.

    """
    if variable not in names(node):
        return Number("0")
    if isinstance(node, Name):
        return _ONE
    if not isinstance(node, Operation):
        raise Uncomputable("expressions that can be differentiated")
    first, last = node.operands[0], node.operands[-1]
    inner = derivative(first, variable)
    if node.operator in ("neg", "percent"):
        return Operation(node.operator, (inner,))
    if node.operator in ("+", "-", "*", "/", "^"):
        return _RULES[node.operator](first, last, inner, derivative(last, variable))
    if node.operator not in _OUTER:
        raise Uncomputable(f"no derivative of {node.operator}")
    return _product(_OUTER[node.operator](first), inner)


def _product(first: Node, second: Node) -> Node:
    return Operation("*", (first, second))


def _over(first: Node, second: Node) -> Node:
    return Operation("/", (first, second))


def _power(first: Node, second: Node) -> Node:
    return Operation("^", (first, second))


def _minus(first: Node, second: Node) -> Node:
    return Operation("-", (first, second))


def _of(name: str, node: Node) -> Node:
    return Operation(name, (node,))


def _crossed(sign: str, u: Node, v: Node, du: Node, dv: Node) -> Node:
    return Operation(sign, (_product(du, v), _product(u, dv)))


def _of_power(u: Node, v: Node, du: Node, dv: Node) -> Node:
    if dv == Number("0"):
        return _product(_product(v, _power(u, _minus(v, _ONE))), du)
    changing = _product(dv, _of("ln", u))
    steady = _over(_product(v, du), u)
    return _product(_power(u, v), changing if du == Number("0") else Operation("+", (changing, steady)))


_RULES: dict[str, Callable[[Node, Node, Node, Node], Node]] = {
    "+": lambda u, v, du, dv: Operation("+", (du, dv)),
    "-": lambda u, v, du, dv: Operation("-", (du, dv)),
    "*": lambda u, v, du, dv: _crossed("+", u, v, du, dv),
    "/": lambda u, v, du, dv: _over(_crossed("-", u, v, du, dv), _power(v, _TWO)),
    "^": _of_power,
}
_OUTER: dict[str, Callable[[Node], Node]] = {
    "sqrt": lambda u: _over(_ONE, _product(_TWO, _of("sqrt", u))),
    "cbrt": lambda u: _over(_ONE, _product(Number("3"), _power(_of("cbrt", u), _TWO))),
    "abs": lambda u: _over(u, _of("abs", u)),
    "exp": lambda u: _of("exp", u),
    "ln": lambda u: _over(_ONE, u),
    "log2": lambda u: _over(_ONE, _product(u, _of("ln", _TWO))),
    "log10": lambda u: _over(_ONE, _product(u, _of("ln", Number("10")))),
    "sin": lambda u: _of("cos", u),
    "cos": lambda u: _of("neg", _of("sin", u)),
    "tan": lambda u: _over(_ONE, _power(_of("cos", u), _TWO)),
    "sinh": lambda u: _of("cosh", u),
    "cosh": lambda u: _of("sinh", u),
    "tanh": lambda u: _over(_ONE, _power(_of("cosh", u), _TWO)),
    "asin": lambda u: _over(_ONE, _of("sqrt", _minus(_ONE, _power(u, _TWO)))),
    "acos": lambda u: _over(Number("-1"), _of("sqrt", _minus(_ONE, _power(u, _TWO)))),
    "atan": lambda u: _over(_ONE, Operation("+", (_ONE, _power(u, _TWO)))),
}
