"""Figures by row and column, the darker the larger; small ones stand side by side."""

from collections.abc import Iterator

from moot.core.panes import MatrixChart
from moot.views.charts.frames import SIZE, chart_figure, chart_svg, figure_words, figures_table, label_room
from moot.views.svg import figure, safe_text, text_element, words_element
from moot.views.text_widths import BOLD, wrapped_lines

GAP = 2.0
CELL, CELL_HEIGHT, NAMED_CELL = 46.0, 38.0, 84.0
SMALL_CELL = 13.0
MOST_LABEL, LABEL_LINES, LABEL_LINE = 190.0, 3, 13.0
TOLD_ROOM, TOLD_LINES = 300.0, 4
"""The room below the cells in which the parts of a figure are told, when it is pointed at or has the focus."""
FAINT, DARKEST = 0.06, 0.5
"""How strong the colour is at 0, and how much stronger at 1: figures are read upon it by day and by night."""


def matrix_chart(chart: MatrixChart) -> str:
    """Return the chart, with its table where it is not a small one."""
    if chart.small:
        return _small(chart)
    wide = CELL if chart.seats else NAMED_CELL
    room = label_room(chart.rows, MOST_LABEL, bold=True) + 10
    heads = [wrapped_lines(name, (wide - 4) / BOLD, SIZE, LABEL_LINES) for name in chart.columns]
    top = LABEL_LINE * max(map(len, heads), default=0) + 8
    parts = [
        text_element(
            room + (wide + GAP) * column + wide / 2,
            top - 6 - LABEL_LINE * (len(lines) - row - 1),
            line,
            "head",
            "middle",
        )
        for column, lines in enumerate(heads)
        for row, line in enumerate(lines)
    ]
    for row, name in enumerate(chart.rows):
        y = top + (CELL_HEIGHT + GAP) * row
        lines = wrapped_lines(name, (room - 9) / BOLD, SIZE, 2)
        for number, line in enumerate(lines):
            middle = y + CELL_HEIGHT / 2 + 4 + LABEL_LINE * (number - (len(lines) - 1) / 2)
            parts.append(text_element(room - 8, middle, line, "head", "end"))
    width = room + (wide + GAP) * len(chart.columns)
    height = top + (CELL_HEIGHT + GAP) * len(chart.rows)
    if chart.parts:
        parts += _told_cells(chart, room, top, wide)
        width, height = max(width, TOLD_ROOM), height + LABEL_LINE * (TOLD_LINES + 1)
    else:
        parts += _cells(chart, room, top, wide)
    svg = chart_svg(width, height, chart.finding, "".join(parts), has_stops=bool(chart.parts))
    return chart_figure(svg, _table(chart), look="matrix", caption=chart.caption)


def _cells(chart: MatrixChart, left: float, top: float, wide: float) -> Iterator[str]:
    for row, values in enumerate(chart.values):
        for column in range(len(values)):
            cell = _cell(chart, row, column, (left, top, wide))
            yield f"<g>{_title(chart, row, column)}{cell}</g>"


def _told_cells(chart: MatrixChart, left: float, top: float, wide: float) -> Iterator[str]:
    """Yield the cells with what they are made of below them; where a pair is told twice, the keyboard stops once."""
    bottom = top + (CELL_HEIGHT + GAP) * len(chart.rows)
    room = max(left + (wide + GAP) * len(chart.columns), TOLD_ROOM)
    for row, values in enumerate(chart.values):
        for column, value in enumerate(values):
            cell = _cell(chart, row, column, (left, top, wide))
            if value is None or not _parts(chart, row, column):
                yield f"<g>{_title(chart, row, column)}{cell}</g>"
                continue
            words = _words(chart, row, column)
            lines = wrapped_lines(words, room, SIZE, TOLD_LINES)
            told = "".join(
                text_element(0, bottom + LABEL_LINE * (number + 1), line, "telling")
                for number, line in enumerate(lines)
            )
            stop = "" if chart.seats and row > column else ' tabindex="0"'
            yield f'<g class="told"{stop} role="img" aria-label="{safe_text(words)}">{cell}{told}</g>'


def _cell(chart: MatrixChart, row: int, column: int, place: tuple[float, float, float]) -> str:
    left, top, wide = place
    value = chart.values[row][column]
    x, y = left + (wide + GAP) * column, top + (CELL_HEIGHT + GAP) * row
    words = words_element(x + wide / 2, y + CELL_HEIGHT / 2 + 4, figure_words(value), "cell", "middle")
    return f"{_rect(value, x, y, wide, CELL_HEIGHT)}{'' if value is None else words}"


def _small(chart: MatrixChart) -> str:
    parts = []
    for row, values in enumerate(chart.values):
        for column, value in enumerate(values):
            at = (SMALL_CELL + GAP) * column, (SMALL_CELL + GAP) * row
            parts.append(f"<g>{_title(chart, row, column)}{_rect(value, *at, SMALL_CELL, SMALL_CELL)}</g>")
    width, height = ((SMALL_CELL + GAP) * len(side) for side in (chart.columns, chart.rows))
    return chart_figure(
        chart_svg(width, height, chart.finding, "".join(parts)), "", look="small", caption=chart.caption
    )


def _rect(value: float | None, x: float, y: float, wide: float, high: float) -> str:
    place = f'x="{figure(x)}" y="{figure(y)}" width="{figure(wide)}" height="{figure(high)}" rx="3"'
    if value is None:
        return f'<rect class="none" {place}/>'
    return f'<rect class="heat" {place} fill-opacity="{FAINT + DARKEST * min(max(value, 0.0), 1.0):.2f}"/>'


def _title(chart: MatrixChart, row: int, column: int) -> str:
    return "" if chart.values[row][column] is None else f"<title>{safe_text(_words(chart, row, column))}</title>"


def _words(chart: MatrixChart, row: int, column: int) -> str:
    words = f"{chart.rows[row]}, {chart.columns[column]}: {figure_words(chart.values[row][column])}"
    parts = _parts(chart, row, column)
    return f"{words} ({parts})" if parts else words


def _parts(chart: MatrixChart, row: int, column: int) -> str:
    known = row < len(chart.parts) and column < len(chart.parts[row])
    return chart.parts[row][column] if known else ""


def _table(chart: MatrixChart) -> str:
    rows = (
        [
            name,
            *(
                f"{figure_words(value)} ({parts})" if (parts := _parts(chart, row, column)) else figure_words(value)
                for column, value in enumerate(chart.values[row])
            ),
        ]
        for row, name in enumerate(chart.rows)
    )
    return figures_table(["", *chart.columns], rows, chart.finding)
