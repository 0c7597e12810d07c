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
    (NUMBER, ".5", 0.5),
    (NUMBER, "\u22125", -5),
    (WHOLE, "\u22121,234,567, or so", -1234567),
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
    ({"enum": [1, 2.0], "type": "integer"}, "2.0", 2.0),
    ({**of(x=TEXT), "title": "X", "description": "an x", "$defs": {}}, "a", {"x": "a"}),
    (of(x=TEXT, confidence={**NUMBER, "minimum": 0, "maximum": 1}), "a", {"x": "a", "confidence": 0.8}),
    (of(x=TEXT, confidence={**NUMBER, "exclusiveMinimum": -1, "maximum": 100}), "a", {"x": "a", "confidence": 0.8}),
    (of(status=COLOUR), "red", {"status": "red"}),
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
    (NUMBER, "3,14"),
    (NUMBER, "0,500"),
    (NUMBER, "1.234,5"),
    (NUMBER, "1,2345"),
    (WHOLE, "12,34,56"),
    (WHOLE, "7" * 401),
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
    {**of(a=TEXT), "required": ["a", "b"]},
    {**of(a=TEXT), "required": ["a", {}]},
    *({**of(a=TEXT), word: 2} for word in ("minProperties", "not", "propertyNames", "anyOf", "if")),
    {**TEXT, "not": TEXT},
    {**COLOUR, "minLength": 9},
    {**COLOUR, "type": "integer"},
    {**COLOUR, "type": ["string", "null"]},
    {**COLOUR, "const": "red"},
    {"enum": ["a", 1], "type": "string"},
    {"enum": [True], "type": "integer"},
    {"enum": [1.5], "type": "integer"},
    {"enum": [1], "type": "boolean"},
    {**of(a={"$ref": "#/$defs/A", "maxLength": 1}), "$defs": {"A": TEXT}},
]


@pytest.mark.parametrize("schema", REFUSED, ids=str)
def test_a_schema_that_no_short_answer_fills_is_refused_beforehand(schema: Any) -> None:
    with pytest.raises(BadParameter, match="response_format: "):
        shape(schema)


DISLIKED = [
    (
        of(a=TEXT, b=TEXT),
        "one field for the answer, beside confidence, status, caveats, dissent if it likes, and not 2",
    ),
    (of(a=TEXT, confidence={**NUMBER, "minimum": 0.5}), r"the field 'confidence' .* its 'minimum' need not hold"),
    (of(a=TEXT, confidence={**NUMBER, "exclusiveMaximum": 1}), "its 'exclusiveMaximum' need not hold"),
    (of(a=TEXT, confidence={**NUMBER, "multipleOf": 2}), "its 'multipleOf' need not hold"),
    (of(a=TEXT, confidence=TEXT), "the field 'confidence' is .* its type has to be \"number\""),
    (of(a=TEXT, status=COLOUR), "the field 'status' is .* its 'enum' need not hold"),
    ({**of(a=TEXT), "required": ["a", "b"]}, "'b' is required and is no property"),
    ({**of(a=TEXT), "minProperties": 2}, "the object has 'minProperties', which is not checked here"),
    ({"enum": ["a", 1], "type": "string"}, "the schema has the choice 1, which is not of its type"),
]


@pytest.mark.parametrize(("schema", "reason"), DISLIKED, ids=lambda value: str(value)[:30])
def test_a_refusal_names_the_field_and_what_of_it_cannot_be(schema: Any, reason: str) -> None:
    with pytest.raises(BadParameter, match=reason):
        shape(schema)


def test_what_is_asked_of_the_members_is_the_form() -> None:
    forms = {kind: shape(schema).form for kind, schema in (("n", WHOLE), ("b", YES), ("c", COLOUR), ("t", TEXT))}

    assert forms == {
        "n": "a whole number alone",
        "b": "yes or no",
        "c": "one of these alone: red, red hot, green",
        "t": "",
    }
