"""Equations that stand in sentences among other words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.methods.equations import equations_in, without_tex


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    ("sentence", "equations"),
    [
        ("She sold 48/2 = 24 clips in May", ["48 / 2 = 24"]),
        ("Total = 48 + 24 = 72", ["48 + 24 = 72"]),
        ("$5 * 3 = $15", ["5 * 3 = 15"]),
        ("It costs 0.2 * $1,250.50 = $250.10.", ["0.2 * 1,250.50 = 250.10"]),
        ("First 3 + 4 = 7, then 7 * 2 = 14.", ["3 + 4 = 7", "7 * 2 = 14"]),
        ("There are 5 x 3 = 15 of them", ["5 * 3 = 15"]),
        ("so 2 * (3 + 4) = 2 * 7 = 14", ["2 * (3 + 4) = 2 * 7 = 14"]),
        ("eggs * 3 = 4 * 3 = 12", ["4 * 3 = 12"]),
        ("He is left with 10 \u2212 3 = 7", ["10 - 3 = 7"]),
        ("That is 10 / 3 ≈ 3.33 each", ["10 / 3 ≈ 3.33"]),
    ],
)
def test_an_equation_is_cut_out_of_the_words_around_it(sentence: str, equations: list[str]) -> None:
    assert [equation.text for equation in equations_in(sentence)] == equations


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    "sentence",
    [
        "2x + 3 = 7",
        "eggs * 3 = 12",
        "x12 + 3 = 15",
        "3 + 4 = 7x",
        "3 + 4 = 7 * eggs",
        "(3 + 4 = 7",
        "The ratio is 3:4 = 6:8",
        "3! + 4 = 10!",
        "#3 + 4 = 7",
        "3 + 4 = 7\u00b0",
        "5 = 5",
        "n = 5",
        "3 + 4",
        "3 4 = 12",
        "3 + = 4",
        "version 1.2.3 + 4 = 5.6.7",
    ],
)
def test_what_something_stands_against_is_no_equation(sentence: str) -> None:
    assert not equations_in(sentence)


@pytest.mark.clause("ruling:I18")
def test_an_equation_starts_from_the_first_side_that_computes_and_comes_to_the_last_number() -> None:
    chain, turned, rounded = equations_in("2 * (3 + 4) = 2 * 7 = 14, 72 = 48 + 24, and 3.33 ≈ 10 / 3 ≈ 3.3.")

    assert (chain.operands, chain.result) == (("2", "3", "4"), "14")
    assert (turned.operands, turned.result) == (("48", "24"), "72")
    assert rounded.result == "3.3"


def test_tex_is_read_as_people_write_it() -> None:
    plain = without_tex(r"\[ \frac{48}{2} \times 3 = \boxed{72} \text{ clips} \]")

    assert [equation.text for equation in equations_in(plain)] == ["(48) / (2) * 3 = 72"]


@given(st.text(alphabet="0123456789+-*/=() .,$x%a≈", max_size=120))
def test_whatever_stands_there_an_equation_has_sides_and_stands_where_it_says(sentence: str) -> None:
    for equation in equations_in(sentence):
        assert 2 <= len(equation.sides) == len(equation.relations) + 1
        assert 0 <= equation.start < equation.end <= len(sentence)
