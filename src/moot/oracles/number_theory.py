"""Number theory: primes, divisors, remainders, congruences and squares of whole numbers (rulings S7, S12).

A number may be written as an expression: 2^31 - 1, 7! + 1. How primes are proved, and up to where, is in `primes`.
"""

import re
from math import gcd, lcm
from typing import Literal

from typing_extensions import override

from moot.oracles.engine.exact import evaluated, exactly, shown
from moot.oracles.engine.expressions import parsed
from moot.oracles.engine.factors import factored, perfect, whole_root
from moot.oracles.engine.primes import MOST_DIGITS, MOST_MERSENNE, is_prime
from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable
from moot.oracles.reading.lists import Numbers, entries

MOST_NUMBERS = 12

_WHOLE = re.compile(r"[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)")
_EXPRESSION = re.compile(r"[-+*^!() 0-9,]*[*^!][-+*^!() 0-9,]*")
# A tower of powers and a double factorial have two usual readings each.
_TWO_WAYS = re.compile(r"\^[^-+*()]*\^|!\s*!|\*\*")
_YES_OR_NO = frozenset(
    ["prime", "composite", "even", "odd", "square", "cube", "perfect", "divides", "coprime", "congruent"]
)
_SHAPES = {
    **dict.fromkeys(("prime", "composite", "even", "odd"), "{} is {relation}"),
    **dict.fromkeys(("square", "cube"), "{} is a perfect {relation}"),
    "perfect": "{} is a perfect number",
    "divides": "{} divides {}",
    "coprime": "{} and {} are coprime",
    "congruent": "{} ≡ {} (mod {})",
    "remainder": "{} mod {} = {claimed}",
    "power_mod": "{}^{} mod {} = {claimed}",
    "prime_factors": "the prime factors of {} are {claimed}",
}
_TAKES = {"divides": 2, "coprime": 2, "remainder": 2, "power_mod": 3, "congruent": 3}

Relation = Literal[
    "prime", "composite", "even", "odd", "square", "cube", "perfect", "divides", "coprime", "congruent",
    "gcd", "lcm", "remainder", "power_mod", "prime_factors",
]  # fmt: skip


class NumberTheory(Deniable):
    """A claim about whole numbers.

    prime, composite, even, odd, square, cube, perfect: of one number, perhaps `2^31 - 1`. divides: the first divides
    the second. coprime: the two are. congruent: the first and the second, modulo the third. gcd, lcm, remainder (first
    by second), power_mod (first to the second by the third): come to `claimed`. prime_factors: `claimed` lists them,
    each once or as often as it divides.
    """

    kind: Literal["number_theory"] = "number_theory"
    relation: Relation
    numbers: Numbers
    claimed: Line = ""

    @property
    @override
    def reading(self) -> str:
        """The claim in the usual signs, where the numbers are as many as it takes."""
        numbers = self.numbers.split("; ")
        shape = _SHAPES.get(self.relation, "{relation}({numbers}) = {claimed}")
        if shape.count("{}") not in (0, len(numbers)):
            return super().reading
        read_as = shape.format(*numbers, relation=self.relation, numbers=", ".join(numbers), claimed=self.claimed)
        return f"it is not so that {read_as}" if self.negated else read_as


def decide(check: NumberTheory) -> Computed:
    """Return whether the claim about the numbers holds."""
    several = check.relation in ("gcd", "lcm")
    numbers = _numbers(check.numbers, one=not several and check.relation not in _TAKES)
    expected = max(2, len(numbers)) if several else _TAKES.get(check.relation, 1)
    if len(numbers) != expected:
        raise Uncomputable(f"{check.relation} of {expected} whole numbers, with spaces between them")
    if check.relation in _YES_OR_NO:
        return _property(check.relation, numbers)
    claimed = _numbers(check.claimed, one=check.relation != "prime_factors")
    if check.relation == "prime_factors":
        return factored(numbers[0], claimed)
    if len(claimed) != 1:
        raise Uncomputable("one claimed whole number")
    value = _value(check.relation, numbers)
    return Computed(
        value == claimed[0], shown(exactly(value)), f"{check.relation} of {', '.join(map(_short, numbers))}"
    )


def _numbers(text: str, *, one: bool) -> list[int]:
    if len(text) > MOST_NUMBERS * MOST_DIGITS:
        raise Uncomputable(f"at most {MOST_NUMBERS} numbers of at most {MOST_DIGITS} digits")
    parts = [text.strip()] if one and (_WHOLE.fullmatch(text.strip()) or _EXPRESSION.fullmatch(text)) else entries(text)
    if not 1 <= len(parts) <= MOST_NUMBERS or any(len(part) > MOST_DIGITS for part in parts):
        raise Uncomputable(f"at most {MOST_NUMBERS} numbers of at most {MOST_DIGITS} digits")
    return [_whole(part) for part in parts]


def _whole(text: str) -> int:
    if _WHOLE.fullmatch(text):
        return int(text.replace(",", ""))
    if not _EXPRESSION.fullmatch(text) or _TWO_WAYS.search(text):
        raise Uncomputable("whole numbers in plain digits, or an expression such as 2^31 - 1")
    value = evaluated(parsed(text))
    if not value.is_exact or value.low.denominator != 1:
        raise Uncomputable("expressions whose value is a whole number")
    return value.low.numerator


def _property(relation: str, numbers: list[int]) -> Computed:
    first, last = numbers[0], numbers[-1]
    if relation in ("prime", "composite"):
        prime = is_prime(first)
        holds = prime if relation == "prime" else first > 3 and not prime
        return Computed(holds, _primality(first, prime=prime), "tests that prove a prime, and prove a composite")
    if relation in ("even", "odd"):
        return Computed((first % 2 == 0) == (relation == "even"), ("even", "odd")[first % 2], "the remainder by 2")
    if relation in ("square", "cube"):
        root = whole_root(first, 2 if relation == "square" else 3)
        holds = root ** (2 if relation == "square" else 3) == first
        return Computed(holds, f"the root {'is' if holds else 'lies above'} {root}", "the whole root")
    if relation == "perfect":
        return perfect(first)
    if relation == "congruent":
        return _congruence(first, numbers[1], last)
    if relation == "coprime":
        return Computed(gcd(first, last) == 1, f"gcd {gcd(first, last)}", "Euclid's algorithm")
    if first == 0:
        raise Uncomputable("divisors other than zero")
    return Computed(last % first == 0, f"remainder {last % first}", f"{_short(last)} divided by {_short(first)}")


def _congruence(first: int, second: int, modulus: int) -> Computed:
    if modulus < 1:
        raise Uncomputable("a modulus that is positive")
    remainders = f"remainders {_short(first % modulus)} and {_short(second % modulus)}"
    return Computed((first - second) % modulus == 0, remainders, f"the difference, modulo {_short(modulus)}")


def _primality(number: int, *, prime: bool) -> str:
    if prime or number < 2:
        return "prime" if prime else "neither prime nor composite"
    smallest = next((trial for trial in range(2, 1_000) if number % trial == 0), None)
    return f"composite, divisible by {smallest}" if smallest else "composite"


def _value(relation: str, numbers: list[int]) -> int:
    if relation in ("gcd", "lcm"):
        if 0 in numbers and (relation == "lcm" or not any(numbers)):
            raise Uncomputable("numbers other than zero")
        if relation == "lcm" and sum(len(str(number)) for number in numbers) > 2 * MOST_DIGITS:
            raise Uncomputable(f"least common multiples of at most {2 * MOST_DIGITS} digits")
        return gcd(*numbers) if relation == "gcd" else lcm(*numbers)
    modulus = numbers[-1]
    if modulus < 1 or min(numbers) < 0:
        raise Uncomputable("remainders of numbers that are not negative, by a positive one")
    return numbers[0] % modulus if relation == "remainder" else pow(numbers[0], numbers[1], modulus)


def _short(number: int) -> str:
    return shown(exactly(number))


_N = r"(-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+))"
_FORM = r"(-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)|[0-9(][-+*^!() 0-9]*[0-9!)])"
_A_NUMBER = r"(?:(?:a|an) )?(not )?(?:(?:a|an) )?"
_KINDS: dict[str, Relation] = {
    "prime": "prime",
    "prime number": "prime",
    "mersenne prime": "prime",
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
    rf"(?:the number )?{_FORM} is {_A_NUMBER}({'|'.join(sorted(_KINDS, key=len, reverse=True))})", re.IGNORECASE
)
_MERSENNE = re.compile(r"\(?2 ?\^ ?[0-9]+ ?- ?1\)?")
_DIVIDES = re.compile(rf"{_N} (divides|does not divide) {_FORM}(?: evenly)?", re.IGNORECASE)
_IS_DIVISIBLE = re.compile(rf"{_FORM} is (not )?(?:divisible by|a multiple of) {_N}", re.IGNORECASE)
_IS_DIVISOR = re.compile(rf"{_N} is (not )?a (?:divisor|factor) of {_FORM}", re.IGNORECASE)
_COPRIME = re.compile(rf"{_N} and {_N} are (not )?(?:coprime|relatively prime)", re.IGNORECASE)
_LISTED = rf"({_N[1:-1]}(?:, {_N[1:-1]})*,? and {_N[1:-1]})"
_COMMON = re.compile(
    r"(?:the )?(gcd|greatest common divisor|greatest common factor|highest common factor|lcm|least common multiple"
    rf"|lowest common multiple) of {_LISTED} (?:is|equals|=) {_N}",
    re.IGNORECASE,
)
_COMMON_SIGN = re.compile(rf"(gcd|lcm)\( ?({_N[1:-1]}(?:, ?{_N[1:-1]})+) ?\) ?(?:is|equals|=) ?{_N}", re.IGNORECASE)
_CONGRUENT = re.compile(
    rf"{_FORM} (≡|≢|is congruent to|is not congruent to) {_FORM},? \(?mod(?:ulo)? {_N}\)?"
    rf"|{_N} and {_N} are (not )?congruent (?:modulo|mod) {_N}",
    re.IGNORECASE,
)
_REMAINDER = re.compile(
    rf"(?:the )?remainder (?:of|when) {_N} (?:is )?divided by {_N} (?:is|equals|=) {_N}", re.IGNORECASE
)
_POWER = re.compile(rf"{_N} ?\^ ?{_N} mod(?:ulo)? {_N} (?:is|equals|=) {_N}", re.IGNORECASE)
_FACTORS = re.compile(r"the prime factors of ([0-9,]+) are ([0-9, and]+)", re.IGNORECASE)


def read(sentence: str) -> NumberTheory | None:
    """Return the claim about whole numbers that a sentence makes as a whole, or nothing."""
    check = _read_property(sentence) or _read_value(sentence)
    return check if check is not None and _is_whole(check) else None


def _is_whole(check: NumberTheory) -> bool:
    """What looks like numbers is read where it is: not 2 - - 3, nor towers of powers."""
    return all(_WHOLE.fullmatch(text) or _is_expression(text) for text in check.numbers.split("; "))


def _is_expression(text: str) -> bool:
    if not _EXPRESSION.fullmatch(text) or _TWO_WAYS.search(text):
        return False
    try:
        return bool(parsed(text))
    except Uncomputable:
        return False


def _read_property(sentence: str) -> NumberTheory | None:
    if found := _IS_A.fullmatch(sentence):
        # In a ring -7 is prime, and in schools it is not.
        kind = _KINDS[found[3].lower()]
        two_ways = found[1].startswith("-") and kind in ("prime", "composite")
        other_form = "mersenne" in found[3].lower() and not _MERSENNE.fullmatch(found[1])
        return None if two_ways or other_form else _about(kind, found[1], denied=found[2])
    if found := _DIVIDES.fullmatch(sentence):
        return _about("divides", found[1], found[3], denied="not" in found[2].lower())
    if found := _IS_DIVISIBLE.fullmatch(sentence):
        return _about("divides", found[3], found[1], denied=found[2])
    if found := _IS_DIVISOR.fullmatch(sentence):
        return _about("divides", found[1], found[3], denied=found[2])
    if found := _COPRIME.fullmatch(sentence):
        return _about("coprime", found[1], found[2], denied=found[3])
    if found := _CONGRUENT.fullmatch(sentence):
        first, between, second, modulus = found.groups()[:4]
        if between:
            return _about("congruent", first, second, modulus, denied=between.lower() in ("≢", "is not congruent to"))
        return _about("congruent", found[5], found[6], found[8], denied=found[7])
    return None


def _about(relation: Relation, *numbers: str, denied: object) -> NumberTheory:
    return NumberTheory(relation=relation, numbers="; ".join(numbers), negated=bool(denied))


def _read_value(sentence: str) -> NumberTheory | None:
    if found := _COMMON.fullmatch(sentence) or _COMMON_SIGN.fullmatch(sentence):
        relation = "gcd" if found[1][0].lower() in "gh" else "lcm"
        return NumberTheory(relation=relation, numbers=_semicolons(found), claimed=found[3])
    if found := _REMAINDER.fullmatch(sentence):
        return NumberTheory(relation="remainder", numbers=f"{found[1]}; {found[2]}", claimed=found[3])
    if found := _POWER.fullmatch(sentence):
        return NumberTheory(relation="power_mod", numbers=f"{found[1]}; {found[2]}; {found[3]}", claimed=found[4])
    if found := _FACTORS.fullmatch(sentence):
        return NumberTheory(relation="prime_factors", numbers=found[1], claimed=found[2])
    return None


def _semicolons(found: re.Match[str]) -> str:
    """`gcd(100,200)` has its commas between the numbers, whatever they could mean elsewhere."""
    between = r",? and |, " if found.re is _COMMON else r", ?"
    return re.sub(between, "; ", found[2])


ORACLE = Oracle(
    kind="number_theory",
    takes=NumberTheory,
    help="primes, divisors, gcd, lcm, congruences, remainders, modular powers, prime factors, squares",
    limit=(
        f"{MOST_NUMBERS} numbers of {MOST_DIGITS} digits; primes are proved below 3.3 * 10^24, "
        f"of the form 2^p - 1 up to p = {MOST_MERSENNE:,}, and where n - 1 has small factors"
    ),
    decide=decide,
    read=read,
)
