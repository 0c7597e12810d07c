"""More than three hundred typed checks over all oracles, hits and near misses: no verdict is wrong (S7, S12)."""

import json
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from moot.oracles import ORACLES, consult
from moot.oracles.finding import Verdict

ROWS = [
    json.loads(line) for line in (Path(__file__).parent / "typed_checks.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_there_are_three_hundred_checks_of_all_oracles_with_all_verdicts() -> None:
    kinds = Counter(row["check"]["kind"] for row in ROWS)
    verdicts = Counter(row["verdict"] for row in ROWS)

    assert len(ROWS) >= 300
    assert all(kinds[kind] >= 10 for kind in ORACLES)
    assert all(verdicts[verdict] >= 20 for verdict in ("true", "false", "true as rounded", "not computable"))


@pytest.mark.clause("ruling:S7")
@pytest.mark.clause("ruling:S12")
def test_every_check_gets_its_verdict() -> None:
    wrong = [(row, consult(row["check"]).verdict) for row in ROWS if consult(row["check"]).verdict != row["verdict"]]

    assert wrong == []


@pytest.mark.clause("ruling:S12")
def test_every_check_that_is_one_says_how_it_was_read_in_one_line() -> None:
    for row in ROWS:
        finding = consult(row["check"])

        assert "\n" not in finding.reading
        assert finding.reading or not finding.limit.startswith(f"{finding.oracle} takes")


HOSTILE = (
    *("9" * 100_000, "1,000," * 20_000 + "000", "1; " * 20_000, "(" * 50_000, "2^" * 20_000, "a " * 50_000),
    *("1e99999", "\u0663", "\0", "", "½", "--1", "3!!", "1/0", "20%%", "1" + "0" * 5_000),
)


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize("kind", ORACLES)
def test_a_hostile_field_gets_a_verdict(kind: str) -> None:
    for row in [row for row in ROWS if row["check"]["kind"] == kind][:12]:
        for field, value in row["check"].items():
            if field not in ("kind", "relation", "function", "negated", "about") and isinstance(value, str):
                for hostile in HOSTILE:
                    assert consult({**row["check"], field: hostile}).verdict in get_args(Verdict)
