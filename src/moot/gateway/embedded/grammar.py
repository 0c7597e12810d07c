"""A reply's JSON schema as a grammar that allows no whitespace: about a third fewer tokens to wait for.

llama.cpp takes it in the request's `grammar` field, where its llguidance engine reads it. That engine silently
drops the whole grammar when one keyword in it is beyond it, so only keywords it has are passed on. What is
dropped here is checked by the reply's own type afterwards, as always.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

# Keywords whose values are plain data, and those whose values hold further schemas.
PLAIN = {
    *("type", "enum", "const", "required", "$ref"),
    *("minItems", "maxItems", "minLength", "maxLength"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
ONE_SCHEMA = {"items", "additionalProperties"}
LIST_OF_SCHEMAS = {"anyOf", "oneOf", "allOf", "prefixItems"}
NAMED_SCHEMAS = {"properties", "$defs", "definitions", "patternProperties"}

FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri"}
# Look-around, back references, word boundaries and Python's own anchors: the engine's automata have none of them.
BEYOND_AUTOMATA = re.compile(r"\(\?<?[=!>]|\\[1-9bBAZz]")
# A small model can go on writing digits until its tokens run out. JSON readers agree on integers up to here.
LARGEST_INTEGER = 2**53 - 1

COMPACT = {"whitespace_flexible": False, "item_separator": ",", "key_separator": ":", "lenient": True}


def compact_json_grammar(schema: Mapping[str, Any]) -> str:
    """Return the value of the `grammar` field that makes llama.cpp answer with this schema's JSON, compactly."""
    # Where schemas are intersected, closing one of them would forbid the other's properties.
    closes = '"allOf"' not in json.dumps(schema)
    guided = {"x-guidance": COMPACT, **_supported(schema, closes=closes)}
    return "%llguidance {}\nstart: %json " + json.dumps(guided, ensure_ascii=False, separators=(",", ":"))


def _supported(schema: Any, *, closes: bool) -> Any:
    """Return the schema with only what the engine has, objects closed and integers bounded."""
    if not isinstance(schema, Mapping):
        return schema
    kept = {word: _value(word, value, closes=closes) for word, value in schema.items() if _is_supported(word, value)}
    if closes and "properties" in kept:
        kept.setdefault("additionalProperties", False)
    if kept.get("type") == "integer" and "enum" not in kept:
        if not {"minimum", "exclusiveMinimum"} & kept.keys():
            kept["minimum"] = -LARGEST_INTEGER
        if not {"maximum", "exclusiveMaximum"} & kept.keys():
            kept["maximum"] = LARGEST_INTEGER
    return kept


def _value(word: str, value: Any, *, closes: bool) -> Any:
    if word in ONE_SCHEMA:
        return _supported(value, closes=closes)
    if word in LIST_OF_SCHEMAS:
        return [_supported(each, closes=closes) for each in value]
    if word in NAMED_SCHEMAS:
        return {name: _supported(each, closes=closes) for name, each in value.items()}
    return value


def _is_supported(word: str, value: Any) -> bool:
    if word == "pattern":
        return not BEYOND_AUTOMATA.search(value)
    if word == "format":
        return value in FORMATS
    return word in PLAIN | ONE_SCHEMA | LIST_OF_SCHEMAS | NAMED_SCHEMAS
