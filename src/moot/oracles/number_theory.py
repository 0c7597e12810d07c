"""Number theory: primes, divisors, remainders and squares of whole numbers (ruling S7).

Primality is decided by Miller and Rabin's test to thirteen bases, which is a proof below 3.3 * 10^24; above it a
composite is still proved, a prime is not.
"""

import re
from math import gcd, isqrt, lcm, prod
from typing import Literal

from moot.oracles.exact import exactly, shown
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable

MOST_DIGITS = 300
MOST_NUMBERS = 12
PROVED_BELOW = 3_317_044_064_679_887_385_961_981
MOST_TRIAL = 100_000

_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
_WHOLE = re.compile(r"[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)")
_YES_OR_NO = frozenset(["prime", "composite", "even", "odd", "square", "cube", "perfect", "divides", "coprime"])
_TAKES = {"divides": 2, "coprime": 2, "remainder": 2, "power_mod": 3}

Relation = Literal[
    "prime", "composite", "even", "odd", "square", "cube", "perfect", "divides", "coprime",
    "gcd", "lcm", "remainder", "power_mod", "prime_factors",
]  # fmt: skip


class NumberTheory(Deniable):
    """A claim about whole numbers.

    prime, composite, even, odd, square, cube, perfect: of one number. divides: the first divides the second. coprime:
    the two are. gcd, lcm, remainder (first by second), power_mod (first to the second by the third): come to `claimed`.
    prime_factors: `claimed` lists them, each once or as often as it divides.
    """

    kind: Literal["number_theory"] = "number_theory"
    relation: Relation
    numbers: Line
    claimed: Line = ""


def decide(check: NumberTheory) -> Computed:
    """Return whether the claim about the numbers holds."""
    numbers = _numbers(check.numbers)
    several = check.relation in ("gcd", "lcm")
    expected = max(2, len(numbers)) if several else _TAKES.get(check.relation, 1)
    if len(numbers) != expected:
        raise Uncomputable(f"{check.relation} of {expected} whole numbers, with spaces between them")
    if check.relation in _YES_OR_NO:
        return _property(check.relation, numbers)
    claimed = _numbers(check.claimed)
    if check.relation == "prime_factors":
        return _factored(numbers[0], claimed)
    if len(claimed) != 1:
        raise Uncomputable("one claimed whole number")
    value = _value(check.relation, numbers)
    return Computed(value == claimed[0], shown(exactly(value)), f"{check.relation} of {check.numbers.strip()[:80]}")


def is_prime(number: int) -> bool:
    """Return whether a number is prime.

    Raises:
        Uncomputable: it passes the test but is too large for the test to be a proof.

    """
    if number < 2:
        return False
    for prime in _BASES:
        if number % prime == 0:
            return number == prime
    if any(_is_witness(base, number) for base in _BASES):
        return False
    if number >= PROVED_BELOW:
        raise Uncomputable("primes below 3.3 * 10^24; this number may be one")
    return True


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


def _numbers(text: str) -> list[int]:
    if len(text) > MOST_NUMBERS * MOST_DIGITS:
        raise Uncomputable(f"at most {MOST_NUMBERS} numbers of at most {MOST_DIGITS} digits")
    parts = re.split(r",\s+|;|\s+", text.replace(" and ", " ").strip(" []()"))
    if "," in text and not re.search(r",\s", text) and not _WHOLE.fullmatch(text.strip()):
        parts = text.split(",")
    if not 1 <= len(parts) <= MOST_NUMBERS or any(len(part) > MOST_DIGITS for part in parts):
        raise Uncomputable(f"at most {MOST_NUMBERS} numbers of at most {MOST_DIGITS} digits")
    if not all(_WHOLE.fullmatch(part) for part in parts):
        raise Uncomputable("whole numbers in plain digits")
    return [int(part.replace(",", "")) for part in parts]


def _property(relation: str, numbers: list[int]) -> Computed:
    first, last = numbers[0], numbers[-1]
    if relation in ("prime", "composite"):
        prime = is_prime(first)
        holds = prime if relation == "prime" else first > 3 and not prime
        return Computed(holds, _primality(first, prime=prime), "Miller and Rabin's test to thirteen bases")
    if relation in ("even", "odd"):
        return Computed((first % 2 == 0) == (relation == "even"), ("even", "odd")[first % 2], "the remainder by 2")
    if relation in ("square", "cube"):
        root = _root(first, 2 if relation == "square" else 3)
        holds = root ** (2 if relation == "square" else 3) == first
        return Computed(holds, f"the root {'is' if holds else 'lies above'} {root}", "the whole root")
    if relation == "perfect":
        return _perfect(first)
    if relation == "coprime":
        return Computed(gcd(first, last) == 1, f"gcd {gcd(first, last)}", "Euclid's algorithm")
    if first == 0:
        raise Uncomputable("divisors other than zero")
    return Computed(last % first == 0, f"remainder {last % first}", f"{_short(last)} divided by {_short(first)}")


def _primality(number: int, *, prime: bool) -> str:
    if prime or number < 2:
        return "prime" if prime else "neither prime nor composite"
    smallest = next((trial for trial in range(2, 1_000) if number % trial == 0), None)
    return f"composite, divisible by {smallest}" if smallest else "composite"


def _perfect(number: int) -> Computed:
    if not 1 < number <= MOST_TRIAL**2:
        raise Uncomputable(f"perfect numbers from 2 to {MOST_TRIAL**2:,}")
    total = 1
    for trial in range(2, isqrt(number) + 1):
        if number % trial == 0:
            total += trial + (number // trial if trial * trial != number else 0)
    return Computed(total == number, f"the proper divisors sum to {total}", "trial division")


def _root(number: int, degree: int) -> int:
    """The whole root, rounded down; -1 where a negative number has none."""
    if number < 0:
        return -_root(-number, degree) if degree == 3 else -1
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
    return low


def _value(relation: str, numbers: list[int]) -> int:
    if relation in ("gcd", "lcm"):
        if relation == "lcm" and sum(len(str(number)) for number in numbers) > 2 * MOST_DIGITS:
            raise Uncomputable(f"least common multiples of at most {2 * MOST_DIGITS} digits")
        return gcd(*numbers) if relation == "gcd" else lcm(*numbers)
    modulus = numbers[-1]
    if modulus < 1 or min(numbers) < 0:
        raise Uncomputable("remainders of numbers that are not negative, by a positive one")
    return numbers[0] % modulus if relation == "remainder" else pow(numbers[0], numbers[1], modulus)


def _factored(number: int, claimed: list[int]) -> Computed:
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
    return " * ".join(_short(factor) for factor in sorted(factors))


def _short(number: int) -> str:
    return shown(exactly(number))


_N = r"(-?[0-9][0-9,]*)"
_A_NUMBER = r"(?:(?:a|an) )?(not )?(?:(?:a|an) )?"
_KINDS: dict[str, Relation] = {
    "prime": "prime",
    "prime number": "prime",
    "composite": "composite",
    "composite number": "composite",
    "even": "even",
    "even number": "even",
    "odd": "odd",
    "odd number": "odd",
    "perfect square": "square",
    "square number": "square",
    "perfect cube": "cube",
    "perfect number": "perfect",
}
_IS_A = re.compile(
    rf"(?:the number )?{_N} is {_A_NUMBER}({'|'.join(sorted(_KINDS, key=len, reverse=True))})", re.IGNORECASE
)
_DIVIDES = re.compile(rf"{_N} (divides|does not divide) {_N}(?: evenly)?", re.IGNORECASE)
_IS_DIVISIBLE = re.compile(rf"{_N} is (not )?(?:divisible by|a multiple of) {_N}", re.IGNORECASE)
_IS_DIVISOR = re.compile(rf"{_N} is (not )?a (?:divisor|factor) of {_N}", re.IGNORECASE)
_COPRIME = re.compile(rf"{_N} and {_N} are (not )?(?:coprime|relatively prime)", re.IGNORECASE)
_COMMON = re.compile(
    r"(?:the )?(gcd|greatest common divisor|greatest common factor|lcm|least common multiple) "
    rf"of {_N} and {_N} (?:is|equals|=) {_N}",
    re.IGNORECASE,
)
_REMAINDER = re.compile(
    rf"(?:the )?remainder (?:of|when) {_N} (?:is )?divided by {_N} (?:is|equals|=) {_N}", re.IGNORECASE
)
_POWER = re.compile(rf"{_N} ?\^ ?{_N} mod(?:ulo)? {_N} (?:is|equals|=) {_N}", re.IGNORECASE)
_FACTORS = re.compile(r"the prime factors of ([0-9,]+) are ([0-9, and]+)", re.IGNORECASE)


def read(sentence: str) -> NumberTheory | None:
    """Return the claim about whole numbers that a sentence makes as a whole, or nothing."""
    if found := _IS_A.fullmatch(sentence):
        return NumberTheory(relation=_KINDS[found[3].lower()], numbers=found[1], negated=bool(found[2]))
    if found := _DIVIDES.fullmatch(sentence):
        return NumberTheory(relation="divides", numbers=f"{found[1]} {found[3]}", negated="not" in found[2].lower())
    if found := _IS_DIVISIBLE.fullmatch(sentence):
        return NumberTheory(relation="divides", numbers=f"{found[3]} {found[1]}", negated=bool(found[2]))
    if found := _IS_DIVISOR.fullmatch(sentence):
        return NumberTheory(relation="divides", numbers=f"{found[1]} {found[3]}", negated=bool(found[2]))
    if found := _COPRIME.fullmatch(sentence):
        return NumberTheory(relation="coprime", numbers=f"{found[1]} {found[2]}", negated=bool(found[3]))
    return _read_value(sentence)


def _read_value(sentence: str) -> NumberTheory | None:
    if found := _COMMON.fullmatch(sentence):
        relation = "gcd" if found[1].lower().startswith("g") else "lcm"
        return NumberTheory(relation=relation, numbers=f"{found[2]} {found[3]}", claimed=found[4])
    if found := _REMAINDER.fullmatch(sentence):
        return NumberTheory(relation="remainder", numbers=f"{found[1]} {found[2]}", claimed=found[3])
    if found := _POWER.fullmatch(sentence):
        return NumberTheory(relation="power_mod", numbers=f"{found[1]} {found[2]} {found[3]}", claimed=found[4])
    if found := _FACTORS.fullmatch(sentence):
        return NumberTheory(relation="prime_factors", numbers=found[1], claimed=found[2])
    return None


ORACLE = Oracle(
    kind="number_theory",
    takes=NumberTheory,
    help="primes, divisors, gcd, lcm, remainders, modular powers, prime factors, squares",
    limit=f"{MOST_NUMBERS} numbers of {MOST_DIGITS} digits; primes are proved below 3.3 * 10^24",
    decide=decide,
    read=read,
)
