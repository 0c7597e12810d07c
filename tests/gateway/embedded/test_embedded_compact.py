import json
from enum import StrEnum
from typing import Any

import pytest
from pydantic import BaseModel, Field

from moot.gateway.embedded.grammar import compact_json_grammar


class Side(StrEnum):
    FOR = "for"
    AGAINST = "against"


class Claim(BaseModel):
    """What a member claims."""

    text: str = Field(min_length=1, max_length=80, description="one sentence")
    side: Side
    page: int | None = None


class Reply(BaseModel):
    claims: list[Claim] = Field(min_length=1, max_length=2)
    weight: float = Field(ge=0, le=1)


def schema_in(grammar: str) -> dict[str, Any]:
    head, rest = grammar.split("\nstart: %json ")
    assert head == "%llguidance {}"
    return json.loads(rest)


def with_property(schema: dict[str, Any]) -> dict[str, Any]:
    grammar = compact_json_grammar({"type": "object", "properties": {"x": schema}, "required": ["x"]})
    return schema_in(grammar)["properties"]["x"]


def test_whitespace_is_forbidden_where_the_engine_looks_for_it() -> None:
    guidance = schema_in(compact_json_grammar(Reply.model_json_schema()))["x-guidance"]

    assert guidance["whitespace_flexible"] is False
    assert (guidance["item_separator"], guidance["key_separator"]) == (",", ":")


def test_references_bounds_and_enums_of_a_pydantic_model_are_kept() -> None:
    schema = schema_in(compact_json_grammar(Reply.model_json_schema()))

    assert schema["properties"]["claims"] == {
        "type": "array",
        "items": {"$ref": "#/$defs/Claim"},
        "minItems": 1,
        "maxItems": 2,
    }
    assert schema["properties"]["weight"] == {"type": "number", "minimum": 0, "maximum": 1}
    assert schema["$defs"]["Side"] == {"type": "string", "enum": ["for", "against"]}


def test_words_that_only_describe_are_left_out() -> None:
    grammar = compact_json_grammar(Reply.model_json_schema())

    assert not any(word in grammar for word in ('"title"', '"description"', '"default"'))


def test_a_property_may_be_called_like_a_keyword() -> None:
    schema = schema_in(compact_json_grammar({"type": "object", "properties": {"title": {"type": "string"}}}))

    assert schema["properties"] == {"title": {"type": "string"}}


def test_objects_are_closed_so_that_no_key_is_invented() -> None:
    schema = schema_in(compact_json_grammar(Reply.model_json_schema()))

    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Claim"]["additionalProperties"] is False


def test_a_mapping_stays_open() -> None:
    assert with_property({"type": "object", "additionalProperties": {"type": "string"}}) == {
        "type": "object",
        "additionalProperties": {"type": "string"},
    }


def test_intersected_objects_stay_open() -> None:
    halves = [{"type": "object", "properties": {name: {"type": "string"}}} for name in "ab"]

    assert with_property({"allOf": halves}) == {"allOf": halves}


def test_an_integer_without_bounds_gets_those_every_json_reader_has() -> None:
    assert with_property({"type": "integer", "minimum": 1}) == {"type": "integer", "minimum": 1, "maximum": 2**53 - 1}


@pytest.mark.parametrize("pattern", [r"^(?=a)a+$", r"^(?<!a)b$", r"^(a)\1$", r"\bword\b", r"\Aab\Z"])
def test_a_pattern_the_engine_lacks_is_left_to_the_replys_type(pattern: str) -> None:
    assert with_property({"type": "string", "pattern": pattern}) == {"type": "string"}


@pytest.mark.parametrize("pattern", [r"^c[0-9]{1,3}$", r"^(?:for|against)$", r"^\d\w$"])
def test_a_pattern_the_engine_has_is_kept(pattern: str) -> None:
    assert with_property({"type": "string", "pattern": pattern}) == {"type": "string", "pattern": pattern}


@pytest.mark.parametrize("word", ["not", "if", "uniqueItems", "propertyNames", "contains", "discriminator"])
def test_a_keyword_the_engine_lacks_is_left_out(word: str) -> None:
    assert with_property({"type": "string", word: {}}) == {"type": "string"}


def test_a_format_the_engine_lacks_is_left_out() -> None:
    assert with_property({"type": "string", "format": "date"}) == {"type": "string", "format": "date"}
    assert with_property({"type": "string", "format": "binary"}) == {"type": "string"}
