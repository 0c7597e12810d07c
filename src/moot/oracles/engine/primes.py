"""Primality: what is prime is proved, what is composite too, and between them nothing is said (ruling S7).

Below 3.3 * 10^24 Miller and Rabin's test to thirteen bases is a proof. Above it Lucas and Lehmer's test proves numbers
of the form 2^p - 1, and Pocklington's theorem those whose predecessor is made of small primes: 2^n + 1, n! + 1.
"""

from math import gcd, isqrt

from moot.oracles.finding import Uncomputable

MOST_DIGITS = 300
MOST_MERSENNE = 1_600
PROVED_BELOW = 3_317_044_064_679_887_385_961_981

_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
_SMALL = 1_000
_MOST_BITS = MOST_DIGITS * 10 // 3
_MOST_WITNESSES = 400


def is_prime(number: int) -> bool:
    """Return whether a number is prime.

    Raises:
        Uncomputable: it is too large, or passes the tests and none of them is a proof.

    """
    if number < 2:
        return False
    for trial in range(2, min(_SMALL, isqrt(number) + 1)):
        if number % trial == 0:
            return False
    if number < _SMALL * _SMALL:
        return True
    if number & (number + 1) == 0:
        return _is_mersenne_prime(number.bit_length())
    if number.bit_length() > _MOST_BITS:
        raise Uncomputable(f"numbers of at most {MOST_DIGITS} digits that no small number divides")
    if any(_is_witness(base, number) for base in _BASES):
        return False
    if number < PROVED_BELOW or _is_proved(number):
        return True
    raise Uncomputable("primes below 3.3 * 10^24 or of a form that can be proved; this number may be one")


def _is_witness(base: int, number: int) -> bool:
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return False
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return False
    return True


def _is_mersenne_prime(exponent: int) -> bool:
    """Lucas and Lehmer's test of 2^p - 1, which is composite where p is."""
    if exponent > MOST_MERSENNE:
        raise Uncomputable(f"numbers 2^p - 1 up to p = {MOST_MERSENNE:,}")
    if not is_prime(exponent):
        return False
    modulus = (1 << exponent) - 1
    term = 4
    for _ in range(exponent - 2):
        term = (term * term - 2) % modulus
    return term == 0


def _is_proved(number: int) -> bool:
    """Pocklington: small primes make up more of n - 1 than its root, and each has a witness."""
    factored, primes = 1, []
    rest = number - 1
    for trial in range(2, _SMALL):
        if rest % trial == 0:
            primes.append(trial)
        while rest % trial == 0:
            rest, factored = rest // trial, factored * trial
    return factored * factored > number and all(_has_witness(number, prime) for prime in primes)


def _has_witness(number: int, prime: int) -> bool:
    for base in range(2, _MOST_WITNESSES):
        power = pow(base, (number - 1) // prime, number)
        if gcd(power - 1, number) == 1 and pow(power, prime, number) == 1:
            return True
    return False
