"""Numbers between two fractions, so that what cannot be exact is at least enclosed (ruling S7).

A rational number is its own two bounds. A root, pi and e lie between bounds about 10^-100 apart. Whatever is said of a
number holds for all of the range, or is not said.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from math import factorial, floor, isqrt

from moot.oracles.engine.expressions import Name, Node, Number
from moot.oracles.finding import Uncomputable

MOST_DIGITS = 1_000
MOST_EXPONENT = 10_000
MOST_FACTORIAL = 300
MOST_ROOT = 20

_BITS = MOST_DIGITS * 10 // 3
_FINENESS = 10**100
_CONSTANTS = {
    "pi": "3.1415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170679",
    "e": "2.7182818284590452353602874713526624977572470936999595749669676277240766303535475945713821785251664274",
}


@dataclass(frozen=True, slots=True)
class Range:
    """A real number that lies between two fractions, which are equal where it is known exactly."""

    low: Fraction
    high: Fraction

    @property
    def is_exact(self) -> bool:
        """Whether the number is known exactly."""
        return self.low == self.high


def evaluated(node: Node) -> Range:
    """Return the value of an expression without variables.

    Raises:
        Uncomputable: it has no real value, needs another function, or its digits or exponents pass the limit.

    """
    if isinstance(node, Number):
        return exactly(number(node.text))
    if isinstance(node, Name):
        return _constant(node.name)
    operate = _OPERATIONS.get(node.operator)
    if operate is None:
        raise Uncomputable(f"roots, powers and factorials, not {node.operator}")
    return _bounded(operate(*map(evaluated, node.operands)))


def number(text: str) -> Fraction:
    """Return the number that a text writes, with plain digits and perhaps commas between thousands.

    Raises:
        Uncomputable: it has too many digits, too large an exponent, or zeros before it.

    """
    plain = text.replace(",", "").lower()
    if len(plain) > MOST_DIGITS:
        raise Uncomputable(f"numbers of at most {MOST_DIGITS:,} digits")
    if plain[:2] in ("0x", "0b", "0o"):
        return Fraction(int(plain, 0))
    mantissa, _, exponent = plain.partition("e")
    if len(exponent) > 5 or abs(int(exponent or "0")) > MOST_DIGITS:
        raise Uncomputable(f"decimal exponents of at most {MOST_DIGITS:,}")
    if len(mantissa) > 1 and mantissa[0] == "0" and mantissa[1] != ".":
        raise Uncomputable("numbers without zeros before them")
    return Fraction(mantissa if mantissa[0] != "." else f"0{mantissa}") * Fraction(10) ** int(exponent or "0")


def exactly(value: Fraction | int) -> Range:
    """Return a number that is known exactly."""
    return Range(Fraction(value), Fraction(value))


def difference(first: Range, second: Range) -> Range:
    """Return the first less the second."""
    return Range(first.low - second.high, first.high - second.low)


def sign(value: Range) -> int:
    """Return -1, 0 or 1.

    Raises:
        Uncomputable: the range lies on both sides of zero.

    """
    if value.low > 0:
        return 1
    if value.high < 0:
        return -1
    if value.is_exact:
        return 0
    raise Uncomputable("values that differ by more than 10^-90 where one of them is not rational")


def shown(value: Range, digits: int = 20) -> str:
    """Return the number as short text: whole, as a decimal, or as a fraction with its decimal beginning."""
    if not value.is_exact:
        return _decimal((value.low + value.high) / 2, digits)
    exact = value.low
    if exact.denominator == 1:
        whole = str(exact.numerator)
        return whole if len(whole) <= 60 else f"{_decimal(exact, digits)} ({len(whole.lstrip('-'))} digits)"
    if (10**20 * exact).denominator == 1:
        return _decimal(exact, 40)
    rounded = _decimal(exact, digits)
    if Fraction(rounded) == exact:
        return rounded
    written = f"{exact.numerator}/{exact.denominator}"
    return f"{written} ≈ {_decimal(exact, 12)}" if len(written) <= 40 else f"≈ {rounded}"


def _decimal(value: Fraction, digits: int) -> str:
    context = Context(prec=digits, Emax=10**6, Emin=-(10**6))
    quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    text = f"{quotient:f}" if -7 < quotient.adjusted() < digits else f"{quotient:e}"
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def _constant(name: str) -> Range:
    if name not in _CONSTANTS:
        raise Uncomputable(f"numbers, pi and e, not the variable {name!r}")
    low = Fraction(_CONSTANTS[name])
    return Range(low, low + Fraction(1, _FINENESS))


def _bounded(value: Range) -> Range:
    if not value.is_exact:
        low = Fraction(floor(value.low * _FINENESS), _FINENESS)
        value = Range(low, Fraction(-floor(-value.high * _FINENESS), _FINENESS))
    if max(_bits(value.low), _bits(value.high)) > _BITS + 10:
        raise Uncomputable(f"results of at most {MOST_DIGITS:,} digits")
    return value


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _sum(first: Range, second: Range) -> Range:
    return Range(first.low + second.low, first.high + second.high)


def _negative(value: Range) -> Range:
    return Range(-value.high, -value.low)


def _product(first: Range, second: Range) -> Range:
    corners = [one * other for one in (first.low, first.high) for other in (second.low, second.high)]
    return Range(min(corners), max(corners))


def _quotient(first: Range, second: Range) -> Range:
    if sign(second) == 0:
        raise Uncomputable("no division by zero")
    return _product(first, Range(1 / second.high, 1 / second.low))


def _whole_quotient(first: Range, second: Range) -> Range:
    return _floor(_quotient(first, second))


def _remainder(first: Range, second: Range) -> Range:
    if not (first.is_exact and second.is_exact):
        raise Uncomputable("remainders of rational numbers")
    if second.low <= 0 or first.low < 0:
        raise Uncomputable("remainders of positive numbers, since conventions differ for negative ones")
    return exactly(first.low % second.low)


def _power(base: Range, exponent: Range) -> Range:
    if not exponent.is_exact or exponent.low.denominator > MOST_ROOT:
        raise Uncomputable(f"rational exponents with a denominator of at most {MOST_ROOT}")
    degree, times = exponent.low.denominator, exponent.low.numerator
    if abs(times) > MOST_EXPONENT:
        raise Uncomputable(f"exponents of at most {MOST_EXPONENT:,}")
    if degree > 1:
        if sign(base) < 0:
            raise Uncomputable("real values: a negative number has no such power")
        base = _bounded(_root(base, degree))
    if times <= 0 and sign(base) == 0:
        raise Uncomputable("no power of zero that is not positive")
    if max(_bits(base.low), _bits(base.high)) * abs(times) > _BITS * (1 if base.is_exact else 50):
        raise Uncomputable(f"results of at most {MOST_DIGITS:,} digits")
    power = _repeated(base, abs(times))
    return power if times >= 0 else _quotient(exactly(1), power)


def _repeated(base: Range, times: int) -> Range:
    if base.is_exact:
        return exactly(base.low**times)
    power = exactly(1)
    for bit in bin(times)[2:]:
        power = _bounded(_product(power, power))
        if bit == "1":
            power = _bounded(_product(power, base))
    return power


def _root(value: Range, degree: int) -> Range:
    if sign(value) < 0:
        if degree % 2 == 0:
            raise Uncomputable("real values: a negative number has no such root")
        return _negative(_root(_negative(value), degree))
    low = _root_below(value.low, degree)
    return low if value.is_exact else Range(low.low, _root_below(value.high, degree).high)


def _root_below(value: Fraction, degree: int) -> Range:
    numerator, denominator = _whole_root(value.numerator, degree), _whole_root(value.denominator, degree)
    if numerator**degree == value.numerator and denominator**degree == value.denominator:
        return exactly(Fraction(numerator, denominator))
    scaled = _whole_root(floor(value * _FINENESS**degree), degree)
    return Range(Fraction(scaled, _FINENESS), Fraction(scaled + 1, _FINENESS))


def _whole_root(value: int, degree: int) -> int:
    """The largest whole number whose power is not above the value, by Newton's method from above."""
    if degree == 2 or value < 2:
        return isqrt(value) if value > 1 else value
    guess = 1 << (value.bit_length() // degree + 1)
    while True:
        better = ((degree - 1) * guess + value // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better


def _floor(value: Range) -> Range:
    if floor(value.low) != floor(value.high):
        raise Uncomputable("values that are not too near to a whole number to be rounded")
    return exactly(floor(value.low))


def _ceiling(value: Range) -> Range:
    return _negative(_floor(_negative(value)))


def _factorial(value: Range) -> Range:
    if not value.is_exact or value.low.denominator != 1 or not 0 <= value.low <= MOST_FACTORIAL:
        raise Uncomputable(f"factorials of whole numbers up to {MOST_FACTORIAL}")
    return exactly(factorial(value.low.numerator))


def _absolute(value: Range) -> Range:
    return _negative(value) if sign(value) < 0 else value


def _logarithm(value: Range, base: int) -> Range:
    """A whole logarithm; others are not rational."""
    if value.is_exact and value.low > 0:
        power, steps = max(value.low, 1 / value.low), 0
        while power >= base:
            power, steps = power / base, steps + 1
        if power == 1:
            return exactly(steps if value.low >= 1 else -steps)
    raise Uncomputable(f"logarithms of whole powers of {base}; algebra takes others")


_OPERATIONS: dict[str, Callable[..., Range]] = {
    "+": _sum,
    "-": difference,
    "*": _product,
    "of": _product,
    "/": _quotient,
    "//": _whole_quotient,
    "mod": _remainder,
    "^": _power,
    "neg": _negative,
    "percent": lambda value: _quotient(value, exactly(100)),
    "factorial": _factorial,
    "sqrt": lambda value: _root(value, 2),
    "cbrt": lambda value: _root(value, 3),
    "abs": _absolute,
    "floor": _floor,
    "ceil": _ceiling,
    "log2": lambda value: _logarithm(value, 2),
    "log10": lambda value: _logarithm(value, 10),
}

OPERATORS = frozenset(_OPERATIONS) - {"log2", "log10"}
"""What `evaluated` can do; other functions need algebra."""
