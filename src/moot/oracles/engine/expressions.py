"""Mathematical expressions, read from text into small trees without evaluating anything (ruling S7).

The grammar, loosest first: sums; products, quotients, `mod`, `of` and implied products (`2x`, `3(4+1)`); signs; powers,
to the right; `!` and `%` after an operand. A `%` before an operand is `mod`.
"""

import re
from dataclasses import dataclass

from moot.oracles.finding import Uncomputable, bounded

MOST_CHARACTERS = 500
MOST_TOKENS = 200
MOST_DEPTH = 30

FUNCTIONS = frozenset(
    (
        *("sqrt", "cbrt", "abs", "floor", "ceil", "factorial", "exp", "ln", "log", "log2", "log10"),
        *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
    )
)
CONSTANTS = frozenset(["pi", "e"])
RELATIONS = ("<=", ">=", "!=", "=", "<", ">", "≈")

_SPELLINGS = {
    **dict.fromkeys("\u00d7·⋅\u2217", "*"),
    **dict.fromkeys("\u2212\u2013", "-"),
    **{mark: f"^{digit}" for digit, mark in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    "÷": "/",
    "√": " sqrt ",
    "π": " pi ",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≅": "≈",
    "~": "≈",
}
_RESPELLED = str.maketrans(_SPELLINGS)
_INTEGER = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)"
_FACTORIAL_OR_UNEQUAL = re.compile(r"[0-9A-Za-z)]!=")
_TOKEN = re.compile(
    r"\s+"
    r"|(?P<number>0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+"
    rf"|(?:{_INTEGER}(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<name>log10|log2|[A-Za-z]+[0-9]?)"
    r"|(?P<mark>\*\*|//|<=|>=|!=|==|[-+*/^()!%=<>≈])"
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was written, since its digits say how precisely it is stated."""

    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A variable or a constant."""

    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator or a function over its operands."""

    operator: str
    operands: tuple["Node", ...]


Node = Number | Name | Operation


@dataclass(frozen=True, slots=True)
class Relation:
    """Expressions with a relation between each two: `1 < 2 <= 3` has three and two."""

    sides: tuple[Node, ...]
    relations: tuple[str, ...]


def parsed(text: str) -> Node:
    """Return the tree of one expression.

    Raises:
        Uncomputable: it is no expression of this grammar, or too large.

    """
    relation = parsed_relation(text)
    if relation.relations:
        raise Uncomputable("one expression without a relation")
    return relation.sides[0]


def parsed_relation(text: str) -> Relation:
    """Return the expressions of a text and the relations between them.

    Raises:
        Uncomputable: it is not of this grammar, or too large.

    """
    parser = _Parser(_tokens(bounded(text, MOST_CHARACTERS, "expressions")))
    sides = [parser.sum()]
    relations: list[str] = []
    while parser.next in RELATIONS:
        relations.append(parser.take())
        sides.append(parser.sum())
    if parser.next:
        raise Uncomputable(f"expressions of numbers, operators and known functions, not {parser.next[:20]!r}")
    return Relation(tuple(sides), tuple(relations))


def names(node: Node) -> frozenset[str]:
    """Return the names of an expression that are not constants."""
    if isinstance(node, Name):
        return frozenset([node.name]) - CONSTANTS
    operands = node.operands if isinstance(node, Operation) else ()
    return frozenset().union(*map(names, operands))


def has_operator(node: Node, operator: str) -> bool:
    """Return whether an expression uses an operator anywhere."""
    if not isinstance(node, Operation):
        return False
    return node.operator == operator or any(has_operator(operand, operator) for operand in node.operands)


def size(node: Node) -> int:
    """Return the number of nodes of an expression."""
    return 1 + sum(map(size, node.operands)) if isinstance(node, Operation) else 1


def substituted(node: Node, name: str, value: Node) -> Node:
    """Return an expression with a value in the place of a name."""
    if isinstance(node, Operation):
        return Operation(node.operator, tuple(substituted(operand, name, value) for operand in node.operands))
    return value if node == Name(name) else node


def _tokens(text: str) -> list[str]:
    if _FACTORIAL_OR_UNEQUAL.search(text):
        raise Uncomputable("a space that tells `5! =` from `5 !=`")
    text = text.translate(_RESPELLED)
    tokens: list[str] = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise Uncomputable(f"expressions of plain digits, letters and operators, not {text[place]!r}")
        place = found.end()
        if found["name"]:
            tokens += _letters(found["name"])
        elif found.lastgroup:
            tokens.append({"**": "^", "==": "="}.get(found.group(), found.group()))
        if len(tokens) > MOST_TOKENS:
            raise Uncomputable(f"expressions of at most {MOST_TOKENS} tokens")
    return tokens


def _letters(name: str) -> list[str]:
    """A known name is one symbol; two or three other letters are a product of variables, as in `2ab`."""
    known = name.lower()
    if known in FUNCTIONS | CONSTANTS | {"mod", "of"}:
        return [known]
    if len(name) == 1 or (len(name) == 2 and name[1].isdigit()):
        return [name]
    if name.isalpha() and len(name) <= 3 and known != "nan" and known != "inf":
        return list(name)
    raise Uncomputable(f"known functions and variables of one letter, not {name[:20]!r}")


def _is_number(symbol: str) -> bool:
    return symbol[:1].isdigit() or (symbol[:1] == "." and len(symbol) > 1)


def _is_name(symbol: str) -> bool:
    return symbol[:1].isalpha() and symbol not in ("mod", "of")


def _is_share(node: Node) -> bool:
    """Whether a part of something is meant: 15% or 2/3 of it, but 3 of 4 are three quarters."""
    return isinstance(node, Operation) and node.operator in ("percent", "/")


class _Parser:
    """Reads one expression from tokens; every nested call is counted, so that no input recurses deeply."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = [*tokens, ""]
        self._place = 0
        self._depth = 0

    @property
    def next(self) -> str:
        return self._tokens[self._place]

    def take(self) -> str:
        symbol = self.next
        self._place += 1
        return symbol

    def sum(self) -> Node:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise Uncomputable(f"expressions nested at most {MOST_DEPTH} deep")
        node = self._product()
        while self.next in ("+", "-"):
            node = Operation(self.take(), (node, self._product()))
        self._depth -= 1
        return node

    def _product(self) -> Node:
        node = self._signed()
        divided = False
        while True:
            if self.next in ("*", "/", "//", "mod", "of", "%"):
                symbol = self.take()
                divided = symbol == "/"
                if symbol == "of" and not _is_share(node):
                    raise Uncomputable("a percentage or a fraction before `of`")
                operator = {"%": "mod"}.get(symbol, symbol)
                node = Operation(operator, (node, self._signed()))
            elif self.next == "(" or _is_name(self.next):
                if divided:
                    raise Uncomputable("a quotient before an implied product is ambiguous; parentheses settle it")
                node = Operation("*", (node, self._power()))
            else:
                return node

    def _signed(self) -> Node:
        negative = False
        while self.next in ("-", "+"):
            negative ^= self.take() == "-"
        node = self._power()
        return Operation("neg", (node,)) if negative else node

    def _power(self) -> Node:
        node = self._operand()
        while self.next == "!" or (self.next == "%" and not self._opens(self._place + 1)):
            node = Operation({"!": "factorial", "%": "percent"}[self.take()], (node,))
        if self.next != "^":
            return node
        self.take()
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise Uncomputable(f"powers stacked at most {MOST_DEPTH} high")
        exponent = self._signed()
        self._depth -= 1
        return Operation("^", (node, exponent))

    def _opens(self, place: int) -> bool:
        symbol = self._tokens[place]
        return symbol == "(" or _is_number(symbol) or _is_name(symbol)

    def _operand(self) -> Node:
        symbol = self.take()
        if symbol == "(":
            return self._closed()
        if symbol in FUNCTIONS:
            return Operation(symbol, (self._argument(),))
        if _is_number(symbol):
            return Number(symbol)
        if _is_name(symbol):
            return Name(symbol)
        raise Uncomputable(f"an operand before {symbol[:20]!r}" if symbol else "complete expressions")

    def _argument(self) -> Node:
        if self.next == "(":
            self.take()
            return self._closed()
        if _is_number(self.next) or _is_name(self.next):
            self._depth += 1
            if self._depth > MOST_DEPTH:
                raise Uncomputable(f"functions nested at most {MOST_DEPTH} deep")
            node = self._operand()
            self._depth -= 1
            return node
        raise Uncomputable("an operand after a function")

    def _closed(self) -> Node:
        node = self.sum()
        if self.take() != ")":
            raise Uncomputable("balanced parentheses")
        return node
