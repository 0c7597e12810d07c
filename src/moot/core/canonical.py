"""One way to write a value as JSON, so that equal values are equal bytes.

Keys are sorted, floats are rounded to six places, there are no sets and no NaN. Covers values made of
dataclasses, pydantic models, mappings, lists and plain scalars; anything else is refused.
"""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from pydantic import BaseModel

PLACES = 6

_ACTED_ON = re.compile(r"[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


def rounded(number: float) -> float:
    """Return the number as the record keeps it; thresholds compare this value."""
    if not math.isfinite(number):
        raise ValueError(f"{number} cannot be kept in a record")
    return round(number, PLACES) + 0.0


def plain(value: Any, *, as_given: bool = False) -> Any:
    """Return the value as JSON types, in the record's rounding; `as_given`, its mappings keep their order.

    Raises:
        TypeError: for a value with no canonical form, such as a set.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, float):
        return rounded(value)
    if isinstance(value, BaseModel):
        return plain(value.model_dump(by_alias=True), as_given=as_given)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name), as_given=as_given) for field in fields(value)}
    if isinstance(value, Mapping):
        # Two keys may become one when what cannot be stored is replaced: the order then decides, not the insertion.
        keys = value if as_given else sorted(value)
        return {_key(key): plain(value[key], as_given=as_given) for key in keys}
    if isinstance(value, list | tuple):
        return [plain(item, as_given=as_given) for item in value]
    raise TypeError(f"{type(value).__name__} has no canonical form")


def storable(text: str) -> str:
    """Return the text with what no database and no UTF-8 file can hold replaced by U+FFFD."""
    if text.isascii() and "\x00" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def canonical(value: Any) -> str:
    """Return the one JSON text of a value."""
    return json.dumps(plain(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def in_given_order(value: Any) -> str:
    """Return a JSON text for people to read from: its mappings are in the order in which they were given."""
    return json.dumps(plain(value, as_given=True), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def digest(value: Any) -> str:
    """Return the SHA-256 of a value's canonical text."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{key!r} cannot be the key of an object")
    return storable(key)


def harmless_json(text: str) -> str:
    """Return a JSON text in which what a terminal acts on, or what turns a line about, is escaped; its value stays."""
    return _ACTED_ON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
