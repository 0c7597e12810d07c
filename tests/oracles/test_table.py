"""The way in: one table, one type of check, one function (ruling S7)."""

import json
import subprocess
import sys
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from moot.core.calls import Reply
from moot.oracles import ORACLES, OracleCheck, consult
from moot.oracles.arithmetic import Arithmetic
from moot.oracles.finding import Verdict
from moot.oracles.number_theory import NumberTheory


class Asked(Reply):
    checks: tuple[OracleCheck, ...]


def test_every_oracle_states_what_it_takes_and_where_it_ends() -> None:
    for kind, row in ORACLES.items():
        assert row.kind == kind == row.takes.model_fields["kind"].default
        assert row.help
        assert row.limit


def test_a_reply_can_embed_checks_of_any_kind_and_a_check_goes_through_json() -> None:
    sent = '{"checks":[{"kind":"arithmetic","claim":"1+1=2"},{"kind":"number_theory","relation":"prime","numbers":97}]}'

    asked = Asked.model_validate_json(sent)

    assert asked.checks == (Arithmetic(claim="1+1=2"), NumberTheory(relation="prime", numbers="97"))
    assert Asked.model_validate_json(asked.model_dump_json()) == asked


def test_the_schema_shown_has_a_branch_an_oracle_and_bounds_every_string() -> None:
    schema = Asked.model_json_schema()

    branches = schema["properties"]["checks"]["items"]["anyOf"]
    fields = [field for shape in schema["$defs"].values() for field in shape["properties"].values()]

    assert len(branches) == len(ORACLES)
    assert "oneOf" not in json.dumps(schema)
    assert all(
        "maxLength" in field or "enum" in field or "const" in field or field["type"] == "boolean" for field in fields
    )


def test_a_check_is_frozen() -> None:
    check = Arithmetic(claim="1+1=2")

    with pytest.raises(ValidationError, match="frozen"):
        check.claim = "1+1=3"  # ty: ignore[invalid-assignment]


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("sent", "oracle", "limit"),
    [
        ({}, "none", "no oracle takes this"),
        ({"kind": "astrology"}, "none", "no oracle takes this"),
        ({"kind": ["arithmetic"]}, "none", "no oracle takes this"),
        ({"kind": "arithmetic"}, "arithmetic", "a check needs claim"),
        ({"kind": "arithmetic", "claim": None}, "arithmetic", "a check needs claim"),
        ({"kind": "arithmetic", "claim": ["1+1=2"]}, "arithmetic", "a check needs claim"),
        ({"kind": "number_theory", "relation": "lucky", "numbers": 7}, "number_theory", "a check needs relation"),
        ({"kind": "number_theory", "relation": "prime", "numbers": 10**5000}, "number_theory", "a check needs numbers"),
    ],
)
def test_what_no_oracle_understands_is_not_computable(sent: dict[str, Any], oracle: str, limit: str) -> None:
    finding = consult(sent)

    assert (finding.oracle, finding.verdict) == (oracle, "not computable")
    assert limit in finding.limit


@pytest.mark.clause("ruling:S12")
def test_a_finding_says_how_it_read_the_check_and_a_denied_rounding_is_not_decided() -> None:
    mile = {"kind": "units", "relation": "equals", "left": "1 mile", "right": "1.61 km"}

    held, denied = consult(mile), consult({**mile, "negated": True})

    assert (held.verdict, held.holds) == ("true as rounded", True)
    assert (denied.verdict, denied.holds) == ("not computable", False)
    assert "1 mile" in held.reading and "1.61 km" in held.reading


def test_a_value_and_an_explanation_are_short_single_lines() -> None:
    finding = consult({"kind": "digests", "relation": "hex", "text": "a\n" * 4_000, "claimed": "00"})

    assert finding.verdict == "false"
    assert len(finding.value) <= 130
    assert "\n" not in finding.value + finding.explanation


def test_the_same_check_always_has_the_same_finding() -> None:
    check = TypeAdapter(OracleCheck).validate_python(
        {"kind": "units", "relation": "equals", "left": "1 ft", "right": "1 m"}
    )

    assert consult(check) == consult(check)


def test_sympy_and_pint_are_loaded_by_those_who_need_them_alone() -> None:
    code = (
        "import sys; from moot.oracles import claim_checks, consult\n"
        "claims = claim_checks('17 * 23 = 391. 97 is prime. 2000 was a leap year. p or not p is a tautology.')\n"
        "print([consult(claim).verdict for claim in claims], 'sympy' in sys.modules, 'pint' in sys.modules)"
    )

    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert printed.split("]")[0].count("'true'") == 4
    assert printed.endswith("False False\n")


@given(
    st.dictionaries(st.sampled_from(["kind", "claim", "relation", "numbers", "date"]), st.text(max_size=9) | st.none())
)
def test_any_mapping_gets_a_verdict(sent: dict[str, Any]) -> None:
    assert consult(sent).verdict in get_args(Verdict)
