"""Python and JSON, read and never run (ruling S7)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.oracles import consult
from moot.oracles.finding import Finding
from moot.oracles.syntax import PYTHON


def found(relation: str, text: str, other: str = "", *, negated: bool = False) -> Finding:
    return consult({"kind": "syntax", "relation": relation, "text": text, "other": other, "negated": negated})


@pytest.mark.parametrize(
    ("relation", "text", "other", "verdict"),
    [
        ("python", "for x in y: pass", "", "true"),
        ("python", "for x in y pass", "", "false"),
        ("python", "print 'x'", "", "false"),
        ("python", "x = '\\d'", "", "true"),
        ("python", "def f(a, /, *, b): return a @ b", "", "true"),
        ("python", "\0", "", "false"),
        ("python", "", "", "true"),
        ("python", "return 5", "", "false"),
        ("python", "break", "", "false"),
        ("python", "nonlocal x", "", "false"),
        ("python", "def f(a, a): pass", "", "false"),
        ("python", "def f():\n    return 5", "", "true"),
        ("python", "9**9**9**9", "", "true"),
        ("json", '{"a": [1, 2.5e3, null, true, "\\u00e9"]}', "", "true"),
        ("json", "{'a': 1}", "", "false"),
        ("json", "[1,]", "", "false"),
        ("json", "NaN", "", "false"),
        ("json", "-Infinity", "", "false"),
        ("json", "01", "", "false"),
        ("json", "", "", "false"),
        ("json", '{"a": 1, "a": 2}', "", "true"),
        ("json_equal", '{"a": 1, "b": [1.0, true]}', '{"b": [1, true], "a": 1e0}', "true"),
        ("json_equal", "[1, 2]", "[2, 1]", "false"),
        ("json_equal", "1", "true", "false"),
        ("json_equal", "0", "null", "false"),
        ("json_equal", '"1"', "1", "false"),
        ("json_equal", "[]", "{}", "false"),
        ("json_equal", '"\\u00e9"', '"é"', "true"),
        ("json_equal", "0.1", "0.10000000000000000001", "false"),
    ],
)
def test_a_claim_is_true_or_false(relation: str, text: str, other: str, verdict: str) -> None:
    assert found(relation, text, other).verdict == verdict


def test_the_value_says_what_is_wrong_and_where() -> None:
    assert ": line 2: " in found("python", "x = 1\nfor x in y pass").value


@pytest.mark.clause("ruling:S12")
def test_a_finding_about_python_names_the_version_in_value_reading_and_explanation() -> None:
    for text in ("x = 1", "return 5"):
        finding = found("python", text)

        assert PYTHON in finding.value
        assert PYTHON in finding.reading
        assert PYTHON in finding.explanation


@pytest.mark.clause("ruling:S12")
@pytest.mark.parametrize(
    "text",
    ["type X = int", 'f"{"a"}"', "def f[T](x: T): pass", "class A[T]: pass", 't"a"', "try: pass\nexcept A, B: pass"],
)
def test_what_a_later_python_may_take_is_never_refuted(text: str) -> None:
    assert found("python", text).verdict in ("true", "not computable")


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("relation", "text", "limit"),
    [
        ("python", "x + " * 3_000_000 + "x", "at most 4,000 characters"),
        ("python", "9" * 5_000, "at most 4,000 characters"),
        ("python", "(" * 1_000 + ")" * 1_000, "brackets nested at most 40 deep"),
        ("python", "-" * 1_000 + "1", "lines of at most 100 operators"),
        ("python", "not " * 500 + "1", "lines of at most 100 operators"),
        ("python", "lambda: " * 400 + "1", "lines of at most 100 operators"),
        ("python", "1 if 1 else " * 300 + "1", "lines of at most 100 operators"),
        ("python", "-\\\n" * 1_000 + "1", "lines of at most 100 operators"),
        ("python", "(" + "-\n" * 1_000 + "1)", "texts of at most 500 operators"),
        ("python", " " * 200 + "x", "indented by at most 160"),
        ("json", "[" * 100_000, "at most 4,000 characters"),
        ("json", "[" * 1_000 + "]" * 1_000, "JSON nested at most 40 deep"),
        ("json", '{"a":' * 300 + "1" + "}" * 300, "JSON nested at most 40 deep"),
        ("json", "9" * 3_000, "fewer than 50 digits"),
        ("json", "1e999999999", "exponents of at most 5"),
        ("json_equal", "[1", "two valid JSON texts"),
        ("json_equal", '{"a": 1, "a": 2}', "a key that occurs twice"),
    ],
)
def test_what_is_beyond_it_names_the_limit(relation: str, text: str, limit: str) -> None:
    finding = found(relation, text, "{}")

    assert finding.verdict == "not computable"
    assert limit in finding.limit


def test_brackets_and_escaped_quotes_inside_json_strings_do_not_nest() -> None:
    assert found("json", json.dumps("[" * 200 + '"\\' * 20 + "[" * 100)).verdict == "true"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=10,
)


def is_same(first: Any, second: Any) -> bool:
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(is_same(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(is_same, first, second))
    return type(first) is type(second) and first == second


@given(JSON, JSON)
def test_json_is_equal_where_the_values_are(first: Any, second: Any) -> None:
    spaced, compact = json.dumps(first, indent=1), json.dumps(first, sort_keys=True, ensure_ascii=False)

    assert found("json_equal", spaced, compact).verdict == "true"
    assert found("json_equal", spaced, json.dumps(second)).verdict == ("true" if is_same(first, second) else "false")


@given(st.sampled_from(["python", "json", "json_equal"]), st.text(max_size=60))
def test_any_text_gets_a_verdict(relation: str, text: str) -> None:
    assert found(relation, text, text).verdict in ("true", "false", "not computable")


@given(st.text(alphabet="()[]{}:=-+*@'\"\\\n\t #fif_x0.not ", max_size=80))
def test_any_text_of_pythons_own_letters_gets_a_verdict(text: str) -> None:
    assert found("python", text).verdict in ("true", "false", "not computable")
