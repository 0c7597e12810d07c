"""How a reply's parts are read and shown: leniently read, strictly shown, always bounded (rulings G3 and G4)."""

import re
from collections.abc import Callable
from typing import Any

MOST_ITEMS = 12
"""Items of a list that are read; more are left out."""

REFERENCE = re.compile(r"\s*\[?(\d{1,3})\]?[.:)]?\s*(.*)", re.DOTALL)


def words(longest: int) -> Callable[[Any], Any]:
    """Return what reads a text of at most so many characters: a number is its digits, null is nothing."""

    def read(value: Any) -> Any:
        if value is None:
            return ""
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        return value.strip()[:longest] if isinstance(value, str) else value

    return read


def items(value: Any) -> Any:
    """Nothing is an empty list, one thing is a list of one; what is too much is left out."""
    if value is None or value == "":
        return ()
    if isinstance(value, str | dict):
        return (value,)
    return tuple(value[:MOST_ITEMS]) if isinstance(value, list | tuple) else value


def ids(pattern: str) -> Callable[[Any], Any]:
    """Keep what is an id; drop what is none, which costs that item and nothing else."""

    def read(value: Any) -> Any:
        listed = items(value)
        if not isinstance(listed, tuple):
            return ()
        found = (re.match(pattern, str(item).strip().upper().strip("[]")) for item in listed)
        return tuple(dict.fromkeys(match[0] for match in found if match))

    return read


def share(value: Any) -> Any:
    """0.85, "0.85", 85 and "85%" all say the same; 8, 1.5 or "high" may mean anything, and are asked again."""
    if isinstance(value, bool):
        return str(value)
    percent = isinstance(value, str) and value.strip().endswith("%")
    if isinstance(value, str):
        try:
            value = float(value.strip().rstrip("%"))
        except ValueError:
            return value
    is_number = isinstance(value, int | float)
    # Of a number above ten only a percentage can be meant.
    return value / 100 if is_number and (percent or 10 < value <= 100) else value


def one_word(longest: int) -> Callable[[Any], Any]:
    """Return what reads one word; several of them, as of one who votes twice, are read as they are and are none."""
    read_words = words(longest)

    def read(value: Any) -> Any:
        return read_words(" ".join(map(str, value[:MOST_ITEMS])) if isinstance(value, list | tuple) else value)

    return read


def text_schema(longest: int, least: int = 0) -> dict[str, Any]:
    """Return the schema of a bounded text."""
    return {"type": "string", "maxLength": longest, **({"minLength": least} if least else {})}


def list_schema(item: dict[str, Any], most: int) -> dict[str, Any]:
    """Return the schema of a bounded list."""
    return {"type": "array", "items": item, "maxItems": most}


def leaning(value: Any) -> Any:
    """A number that leans one way or the other; what is none was not said."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and -1 <= value <= 1 else None


def by_label(value: Any) -> Any:
    """Claims that come as one list, each with its label, are sorted into the three."""
    if not isinstance(value, list):
        return value if isinstance(value, dict) else {}
    sorted_: dict[str, list[str]] = {"facts": [], "inferences": [], "assumptions": []}
    lists = {"FACT": "facts", "INFER": "inferences", "ASSUME": "assumptions"}
    for item in value[:MOST_ITEMS]:
        label = str(item.get("label", item.get("type", ""))).strip("[] ").upper() if isinstance(item, dict) else ""
        text = item.get("text", item.get("claim", "")) if isinstance(item, dict) else ""
        if label in lists and isinstance(text, str):
            sorted_[lists[label]].append(text)
    return sorted_


def reason_given(value: Any) -> Any:
    """A bare text is the reason itself."""
    return {"reason": value} if isinstance(value, str) else value if isinstance(value, dict) else {}


def number_in(value: Any) -> Any:
    """The number that a mark such as [2] holds."""
    found = re.search(r"\d{1,3}", str(value))
    return int(found[0]) if found else 0


def plain_schema(schema: Any) -> Any:
    """Return a schema with its shape alone: titles, descriptions and defaults are no part of it."""
    if isinstance(schema, list):
        return [plain_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    named = {name: plain_schema(value) for name, value in schema.get("properties", {}).items()}
    kept = {name: value for name, value in schema.items() if name not in ("title", "description", "default")}
    rest = {name: plain_schema(value) for name, value in kept.items() if name != "properties"}
    return {**rest, "properties": named} if named else rest
