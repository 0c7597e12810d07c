"""Figures along an axis of named places, one line a series."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from moot.core.panes import ChartSeries, LineChart
from moot.views.charts.frames import (
    PlotArea,
    chart_figure,
    chart_svg,
    even_ticks,
    figure_words,
    figures_table,
    label,
    label_room,
    level,
)
from moot.views.layout.heights import nearest_heights
from moot.views.svg import figure, safe_text, text_element
from moot.views.text_widths import wrapped_lines

WIDTH, PLOT_HEIGHT = 820.0, 210.0
LEFT, TOP, BELOW = 40.0, 12.0, 6.0
MOST_LABEL = 170.0
SLOT = 34.0
"""A place that has less room shares its label with its neighbours."""
LABEL_HEIGHT = 14.0
PLACE_SIZE, PLACE_LINE, PLACE_LINES = 10.0, 13.0, 2
SHAPES = ("disc", "square", "diamond")


def line_chart(chart: LineChart) -> str:
    """Return the chart with its table."""
    ends = [(series, last) for series in chart.series if (last := _last(series)) is not None]
    room = label_room((_end_words(series, last) for series, last in ends), MOST_LABEL, bold=True)
    plot = PlotArea(LEFT, TOP, WIDTH - LEFT - room - 16, PLOT_HEIGHT)
    figures = [value for series in chart.series for value in series.values if value is not None]
    low, high = min([chart.low, *figures]), max([chart.high, *figures])
    scale = _Scale(plot, low, high if high > low else low + 1, len(chart.places))
    parts = [*_axes(chart, scale), *_thresholds(chart, scale)]
    for number, series in enumerate(chart.series):
        parts.append(_series(chart, series, SHAPES[number % len(SHAPES)], scale))
    parts += _labels(ends, scale, room)
    height = plot.bottom + BELOW + PLACE_LINE * PLACE_LINES + 4
    return chart_figure(chart_svg(WIDTH, height, chart.finding, "".join(parts)), _table(chart))


class _Scale:
    """From places and figures to points of the plot."""

    def __init__(self, plot: PlotArea, low: float, high: float, places: int) -> None:
        self.plot, self.low, self.high = plot, low, high
        self.inset = min(34.0, plot.width / 8)
        self.step = (plot.width - 2 * self.inset) / max(places - 1, 1)

    def x(self, place: int) -> float:
        return self.plot.left + self.inset + self.step * place

    def y(self, value: float) -> float:
        return self.plot.bottom - (value - self.low) / (self.high - self.low) * self.plot.height


def _axes(chart: LineChart, scale: _Scale) -> Iterator[str]:
    for tick in even_ticks(scale.low, scale.high):
        yield level(scale.plot, scale.y(tick), f"{tick:g}")
    every = max(1, round(SLOT / max(scale.step, 1.0)))
    for place in range(0, len(chart.places), every):
        # The first and the last label stand no further out than the chart goes.
        room = min(max(scale.step * every, SLOT) - 1, 2 * scale.x(place), 2 * (WIDTH - scale.x(place)))
        lines = wrapped_lines(chart.places[place], room, PLACE_SIZE, PLACE_LINES)
        for row, line in enumerate(lines):
            y = scale.plot.bottom + BELOW + PLACE_LINE * (row + 0.8)
            yield text_element(scale.x(place), y, line, "place", "middle")


def _thresholds(chart: LineChart, scale: _Scale) -> Iterator[str]:
    for words, value in chart.thresholds:
        if scale.low <= value <= scale.high:
            y = scale.y(value)
            yield f'<path class="threshold" d="M{figure(scale.plot.left)} {figure(y)}H{figure(scale.plot.right)}"/>'
            above = y - 4 if y > scale.plot.top + 12 else y + 11
            yield text_element(scale.plot.right, above, label(words, scale.plot.width), "aside", "end")


def _series(chart: LineChart, series: ChartSeries, shape: str, scale: _Scale) -> str:
    points = [(place, value) for place, value in enumerate(series.values) if value is not None]
    marks = "".join(
        f"<g><title>{safe_text(f'{chart.places[place]}: {series.name} {value:.3g}')}</title>"
        f"{_mark(shape, scale.x(place), scale.y(value))}</g>"
        for place, value in points
    )
    ways = "".join(_way(run, scale) for run in _runs(points))
    return f'<g class="{_look(series)}">{ways}{marks}</g>'


def _runs(points: Sequence[tuple[int, float]]) -> Iterator[list[tuple[int, float]]]:
    """The stretches without a gap."""
    for _, run in groupby(enumerate(points), key=lambda pair: pair[1][0] - pair[0]):
        yield [point for _, point in run]


def _way(run: Sequence[tuple[int, float]], scale: _Scale) -> str:
    points = "L".join(f"{figure(scale.x(place))} {figure(scale.y(value))}" for place, value in run)
    return f'<path class="way" d="M{points}"/>' if len(run) > 1 else ""


def _mark(shape: str, x: float, y: float) -> str:
    if shape == "disc":
        return f'<circle class="dot" cx="{figure(x)}" cy="{figure(y)}" r="3.5"/>'
    if shape == "square":
        return f'<rect class="dot" x="{figure(x - 3.2)}" y="{figure(y - 3.2)}" width="6.4" height="6.4"/>'
    return f'<path class="dot" d="M{figure(x)} {figure(y - 4.6)}l4.6 4.6l-4.6 4.6l-4.6 -4.6z"/>'


def _labels(ends: Sequence[tuple[ChartSeries, tuple[int, float]]], scale: _Scale, room: float) -> Iterator[str]:
    """The names at the ends of the lines, moved apart where lines end together."""
    rows = sorted(ends, key=lambda end: scale.y(end[1][1]))
    sizes = [LABEL_HEIGHT] * len(rows)
    heights = nearest_heights([scale.y(value) for _, (_, value) in rows], sizes, 0.0)
    over = max([0.0, *(height - scale.plot.bottom for height in heights)])
    for (series, last), height in zip(rows, heights, strict=True):
        line = label(_end_words(series, last), room, bold=True)
        y = max(height - over, scale.plot.top) + 4
        yield text_element(scale.plot.right + 8, y, line, f"end {_look(series)}")


def _look(series: ChartSeries) -> str:
    return f"series tone-{series.tone or 'plain'}{' dashed' if series.dashed else ''}"


def _last(series: ChartSeries) -> tuple[int, float] | None:
    values = [(place, value) for place, value in enumerate(series.values) if value is not None]
    return values[-1] if values else None


def _end_words(series: ChartSeries, last: tuple[int, float]) -> str:
    return f"{series.name} {last[1]:.2f}"


def _table(chart: LineChart) -> str:
    columns = ["", *(series.name for series in chart.series)]
    rows = (
        [
            place,
            *(figure_words(series.values[number] if number < len(series.values) else None) for series in chart.series),
        ]
        for number, place in enumerate(chart.places)
    )
    return figures_table(columns, rows, chart.finding)
