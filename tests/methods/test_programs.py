"""Programs of assignments, worked out and never run."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.methods.programs import MOST_LINES, Program, in_digits, is_rounded, worked_out


def value(text: str) -> Fraction | None:
    return worked_out(text).value


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    ("text", "comes_to"),
    [
        ("left = 16 - 3 - 4\nanswer = left * 2", 18),
        ("a = 2 + 3 * 4", 14),
        ("a = (2 + 3) * 4", 20),
        ("a = 7 - 2 - 1", 4),
        ("a = 8 / 4 / 2", 1),
        ("a = -2 ** 2", -4),
        ("a = 2 ** 3 ** 2", 512),
        ("a = 2 ** -1", Fraction(1, 2)),
        ("a = 7 // 2", 3),
        ("a = 0.1 + 0.2", Fraction(3, 10)),
        ("a = 1,000 * 1_000", 10**6),
        ("a = 1.5e3", 1500),
        ("a = 3 \u00d7 4 ÷ 2", 6),
        ("total = 3\ntotal += 4\nprint(total)", 7),
        ("answer = 5\ncheck = 9", 5),
        ("Answer = 5", 5),
        ("Here it is:\n```python\na = 1  # one\n\nanswer = a + 1\n```\nThat is 3 = 3.", 2),
        ("We have two steps.\na = 4\nanswer = a * a", 16),
    ],
)
def test_a_program_comes_to_the_value_of_answer_or_of_its_last_line(text: str, comes_to: Fraction | int) -> None:
    assert value(text) == comes_to


@pytest.mark.clause("ruling:I18")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("for i in range(3):\n    a = i", "a loop is no assignment"),
        ("while True: a = 1", "a loop is no assignment"),
        ("import os\nanswer = 1", "an import is no assignment"),
        ("from os import system\nanswer = 1", "an import is no assignment"),
        ("```\nimport os\n```", "an import is no assignment"),
        ("if 1:\n    a = 1", "a condition is no assignment"),
        ("def f(x):\n    return x", "a function is no assignment"),
        ("```\nos.system('ls')\n```", "it is no assignment of one expression to one name"),
        ("answer = 10 ** 400", "a value has more than 200 digits"),
        ("answer = 9 ** 9 ** 9 ** 9", "powers have whole exponents up to 1,000"),
        ("a = 10 ** 150\nanswer = a * a", "a value has more than 200 digits"),
        ("a = 10 ** -150\nanswer = a * a", "a value has more than 200 digits"),
        ("answer = 1e400", "numbers have at most 200 digits"),
        (f"answer = {'9' * 400}", "numbers have at most 200 digits"),
        ("answer = 1 / (3 - 3)", "it divides by zero"),
        ("answer = 1 // 0", "it divides by zero"),
        ("answer = 0 ** -1", "it divides by zero"),
        ("answer = 2 ** 0.5", "powers have whole exponents up to 1,000"),
        ("answer = eggs * 2", "eggs has no value yet"),
        ("answer = round(2.5)", "round(…) calls a function"),
        ("answer = __import__('os')", '"\'" is no part of an expression'),
        ("answer = 5 eggs", "'eggs' stands where the expression should end"),
        ("answer = 3 = 3", "'=' is no part of an expression"),
        ("answer = (1 + 2", "a parenthesis is not closed"),
        ("answer = 1 +", "an expression ends too early"),
        ("answer = * 2", "'*' stands without a number"),
        (f"answer = {'(' * 5000}1", "expressions have at most 120 parts"),
        (f"answer = {'(' * 50}1{')' * 50}", "expressions are nested at most 20 deep"),
        (f"answer = {'-' * 100}1", "expressions are nested at most 20 deep"),
        (f"answer = {'2 ** ' * 50}1", "expressions are nested at most 20 deep"),
        ("It is 42.\nAnswer: 42", "it has no program"),
        ("", "it has no program"),
        ("a = 1\n" * (MOST_LINES + 1), "programs have at most 60 lines"),
        ("a = 1\n" * 10_000, "programs have at most 20,000 characters"),
    ],
)
def test_whatever_is_no_bounded_assignment_ends_the_program_with_the_reason(text: str, why: str) -> None:
    program = worked_out(text)

    assert program.value is None
    assert program.problem.endswith(why)


@pytest.mark.clause("ruling:I18")
def test_each_assignment_is_a_step_with_what_it_rests_on_and_the_numbers_written_in_it() -> None:
    first, second = worked_out("left = 16 - 3\nanswer = left * 2 + left").steps

    assert (first.name, first.expression, first.value, first.numbers) == ("left", "16 - 3", 13, ("16", "3"))
    assert (second.uses, second.numbers) == (("left",), ("2",))


def test_the_line_that_ends_a_program_is_named_and_what_came_before_it_is_kept() -> None:
    program = worked_out("a = 1\nb = a / 0\nc = 2")

    assert [step.name for step in program.steps] == ["a"]
    assert program.problem == "line “b = a / 0”: it divides by zero"


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (Fraction(18), "18"),
        (Fraction(-15, 2), "-7.5"),
        (Fraction(3, 10000), "0.0003"),
        (Fraction(10, 3), "3.33"),
        (Fraction(2, 3), "0.67"),
        (Fraction(1, 300), "0.0033"),
        (Fraction(105**10, 100**10), "1.63"),
        (Fraction(0), "0"),
        (Fraction(10**30), "1" + "0" * 30),
        (Fraction(10**7, 3), "3333333.33"),
    ],
)
def test_a_value_is_written_whole_to_four_places_and_else_rounded(number: Fraction, written: str) -> None:
    assert in_digits(number) == written
    assert is_rounded(number) is (Fraction(written) != number)


@pytest.mark.clause("ruling:I18")
@given(st.text(st.sampled_from("ab=+-*/() 0123456789.,_\n`#:e%^\"'forimpt"), max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_is_worked_out_or_ended_with_a_reason(text: str) -> None:
    program = worked_out(text)

    assert isinstance(program, Program)
    assert (program.value is None) is bool(program.problem)
