"""Sentences of a known form, and those beside them that are true in their context and must not be refuted (S12)."""

import json
from pathlib import Path

import pytest

from moot.oracles import claim_checks, consult

HERE = Path(__file__).parent


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.clause("ruling:S12")
def test_a_sentence_of_a_known_form_is_read_and_decided_right() -> None:
    sentences = rows("sentences.jsonl")

    wrong = []
    for row in sentences:
        findings = [(finding.oracle, finding.verdict) for finding in map(consult, claim_checks(row["claim"]))]
        if findings != [(row["oracle"], row["verdict"])]:
            wrong.append((row, findings))

    assert len(sentences) >= 130
    assert wrong == []


@pytest.mark.clause("ruling:S12")
def test_a_sentence_with_one_phrase_more_is_not_read() -> None:
    known = [row["claim"] for row in rows("sentences.jsonl") if row["verdict"] == "false"]

    for claim in known:
        assert claim_checks(f"In the story, {claim[0].lower()}{claim[1:]}") == (), claim
        assert claim_checks(f"{claim.removesuffix('.')}, according to Bob.") == (), claim


@pytest.mark.clause("ruling:S12")
def test_what_is_true_in_its_context_is_never_refuted() -> None:
    sentences = [row["claim"] for row in rows("never_refuted.jsonl")]

    refuted = [
        (claim, check) for claim in sentences for check in claim_checks(claim) if consult(check).verdict == "false"
    ]

    assert len(sentences) >= 600
    assert refuted == []
