"""Sparse polynomials over the rational numbers in numbered symbols, and their quotients, bounded by terms (S7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from moot.oracles.finding import Uncomputable

MOST_TERMS = 500
MOST_PRODUCTS = 5_000

Monomial = tuple[tuple[int, int], ...]
"""Symbols with their powers, in order; the empty one is the number one."""

Polynomial = Mapping[Monomial, Fraction]
"""Monomials with their coefficients, none of them zero."""


def constant(value: Fraction | int) -> Polynomial:
    """Return a number as a polynomial."""
    return {(): Fraction(value)} if value else {}


ONE = constant(1)


def symbol(place: int) -> Polynomial:
    """Return a symbol as a polynomial."""
    return {((place, 1),): Fraction(1)}


def plus(first: Polynomial, second: Polynomial) -> Polynomial:
    """Return the sum of two polynomials."""
    total = dict(first)
    for monomial, coefficient in second.items():
        total[monomial] = total.get(monomial, Fraction(0)) + coefficient
    return _bounded({monomial: coefficient for monomial, coefficient in total.items() if coefficient})


def scaled(polynomial: Polynomial, factor: Fraction) -> Polynomial:
    """Return a polynomial multiplied by a number."""
    return {monomial: factor * coefficient for monomial, coefficient in polynomial.items()} if factor else {}


def times(first: Polynomial, second: Polynomial) -> Polynomial:
    """Return the product of two polynomials.

    Raises:
        Uncomputable: it has too many terms.

    """
    if len(first) * len(second) > MOST_PRODUCTS:
        raise Uncomputable(f"polynomials of at most {MOST_TERMS} terms")
    product: dict[Monomial, Fraction] = {}
    for one, left in first.items():
        for other, right in second.items():
            both = _joined(one, other)
            product[both] = product.get(both, Fraction(0)) + left * right
    return _bounded({monomial: coefficient for monomial, coefficient in product.items() if coefficient})


def _joined(first: Monomial, second: Monomial) -> Monomial:
    powers = dict(first)
    for place, power in second:
        powers[place] = powers.get(place, 0) + power
    return tuple(sorted(powers.items()))


def leading(polynomial: Polynomial) -> Fraction:
    """Return the coefficient of the greatest monomial."""
    return polynomial[max(polynomial, key=_degree)]


def frozen(polynomial: Polynomial) -> tuple[tuple[Monomial, Fraction], ...]:
    """Return a polynomial as a value that can be compared and hashed."""
    return tuple(sorted(polynomial.items()))


def written(polynomial: Polynomial, names: Sequence[str]) -> str:
    """Return a polynomial as text, highest degree first."""
    terms = [_term(monomial, polynomial[monomial], names) for monomial in sorted(polynomial, key=_order)]
    return " + ".join(terms).replace("+ -", "- ") or "0"


def replaced(polynomial: Polynomial, place: int, degree: int, replacement: Polynomial) -> Polynomial:
    """Return a polynomial with a power of one symbol replaced for as long as it occurs."""
    while any(_power_of(place, monomial) >= degree for monomial in polynomial):
        kept = {key: number for key, number in polynomial.items() if _power_of(place, key) < degree}
        lowered = {
            _lowered(key, place, degree): number
            for key, number in polynomial.items()
            if _power_of(place, key) >= degree
        }
        polynomial = plus(kept, times(lowered, replacement))
    return polynomial


@dataclass(frozen=True, slots=True)
class Quotient:
    """A quotient of two polynomials; a denominator that is a number is one."""

    above: Polynomial
    below: Polynomial

    @property
    def number(self) -> Fraction | None:
        """The number that it is, if it is one."""
        is_number = all(not monomial for monomial in self.above) and self.below == ONE
        return self.above.get((), Fraction(0)) if is_number else None

    @property
    def key(self) -> Any:
        """The quotient as a value that can be compared and hashed."""
        return frozen(self.above), frozen(self.below)


def whole(polynomial: Polynomial) -> Quotient:
    """Return a polynomial as a quotient."""
    return Quotient(polynomial, ONE)


def negative(form: Quotient) -> Quotient:
    """Return the negative of a quotient."""
    return Quotient(scaled(form.above, Fraction(-1)), form.below)


def _power_of(place: int, monomial: Monomial) -> int:
    return next((power for found, power in monomial if found == place), 0)


def _lowered(monomial: Monomial, place: int, degree: int) -> Monomial:
    lowered = ((found, power - degree if found == place else power) for found, power in monomial)
    return tuple(pair for pair in lowered if pair[1])


def _bounded(polynomial: Polynomial) -> Polynomial:
    if len(polynomial) > MOST_TERMS:
        raise Uncomputable(f"polynomials of at most {MOST_TERMS} terms")
    return polynomial


def _degree(monomial: Monomial) -> tuple[int, Monomial]:
    return sum(power for _, power in monomial), monomial


def _order(monomial: Monomial) -> tuple[int, tuple[tuple[int, int], ...]]:
    return -sum(power for _, power in monomial), tuple((place, -power) for place, power in monomial)


def _term(monomial: Monomial, coefficient: Fraction, names: Sequence[str]) -> str:
    factors = [names[place] if power == 1 else f"{names[place]}^{power}" for place, power in monomial]
    if abs(coefficient) != 1 or not factors:
        return "*".join([str(coefficient), *factors])
    return ("-" if coefficient < 0 else "") + "*".join(factors)
