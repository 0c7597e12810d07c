"""What a slot takes, and what it refuses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from moot.core.canonical import plain
from moot.protocols.prism.layers import PRISM_V1
from moot.protocols.prism.schemas import OUTPUTS, FlagReview
from tests.protocols.prism.kit import output

BLANK = {"decision": "advance", "note": "  "}
SHAPES = {str(layer.number): OUTPUTS[layer.shape] for layer in PRISM_V1.layers}


@pytest.mark.clause("prism:scale")
@pytest.mark.clause("ruling:P3")
@pytest.mark.parametrize("layer", sorted(SHAPES))
@pytest.mark.parametrize("wrong", [1.2, -0.1, "high", "0.9", None, True, float("nan"), float("inf"), [0.9]])
def test_a_confidence_is_a_number_from_0_to_1_and_nothing_else(layer, wrong) -> None:
    with pytest.raises(ValidationError, match="confidence"):
        SHAPES[layer].model_validate({**output(layer), "confidence": wrong})


@pytest.mark.parametrize("layer", sorted(SHAPES))
@pytest.mark.parametrize("confidence", [0, 1, 0.5, 0.0, 1.0])
def test_a_submission_keeps_the_paper_s_spelling_in_the_record(layer, confidence) -> None:
    sent = output(layer, confidence)

    assert plain(SHAPES[layer].model_validate(sent)) == sent


@pytest.mark.clause("prism:layer-3", "prism:layer-4", "prism:layer-5", "prism:layer-6", "prism:layer-7")
@pytest.mark.parametrize("layer", sorted(SHAPES))
def test_every_field_of_a_layer_is_required(layer) -> None:
    for name in output(layer):
        if name == "answer":
            continue
        without = {key: value for key, value in output(layer).items() if key != name}

        with pytest.raises(ValidationError, match=name):
            SHAPES[layer].model_validate(without)


@pytest.mark.clause("prism:layer-3", "prism:layer-4", "prism:layer-5", "prism:layer-6", "prism:layer-7")
@pytest.mark.parametrize(
    ("layer", "wrong"),
    [
        (1, {"content": ""}),
        (1, {"content": " \n\t "}),
        (4, {"questions": ["  "]}),
        (7, {"summary": " "}),
        (1, {"content": 7}),
        (1, {"content": "x" * 10_001}),
        (1, {"content": "bell \x07"}),
        (1, {"content": "turned \u202e around"}),
        (2, {"domain": "  "}),
        (2, {"domain": 3}),
        (3, {"keyPoints": []}),
        (3, {"keyPoints": "one"}),
        (3, {"keyPoints": ["x"] * 13}),
        (3, {"strength": "very"}),
        (4, {"severity": None}),
        (4, {"weaknesses": [""]}),
        (5, {"answeredQuestions": [1]}),
        (6, {"verdict": "advance"}),
        (7, {"recommendation": "Accept"}),
    ],
)
def test_an_output_of_the_wrong_shape_is_refused(layer, wrong) -> None:
    with pytest.raises(ValidationError):
        SHAPES[str(layer)].model_validate({**output(layer), **wrong})


def test_lines_and_tabs_are_plain_text() -> None:
    assert SHAPES["1"].model_validate(output(1, content="one\n\ttwo")).content == "one\n\ttwo"


@pytest.mark.parametrize("wrong", [{}, {"decision": "advance"}, {"decision": "go", "note": "x"}, {"note": "x"}, BLANK])
def test_a_review_has_a_decision_and_a_note(wrong) -> None:
    with pytest.raises(ValidationError):
        FlagReview.model_validate(wrong)


@given(st.text(max_size=30))
def test_whatever_is_taken_comes_back_from_the_record_as_it_was(text) -> None:
    try:
        kept = SHAPES["1"].model_validate(plain(output(1, content=text)))
    except ValidationError:
        return

    assert SHAPES["1"].model_validate(plain(kept)) == kept
