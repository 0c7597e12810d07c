"""Propositional logic over the whole truth table (ruling S7)."""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.oracles import consult
from moot.oracles.finding import Finding


def found(relation: str, formula: str, other: str = "", *, negated: bool = False) -> Finding:
    return consult({"kind": "logic", "relation": relation, "formula": formula, "other": other, "negated": negated})


@pytest.mark.parametrize(
    ("relation", "formula", "other", "verdict"),
    [
        ("tautology", "p or not p", "", "true"),
        ("tautology", "p -> (q -> p)", "", "true"),
        ("tautology", "p -> q -> p", "", "true"),
        ("tautology", "(p -> q) -> p", "", "false"),
        ("tautology", "not p and q or p or not q", "", "true"),
        ("tautology", "true", "", "true"),
        ("contradiction", "p & ~p", "", "true"),
        ("contradiction", "p xor p", "", "true"),
        ("satisfiable", "(p | q) & (!p | q) & (p | !q)", "", "true"),
        ("satisfiable", "p && !p", "", "false"),
        ("equivalent", "p => q", "¬q → ¬p", "true"),
        ("equivalent", "not (p and q)", "not p or not q", "true"),
        ("equivalent", "p <-> q", "p /\\ q \\/ ~p /\\ ~q", "true"),
        ("equivalent", "p", "q", "false"),
        ("entails", "p; p -> q", "q", "true"),
        ("entails", "q; p -> q", "p", "false"),
        ("entails", "p and not p", "q", "true"),
    ],
)
def test_a_claim_is_true_or_false(relation: str, formula: str, other: str, verdict: str) -> None:
    assert found(relation, formula, other).verdict == verdict


def test_the_value_is_a_row_that_shows_why() -> None:
    assert found("tautology", "p or q").value == "not for p=false, q=false"
    assert found("satisfiable", "p and not q").value == "p=true, q=false"


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("formula", "limit"),
    [
        (" or ".join(f"v{number}" for number in range(30)), "at most 12 variables"),
        (" or ".join(f"v{number}" for number in range(200)), "at most 1,000 characters"),
        ("(" * 100_000, "at most 1,000 characters"),
        ("(" * 50 + "p" + ")" * 50, "nested at most 40 deep"),
        ("p->" * 50 + "p", "nested at most 40 deep"),
        ("!" * 400 + "p", "at most 300 tokens"),
        ("(p", "balanced"),
        ("p)", "complete formulas"),
        ("p q", "complete formulas"),
        ("p and", "complete formulas"),
        ("and p", "a variable before 'and'"),
        ("", "complete formulas"),
        ("p + q", "names and connectives"),
        ("\u0440 \uff06 q", "names and connectives"),
    ],
)
def test_what_is_beyond_it_names_the_limit(formula: str, limit: str) -> None:
    finding = found("tautology", formula)

    assert finding.verdict == "not computable"
    assert limit in finding.limit


Row = dict[str, bool]
Formula = tuple[str, Callable[[Row], bool]]


def joined(parts: tuple[Formula, str, Formula]) -> Formula:
    (left, first), connective, (right, second) = parts
    meanings: dict[str, Callable[[Row], bool]] = {
        "and": lambda row: first(row) and second(row),
        "or": lambda row: first(row) or second(row),
        "xor": lambda row: first(row) != second(row),
        "->": lambda row: not first(row) or second(row),
        "<->": lambda row: first(row) == second(row),
    }
    return f"({left} {connective} {right})", meanings[connective]


FORMULAS: st.SearchStrategy[Formula] = st.recursive(
    st.sampled_from("pqrs").map(lambda name: (name, lambda row: row[name])),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["and", "or", "xor", "->", "<->"]), inner).map(joined)
        | inner.map(lambda formula: (f"not {formula[0]}", lambda row: not formula[1](row)))
    ),
    max_leaves=10,
)
ROWS = [dict(zip("pqrs", values, strict=True)) for values in product([False, True], repeat=4)]


@given(FORMULAS, FORMULAS)
def test_verdicts_are_those_of_a_truth_table_written_out(first: Formula, second: Formula) -> None:
    columns = [[meaning(row) for row in ROWS] for _, meaning in (first, second)]
    expected = {
        "tautology": all(columns[0]),
        "contradiction": not any(columns[0]),
        "satisfiable": any(columns[0]),
        "equivalent": columns[0] == columns[1],
        "entails": all(other or not one for one, other in zip(*columns, strict=True)),
    }

    verdicts = {relation: found(relation, first[0], second[0]).verdict for relation in expected}

    assert verdicts == {relation: "true" if holds else "false" for relation, holds in expected.items()}


@given(st.text(max_size=40), st.text(alphabet="pq()!&|-><~ ", max_size=30))
def test_any_text_gets_a_verdict(text: str, formula: str) -> None:
    for relation in ("tautology", "equivalent", "entails"):
        assert found(relation, text, formula).verdict in ("true", "false", "not computable")
        assert found(relation, formula, formula).verdict in ("true", "false", "not computable")
