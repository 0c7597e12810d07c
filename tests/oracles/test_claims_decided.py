"""More than two hundred claims, half of them false: every one is read and decided right (ruling S7)."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from moot.oracles import ORACLES, claim_checks, consult

ROWS = [json.loads(line) for line in (Path(__file__).parent / "claims.jsonl").read_text(encoding="utf-8").splitlines()]


def test_there_are_two_hundred_claims_or_more_half_of_them_false_for_every_oracle() -> None:
    counts = Counter((row["oracle"], row["verdict"].removesuffix(" as rounded")) for row in ROWS)

    assert sum(counts[name, "true"] for name in ORACLES) == sum(counts[name, "false"] for name in ORACLES) >= 100
    assert all(counts[name, "true"] == counts[name, "false"] > 0 for name in ORACLES)


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.get("claim", row.get("check"))))
def test_a_claim_is_decided_right(row: dict[str, Any]) -> None:
    checks = [row["check"]] if "check" in row else list(claim_checks(row["claim"]))

    found = [(finding.oracle, finding.verdict) for finding in map(consult, checks)]

    assert found == [(row["oracle"], row["verdict"])]
