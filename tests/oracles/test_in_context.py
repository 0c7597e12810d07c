"""Sentences that are true where they are said, or claim nothing: none is refuted (ruling S12)."""

import json
from collections import Counter
from pathlib import Path

import pytest

from moot.oracles import claim_checks, consult, judged

ROWS = [
    json.loads(line) for line in (Path(__file__).parent / "in_context.jsonl").read_text(encoding="utf-8").splitlines()
]
# With these before or after it, no claim is what it is alone.
BEFORE = (
    "In base 8, ",
    "According to Bob, ",
    "If ",
    "It is false that ",
    "In Python, ",
    "Rounded down, ",
    "Suppose ",
    "Not ",
    "Let ",
)
AFTER = (
    " in base 8",
    ", said Bob",
    " modulo 5",
    " in the Julian calendar",
    ", rounded down",
    " is false",
    "?",
    " ...",
    '"',
    " (2)",
)
DECIDED = (
    *("7 * 8 = 54", "91 is prime", "1 + 1 = 10", "10 / 3 = 3", "2 + 2 is 5", "sin(pi/2) = 0", "p or q is a tautology"),
    *("(x+1)^2 = x^2 + 1 for all x", "the derivative of x^3 is 2x^2", "x = 4 is a solution of x^2 = 9"),
    *("1 mile is 1.7 km", "12 March 2024 was a Monday", "the port of https://example.com:8443/ is 443"),
)


def refuted(text: str) -> list[str]:
    return [finding.reading for finding in map(consult, claim_checks(text)) if finding.verdict == "false"]


def test_there_are_more_than_seven_hundred_sentences_of_many_contexts() -> None:
    contexts = Counter(row["context"] for row in ROWS)

    assert len({row["claim"] for row in ROWS}) == len(ROWS) > 700
    assert len(contexts) >= 15
    assert min(contexts.values()) >= 10


@pytest.mark.clause("ruling:S12")
def test_no_sentence_that_is_true_in_its_context_is_refuted() -> None:
    assert {row["claim"]: found for row in ROWS if (found := refuted(row["claim"]))} == {}


@pytest.mark.clause("ruling:S12")
@pytest.mark.parametrize("claim", DECIDED)
def test_a_claim_that_is_false_alone_is_not_judged_with_a_phrase_beside_it(claim: str) -> None:
    assert judged(claim).verdict == judged(f"{claim}.").verdict == judged(f"So, {claim}.").verdict == "false"

    for text in (*(f"{lead}{claim}" for lead in BEFORE), *(f"{claim}{end}" for end in AFTER)):
        assert judged(text).verdict == "not decided", text
        assert judged(f"We are done. {text}.").verdict == "not decided", text
