"""Combinations, averages, percentages, bases and angles (rulings S7, S12)."""

from fractions import Fraction
from math import comb, factorial
from statistics import mean, median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.oracles import claim_checks, consult


def verdict(kind: str, **fields: object) -> str:
    return consult({"kind": kind, **fields}).verdict


@pytest.mark.clause("ruling:S12")
@pytest.mark.parametrize(
    "sentence",
    [
        "C(2, 3) = 5.",
        "P(5, 2) = 20.",
        "There are 1000 ways to choose 3 digits from 10.",
        "The weighted average of 70 and 90 is 85.",
        "The average of 2 and 4 apples is 5.",
        "The average of $2 and $4 is $5.",
        "From 80% to 100% is an increase of 20%.",
        "From 1990 to 2000 is an increase of 25%.",
        "20% off 50 is 10.",
        "$50 increased by 20% is $61.",
        "11111111 in binary is -1.",
        "0.1 in binary is 0.2.",
        "Dad is bad in hex.",
        "tan 90 is 5.",
        "A baker's dozen is 13.",
    ],
)
def test_what_has_two_readings_or_another_one_is_not_read(sentence: str) -> None:
    assert claim_checks(sentence) == ()


@pytest.mark.clause("ruling:S12")
@pytest.mark.parametrize(
    ("sentence", "reading"),
    [
        ("10 choose 3 is 120.", "C(10, 3) = 120"),
        ("The average of 2, 4 and 9 is 5.", "the mean of 2, 4, 9 is 5"),
        ("20% off 50 is 40.", "50 * (1 - 20/100) is 40"),
        ("From 80 to 100 is an increase of 25%.", "(100 - 80) / 80 is 25%"),
        ("10 in binary is 1010.", "1010 in binary is 10 in decimal"),
        ("1010 in binary is 10.", "1010 in binary is 10 in decimal"),
        ("cos 60 degrees is 0.5.", "cos(60°) = 0.5"),
        ("gcd(12,18) = 6.", "gcd(12, 18) = 6"),
        ("17 is congruent to 2 modulo 5.", "17 ≡ 2 (mod 5)"),
        ("Two dozen is 24.", "2 dozen is 24"),
    ],
)
def test_a_finding_says_how_the_sentence_was_read(sentence: str, reading: str) -> None:
    assert [consult(check).reading for check in claim_checks(sentence)] == [reading]


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("check", "limit"),
    [
        ({"kind": "combinations", "relation": "choose", "things": "301", "taken": 2, "claimed": 1}, "0 to 300"),
        ({"kind": "combinations", "relation": "choose", "things": 5, "taken": 2, "claimed": "9" * 800}, "plain digits"),
        ({"kind": "averages", "relation": "mean", "numbers": "1 " * 3_000, "claimed": 1}, "at most 2,000 characters"),
        ({"kind": "averages", "relation": "mean", "numbers": "1 " * 200, "claimed": 1}, "from 2 to 100 numbers"),
        ({"kind": "averages", "relation": "mean", "numbers": "1 2e9", "claimed": 1}, "plain digits"),
        ({"kind": "averages", "relation": "mean", "numbers": "100,200", "claimed": 150}, "a comma may mark thousands"),
        ({"kind": "averages", "relation": "mode", "numbers": "1 2", "claimed": 1}, "more often than all others"),
        ({"kind": "averages", "relation": "mean", "numbers": [[1], 2], "claimed": 1}, "a check needs numbers"),
        ({"kind": "percentages", "relation": "share", "first": 1, "second": 0, "claimed": "5%"}, "not zero"),
        ({"kind": "percentages", "relation": "share", "first": "9" * 40, "second": 1, "claimed": "5%"}, "30 plain"),
        ({"kind": "percentages", "relation": "share", "first": 2, "second": 3, "claimed": "66%"}, "not cut there"),
        ({"kind": "bases", "digits": "12", "base": "binary", "claimed": "12"}, "the digits of base 2"),
        ({"kind": "bases", "digits": "1", "base": "37", "claimed": "1"}, "bases from 2 to 36"),
        ({"kind": "bases", "digits": "1" * 301, "base": "2", "claimed": "1"}, "at most 300 characters"),
        ({"kind": "angles", "function": "sin", "degrees": "1e9", "claimed": "0"}, "degrees in plain digits"),
        ({"kind": "angles", "function": "sin", "degrees": "200000", "claimed": "0"}, "up to 100,000"),
        ({"kind": "angles", "function": "tan", "degrees": "270", "claimed": "0"}, "right angles"),
        ({"kind": "angles", "function": "sin", "degrees": "30", "claimed": "x"}, "a claimed number"),
    ],
)
def test_what_is_beyond_it_names_the_limit(check: dict[str, Any], limit: str) -> None:
    finding = consult(check)

    assert finding.verdict == "not computable"
    assert limit in finding.limit


@given(st.integers(0, 60), st.integers(0, 60))
def test_a_binomial_is_that_of_factorials(things: int, taken: int) -> None:
    ways = factorial(things) // factorial(taken) // factorial(things - taken) if taken <= things else 0

    assert verdict("combinations", relation="choose", things=things, taken=taken, claimed=ways) == "true"
    assert verdict("combinations", relation="choose", things=things, taken=taken, claimed=ways + 1) == "false"
    assert ways == comb(things, taken)


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=20))
def test_mean_and_median_are_those_of_the_standard_library(numbers: list[int]) -> None:
    exact, middle = Fraction(mean(map(Fraction, numbers))), median(numbers)

    rounded = verdict("averages", relation="mean", numbers=numbers, claimed=f"{float(round(exact, 3)):.3f}")

    assert rounded in ("true", "true as rounded", "not computable")
    assert verdict("averages", relation="mean", numbers=numbers, claimed=f"{float(exact) + 1:.3f}") == "false"
    assert verdict("averages", relation="median", numbers=numbers, claimed=middle) == "true"


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_an_increase_by_its_own_percents_comes_to_the_second_number(first: int, second: int) -> None:
    percents = Fraction(100 * (second - first), first)
    if percents >= 0 and percents.denominator == 1:
        assert verdict("percentages", relation="increased", first=first, second=int(percents), claimed=second) == "true"
        assert verdict("percentages", relation="increase", first=first, second=second, claimed=int(percents)) == "true"
    wrong = verdict("percentages", relation="increase", first=first, second=second, claimed=int(abs(percents)) + 2)
    assert wrong == "false"


@given(st.integers(0, 10**12))
def test_a_number_is_itself_in_every_base(number: int) -> None:
    for base, written in ((2, f"{number:b}"), (8, f"{number:o}"), (16, f"{number:X}")):
        assert verdict("bases", digits=written, base=base, claimed=number) == "true"
        assert verdict("bases", digits=written, base=base, claimed=number + 1) == "false"


def test_sine_and_cosine_are_those_of_the_circle() -> None:
    where = {"0": (0, 180), "1/2": (30, 150), "1": (90,)}
    for degrees in range(-390, 400, 30):
        for claimed, expected in where.items():
            sine = verdict("angles", function="sin", degrees=degrees, claimed=claimed)
            turned = verdict("angles", function="cos", degrees=degrees - 90, claimed=claimed)

            assert sine == turned == ("true" if degrees % 360 in expected else "false")


def test_a_value_that_differs_after_forty_digits_is_not_the_same() -> None:
    assert verdict("angles", function="sin", degrees=30, claimed="1/2 + 1/10^45") != "true"
    assert verdict("angles", function="sin", degrees=7, claimed="1/2") == "false"
