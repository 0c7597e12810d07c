"""What a protocol shows to a person, as lines: names with their values, lists as lines, texts wrapped.

Everything is shown, in the order given. A text may be a model's: it cannot move the cursor, and its further lines are
indented, so that none of them can pass for a name of the protocol's own.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moot.views.sections import wrapped
from moot.views.words import harmless

INDENT = "  "


def outlined(shown: Mapping[str, Any], width: int) -> Iterator[str]:
    """Yield each name with its value, wrapped to a width."""
    for name, value in shown.items():
        label = " ".join(harmless(name).replace("_", " ").split())
        words = _plain_words(value)
        if words is not None and "\n" not in words:
            yield from wrapped(f"{label}: {words}", width).split("\n")
        else:
            yield f"{label}:"
            yield from (f"{INDENT}{line}" for line in _lines(value, width - len(INDENT)))


def _lines(value: Any, width: int) -> Iterator[str]:
    words = _plain_words(value)
    if words is not None:
        yield from wrapped(words, width).split("\n")
    elif isinstance(value, Mapping):
        yield from outlined(value, width)
    else:
        for item in value:
            first, *others = _lines(item, width - len(INDENT))
            yield f"- {first}"
            yield from (f"{INDENT}{line}" for line in others)


def _plain_words(value: Any) -> str | None:
    """Return a value that is no structure in words, and nothing as `none`."""
    if isinstance(value, str):
        return "\n".join(harmless(value).splitlines()).strip("\n") or "none"
    if isinstance(value, Mapping | Sequence):
        return None if value else "none"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return f"{value:g}" if isinstance(value, float) else str(value)
