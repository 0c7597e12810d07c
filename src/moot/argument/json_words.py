"""What a value is, in the words of JSON: whoever sent it may know no Python."""

from collections.abc import Mapping
from typing import Any


def kind_of(value: Any) -> str:
    """Return what a value is: a text, a number, true, false, null, a list, an object."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    kinds = ((str, "a text"), ((int, float), "a number"), ((list, tuple), "a list"), (Mapping, "an object"))
    return next((kind for types, kind in kinds if isinstance(value, types)), f"a {type(value).__name__}")


def listed(names: list[str]) -> str:
    """Return names as an English list: `a`, `b` and `c`."""
    told = [f"`{name}`" for name in names]
    return " and ".join([", ".join(told[:-1]), told[-1]]) if len(told) > 1 else told[0]
