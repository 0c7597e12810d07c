"""Tables in Markdown."""

from collections.abc import Iterable, Sequence


def cell(text: str) -> str:
    """Return a text as it may stand in a table: one line, with its bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; the cells are written as they are."""
    return [_line(head), f"|{'---|' * len(head)}", *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
