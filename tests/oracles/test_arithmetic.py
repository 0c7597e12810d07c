"""Arithmetic over fractions: values, the rule of tolerance, limits (ruling S7)."""

import ast
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import get_args

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.oracles import consult
from moot.oracles.engine.exact import evaluated, exactly
from moot.oracles.engine.expressions import parsed
from moot.oracles.finding import Finding, Verdict


def found(claim: str) -> Finding:
    return consult({"kind": "arithmetic", "claim": claim})


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("17 * 23 = 391", "true"),
        ("2^10 = 1024", "true"),
        ("2**10 == 1024", "true"),
        ("2^3^2 = 512", "true"),
        ("-2^2 = -4", "true"),
        ("2^-2 = 0.25", "true"),
        ("5! = 120", "true"),
        ("17 % 5 = 2", "true"),
        ("50% * 3 = 1.5", "true"),
        ("2(3+4) = 14", "true"),
        ("7 // 2 = 3", "true"),
        ("1,000 * 3 = 3,000", "true"),
        ("8^(2/3) = 4", "true"),
        ("cbrt(-8) = -2", "true"),
        ("√16 = 4", "true"),
        ("2³ × 3² = 72", "true"),  # noqa: RUF001
        ("1 < 2 <= 2 != 3", "true"),
        ("1 < 3 <= 2", "false"),
        ("22/7 > pi", "true"),
        ("sqrt(2) + sqrt(3) > pi", "true"),
        ("0b101 = 5", "true"),
        ("100! > 10^157", "true"),
    ],
)
def test_a_claim_is_true_or_false(claim: str, verdict: str) -> None:
    assert found(claim).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("10/3 = 3", "false"),
        ("10/3 = 3.3", "true as rounded"),
        ("10/3 = 3.33", "true as rounded"),
        ("10/3 = 3.34", "false"),
        ("1/8 = 0.12", "not computable"),
        ("1/8 = 0.13", "not computable"),
        ("0.1 + 0.2 = 0.3", "true"),
        ("2.45 = 2.5", "not computable"),
        ("2.6 = 2.45", "false"),
        ("1.4 = sqrt(2)", "true as rounded"),
        ("299792458 = 3.00 * 10^8", "true as rounded"),
        ("299792458 = 3 * 10^8", "not computable"),
        ("299792458 = 2.998e8", "true as rounded"),
        ("299792458 = 3e8", "not computable"),
        ("1/3 = 33.3%", "true as rounded"),
        ("1/3 = 33%", "true as rounded"),
        ("299792 ≈ 300000", "true as rounded"),
        ("299792 ≈ 310000", "false"),
        ("10/3 ≈ 3", "true as rounded"),
        ("1/3 != 0.33", "true"),
        ("0.5 * 3 = 3/2", "true"),
        ("1/3 * 3 = 9/9", "true"),
        ("7/2 = 4", "false"),
        ("1/4 = 0.25", "true"),
        ("2/3 = 67%", "true as rounded"),
        ("2/3 = 68%", "false"),
        ("15% of 85 = 13", "true as rounded"),
        ("2/3 = 0.66", "not computable"),
        ("-2/3 = -0.66", "not computable"),
        ("2/3 = 0.68", "false"),
        ("2/3 ≈ 0.66", "not computable"),
        ("pi ≈ 3.1415", "not computable"),
        ("pi ≈ 3.15", "not computable"),
        ("pi ≈ 3.16", "false"),
        ("0.1 + 0.2 = 0.30000000000000004", "not computable"),
        ("0.1 + 0.2 = 0.3000000000004", "false"),
        ("sqrt(2) * sqrt(2) = 2", "true"),
        ("sqrt(2)^2 = 3", "false"),
        ("log2(8) = 3", "true"),
        ("log10(1/100) = -2", "true"),
    ],
)
@pytest.mark.clause("ruling:S12")
def test_a_decimal_holds_to_its_last_digit_and_a_whole_number_exactly(claim: str, verdict: str) -> None:
    assert found(claim).verdict == verdict


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("claim", "limit"),
    [
        ("9**9**9**9 = 1", "exponents of at most 10,000"),
        ("1000000! = 1", "factorials of whole numbers up to 300"),
        ("1+" * 5_000_000 + "1 = 2", "at most 500 characters"),
        ("(" * 100_000 + "1" + ")" * 100_000 + " = 1", "at most 500 characters"),
        ("(" * 40 + "1" + ")" * 40 + " = 1", "nested at most 30 deep"),
        ("2^" * 40 + "2 = 1", "stacked at most 30 high"),
        ("sqrt " * 40 + "2 = 1", "nested at most 30 deep"),
        ("1+" * 101 + "1 = 2", "at most 200 tokens"),
        ("(10^999)^10 = 1", "at most 1,000 digits"),
        ("10^600 * 10^600 = 1", "at most 1,000 digits"),
        ("1e999999999 > 1", "decimal exponents of at most 1,000"),
        ("2^0.123 > 1", "denominator of at most 20"),
        ("1 = 1 = 1 = 1 = 1 = 1", "one to 4 relations"),
        ("1", "one to 4 relations"),
        ("nan = nan", "not 'nan'"),
        ("inf > 1", "not 'inf'"),
        ("\u0663 + 4 = 7", "plain digits"),
        ("\uff11 + 1 = 2", "plain digits"),
        ("1/0 = 1", "division by zero"),
        ("0^0 = 1", "power of zero"),
        ("sqrt(-1) = 1", "negative number"),
        ("-7 mod 3 = 2", "positive numbers"),
        ("1/2(3) = 6", "ambiguous"),
        ("5!=120", "a space"),
        ("007 = 7", "zeros before"),
        ("x + 1 = 2", "the variable 'x'"),
        ("sin(1) > 0", "not sin"),
        ("sqrt(2) + sqrt(3) = sqrt(5 + 2sqrt(6))", "not rational"),
        ("log2(10) = 3", "whole powers of 2"),
        ("3 of 4 = 75%", "a fraction before"),
        ("2 ≈ 1 + 1 ≈ 2 + 0", "states a number"),
        ("", "complete expressions"),
        ("__import__('os') = 1", "not '_'"),
    ],
)
def test_what_is_beyond_it_names_the_limit(claim: str, limit: str) -> None:
    finding = found(claim)

    assert finding.verdict == "not computable"
    assert limit in finding.limit
    assert not finding.value


@pytest.mark.clause("ruling:S12")
@pytest.mark.parametrize(
    ("claim", "reading"),
    [
        ("100 - 20% = 80", "percent taken of what stands before it"),
        ("100 - 20% = 99.8", "percent taken of what stands before it"),
        ("17 = 2 mod 5", "may be a congruence"),
        ("2^10 = 4 mod 5", "may be a congruence"),
        ("3 + 4 mod 5 = 2", "may be a congruence"),
        ("1/2 mod 5 = 3", "may be a congruence"),
        ("1/2 = 3 mod 5", "may be a congruence"),
        ("20% + 20% = 44%", "one change after the other"),
        ("-3^2 = 9", "the sign under the power"),
        ("2 ^ 3 = 1", "exclusive or"),
        ("2^3^2 = 64", "from left to right"),
        ("5!! = 15", "double factorial"),
        ("1,500 + 1,500 = 3", "decimal mark"),
        ("1.000 + 1 = 1.001", "decimal mark"),
        ("5 + 3 = 8 * 2 = 16", "as steps"),
    ],
)
def test_a_claim_with_two_usual_readings_is_not_decided(claim: str, reading: str) -> None:
    finding = found(claim)

    assert finding.verdict == "not computable"
    assert reading in finding.limit


@pytest.mark.parametrize(
    "claim",
    [
        "100 - 20% = 50",
        "20% + 20% = 45%",
        "17 mod 5 = 3",
        "2^10 mod 5 = 1",
        "-3^2 = 8",
        "2 ^ 3 = 2",
        "2^3^2 = 65",
        "1,500 + 1,500 = 4",
        "5 + 3 = 8 * 2 = 17",
        "1 + 1 = 10",
        "0.1 + 0.2 != 0.3",
    ],
)
def test_a_claim_that_is_false_in_every_usual_reading_is_false(claim: str) -> None:
    assert found(claim).verdict == "false"


def test_a_finding_shows_what_was_computed_as_short_text() -> None:
    assert found("17 * 23 = 381").value == "391"
    assert found("10/3 = 3").value == "10/3 ≈ 3.33333333333"
    assert found("300! > 1").value == "3.0605751221644063604e+614 (615 digits)"
    assert found("pi = 3").value == "3.1415926535897932385"


def test_pi_and_e_lie_between_their_bounds() -> None:
    with mpmath.workdps(130):
        for name, value in (("pi", +mpmath.pi), ("e", +mpmath.e)):
            bounds = evaluated(parsed(name))

            assert bounds.low < Fraction(mpmath.nstr(value, 125)) < bounds.high


OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
EXPRESSIONS = st.recursive(
    st.integers(0, 999).map(str),
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*/"), inner).map("({0[0]} {0[1]} {0[2]})".format)
        | inner.map("-{}".format)
        | st.tuples(inner, st.integers(0, 3)).map("({0[0]}) ** {0[1]}".format)
    ),
    max_leaves=12,
)


def by_python(node: ast.expr) -> Fraction:
    """Python's own reading of the text, over fractions."""
    match node:
        case ast.Constant(value=int(value)):
            return Fraction(value)
        case ast.UnaryOp(operand=operand):
            return -by_python(operand)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return by_python(left) ** by_python(right).numerator
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATORS[type(op)](by_python(left), by_python(right))
    raise AssertionError(node)


@given(EXPRESSIONS)
def test_a_value_is_the_one_that_python_computes(text: str) -> None:
    try:
        expected = by_python(ast.parse(text, mode="eval").body)
    except ZeroDivisionError:
        expected = None

    finding = found(f"{text} = {expected.numerator}/{expected.denominator}" if expected is not None else f"{text} = 1")

    if expected is None or finding.limit:
        assert finding.verdict == "not computable"
        assert "zero" in finding.limit or "at most" in finding.limit
    else:
        assert finding.verdict == "true"
        other = found(f"{text} = {expected.numerator + 1}/{expected.denominator}")
        assert other.verdict == "false" or "one usual reading" in other.limit


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 8))
def test_a_rounded_quotient_holds_and_one_a_digit_away_does_not(above: int, below: int, decimals: int) -> None:
    exact = Fraction(above, below)
    rounded = round(exact * 10**decimals)
    unit = 10**decimals

    midway = abs(exact * unit - rounded) == Fraction(1, 2)
    holds = "true" if exact * unit == rounded else "not computable" if midway else "true as rounded"
    for steps, verdict in ((0, holds), (2, "false"), (-2, "false")):
        if decimals and rounded + steps >= 0:
            stated = f"{(rounded + steps) // unit}.{(rounded + steps) % unit:0{decimals}}"

            assert found(f"{above}/{below} = {stated}").verdict == verdict


@given(st.fractions(min_value=0, max_value=10**6, max_denominator=1000), st.integers(2, 9))
def test_a_root_encloses_the_number_whose_power_is_the_radicand(value: Fraction, degree: int) -> None:
    root = evaluated(parsed(f"({value.numerator}/{value.denominator})^(1/{degree})")) if value else exactly(0)

    assert root.low**degree <= value <= root.high**degree
    assert root.high - root.low <= Fraction(1, 10**99)


@given(st.text(max_size=60))
def test_any_text_gets_a_verdict(text: str) -> None:
    assert found(text).verdict in get_args(Verdict)


@given(st.text(alphabet="0123456789+-*/^()!%=<> .,exiπ√of", max_size=40))
def test_any_text_of_its_own_letters_gets_a_verdict(text: str) -> None:
    assert found(text).verdict in get_args(Verdict)
