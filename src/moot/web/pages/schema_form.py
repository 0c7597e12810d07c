"""A form made from a JSON schema, and what was written into it read back as the schema has it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from moot.core.telling import field_words
from moot.web.pages.forms import SentForm

SHORT = 120
"""Characters up to which a text has one line of the form."""

FieldKind = Literal["choice", "number", "text", "long", "lines", "json"]

_NUMBERS = ("integer", "number")


@dataclass(frozen=True, slots=True)
class FormField:
    """One property of a schema as a field."""

    name: str
    label: str
    kind: FieldKind
    words: str = ""
    """What it is for."""
    choices: tuple[str, ...] = ()
    default: str = ""
    value: str = ""
    required: bool = False
    least: float | None = None
    most: float | None = None
    longest: int | None = None
    """Characters of a text; of lines, of each."""
    count: int | None = None
    """How many lines there may be."""


def fields_of(schema: Mapping[str, Any], given: Mapping[str, str]) -> tuple[FormField, ...]:
    """Return the fields for the properties of a schema, with what was given for them."""
    kinds: Mapping[str, Any] = schema.get("$defs", {})
    required = schema.get("required", ())
    return tuple(
        _field(name, _resolved(part, kinds), given.get(name, ""), required=name in required)
        for name, part in schema.get("properties", {}).items()
    )


def values_of_form(schema: Mapping[str, Any], form: SentForm, prefix: str = "") -> dict[str, Any]:
    """Return what a form says by the names of a schema; what is left empty and may be is left out."""
    read = {field.name: _read(field, form.whole(f"{prefix}{field.name}")) for field in fields_of(schema, {})}
    return {name: value for name, value in read.items() if value is not None}


def problems_by_field(problems: Sequence[tuple[str, str]], fields: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what is wrong with what was sent, by field; what belongs to no field has no name."""
    told: dict[str, tuple[str, ...]] = {}
    for place, problem in problems:
        name, _, inside = place.partition(".")
        field = name if name in fields else ""
        words = f"line {int(inside) + 1}: {problem}" if inside.isdigit() else problem
        told[field] = (*told.get(field, ()), words if field else f"{place}: {problem}" if place else problem)
    return told


def _resolved(part: Mapping[str, Any], kinds: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of a schema with what it refers to in its place; of what may be nothing, what it is otherwise."""
    options = [option for option in part.get("anyOf", ()) if option.get("type") != "null"]
    inner = options[0] if len(options) == 1 else part
    reference = inner.get("$ref", "").rpartition("/")[2]
    # The title of what is referred to is the name of a class.
    own = {"title": "", **{name: part[name] for name in ("default", "description", "title") if name in part}}
    return {**kinds.get(reference, {}), **inner, **own}


def _field(name: str, part: Mapping[str, Any], value: str, *, required: bool) -> FormField:
    kind = _kind(part)
    lines = part.get("items", {}) if kind == "lines" else {}
    return FormField(
        name,
        label=_label(name, part),
        kind=kind,
        words=str(part.get("description", "")),
        choices=("yes", "no") if part.get("type") == "boolean" else tuple(map(str, part.get("enum", ()))),
        default=_default_words(part.get("default")),
        value=value,
        required=required and not (kind == "lines" and not part.get("minItems")),
        least=part.get("minimum", part.get("exclusiveMinimum")),
        most=part.get("maximum", part.get("exclusiveMaximum")),
        longest=lines.get("maxLength", part.get("maxLength")),
        count=part.get("maxItems"),
    )


def _label(name: str, part: Mapping[str, Any]) -> str:
    """Return the title of a field where its protocol gave one; every other has the words of its name as its title."""
    words, title = field_words(name), str(part.get("title", ""))
    given = title and field_words(title).replace(" ", "") != words.replace(" ", "")
    return title if given else words


def _kind(part: Mapping[str, Any]) -> FieldKind:
    type_ = part.get("type")
    if type_ == "boolean" or "enum" in part:
        return "choice"
    if type_ in _NUMBERS:
        return "number"
    if type_ == "array" and part.get("items", {}).get("type") == "string":
        return "lines"
    options = [option.get("type") for option in part.get("anyOf", ())]
    if options and "object" not in options and "array" not in options:
        return "text"
    if type_ == "string":
        return "text" if part.get("maxLength", SHORT + 1) <= SHORT else "long"
    return "json"


def _default_words(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    if default is None or default == []:
        return ""
    if isinstance(default, Sequence) and not isinstance(default, str):
        return "\n".join(map(str, default))
    return str(default)


def _read(field: FormField, text: str) -> Any:
    """What was written, as far as it can be read; whoever checks it says what is wrong with the rest."""
    said = text.strip()
    if field.kind == "lines":
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return lines or (None if field.required else [])
    if not said:
        return None
    if field.choices == ("yes", "no"):
        return {"yes": True, "no": False}.get(said, said)
    if field.kind in ("number", "json"):
        try:
            return json.loads(said)
        except ValueError:
            return said
    return said
