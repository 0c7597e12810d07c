"""What somebody replied, as rows of names and words: the same rows on the terminal, in Markdown and on the page."""

from collections.abc import Iterator, Mapping
from typing import Any


def reply_rows(reply: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield a row for each thing that a reply says: single values first, then its lists, an item a row."""
    for name, value in sorted(reply.items(), key=lambda pair: _has_parts(pair[1])):
        yield from _rows(name, value)


def _rows(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for part, inner in value.items():
            yield from _rows(f"{name} {part}", inner)
    elif _has_parts(value):
        yield from ((name, _words(item)) for item in value)
    else:
        yield name, _words(value)


def _has_parts(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_words(inner)}" for name, inner in value.items())
    if _has_parts(value):
        return "; ".join(map(_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
