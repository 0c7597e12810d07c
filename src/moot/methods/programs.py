"""Straight-line programs of assignments, worked out in bounded exact arithmetic (ruling I18). No Python is run.

The grammar: a line is `name = expression`; an expression has numbers, names assigned before, `+ - * / // **`, signs and
parentheses. Comments, empty lines and `print(…)` say nothing. Whatever else a program has, and whatever grows past the
bounds, ends it with the line and the reason.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

PROGRAM_RULE = """Work this out as a short Python program. It has plain assignments only, one on each line for each \
step: first each number of the question under a name that says what it is, then each value that follows from them. No \
functions, no loops, no comments, no print. The last line assigns the result to answer. Reply with the program alone."""
"""How a member is told to write one."""

MOST_CHARACTERS = 20_000
MOST_LINES = 60
MOST_TOKENS = 120
MOST_DEPTH = 20
MOST_DIGITS = 200
MOST_EXPONENT = 1_000
MOST_PLACES = 4
"""Decimal places of a value that is written whole; any other is rounded."""

RESULT = "answer"

_LIMIT = 10**MOST_DIGITS
_SPELLINGS = str.maketrans({"\u00d7": "*", "·": "*", "÷": "/", "\u2212": "-"})
_FENCE = re.compile(r"```[^\n`]*\n(?P<code>.*?)(?:```|\Z)", re.DOTALL)
_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?P<operator>[-+*/]?)=(?!=)\s*(?P<expression>.+)", re.ASCII)
_SILENT = re.compile(r"(?:print\s*\([^()]*\)|[A-Za-z_]\w*);?", re.ASCII)
_STATEMENT = re.compile(
    r"(?:(?P<loop>for|while)|(?P<condition>if|elif|else|match)|(?P<function>def|class|with|try|async))\b.*:(?:\s|$)"
    r"|(?P<import>import|from)\s+\w|(?P<jump>return|raise|del|assert|global|exec|eval|lambda)\b"
)
_TOKEN = re.compile(
    r"\s+"
    r"|(?P<number>(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9][0-9_]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,4})?|\.[0-9]+)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<mark>\*\*|//|[-+*/()])",
    re.ASCII,
)


class _Ended(Exception):
    """A line that ends the program, and why."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One assignment: its value, the names it rests on, and the numbers written in it."""

    name: str
    expression: str
    value: Fraction
    uses: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """A program that was worked out; or how far it came, and the line and reason that ended it."""

    steps: tuple[Assignment, ...] = ()
    problem: str = ""

    @property
    def value(self) -> Fraction | None:
        """What it comes to: the last value of `answer`, else of the last line; None where it was ended."""
        if self.problem or not self.steps:
            return None
        results = [step.value for step in self.steps if step.name.lower() == RESULT]
        return (results or [self.steps[-1].value])[-1]


def worked_out(text: str) -> Program:
    """Return the program that a reply has, worked out line by line."""
    if len(text) > MOST_CHARACTERS:
        return Program(problem=f"programs have at most {MOST_CHARACTERS:,} characters")
    values: dict[str, Fraction] = {}
    steps: list[Assignment] = []
    for line in _lines(text):
        if len(steps) >= MOST_LINES:
            return Program(tuple(steps), f"programs have at most {MOST_LINES} lines")
        try:
            step = _step(line, values)
        except _Ended as ended:
            return Program(tuple(steps), f"line “{line[:60]}”: {ended}")
        values[step.name] = step.value
        steps.append(step)
    return Program(tuple(steps), "" if steps else "it has no program")


def in_digits(value: Fraction) -> str:
    """Return a value as people write it: whole to four places, else rounded to two places or two digits."""
    places = _places(value)
    if places is not None and places <= MOST_PLACES:
        return _decimal(value, places)
    small = 0 if abs(value) >= 1 else len(str(value.denominator // max(1, abs(value.numerator)))) - 1
    rounded = _decimal(value, small + 2)
    return rounded.rstrip("0").rstrip(".") if "." in rounded else rounded


def is_rounded(value: Fraction) -> bool:
    """Return whether `in_digits` writes less than the whole value."""
    return Fraction(in_digits(value)) != value


def _lines(text: str) -> list[str]:
    """The lines that say something: between fences all; without fences assignments and statements, the rest is talk."""
    fenced = "\n".join(found["code"] for found in _FENCE.finditer(text))
    plain = [line.partition("#")[0].strip() for line in (fenced or text).translate(_SPELLINGS).splitlines()]
    said = [line for line in plain if line and not _SILENT.fullmatch(line)]
    return said if fenced else [line for line in said if _ASSIGNMENT.fullmatch(line) or _STATEMENT.match(line)]


def _step(line: str, values: Mapping[str, Fraction]) -> Assignment:
    if statement := _STATEMENT.match(line):
        kind = statement.lastgroup
        raise _Ended(f"{'an' if kind == 'import' else 'a'} {kind} is no assignment")
    found = _ASSIGNMENT.fullmatch(line)
    if found is None:
        raise _Ended("it is no assignment of one expression to one name")
    name, expression = found["name"], found["expression"]
    written = f"{name} {found['operator']} ({expression})" if found["operator"] else expression
    reader = _Reader(_tokens(written), values)
    return Assignment(name, expression, reader.whole(), tuple(dict.fromkeys(reader.uses)), tuple(reader.numbers))


def _tokens(expression: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    place = 0
    while place < len(expression):
        found = _TOKEN.match(expression, place)
        if found is None:
            raise _Ended(f"{expression[place]!r} is no part of an expression")
        place = found.end()
        if found.lastgroup:
            tokens.append((found.lastgroup, found.group()))
        if len(tokens) > MOST_TOKENS:
            raise _Ended(f"expressions have at most {MOST_TOKENS} parts")
    return tokens


class _Reader:
    """Reads one expression and works it out as it goes; nesting and values are bounded."""

    def __init__(self, tokens: list[tuple[str, str]], values: Mapping[str, Fraction]) -> None:
        self._tokens = [*tokens, ("end", "")]
        self._values = values
        self._place = 0
        self._depth = 0
        self.uses: list[str] = []
        self.numbers: list[str] = []

    def whole(self) -> Fraction:
        value = self._sum()
        if self._next:
            raise _Ended(f"{self._next[:20]!r} stands where the expression should end")
        return value

    @property
    def _next(self) -> str:
        return self._tokens[self._place][1]

    def _take(self) -> tuple[str, str]:
        self._place += 1
        return self._tokens[self._place - 1]

    def _nested(self, part: Callable[[], Fraction]) -> Fraction:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise _Ended(f"expressions are nested at most {MOST_DEPTH} deep")
        value = part()
        self._depth -= 1
        return value

    def _sum(self) -> Fraction:
        value = self._product()
        while self._next in ("+", "-"):
            sign = 1 if self._take()[1] == "+" else -1
            value = _bounded(value + sign * self._product())
        return value

    def _product(self) -> Fraction:
        value = self._signed()
        while self._next in ("*", "/", "//"):
            operator, operand = self._take()[1], self._signed()
            value = _bounded(value * operand if operator == "*" else _quotient(value, operand, operator))
        return value

    def _signed(self) -> Fraction:
        if self._next not in ("+", "-"):
            return self._power()
        sign = 1 if self._take()[1] == "+" else -1
        return sign * self._nested(self._signed)

    def _power(self) -> Fraction:
        base = self._operand()
        if self._next != "**":
            return base
        self._take()
        return _power(base, self._nested(self._signed))

    def _operand(self) -> Fraction:
        kind, text = self._take()
        if kind == "number":
            self.numbers.append(text)
            return _number(text)
        if kind == "name" and self._next == "(":
            raise _Ended(f"{text[:20]}(…) calls a function")
        if kind == "name":
            if text not in self._values:
                raise _Ended(f"{text[:40]} has no value yet")
            self.uses.append(text)
            return self._values[text]
        if text != "(":
            raise _Ended("an expression ends too early" if kind == "end" else f"{text!r} stands without a number")
        value = self._nested(self._sum)
        if self._take()[1] != ")":
            raise _Ended("a parenthesis is not closed")
        return value


def _number(text: str) -> Fraction:
    plain = text.replace(",", "").replace("_", "")
    _, _, exponent = plain.lower().partition("e")
    if len(plain) > MOST_DIGITS or (exponent and abs(int(exponent)) > MOST_DIGITS):
        raise _Ended(f"numbers have at most {MOST_DIGITS} digits")
    return _bounded(Fraction(plain))


def _quotient(value: Fraction, operand: Fraction, operator: str) -> Fraction:
    if not operand:
        raise _Ended("it divides by zero")
    return value / operand if operator == "/" else Fraction(value // operand)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > MOST_EXPONENT:
        raise _Ended(f"powers have whole exponents up to {MOST_EXPONENT:,}")
    if not base and exponent < 0:
        raise _Ended("it divides by zero")
    # Sized before it is worked out: a power is the one operation that grows beyond what was written.
    bits = max(abs(base.numerator).bit_length(), base.denominator.bit_length()) - 1
    if bits * abs(exponent) > _LIMIT.bit_length():
        raise _Ended(f"a value has more than {MOST_DIGITS} digits")
    return _bounded(base ** int(exponent))


def _bounded(value: Fraction) -> Fraction:
    if abs(value.numerator) >= _LIMIT or value.denominator >= _LIMIT:
        raise _Ended(f"a value has more than {MOST_DIGITS} digits")
    return value


def _places(value: Fraction) -> int | None:
    """How many decimal places write a value whole; None where none do."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def _decimal(value: Fraction, places: int) -> str:
    with localcontext(prec=3 * MOST_DIGITS):
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        rounded = exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN)
    return f"{rounded:f}" if rounded else "0"
