"""Which sentences are read as claims, and which are not (ruling S7)."""

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.oracles import claim_checks, consult
from moot.oracles.finding import Verdict


def read(text: str) -> list[tuple[str, str]]:
    return [(check.kind, consult(check).verdict) for check in claim_checks(text)]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Since 17 * 23 = 391, the answer is 391.", [("arithmetic", "true")]),
        ("The answer is 391 because 17 * 23 = 391.", [("arithmetic", "true")]),
        ("2 + 2 = 4 and 3 + 3 = 7.", [("arithmetic", "true"), ("arithmetic", "false")]),
        ("17 * 23 = 391. 97 is prime. We are done.", [("arithmetic", "true"), ("number_theory", "true")]),
        ("Four times six is twenty-four.", [("arithmetic", "true")]),
        ("Ninety-seven is prime.", [("number_theory", "true")]),
        ("Twenty-five is five squared.", [("arithmetic", "true")]),
        ("Two thirds of nine is six.", [("arithmetic", "true")]),
        ("p; p -> q entail q.", [("logic", "true")]),
        ("2**10 + 1 = 1025.", [("arithmetic", "true")]),
        ("pi is about 3.14.", [("arithmetic", "true as rounded")]),
        ("97 is prime; 91 is prime.", [("number_theory", "true"), ("number_theory", "false")]),
        ("1. 17 * 23 = 391\n2. 2^10 is 1024", [("arithmetic", "true"), ("arithmetic", "true")]),
        ("So, therefore, 5! = 120.", [("arithmetic", "true")]),
        ("97 is prime!", [("number_theory", "true")]),
        (r"\(17 \times 23 = 391\)", [("arithmetic", "true")]),
        ("**17 * 23 = 391**", [("arithmetic", "true")]),
        (r"$17 \times 23 = 391$", [("arithmetic", "true")]),
        ("16 = 4².", [("arithmetic", "true")]),
        ("7 * 8 = 5².", [("arithmetic", "false")]),
        (
            "Ten times ten is a hundred and ten times a hundred is a thousand.",
            [("arithmetic", "true"), ("arithmetic", "true")],
        ),
        ("2 to the power of 10 is 1024.", [("arithmetic", "true")]),
        ("- The number 97 is prime", [("number_theory", "true")]),
        ("91 = 7 * 13, so 91 is not prime.", [("arithmetic", "true"), ("number_theory", "true")]),
        ("'One. Two.' is 9 characters long.", [("digests", "true")]),
        ("* 97 is prime", [("number_theory", "true")]),
        ("March 12, 2024 was a Tuesday, and 2000 was a leap year.", [("dates", "true"), ("dates", "true")]),
        ("A mile is longer than a kilometre.", [("units", "true")]),
        ("1 is not prime.", [("number_theory", "true")]),
        ("3 + 4 is not 8.", [("arithmetic", "true")]),
    ],
)
def test_a_sentence_or_a_clause_that_is_understood_whole_is_a_claim(text: str, claims: list[Any]) -> None:
    assert read(text) == claims


@pytest.mark.parametrize(
    "text",
    [
        "Is 17 * 23 = 391?",
        "If 2 + 2 = 5, pigs fly.",
        "It is false that 2 + 2 = 5.",
        "He says that 2 + 2 = 5.",
        "Suppose 2 + 2 = 5, then all follows.",
        "It is wrong, 2 + 2 = 5 is no sum.",
        "Half of 10 + 6 = 8.",
        "The square root of 9 + 16 is 5.",
        "Two plus two times two is eight.",
        "5! = 120!",
        "3 apples and 4 apples are 7 apples.",
        "The answer is 42.",
        "5 is 5.",
        "x = 5.",
        "x^2 = 9.",
        "- 3 + 4 = 1.",
        "The meeting is on 2024-03-12.",
        "Version 3.11 is 2 years old.",
        "14 October 1066 was a Saturday.",
        "a year is 365 days.",
        "1 ton is 1000 kg.",
        "1 mile is 5 kg.",
        "Paris is the capital of France.",
        "the sha256 of abc is ba7816bf.",
        "rain or shine is a tautology.",
        "Today was a Tuesday.",
        "97 is prime-ish.",
        "1/2(3) = 6.",
        "In binary, 1 + 1 = 10.",
        "7 + 1 = 10, in base 8.",
        "7 + 1 = 10 (base 8).",
        "We count in base 8. 7 + 1 = 10.",
        "7 + 1 = 10. That is in base 8.",
        "In base 8,\n7 + 1 = 10.",
        "According to Bob, 7 * 8 = 54.",
        "Since 2 + 2 = 5, pigs fly.",
        "The sum of 2, 3 and 4 + 1 = 10.",
        "The sum of one hundred and five is 105.",
        "Nineteen eighty-four is 1984.",
        "Two plus three squared is 25.",
        "10/30/2024 = 5",
        "$5 + $3 = $9",
        "$5 + 3 = 9",
        "\u2013 3 + 4 = 7",
        "p ^ q entails p.",
        "",
    ],
)
@pytest.mark.clause("ruling:S12")
def test_what_is_not_understood_whole_gives_nothing(text: str) -> None:
    assert claim_checks(text) == ()


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    "text",
    [
        "a" * 10_000_000,
        "(" * 100_000,
        "the sum of 1 and " * 100_000,
        "1 is " * 100_000,
        "'" * 100_000,
        "1," * 100_000 + "1 is prime",
        "9" * 500 + " is prime",
        "1 mile is " * 1_000,
    ],
)
def test_a_hostile_text_gives_nothing(text: str) -> None:
    assert claim_checks(text) == ()


def test_a_text_is_read_whole_or_not_at_all() -> None:
    assert len(claim_checks("17 * 23 = 391. " * 100)) == 100
    assert claim_checks("17 * 23 = 391. " * 101) == ()
    assert claim_checks("17 * 23 = 391; " * 20 + "17 * 23 = 391.") != ()
    assert claim_checks(("17 * 23 = 391; " * 20 + "17 * 23 = 391. ") * 5) == ()
    assert claim_checks("17 * 23 = 391. " + " " * 20_000) == ()


@given(st.text())
@settings(deadline=None)
def test_any_text_is_read(text: str) -> None:
    assert isinstance(claim_checks(text), tuple)


PIECES = st.sampled_from(
    (
        *("17", "23", " = ", " is ", " * ", "97 is prime", "the sum of ", " and ", ", ", ". ", "1 mile", " km", "2000"),
        *(
            "12 March 2024",
            " was a ",
            "Tuesday",
            " not ",
            "sha256 of ",
            "'abc'",
            "p or not p",
            " entails ",
            "x^2",
            "/24",
        ),
        *("192.168.0.1", "`x`", " is valid Python", "°C", "5!", "%", " of ", "the derivative of ", "speed of light"),
        *("if ", "?", "\n"),
    )
)


@given(st.lists(PIECES, max_size=8).map("".join))
@settings(max_examples=300, deadline=None)
def test_whatever_is_read_gets_a_verdict(text: str) -> None:
    for check in claim_checks(text):
        assert consult(check).verdict in get_args(Verdict)
