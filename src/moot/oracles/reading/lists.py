"""Lists of numbers as members write them: a JSON list, or numbers with spaces, commas or semicolons between them.

`100,200` is two numbers or one with its thousands marked: where several are taken it is refused (ruling S12).
"""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from moot.oracles.finding import Uncomputable

_THOUSANDS = re.compile(r"(?<![0-9.])[0-9]{1,3},[0-9]{3}(?![0-9])")
_SPACED = re.compile(r",\s+(?:and\s+)?|\s+and\s+|\s+")


def _joined(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value)) if all(map(_is_entry, value)) else value
    return str(value) if _is_entry(value) else value


def _is_entry(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


Numbers = Annotated[str, BeforeValidator(_joined), WithJsonSchema({"type": "string", "maxLength": 200})]
"""A field that takes a list of numbers as readily as their text."""


def entries(text: str) -> list[str]:
    """Return the texts of the numbers in a list.

    Raises:
        Uncomputable: its commas may stand between numbers or inside them.

    """
    inner = text.strip().strip("[]()").strip()
    if ";" in inner:
        return [entry.strip() for entry in inner.split(";")]
    if _SPACED.search(inner):
        return _SPACED.split(inner)
    if _THOUSANDS.search(inner):
        raise Uncomputable("several numbers with spaces between them, since a comma may mark thousands")
    return inner.split(",")
