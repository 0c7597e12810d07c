"""Evidence, critique and defence as an argument graph."""

from typing import Any

import pytest

from moot.methods.contest import standing
from moot.protocols.prism.graph import answered_weakness
from tests.protocols.prism.kit import output, run

POINTS = ["Masked trappers were scolded for years.", "Caps of another colour were left alone."]
FATAL: dict[str, Any] = {
    "weaknesses": ["The birds saw the trap and not the face."],
    "questions": [],
    "severity": "high",
}
MINOR: dict[str, Any] = {**FATAL, "severity": "low"}


def graph(**replies):
    said = {"L3.1/work/1@*": output(3, keyPoints=POINTS), "L3.1/work/2@*": output(3, keyPoints=POINTS)}
    return run({**replies, **said}).ended.detail


def critique(shape) -> dict[str, Any]:
    return {f"L4.1/work/{number}@*": output(4, **shape) for number in (1, 2, 3)}


def defense(*responses: str) -> dict[str, Any]:
    answer = output(5, responseToWeaknesses=list(responses))
    return {"L5.1/work/1@*": answer, "L5.1/work/2@*": output(5, responseToWeaknesses=[])}


def test_evidence_of_both_sides_supports_its_side_and_paraphrases_count_once() -> None:
    detail = graph(**critique(MINOR))

    assert {item["id"]: item["width"] for item in detail["candidates"]} == {"claim": 2, "against": 1}
    assert standing(detail).answer == "the claim stands"


def test_a_fatal_weakness_that_nobody_answers_defeats_the_claim() -> None:
    detail = graph(**critique(FATAL), **defense())

    assert [item["refuted"] for item in detail["candidates"] if item["id"] == "claim"] == [True]
    assert standing(detail).answer == "the claim does not stand"


def test_an_answered_weakness_no_longer_counts_until_its_answer_is_contested() -> None:
    detail = graph(**critique(FATAL), **defense("W1: Masks alone, without a trap, had the same effect."))

    assert standing(detail).answer == "the claim stands"
    assert standing(detail, [("d1.1", "not so")]).answer == "the claim does not stand"


def test_a_weakness_that_two_critics_name_is_one_and_as_severe_as_the_severest_says() -> None:
    said = {
        "L4.1/work/1@*": output(4, **MINOR),
        "L4.1/work/2@*": output(4, **FATAL),
        "L4.1/work/3@*": output(4, **MINOR),
    }
    done = run({**said, **defense()})

    assert done.slots["L5.1/work/1"].context["weaknesses"] == ["W1: The birds saw the trap and not the face."]
    assert standing(done.ended.detail).answer == "the claim does not stand"


def test_a_response_to_a_weakness_that_is_none_is_left_out() -> None:
    detail = graph(**critique(FATAL), **defense("W9: Masks alone had the same effect."))

    assert standing(detail).answer == "the claim does not stand"


@pytest.mark.parametrize(
    ("response", "answered"),
    [
        ("W2: It was not so.", (2, "It was not so.")),
        ("(w 3) - It was.", (3, "It was.")),
        ("It was not so.", (1, "It was not so.")),
        ("W2", (1, "W2")),
    ],
)
def test_a_response_names_its_weakness_or_answers_the_one_in_its_place(response, answered) -> None:
    assert answered_weakness(response, 1) == answered
