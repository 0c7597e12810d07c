"""More than three hundred typed checks over all oracles, hits and near misses: no verdict is wrong (S7, S12)."""

import json
from collections import Counter
from pathlib import Path

import pytest

from moot.oracles import ORACLES, consult

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
