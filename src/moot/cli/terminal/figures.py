"""Sections of figures on a terminal: tables that fit its width, with no figure cut or broken over two lines.

A table that is too wide is drawn in parts, each with the names of its rows; or turned, its rows as columns, as many
side by side as fit; whichever takes fewer lines. Where a name alone is too wide for that, each row is a block.
"""

import textwrap
from collections.abc import Iterable, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from moot.evals.figures.goals import Goal
from moot.evals.report.parts import Bullets, FigureTable, GoalList, Paragraph, SummaryPart, SummarySection, table
from moot.views.words import flat, harmless

GAP = 2
ROOMY = 10
"""How wide a heading of several words may be although its figures are narrower, where there is room."""

_COLOUR = {"met": "green", "not met": "red", "unknown": "yellow"}


def print_sections(sections: Iterable[SummarySection], console: Console) -> None:
    """Print sections so that they fit the terminal."""
    for section in sections:
        if section.title:
            console.print(Text(flat(section.title), style="bold underline"), end="\n\n")
        for drawn in (drawn for part in section.parts for drawn in drawn_part(part, console)):
            console.print(drawn)
            console.print()


def drawn_part(part: SummaryPart, console: Console) -> Sequence[RenderableType]:
    """Return what a part of a section looks like on this terminal."""
    match part:
        case Paragraph(text):
            return [Text(harmless(text))]
        case Bullets(lines):
            return [_pairs((name or "-", text) for name, text in lines)]
        case GoalList(goals):
            return [_goal(goal) for goal in goals]
        case FigureTable():
            return fitting_tables(part, console)


def fitting_tables(figures: FigureTable, console: Console) -> Sequence[RenderableType]:
    """Return the table whole if it fits; else in parts or turned, whichever takes fewer lines; else as blocks."""
    whole = parts_that_fit(figures, console.width)
    if len(whole) == 1:
        return whole
    turned = parts_that_fit(_turned(figures), console.width) if figures.names == 1 else []
    ways = [way for way in (whole, turned) if way]
    return min(ways, key=lambda way: sum(map(_height, way))) if ways else [blocks(figures)]


def parts_that_fit(figures: FigureTable, width: int) -> list[Table]:
    """Return the table as the fewest tables that fit, about equally wide; none where a column has no room."""
    widths = [_width(figures, at) for at in range(len(figures.head))]
    groups = _column_groups(widths, figures.names, width)
    for limit in range(width, 0, -1):
        narrower = _column_groups(widths, figures.names, limit)
        if not narrower or len(narrower) > len(groups):
            break
        groups = narrower
    return [_drawn(figures, group, width) for group in groups]


def blocks(figures: FigureTable) -> RenderableType:
    """Return each row by itself: its name, and below it every figure with its own."""
    drawn: list[RenderableType] = []
    for row in figures.rows:
        pairs = zip(figures.head[figures.names :], row[figures.names :], strict=True)
        name = Text(", ".join(map(flat, row[: figures.names])), style="bold", overflow="fold")
        drawn += [name, Padding(_pairs(pairs), (0, 0, 0, 2)), Text()]
    return Group(*drawn[:-1])


def _column_groups(widths: Sequence[int], names: int, limit: int) -> list[list[int]]:
    """Return the columns in groups, each as full as it goes with the names before it; none where one does not fit."""
    beside_names = limit - sum(widths[:names]) - GAP * (names - 1)
    groups: list[list[int]] = []
    room = 0
    for at in range(names, len(widths)):
        needed = GAP + widths[at]
        if needed > room:
            groups.append(list(range(names)))
            room = beside_names
        if needed > room:
            return []
        groups[-1].append(at)
        room -= needed
    return groups


def _drawn(figures: FigureTable, places: Sequence[int], width: int) -> Table:
    """Return these columns of a table, with their headings in as few lines as there is room for."""
    for widest in (width, ROOMY, 0):
        folds = [_folded(figures, at, widest) for at in places]
        wanted = [max(_width(figures, at), *map(cell_len, fold)) for at, fold in zip(places, folds, strict=True)]
        if sum(wanted) + GAP * (len(places) - 1) <= width:
            break
    drawn = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for at, fold in zip(places, folds, strict=True):
        side = "right" if at >= figures.names else "left"
        drawn.add_column(Text("\n".join(fold)), justify=side, vertical="bottom", no_wrap=True)
    for row in figures.rows:
        drawn.add_row(*(Text(flat(row[at])) for at in places))
    return drawn


def _folded(figures: FigureTable, at: int, widest: int) -> list[str]:
    """Return a heading in lines no wider than this or than its column; at least one."""
    words, wanted = flat(figures.head[at]), max(widest, _width(figures, at), 1)
    return textwrap.wrap(words, wanted, break_long_words=False, break_on_hyphens=False) or [""]


def _width(figures: FigureTable, at: int) -> int:
    """Return what a column needs: its widest cell, or the longest word of its heading."""
    cells = (flat(row[at]) for row in figures.rows)
    return max((cell_len(text) for text in (*flat(figures.head[at]).split(), *cells)), default=0)


def _height(drawn: Table) -> int:
    heading = max(str(column.header).count("\n") for column in drawn.columns)
    return drawn.row_count + heading + 3


def _turned(figures: FigureTable) -> FigureTable:
    """Return the table with its rows as columns."""
    figure_rows = zip(figures.head[1:], *(row[1:] for row in figures.rows), strict=True)
    return table(("", *(row[0] for row in figures.rows)), figure_rows)


def _pairs(pairs: Iterable[tuple[str, str]]) -> Table:
    """Return names with what they stand for, wrapped beside them."""
    grid = Table.grid(Column(no_wrap=True, style="dim"), Column(overflow="fold"), padding=(0, 2, 0, 0))
    for name, text in pairs:
        grid.add_row(Text(flat(name)), Text(flat(text)))
    return grid


def _goal(goal: Goal) -> RenderableType:
    state = (goal.state, f"bold {_COLOUR[goal.state]}")
    heading = Text.assemble((f"{goal.name}  ", "bold"), f"{goal.goal}: ", state)
    told = (("target", goal.target), ("measured", goal.measured), ("note", goal.why))
    return Group(heading, Padding(_pairs(pair for pair in told if pair[1]), (0, 0, 0, 4)))
