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
        parts += _cells(chart, row, room, y, wide)
    width = room + (wide + GAP) * len(chart.columns)
    height = top + (CELL_HEIGHT + GAP) * len(chart.rows)
    svg = chart_svg(width, height, chart.finding, "".join(parts))
    return chart_figure(svg, _table(chart), look="matrix", caption=chart.caption)


def _cells(chart: MatrixChart, row: int, left: float, y: float, wide: float) -> Iterator[str]:
    for column, value in enumerate(chart.values[row]):
        x = left + (wide + GAP) * column
        rect = _rect(value, x, y, wide, CELL_HEIGHT)
        words = words_element(x + wide / 2, y + CELL_HEIGHT / 2 + 4, figure_words(value), "cell", "middle")
        yield f"<g>{_title(chart, row, column)}{rect}{'' if value is None else words}</g>"


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
    value = chart.values[row][column]
    if value is None:
        return ""
    words = f"{chart.rows[row]}, {chart.columns[column]}: {value:.2f}"
    parts = _parts(chart, row, column)
    return f"<title>{safe_text(f'{words} ({parts})' if parts else words)}</title>"


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
