"""The shape of JSON in words: of a type, by its schema, and of a value that a command printed."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from docs.reference.tables import cell
from pydantic import BaseModel, TypeAdapter

WORDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "null": "null"}
NOTHING_HERE = "null, or a value where there is one"
FREE = {"detail", "settings", "backends", "context"}
"""Objects whose keys differ from one protocol to the next."""
BY_NAME = {
    "values": "NAME",
    "conclusions": "CONCLUSION",
    "floors": "LEVEL",
}
"""Objects whose keys are names, all with values of one shape, and what they name."""


def type_rows(kind: type) -> Iterator[tuple[str, str, str]]:
    """Yield of each field of a dataclass or model its name, its type in words, and what the source says of it."""
    schema = TypeAdapter(kind).json_schema()
    said = {} if issubclass(kind, BaseModel) else _docstrings(kind)
    for name, field in schema["properties"].items():
        told = said.get(name) or field.get("description", "")
        yield f"`{name}`", _schema_words(field, schema.get("$defs", {})), cell(told)


def _schema_words(field: Mapping[str, Any], defined: Mapping[str, Any]) -> str:
    """What a field of a JSON schema may hold."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return _schema_words(defined[name], defined) if "enum" in defined[name] else f"object (`{name}`)"
    if choices := field.get("anyOf") or field.get("allOf"):
        return " or ".join(dict.fromkeys(_schema_words(choice, defined) for choice in choices))
    if values := field.get("enum") or ([field["const"]] if "const" in field else []):
        return " or ".join(f"`{value}`" for value in values)
    match field.get("type"):
        case "array":
            return f"list of {_schema_words(field['items'], defined)}" if field.get("items") else "list"
        case "object":
            return "object"
        case str(kind):
            return WORDS[kind]
    return "anything"


def value_rows(*samples: Any) -> list[tuple[str, str]]:
    """Return each place of some values and what was found there, in the order in which the places were met."""
    places: dict[str, dict[str, None]] = {}
    for sample in samples:
        for place, kind in _places(sample, ""):
            places.setdefault(place, {})[kind] = None
    return [(f"`{place}`", _joined(list(kinds))) for place, kinds in places.items()]


def _joined(kinds: list[str]) -> str:
    known = [kind for kind in kinds if not (kind == "list" and len(kinds) > 1)]
    return NOTHING_HERE if known == [WORDS["null"]] else " or ".join(known)


def _places(value: Any, place: str) -> Iterator[tuple[str, str]]:
    name = re.split(r"[.\[]", place)[-1]
    match value:
        case dict() if not value or name in FREE:
            yield place or "the whole", "object"
        case dict():
            for key, below in value.items():
                yield from _places(below, f"{place}.{BY_NAME.get(place, key)}" if place else key)
        case list() if not value or not isinstance(value[0], dict | list):
            yield place, f"list of {_kind(value[0])}" if value else "list"
        case list():
            for below in value:
                yield from _places(below, f"{place}[]")
        case _:
            yield place or "the whole", _kind(value)


def _kind(value: Any) -> str:
    match value:
        case bool():
            return WORDS["boolean"]
        case int():
            return WORDS["integer"]
        case float():
            return WORDS["number"]
        case str():
            return WORDS["string"]
    return WORDS["null"]


def _docstrings(kind: type) -> dict[str, str]:
    """The text beneath each field, where the source has one."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    said: dict[str, str] = {}
    for field, below in pairwise(body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                said[name] = text
    return said
