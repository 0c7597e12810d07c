"""Divisors of whole numbers: prime factors as claimed, perfect numbers, whole roots (ruling S7)."""

from math import isqrt, prod

from moot.oracles.engine.exact import exactly, shown
from moot.oracles.engine.primes import is_prime
from moot.oracles.finding import Computed, Uncomputable

MOST_TRIAL = 100_000


def perfect(number: int) -> Computed:
    """Return whether a number is the sum of its proper divisors.

    Raises:
        Uncomputable: it is too large to be tried.

    """
    if not 1 < number <= MOST_TRIAL**2:
        raise Uncomputable(f"perfect numbers from 2 to {MOST_TRIAL**2:,}")
    total = 1
    for trial in range(2, isqrt(number) + 1):
        if number % trial == 0:
            total += trial + (number // trial if trial * trial != number else 0)
    return Computed(total == number, f"the proper divisors sum to {total}", "trial division")


def whole_root(number: int, degree: int) -> int:
    """Return the whole root, rounded down; -1 where a negative number has none."""
    if number < 0:
        return -whole_root(-number, degree) if degree == 3 else -1
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
    return low


def factored(number: int, claimed: list[int]) -> Computed:
    """Return whether the claimed numbers are the prime factors, each once or as often as it divides.

    Raises:
        Uncomputable: the number has none, or a claimed factor may be prime and is too large to be proved so.

    """
    if number < 2:
        raise Uncomputable("prime factors of numbers from 2 on")
    primes = all(map(is_prime, claimed))
    if primes and prod(claimed) == number:
        return Computed(
            holds=True,
            value=_product(claimed),
            explanation="the claimed factors are prime and their product is the number",
        )
    rest = number
    for factor in sorted({factor for factor in claimed if factor > 1}):
        while rest % factor == 0:
            rest //= factor
    distinct = len(set(claimed)) == len(claimed) and all(factor > 1 and number % factor == 0 for factor in claimed)
    if primes and distinct and rest == 1:
        return Computed(
            holds=True,
            value=_product(claimed),
            explanation="the claimed factors are prime and nothing else divides the number",
        )
    return Computed(
        holds=False,
        value=_factors_shown(number),
        explanation="the claimed factors are not prime, do not divide it, or leave a rest",
    )


def _factors_shown(number: int) -> str:
    """The factors by trial division, as far as it goes."""
    factors: list[int] = []
    for trial in range(2, min(isqrt(number), MOST_TRIAL) + 1):
        while number % trial == 0:
            factors.append(trial)
            number //= trial
        if trial * trial > number:
            break
    return _product([*factors, number] if number > 1 else factors)


def _product(factors: list[int]) -> str:
    return " * ".join(shown(exactly(factor)) for factor in sorted(factors))
