"""Answers in a form that a program reads: which JSON schemas a short answer can fill, and filling them. Pure.

A verdict's answer is a few words. It can be a text, a number, a yes or no, or one of several choices; alone, or as the
one field of an object whose other fields are known of every verdict. Anything else is refused before anybody is asked.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from moot.core.errors import BadParameter

NAME = "response_format"
SAID_OF_A_SCHEMA = frozenset({"title", "description", "default", "examples", "$schema", "$comment"})
LIMITS: Mapping[str, frozenset[str]] = {
    "string": frozenset({"minLength", "maxLength"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}),
    "integer": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}),
    "boolean": frozenset(),
}
FORMS = {"string": "", "number": "a number alone", "integer": "a whole number alone", "boolean": "yes or no"}
FACTS: Mapping[str, Mapping[str, Any]] = {
    "confidence": {"type": "number"},
    "status": {"type": "string"},
    "caveats": {"type": "array", "items": {"type": "string"}},
    "dissent": {"type": "array", "items": {"type": "string"}},
}
"""What every verdict knows, under the name that a field of the object must have, and the shape of each."""

ENDS: Mapping[str, tuple[float, float]] = {"confidence": (0, 1)}
"""Between which numbers a fact lies: limits that hold for both always hold."""

OF_AN_OBJECT = frozenset({"type", "properties", "required", "additionalProperties", "$defs"})
"""What is honoured in an object: no field comes that is not among its properties."""

KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
}
_NUMBER = re.compile(
    # Commas are read where they group thousands, and nowhere else: 3,14 is no 314.
    r"([-+\u2212]?(?:(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:[eE][-+\u2212]?\d{1,3})?)(?:$|[.,;:](?:\s|$))"
)
LONGEST_NUMBER = 400
_AFTER_A_CHOICE = re.compile("$|\\s*[.,;:!)\u2013\u2014]")
MOST_CHOICES = 100


@dataclass(frozen=True, slots=True)
class AnswerShape:
    """A form that a short answer can have."""

    form: str
    """What the members are told of it."""
    value: Mapping[str, Any]
    """The schema of the answer itself."""
    field: str | None = None
    """The field of the object that holds the answer; None where there is no object."""
    facts: tuple[str, ...] = ()
    """The other fields, which are known of every verdict."""

    def filled(self, answer: str, known: Mapping[str, Any]) -> str:
        """Return an answer in this form, as JSON.

        Raises:
            ValueError: with the reason, where the answer, or what is known of it, does not fit.
        """
        value = _read(answer, self.value)
        if self.field is None:
            return json.dumps(value, ensure_ascii=False)
        lacking = [name for name in self.facts if known.get(name) is None]
        if lacking:
            raise ValueError(f"this verdict has no {lacking[0]}")
        return json.dumps({self.field: value, **{name: known[name] for name in self.facts}}, ensure_ascii=False)


def shape_of(kind: str, wrapped: Mapping[str, Any] | None) -> AnswerShape | None:
    """Return the form that a chat asks for; None for plain text.

    Raises:
        BadParameter: with the reason, for one that a short answer cannot have.
    """
    if kind == "text":
        return None
    if kind == "json_object":
        raise _refused("an object of any kind cannot be made of a short answer; give a json_schema")
    schema = (wrapped or {}).get("schema")
    if not isinstance(schema, Mapping):
        raise _refused("json_schema.schema is missing")
    definitions = schema.get("$defs", {})
    if schema.get("type") != "object":
        return _shape_of_value(schema, definitions)
    return _shape_of_object(schema, definitions)


def _shape_of_object(schema: Mapping[str, Any], definitions: Any) -> AnswerShape:
    properties, required = schema.get("properties"), schema.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        raise _refused("an object has to name its properties, and what of them is required")
    _check_honoured(schema, OF_AN_OBJECT, "the object")
    if strangers := [name for name in required if not isinstance(name, str) or name not in properties]:
        raise _refused(f"{str(strangers[0])[:60]!r} is required and is no property")
    facts = tuple(name for name in required if name in FACTS and not _fact_problem(name, properties[name]))
    others = [name for name in required if name not in facts]
    if len(others) != 1:
        raise _refused(_others_problem(others, properties))
    alone = _shape_of_value(properties[others[0]], definitions, _field(others[0]))
    return AnswerShape(alone.form, alone.value, others[0], facts)


def _others_problem(others: Sequence[str], properties: Mapping[str, Any]) -> str:
    """Why fields cannot be filled that are not one for the answer."""
    if meant := [name for name in others if name in FACTS]:
        return _fact_problem(meant[0], properties[meant[0]])
    known = ", ".join(FACTS)
    return f"an object has to require one field for the answer, beside {known} if it likes, and not {len(others)}"


def _fact_problem(name: str, schema: Any) -> str:
    """Why a field cannot be filled with what every verdict knows under its name; empty where it can."""
    core = _core(schema) if isinstance(schema, Mapping) else {}
    for part, said in FACTS[name].items():
        if core.get(part) != said:
            return f"{_field(name)} is what every verdict knows, and its {part} has to be {json.dumps(said)}"
    for part in sorted(core.keys() - FACTS[name].keys()):
        if not _always_holds(name, part, core[part]):
            return f"{_field(name)} is what every verdict knows, and its {part[:60]!r} need not hold"
    return ""


def _always_holds(name: str, part: str, limit: Any) -> bool:
    is_limit = name in ENDS and part in LIMITS["number"] and isinstance(limit, int | float)
    return is_limit and all(_is_within(end, {part: limit}, ("minimum", "maximum")) for end in ENDS[name])


def _core(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without what it only says."""
    kept = {name: part for name, part in schema.items() if name not in SAID_OF_A_SCHEMA}
    return {name: _core(part) if isinstance(part, Mapping) else part for name, part in kept.items()}


def _shape_of_value(schema: Any, definitions: Any, what: str = "the schema") -> AnswerShape:
    value = _core(_followed(schema, definitions, what)) if isinstance(schema, Mapping) else {}
    value.pop("$defs", None)
    if "const" in value and "enum" not in value:
        value["enum"] = [value.pop("const")]
    if "enum" in value:
        _check_honoured(value, {"enum", "type"}, what)
        return AnswerShape(_choices_form(value, what), value)
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in FORMS:
        raise _refused(f"{what} has to be a text, a number, a boolean or an enum: a short answer is no more")
    _check_honoured(value, LIMITS[kind] | {"type"}, what)
    if not all(isinstance(value[name], int | float) for name in value if name != "type"):
        raise _refused(f"{what} has a limit that is no number")
    return AnswerShape(FORMS[kind], value)


def _check_honoured(schema: Mapping[str, Any], honoured: Set[str], what: str) -> None:
    if others := sorted(set(schema) - SAID_OF_A_SCHEMA - honoured):
        raise _refused(f"{what} has {others[0][:60]!r}, which is not checked here")


def _field(name: str) -> str:
    return f"the field {name[:60]!r}"


def _followed(schema: Mapping[str, Any], definitions: Any, what: str) -> Mapping[str, Any]:
    """The definition that a schema refers to, one step far, or the schema itself."""
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    meant = definitions.get(name) if isinstance(definitions, Mapping) else None
    if not name or not isinstance(meant, Mapping):
        return schema
    _check_honoured(schema, {"$ref", "$defs"}, what)
    return meant


def _choices_form(value: Mapping[str, Any], what: str) -> str:
    choices = value["enum"]
    if not isinstance(choices, list) or not 0 < len(choices) <= MOST_CHOICES:
        raise _refused(f"{what} has to have 1 to {MOST_CHOICES} choices")
    if not all(isinstance(one, str | int | float) and str(one).strip() for one in choices):
        raise _refused(f"{what} has to choose among texts and numbers")
    if strangers := [one for one in choices if "type" in value and not _is_of(one, value["type"])]:
        raise _refused(f"{what} has the choice {strangers[0]!r}, which is not of its type")
    return f"one of these alone: {', '.join(map(str, choices))}"


def _is_of(choice: Any, kind: Any) -> bool:
    if not isinstance(kind, str) or kind not in KINDS:
        return False
    whole = choice if kind != "integer" or not isinstance(choice, float) or not choice.is_integer() else int(choice)
    return isinstance(whole, KINDS[kind]) and isinstance(whole, bool) == (kind == "boolean")


def _refused(problem: str) -> BadParameter:
    return BadParameter(name=NAME, problem=problem)


def _read(answer: str, schema: Mapping[str, Any]) -> Any:
    text = answer.strip().strip("\"'`*").strip()
    if "enum" in schema:
        return _choice(text, schema["enum"])
    match schema["type"]:
        case "boolean":
            return _choice(text, [True, False], ["yes", "no"]) if text[:1] in "yYnN" else _choice(text, [True, False])
        case "string":
            return _within(answer.strip(), len(answer.strip()), schema, ("minLength", "maxLength"), "characters")
        case kind:
            number = _number(text, whole=kind == "integer")
            return _within(number, number, schema, ("minimum", "maximum"), "")


def _choice(text: str, choices: Sequence[Any], words: Sequence[str] | None = None) -> Any:
    """The one choice that a text is, or begins with before a mark; `no evidence` is no `no`."""
    lowered = text.casefold()
    meant = []
    for choice, word in zip(choices, words or [str(one) for one in choices], strict=True):
        name = word.strip().casefold()
        if lowered.startswith(name) and _AFTER_A_CHOICE.match(lowered[len(name) :]):
            meant.append((len(name), choice))
    if not meant:
        raise ValueError(f"{text[:100]!r} is none of {', '.join(words or [str(one) for one in choices])[:300]}")
    return max(meant, key=lambda pair: pair[0])[1]


def _number(text: str, *, whole: bool) -> int | float:
    found = _NUMBER.match(text[: LONGEST_NUMBER + 1])
    if not found or len(found[1]) > LONGEST_NUMBER:
        raise ValueError(f"{text[:100]!r} is no number")
    digits = found[1].replace(",", "").replace("\u2212", "-")
    if re.fullmatch(r"[-+]?\d+", digits):
        return int(digits)
    value = float(digits)
    if not math.isfinite(value) or (whole and not value.is_integer()):
        raise ValueError(f"{text[:100]!r} is no {'whole number' if whole else 'number'}")
    return int(value) if whole else value


def _within(value: Any, size: float, schema: Mapping[str, Any], names: tuple[str, str], unit: str) -> Any:
    if not _is_within(size, schema, names):
        limits = ", ".join(f"{name} {schema[name]}" for name in sorted(schema) if name != "type")
        raise ValueError(f"{f'{size:g} {unit}'.strip()} are not within {limits}")
    return value


def _is_within(size: float, schema: Mapping[str, Any], names: tuple[str, str]) -> bool:
    least, most = names
    return (
        size >= schema.get(least, -math.inf)
        and size <= schema.get(most, math.inf)
        and size > schema.get("exclusiveMinimum", -math.inf)
        and size < schema.get("exclusiveMaximum", math.inf)
    )
