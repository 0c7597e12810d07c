"""Propositional logic, decided over the whole truth table at once (rulings S7, S12).

A variable's column of the table is one whole number, a bit a row, so that a connective is one operation over all rows.
Precedence: not, and, xor, or, implies (to the right), iff.
"""

import re
from typing import Literal

from moot.oracles.finding import Computed, Deniable, Oracle, Passage, Uncomputable, bounded

MOST_CHARACTERS = 1_000
MOST_TOKENS = 300
MOST_DEPTH = 40
MOST_VARIABLES = 12

Relation = Literal["tautology", "contradiction", "satisfiable", "equivalent", "entails"]

_SPELLINGS = {
    **dict.fromkeys(["!", "~", "¬", "not"], "not"),
    **dict.fromkeys(["&", "&&", "∧", "/\\", "and"], "and"),
    **dict.fromkeys(["|", "||", "\u2228", "\\/", "or"], "or"),
    **dict.fromkeys(["⊕", "xor"], "xor"),
    **dict.fromkeys(["->", "=>", "→", "⇒", "implies"], "implies"),
    **dict.fromkeys(["<->", "<=>", "↔", "⇔", "iff"], "iff"),
    "\u22a4": "true",
    "⊥": "false",
    "true": "true",
    "false": "false",
}
_TOKEN = re.compile(r"\s+|([A-Za-z][A-Za-z0-9_]*|<->|<=>|->|=>|&&|\|\||/\\|\\/|[!~¬&∧|\u2228⊕→⇒↔⇔\u22a4⊥()])")
_BINDING = {"iff": 1, "implies": 2, "or": 3, "xor": 4, "and": 5}
_RESERVED = frozenset([*_SPELLINGS.values(), "(", ")", ""])


class Logic(Deniable):
    """A claim about formulas such as `p and (q -> not r)`.

    tautology, contradiction, satisfiable: of `formula`. equivalent: `formula` and `other`. entails: the premises in
    `formula`, a semicolon between each two, entail `other`.
    """

    kind: Literal["logic"] = "logic"
    relation: Relation
    formula: Passage
    other: Passage = ""


def decide(check: Logic) -> Computed:
    """Return whether the claim about the formulas holds in every row of their truth table."""
    written = check.formula.split(";") if check.relation == "entails" else [check.formula]
    if check.relation in ("equivalent", "entails"):
        written = [*written, check.other]
    bounded("".join(written), MOST_CHARACTERS, "formulas")
    tokens = [_tokens(text) for text in written]
    table = _Table(sorted({symbol for listed in tokens for symbol in listed} - _RESERVED))
    *first, last = [_Parser(listed, table).formula() for listed in tokens]
    return _found(check.relation, first, last, table)


def _found(relation: Relation, first: list[int], last: int, table: "_Table") -> Computed:
    rows = f"a truth table of {table.rows:,} rows"
    if relation == "satisfiable":
        return Computed(last != 0, table.row(last) if last else "no row is true", rows)
    if relation in ("tautology", "contradiction"):
        against = last if relation == "contradiction" else table.all & ~last
    elif relation == "equivalent":
        against = first[0] ^ last
    else:
        against = table.all & ~last
        for premise in first:
            against &= premise
    return Computed(against == 0, f"not for {table.row(against)}" if against else "in every row", rows)


class _Table:
    """The columns of the variables; bit `n` of a column is its value in row `n`."""

    def __init__(self, variables: list[str]) -> None:
        if len(variables) > MOST_VARIABLES:
            raise Uncomputable(f"formulas of at most {MOST_VARIABLES} variables")
        self.variables = variables
        self.rows = 2 ** len(variables)
        self.all = 2**self.rows - 1

    def column(self, variable: str) -> int:
        """All ones, divided by a period of ones after zeros, repeats that period."""
        half = 2 ** self.variables.index(variable)
        return self.all // (2**half + 1) << half

    def row(self, column: int) -> str:
        """The first row in which a column is true."""
        number = (column & -column).bit_length() - 1
        values = (f"{name}={'true' if number >> place & 1 else 'false'}" for place, name in enumerate(self.variables))
        return ", ".join(values) or "every value"


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            # Some write "and" so, others "either … or".
            two_ways = "; it may be `and` or `xor`" if text[place] == "^" else ""
            raise Uncomputable(f"formulas of names and connectives, not {text[place]!r}{two_ways}")
        place = found.end()
        if found[1]:
            tokens.append(_SPELLINGS.get(found[1].lower(), found[1]))
        if len(tokens) > MOST_TOKENS:
            raise Uncomputable(f"formulas of at most {MOST_TOKENS} tokens")
    return tokens


class _Parser:
    """Computes the column of a formula while it reads it; every nested call is counted."""

    def __init__(self, tokens: list[str], table: _Table) -> None:
        self._tokens = [*tokens, ""]
        self._table = table
        self._place = 0
        self._depth = 0

    def formula(self) -> int:
        column = self._binary(0)
        if self._tokens[self._place]:
            raise Uncomputable(f"complete formulas, not {self._tokens[self._place][:20]!r} there")
        return column

    def _binary(self, binding: int) -> int:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise Uncomputable(f"formulas nested at most {MOST_DEPTH} deep")
        left = self._operand()
        while (strength := _BINDING.get(connective := self._tokens[self._place], 0)) > binding:
            self._place += 1
            right = self._binary(strength - 1 if connective == "implies" else strength)
            left = self._joined(connective, left, right)
        self._depth -= 1
        return left

    def _joined(self, connective: str, left: int, right: int) -> int:
        every = self._table.all
        columns = {"and": left & right, "or": left | right, "xor": left ^ right, "implies": every & ~left | right}
        return columns[connective] if connective in columns else every & ~(left ^ right)

    def _operand(self) -> int:
        denied = False
        while self._tokens[self._place] == "not":
            denied = not denied
            self._place += 1
        symbol = self._tokens[self._place]
        self._place += 1
        if symbol == "(":
            column = self._binary(0)
            if self._tokens[self._place] != ")":
                raise Uncomputable("balanced parentheses")
            self._place += 1
        elif symbol in ("true", "false"):
            column = self._table.all if symbol == "true" else 0
        elif symbol in _RESERVED:
            raise Uncomputable(f"a variable before {symbol!r}" if symbol else "complete formulas")
        else:
            column = self._table.column(symbol)
        return self._table.all & ~column if denied else column


_ENDS: tuple[tuple[str, Relation, bool], ...] = (
    (" is a tautology", "tautology", False),
    (" is not a tautology", "tautology", True),
    (" is a contradiction", "contradiction", False),
    (" is not a contradiction", "contradiction", True),
    (" is satisfiable", "satisfiable", False),
    (" is not satisfiable", "satisfiable", True),
    (" is unsatisfiable", "satisfiable", True),
)
_MIDDLES: tuple[tuple[str, Relation, bool], ...] = (
    (" is not equivalent to ", "equivalent", True),
    (" is equivalent to ", "equivalent", False),
    (" is logically equivalent to ", "equivalent", False),
    (" does not entail ", "entails", True),
    (" entails ", "entails", False),
    (" entail ", "entails", False),
)


def read(sentence: str) -> Logic | None:
    """Return the claim about formulas that a sentence makes as a whole, or nothing."""
    if sentence.startswith("Not "):
        # It may deny the whole sentence.
        return None
    for end, relation, negated in _ENDS:
        if sentence.endswith(end):
            return _logic(relation, sentence.removesuffix(end), "", negated=negated)
    for middle, relation, negated in _MIDDLES:
        left, found, right = sentence.partition(middle)
        if found:
            return _logic(relation, left.replace(", ", "; "), right, negated=negated)
    return None


def _logic(relation: Relation, formula: str, other: str, *, negated: bool) -> Logic | None:
    """A word is no variable: only formulas over single letters are read from a sentence."""
    try:
        parts = [part for text in (formula, other) for part in text.split(";") if part]
        tokens = [_tokens(bounded(part, MOST_CHARACTERS, "formulas")) for part in parts]
        for listed in tokens:
            _Parser(listed, _Table(sorted(set(listed) - _RESERVED))).formula()
    except Uncomputable:
        return None
    variables = {symbol for listed in tokens for symbol in listed} - _RESERVED
    if not variables or any(len(variable) > 1 for variable in variables):
        return None
    check = Logic(relation=relation, formula=formula, other=other, negated=negated)
    return check if _is_of_formulas(check, tokens) else None


def _is_of_formulas(check: Logic, tokens: list[list[str]]) -> bool:
    """Whether the letters are variables: "A entails B" says of two named sentences what no formula shows."""
    *first, last = [set(listed) - _RESERVED for listed in tokens]
    if not first:
        return len(tokens[0]) > 1
    before = set[str]().union(*first)
    named_apart = before != last if check.relation == "equivalent" else not last <= before
    return not named_apart or decide(check).holds


ORACLE = Oracle(
    kind="logic",
    takes=Logic,
    help="propositional formulas: tautology, contradiction, satisfiable, equivalent, entails",
    limit=f"{MOST_VARIABLES} variables, {MOST_TOKENS} tokens, {MOST_DEPTH} levels, {MOST_CHARACTERS:,} characters",
    decide=decide,
    read=read,
)
