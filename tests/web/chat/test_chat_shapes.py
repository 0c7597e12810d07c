"""Which schemas a short answer can fill, and filling them."""

import json
from typing import Any

import pytest

from moot.core.errors import BadParameter
from moot.web.chat.shapes import AnswerShape, shape_of

KNOWN = {"confidence": 0.8, "status": "complete", "caveats": ["one"], "dissent": []}


def shape(schema: Any) -> AnswerShape:
    made = shape_of("json_schema", {"name": "x", "schema": schema})
    assert made
    return made


def filled(schema: Any, answer: str) -> Any:
    return json.loads(shape(schema).filled(answer, KNOWN))


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


TEXT, NUMBER, WHOLE, YES = ({"type": kind} for kind in ("string", "number", "integer", "boolean"))
COLOUR = {"enum": ["red", "red hot", "green"], "type": "string"}

FITS = [
    (TEXT, " 97 is prime ", "97 is prime"),
    (NUMBER, "3.50", 3.5),
    (NUMBER, "1,234.5, or so", 1234.5),
    (NUMBER, "-2e3", -2000.0),
    (WHOLE, "**42**", 42),
    (WHOLE, "42.", 42),
    (WHOLE, "42.0", 42),
    (YES, "Yes, since no prime divides it", True),
    (YES, "no", False),
    (YES, "FALSE", False),
    (COLOUR, "Red hot!", "red hot"),
    (COLOUR, '"green"', "green"),
    ({"enum": [1, 2]}, "2", 2),
    ({"const": "only"}, "Only.", "only"),
    ({**WHOLE, "minimum": 1, "maximum": 5}, "5", 5),
    (of(answer=WHOLE), "7", {"answer": 7}),
    (of(x=COLOUR, confidence=NUMBER, status=TEXT), "green", {"x": "green", "confidence": 0.8, "status": "complete"}),
    (of(x=TEXT, caveats={"type": "array", "items": TEXT, "title": "Caveats"}), "a", {"x": "a", "caveats": ["one"]}),
    ({**of(kind={"$ref": "#/$defs/Kind"}), "$defs": {"Kind": COLOUR}}, "red", {"kind": "red"}),
]


@pytest.mark.parametrize(("schema", "answer", "value"), FITS, ids=lambda value: str(value)[:30])
def test_a_short_answer_fills_a_schema_that_it_can(schema: Any, answer: str, value: Any) -> None:
    assert filled(schema, answer) == value


MISSES = [
    (NUMBER, "42 km"),
    (NUMBER, "about 42"),
    (WHOLE, "4.5"),
    (WHOLE, ""),
    (WHOLE, "1e999"),
    (YES, "no evidence speaks for it"),
    (YES, "yesterday"),
    (COLOUR, "blue"),
    (COLOUR, "not red"),
    (COLOUR, "redder"),
    ({**WHOLE, "minimum": 1}, "0"),
    ({**NUMBER, "exclusiveMaximum": 1}, "1"),
    ({**TEXT, "maxLength": 3}, "four"),
]


@pytest.mark.parametrize(("schema", "answer"), MISSES, ids=lambda value: str(value)[:30])
def test_an_answer_that_does_not_fit_is_told_with_the_reason(schema: Any, answer: str) -> None:
    with pytest.raises(ValueError, match=r"is no|is none|are not within"):
        shape(schema).filled(answer, KNOWN)


def test_a_field_that_this_verdict_does_not_know_is_told() -> None:
    with pytest.raises(ValueError, match="no confidence"):
        shape(of(a=TEXT, confidence=NUMBER)).filled("x", {**KNOWN, "confidence": None})


REFUSED = [
    {"type": "array", "items": TEXT},
    of(a=TEXT, b=TEXT),
    of(confidence=NUMBER),
    of(a=TEXT, confidence={"type": "string"}),
    of(a=of(b=TEXT)),
    {**TEXT, "pattern": "(a+)+$"},
    {"type": ["string", "null"]},
    {"anyOf": [TEXT, NUMBER]},
    {"enum": []},
    {"enum": [None]},
    {**WHOLE, "minimum": "1"},
    {"$ref": "#/$defs/Nowhere"},
    {"type": "object"},
    {"type": "object", "properties": {"a": TEXT}},
    of(a=3),
    None,
]


@pytest.mark.parametrize("schema", REFUSED, ids=str)
def test_a_schema_that_no_short_answer_fills_is_refused_beforehand(schema: Any) -> None:
    with pytest.raises(BadParameter, match="response_format: "):
        shape(schema)


def test_what_is_asked_of_the_members_is_the_form() -> None:
    forms = {kind: shape(schema).form for kind, schema in (("n", WHOLE), ("b", YES), ("c", COLOUR), ("t", TEXT))}

    assert forms == {
        "n": "a whole number alone",
        "b": "yes or no",
        "c": "one of these alone: red, red hot, green",
        "t": "",
    }
