"""Deliberations in a list: one line each where the terminal is wide, two where it is not, and nothing wraps."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

from moot.core.budget import Spent
from moot.service.listing import ListedDeliberation
from moot.views.ages import age_words
from moot.views.words import flat, usd_words

WIDE = 100
"""Columns from which on a question has room beside the rest."""
ROWS = 20
FEWEST_ROWS = 5
_LINES_BESIDE = 3
"""The command, the line that says how many more there are, and the next prompt."""


def list_lines(rows: Sequence[ListedDeliberation], now: float, width: int | None) -> Iterator[str]:
    """Yield the lines of a list; without a width, each deliberation is whole and on one line."""
    cells = [_cells(row, now) for row in rows]
    widest = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row, values in zip(rows, cells, strict=True):
        facts = "  ".join(f"{value:<{size}}" for value, size in zip(values, widest, strict=True))
        yield from (_cut(line, width) for line in _lines(row, facts, width))


def rows_that_fit(width: int, height: int) -> int:
    """Return how many deliberations a terminal shows at once."""
    each = 1 if width >= WIDE else 2
    return max(FEWEST_ROWS, min(ROWS, (height - _LINES_BESIDE) // each))


def _lines(row: ListedDeliberation, facts: str, width: int | None) -> Iterator[str]:
    id_, question = row.summary.id, flat(row.summary.question)
    if width is None or width >= WIDE:
        yield f"{facts}  {question}"
    else:
        yield facts
        yield f"  {question}"
    if row.stalled:
        yield f"  {'it was stopped' if row.stopped else 'nobody works on it'}: moot resume {id_}"


def _cells(row: ListedDeliberation, now: float) -> tuple[str, ...]:
    known = row.summary
    return (known.id, flat(known.protocol), known.status, _cost(row.cost), age_words(now - known.started))


def _cost(spent: Spent) -> str:
    if spent.usd is None:
        return "unknown"
    return f"{'at least ' if spent.unknown.usd else ''}{usd_words(spent.usd)}"


def _cut(line: str, width: int | None) -> str:
    line = line.rstrip()
    if width is None or cell_len(line) <= width:
        return line
    return f"{set_cell_size(line, width - 1).rstrip()}…"
