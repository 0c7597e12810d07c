"""Identities, solutions and derivatives, decided within bounds (ruling S7)."""

from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from moot.oracles import consult
from moot.oracles.engine.derivatives import derivative
from moot.oracles.engine.expressions import parsed
from moot.oracles.engine.numerics import value_at
from moot.oracles.finding import Finding, Verdict


def found(relation: str, expression: str, claimed: str, *, negated: bool = False) -> Finding:
    return consult(
        {"kind": "algebra", "relation": relation, "expression": expression, "claimed": claimed, "negated": negated}
    )


@pytest.mark.parametrize(
    ("expression", "claimed", "verdict"),
    [
        ("(x+1)^2", "x^2 + 2x + 1", "true"),
        ("(x+1)^2", "x^2 + 1", "false"),
        ("2ab", "a b + b a", "true"),
        ("1/(x-1) - 1/(x+1)", "2/(x^2-1)", "true"),
        ("(x^2-1)/(x-1)", "x+1", "true"),
        ("sin(x)^2 + cos(x)^2", "1", "true"),
        ("sin(2x)", "2 sin(x) cos(x)", "true"),
        ("sin(2x)", "2 sin(x)", "false"),
        ("exp(x+y)", "exp(x) exp(y)", "true"),
        ("sqrt(x^2)", "abs(x)", "true"),
        ("sqrt(x^2)", "x", "false"),
        ("log10(1000)", "3", "true"),
        ("ln(2)", "0.693", "true as rounded"),
        ("ln(2)", "0.694", "false"),
        ("sqrt(2) sqrt(2)", "2", "true"),
        ("sin(pi/6)", "0.50", "true"),
        ("(1 + sqrt(2))^2", "3 + 2sqrt(2)", "true"),
        ("e^(2x)", "(e^x)^2", "true"),
        ("e^(x+1)", "e * e^x", "true"),
        ("cosh(x)^2 - sinh(x)^2", "1", "true"),
        ("tan(x/2)", "sin(x)/(1 + cos(x))", "true"),
        ("cos(x)^8", "(cos(8x) + 8cos(6x) + 28cos(4x) + 56cos(2x) + 35)/128", "true"),
        ("sin(x + pi/3)", "sin(x)/2 + sqrt(3) cos(x)/2", "true"),
        ("1/(sqrt(x) + 1)", "(sqrt(x) - 1)/(x - 1)", "true"),
        ("abs(x)^2", "x^2", "true"),
        ("2^(x+y)", "2^x * 2^y", "true"),
    ],
)
def test_an_identity_holds_for_all_values_or_fails_at_one(expression: str, claimed: str, verdict: str) -> None:
    assert found("identity", expression, claimed).verdict == verdict


@pytest.mark.parametrize(
    ("relation", "expression", "claimed", "verdict"),
    [
        ("solution", "x^2 = 9", "x = 3", "true"),
        ("solution", "x^2 = 9", "x = 4", "false"),
        ("solutions", "x^2 - 5x + 6 = 0", "2, 3", "true"),
        ("solutions", "x^2 - 5x + 6 = 0", "x = 2 or x = 3", "true"),
        ("solutions", "x^2 - 5x + 6 = 0", "2", "false"),
        ("solutions", "x^2 = 9", "±3", "true"),
        ("solutions", "x^2 = 2", "1.41 and -1.41", "true as rounded"),
        ("solutions", "x^2 = 2", "1.42 and -1.42", "false"),
        ("solutions", "x^2 = 2", "sqrt(2) and -sqrt(2)", "true"),
        ("solutions", "x^5 - x - 1 = 0", "1.1673", "true as rounded"),
        ("solutions", "(x^2-1)/(x-1) = 0", "-1", "true"),
        ("solutions", "(x^2-1)/(x-1) = 0", "1, -1", "false"),
        ("solutions", "x^2 = -1", "1", "false"),
        ("derivative", "x^3", "3x^2", "true"),
        ("derivative", "x^3", "3x", "false"),
        ("derivative", "ln(x)", "1/x", "true"),
        ("derivative", "sin(x)^2", "sin(2x)", "true"),
    ],
)
def test_solutions_and_derivatives_are_computed(relation: str, expression: str, claimed: str, verdict: str) -> None:
    assert found(relation, expression, claimed).verdict == verdict


def test_a_denied_claim_has_the_other_verdict() -> None:
    assert found("solution", "x^2 = 9", "x = 4", negated=True).verdict == "true"
    assert found("solution", "x^2 = 9", "x = 3", negated=True).verdict == "false"


def test_the_value_is_the_expanded_form_or_all_solutions() -> None:
    assert found("identity", "(x+1)^3", "x").value == "x^3 + 3*x^2 + 3*x + 1"
    assert found("solution", "x^2 = 9", "x = 4").value == "-3, 3"


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("relation", "expression", "claimed", "limit"),
    [
        ("identity", "9^9^9^9 x", "1", "powers of at most 50"),
        ("identity", "x^1000", "1", "powers of at most 50"),
        ("identity", "((x^50)^50)^50", "1", "multiply to at most 1,000"),
        ("identity", "(10^29 x)^40", "1", "multiply to at most 1,000"),
        ("identity", "(x+y+z+w)^50", "1", "at most 500 terms"),
        ("identity", "exp(exp(exp(x)))", "1", "no exponential inside another function"),
        ("identity", "sin(exp(x))", "1", "no exponential inside another function"),
        ("identity", "x^(y^z)", "1", "no exponential inside another function"),
        ("identity", "2^(x^50)", "1", "variable exponents"),
        ("identity", "exp(10^9 ln(2))", "1", "variable exponents"),
        ("identity", "2^(ln(exp(999999)))", "1", "variable exponents"),
        ("identity", "factorial(1000000)", "1", "factorials of whole numbers up to 300"),
        ("identity", "x!", "1", "no factorial of a variable"),
        ("identity", "1" * 31 + "x", "1", "literals of at most 30 digits"),
        ("identity", "1e99999 x", "1", "decimal exponents"),
        ("identity", "a+b+c+d+f", "1", "at most 4 variables"),
        ("identity", "+".join("x" * 40), "1", "at most 60 nodes"),
        ("identity", "x" * 100, "1", "variables of one letter"),
        ("identity", "1/0", "1", "real value"),
        ("identity", "x/0", "1", "no division by zero"),
        ("identity", "tan(pi/2)", "1", "real value"),
        ("identity", "i^2", "-1", "complex numbers"),
        ("identity", "log(100)", "2", "ambiguous"),
        ("identity", "sin(30)", "0.5", "degrees or radians"),
        ("identity", "asin(1)", "90", "degrees or radians"),
        ("identity", "asin(x) + acos(x)", "pi/2", "reduce to zero"),
        ("identity", "sqrt(2) + sqrt(3)", "sqrt(5 + 2sqrt(6))", "reduce to zero"),
        ("identity", "sin(100x)", "2 sin(50x) cos(50x)", "at most 24 steps"),
        ("identity", "1/(sin(x)^2 + cos(x)^2 - 1)", "1/(1 - sin(x)^2 - cos(x)^2)", "no division by zero"),
        ("identity", "x = 1", "1", "without a relation"),
        ("solutions", "(x-1)^50 = 0", "1", "degree 1 to 6"),
        ("solutions", "x = x", "1", "degree 1 to 6"),
        ("solutions", "x + y = 1", "1", "one variable"),
        ("solutions", "sin(x) = 0", "0", "polynomial and rational"),
        ("solutions", "x^2", "0", "one equals sign"),
        ("solutions", "x = 1", ", ".join("1234567"), "one to 6 solutions"),
        ("derivative", "x y", "x", "one variable"),
    ],
)
def test_what_is_beyond_it_names_the_limit(relation: str, expression: str, claimed: str, limit: str) -> None:
    finding = found(relation, expression, claimed)

    assert finding.verdict == "not computable"
    assert limit in finding.limit


COEFFICIENTS = st.lists(st.integers(-20, 20), min_size=1, max_size=4)


def polynomial(coefficients: list[int]) -> str:
    constant, *others = coefficients
    return "".join([f"({constant})", *(f" + ({value}) x^{power}" for power, value in enumerate(others, 1))])


def multiplied(first: list[int], second: list[int]) -> list[int]:
    product = [0] * (len(first) + len(second) - 1)
    for one, left in enumerate(first):
        for other, right in enumerate(second):
            product[one + other] += left * right
    return product


@given(COEFFICIENTS, COEFFICIENTS, st.integers(-2, 2))
@settings(max_examples=50, deadline=None)
def test_a_product_of_polynomials_is_the_one_multiplied_by_hand(
    first: list[int], second: list[int], error: int
) -> None:
    product = multiplied(first, second)
    product[-1] += error

    finding = found("identity", f"({polynomial(first)}) * ({polynomial(second)})", polynomial(product))

    assert finding.verdict == ("true" if not error else "false")


@given(st.sets(st.integers(-9, 9), min_size=1, max_size=4), st.integers(-9, 9))
@settings(max_examples=50, deadline=None)
def test_the_roots_of_a_product_of_factors_are_all_its_solutions(roots: set[int], other: int) -> None:
    equation = " * ".join(f"(x - ({root}))" for root in sorted(roots)) + " = 0"

    assert found("solutions", equation, ", ".join(map(str, sorted(roots)))).verdict == "true"
    assert found("solution", equation, f"x = {other}").verdict == ("true" if other in roots else "false")


@given(
    st.text(alphabet="xyabe0123456789+-*/^()=. ", max_size=30), st.text(alphabet="xy12+-*/^()sqrtlnexp", max_size=20)
)
@settings(max_examples=200, deadline=None)
def test_any_text_gets_a_verdict(expression: str, claimed: str) -> None:
    for relation in ("identity", "solution", "derivative"):
        assert found(relation, expression, claimed).verdict in get_args(Verdict)


FUNCTIONS = st.sampled_from(["sin", "cos", "tan", "exp", "ln", "sqrt", "abs", "cbrt", "atan", "sinh", "log2"])
EXPRESSIONS = st.recursive(
    st.sampled_from(["x", "y", "2", "3", "1/2", "pi", "e"]),
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*/"), inner).map("({0[0]} {0[1]} {0[2]})".format)
        | st.tuples(FUNCTIONS, inner).map("{0[0]}({0[1]})".format)
        | st.tuples(inner, st.sampled_from(["2", "3", "-1", "(1/2)"])).map("({0[0]})^{0[1]}".format)
    ),
    max_leaves=6,
)
POINTS = [
    {"x": Fraction(left), "y": Fraction(right)} for left, right in (("5/7", "9/4"), ("-8/3", "1/6"), ("13/2", "-4/5"))
]


def are_apart(first: str, second: str, added: str) -> bool:
    """Whether the two sides differ at one of the points by more than the digits lost beside what is added."""
    sides = [[value_at(parsed(side), point) for side in (first, second, added)] for point in POINTS]
    return any(
        one is not None
        and other is not None
        and abs(one - other) > max(1, abs(one), abs(beside or 0)) / Fraction(10**15)
        for one, other, beside in sides
    )


@given(EXPRESSIONS, EXPRESSIONS)
@settings(max_examples=120, deadline=None)
@example("x", "exp((x)^3)")
def test_what_is_said_to_be_an_identity_is_one_at_other_points_too(first: str, second: str) -> None:
    claims = [(first, second), (first, f"({first}) + ({second}) - ({second})"), (first, f"2 * ({first}) / 2")]

    found_true = [claim for claim in claims if found("identity", *claim).verdict == "true"]

    assert not [claim for claim in found_true if are_apart(*claim, second)]


@given(EXPRESSIONS)
@settings(max_examples=200, deadline=None)
def test_a_derivative_is_the_slope_between_two_near_points(text: str) -> None:
    node = parsed(text)
    step = Fraction(1, 10**12)

    for point in POINTS:
        slope = value_at(derivative(node, "x"), point)
        near = [value_at(node, {**point, "x": point["x"] + move}) for move in (-step, step)]
        if slope is not None and near[0] is not None and near[1] is not None and abs(slope) < 10**4:
            assert abs((near[1] - near[0]) / (2 * step) - slope) < Fraction(1, 10**6)
