"""Whole numbers: primes, divisors, remainders (ruling S7)."""

from math import gcd, isqrt, lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.oracles import claim_checks, consult
from moot.oracles.engine.primes import is_prime
from moot.oracles.finding import Finding


def found(relation: str, numbers: str | int | list[int], claimed: str = "", *, negated: bool = False) -> Finding:
    return consult(
        {"kind": "number_theory", "relation": relation, "numbers": numbers, "claimed": claimed, "negated": negated}
    )


@pytest.mark.parametrize(
    ("relation", "numbers", "claimed", "verdict"),
    [
        ("prime", "97", "", "true"),
        ("prime", "1", "", "false"),
        ("prime", "-7", "", "false"),
        ("prime", "3215031751", "", "false"),
        ("prime", "2,147,483,647", "", "true"),
        ("composite", "1", "", "false"),
        ("composite", "4", "", "true"),
        ("composite", str(2**256 + 1), "", "true"),
        ("even", "0", "", "true"),
        ("odd", "-3", "", "true"),
        ("square", "1" + "0" * 100, "", "true"),
        ("square", "-4", "", "false"),
        ("cube", "-27", "", "true"),
        ("perfect", "8128", "", "true"),
        ("divides", "17 51", "", "true"),
        ("divides", "51 17", "", "false"),
        ("coprime", "35, 64", "", "true"),
        ("gcd", "[84, 126]", "42", "true"),
        ("gcd", "12,18", "6", "true"),
        ("lcm", "4 6 10", "60", "true"),
        ("gcd", [84, 126], "42", "true"),
        ("divides", [7, 343], "", "true"),
        ("prime", "7,343", "", "false"),
        ("congruent", "17 2 5", "", "true"),
        ("congruent", "2^10; 4; 5", "", "true"),
        ("congruent", [10, -1, 11], "", "true"),
        ("congruent", "17 3 5", "", "false"),
        ("prime", "2^31 - 1", "", "true"),
        ("prime", "2^11 - 1", "", "false"),
        ("prime", "2^127 - 1", "", "true"),
        ("prime", "2^1279 - 1", "", "true"),
        ("prime", "2^1277 - 1", "", "false"),
        ("prime", "7! + 1", "", "false"),
        ("prime", "11! + 1", "", "true"),
        ("prime", "77! + 1", "", "true"),
        ("prime", "2^32 + 1", "", "false"),
        ("prime", "2^16 + 1", "", "true"),
        ("remainder", "123456 789", "372", "true"),
        ("power_mod", "3 200 7", "2", "true"),
        ("prime_factors", "360", "2, 3 and 5", "true"),
        ("prime_factors", "360", "2 2 2 3 3 5", "true"),
        ("prime_factors", "360", "2 2 3 5", "false"),
        ("prime_factors", "360", "2 3", "false"),
        ("prime_factors", "12", "2 6", "false"),
        ("prime_factors", "12", "0", "false"),
    ],
)
def test_a_claim_is_true_or_false(relation: str, numbers: str | list[int], claimed: str, verdict: str) -> None:
    assert found(relation, numbers, claimed).verdict == verdict


def test_a_number_may_be_sent_as_a_number_and_a_claim_denied() -> None:
    assert found("prime", 91, negated=True).verdict == "true"
    assert found("prime", 91).value == "composite, divisible by 7"


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("relation", "numbers", "claimed", "limit"),
    [
        ("prime", "9" * 301, "", "at most 300 digits"),
        ("prime", "9" * 10_000_000, "", "at most 300 digits"),
        ("prime", str(10**30 + 57), "", "may be one"),
        ("gcd", " ".join("6" * 20), "6", "at most 12 numbers"),
        ("lcm", f"{'9' * 290} {'8' * 290} {'7' * 290}", "1", "at most 600 digits"),
        ("perfect", "9" * 20, "", "perfect numbers from 2"),
        ("prime", "\u0669\u0667", "", "plain digits"),
        ("prime", "9**9**9", "", "plain digits"),
        ("prime", "nan", "", "plain digits"),
        ("prime", "", "", "plain digits"),
        ("prime", "7 11", "", "of 1 whole numbers"),
        ("gcd", "84,126", "42", "a comma may mark thousands"),
        ("divides", "7,343", "", "a comma may mark thousands"),
        ("prime", "2^3^2 - 1", "", "plain digits"),
        ("prime", "3!! + 1", "", "plain digits"),
        ("prime", "2^9999 - 1", "", "at most 1,000 digits"),
        ("prime", "(2^1601 - 1)", "", "up to p = 1,600"),
        ("lcm", "0 4", "0", "other than zero"),
        ("congruent", "17 2 0", "", "positive"),
        ("divides", "0 5", "", "other than zero"),
        ("remainder", "5 0", "1", "positive"),
        ("power_mod", "2 -1 7", "1", "not negative"),
        ("gcd", "4 6", "2 2", "one claimed"),
        ("prime_factors", "1", "1", "from 2 on"),
    ],
)
def test_what_is_beyond_it_names_the_limit(relation: str, numbers: str, claimed: str, limit: str) -> None:
    finding = found(relation, numbers, claimed)

    assert finding.verdict == "not computable"
    assert limit in finding.limit


def test_primes_are_those_of_the_sieve() -> None:
    sieve = [False, False] + [True] * 9_998
    for number in range(2, 100):
        sieve[number * number :: number] = [False] * len(sieve[number * number :: number])

    assert [is_prime(number) for number in range(10_000)] == sieve


@given(st.integers(2, 10**7))
def test_a_number_is_prime_if_nothing_divides_it(number: int) -> None:
    divided = any(number % trial == 0 for trial in range(2, isqrt(number) + 1))

    assert is_prime(number) != divided


@given(st.integers(1, 10**40), st.integers(1, 10**40), st.integers(1, 10**40))
def test_values_are_those_of_python(first: int, second: int, third: int) -> None:
    assert found("gcd", f"{first} {second}", str(gcd(first, second))).verdict == "true"
    assert found("lcm", f"{first} {second}", str(lcm(first, second))).verdict == "true"
    assert found("power_mod", f"{first} {second} {third}", str(pow(first, second, third))).verdict == "true"
    assert found("remainder", f"{first} {second}", str(first % second + 1)).verdict == "false"


@given(
    st.sampled_from(["prime", "square", "gcd", "prime_factors", "divides"]), st.text(max_size=40), st.text(max_size=9)
)
def test_any_text_gets_a_verdict(relation: str, numbers: str, claimed: str) -> None:
    assert found(relation, numbers, claimed).verdict in ("true", "false", "not computable")


@pytest.mark.clause("ruling:S12")
@pytest.mark.parametrize(
    "sentence",
    [
        "13 is a Mersenne prime.",
        "17 is 2 modulo 5.",
        "-7 is prime.",
        "2^3^2 - 1 is prime.",
        "3!! + 1 is prime.",
        "Room 101 is prime.",
        "2 is not prime in the Gaussian integers.",
        "12 is divisible by 5 with remainder 2.",
    ],
)
def test_what_is_of_another_form_or_has_two_readings_is_not_refuted_nor_confirmed(sentence: str) -> None:
    assert all(consult(check).verdict == "not computable" for check in claim_checks(sentence))
