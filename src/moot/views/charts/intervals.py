"""Accuracy against cost, each with its interval; no label upon another, nor upon a bar."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from moot.views.charts.frames import (
    SIZE,
    PlotArea,
    chart_figure,
    chart_svg,
    even_ticks,
    figures_table,
    level,
    share_words,
)
from moot.views.svg import figure, safe_text, text_element, words_element
from moot.views.text_widths import TextLine, shortened_line, text_width

WIDTH, HEIGHT = 640.0, 320.0
PLOT = PlotArea(46.0, 14.0, WIDTH - 46.0 - 18.0, HEIGHT - 14.0 - 48.0)
MOST_LABEL = 150.0
LINE = 14.0
HUES = 12
LOG_FROM = 10.0
"""Costs that differ by a larger factor stand on a scale of powers."""

Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class IntervalPoint:
    """One arm: its cost, its share of right answers, and the interval of that share."""

    name: str
    cost: float
    share: float
    low: float
    high: float
    hollow: bool = False
    """Whether it is drawn open, since it belongs to something else than the others."""
    arm: str = ""
    """What it is a point of, where that is not its name: points of one arm have one hue."""


def intervals_chart(finding: str, axis: str, points: Sequence[IntervalPoint]) -> str:
    """Return the chart with its table; `axis` is what the cost is counted in."""
    scale = _CostScale([point.cost for point in points])
    parts = [level(PLOT, _y(tick), share_words(tick)) for tick in (0.0, 0.25, 0.5, 0.75, 1.0)]
    parts += [words_element(scale.x(tick), PLOT.bottom + 16, _short(tick), "tick", "middle") for tick in scale.ticks]
    parts.append(words_element(PLOT.left + PLOT.width / 2, PLOT.bottom + 36, axis, "aside", "middle"))
    hues = _hues(points)
    parts += [_bar(point, scale, hue) for point, hue in zip(points, hues, strict=True)]
    parts += _labels(points, scale, hues)
    rows = ([p.name, f"{p.cost:g}", share_words(p.share), f"{p.low:.0%} to {p.high:.0%}"] for p in points)
    table = figures_table(["arm", axis, "right", "interval"], rows, finding)
    return chart_figure(chart_svg(WIDTH, HEIGHT, finding, "".join(parts)), table)


class _CostScale:
    """Where a cost stands: in proportion, or by its power where costs differ much."""

    def __init__(self, costs: Sequence[float]) -> None:
        positive = [cost for cost in costs if cost > 0]
        self.by_power = bool(positive) and len(positive) == len(costs) and max(costs) > LOG_FROM * min(costs)
        if self.by_power:
            every = _power_ticks(min(costs), max(costs))
            self.low = log10(max(tick for tick in every if tick <= min(costs)))
            self.high = log10(min(tick for tick in every if tick >= max(costs) * 1.2))
        else:
            self.low, self.high = 0.0, max(costs, default=0.0) * 1.15 or 1.0

    @property
    def ticks(self) -> list[float]:
        if not self.by_power:
            return even_ticks(self.low, self.high)
        every = _power_ticks(10**self.low, 10**self.high)
        return [tick for tick in every if self.low - 1e-9 <= log10(tick) <= self.high + 1e-9]

    def x(self, cost: float) -> float:
        value = log10(cost) if self.by_power else cost
        return PLOT.left + PLOT.width * (value - self.low) / (self.high - self.low)


def _power_ticks(least: float, most: float) -> list[float]:
    """1, 3, 10, 30, … from below the least cost to above the largest."""
    powers = range(floor(log10(least)) - 1, ceil(log10(most)) + 2)
    return [part * 10.0**power for power in powers for part in (1, 3)]


def _y(share: float) -> float:
    return PLOT.bottom - PLOT.height * share


def _hues(points: Sequence[IntervalPoint]) -> list[int]:
    """Return the hue of each point: that of its arm, by the order in which arms come."""
    arms = list(dict.fromkeys(point.arm or point.name for point in points))
    return [arms.index(point.arm or point.name) % HUES + 1 for point in points]


def _bar(point: IntervalPoint, scale: _CostScale, hue: int) -> str:
    x, top, bottom = scale.x(point.cost), _y(point.high), _y(point.low)
    title = f"{point.name}: {point.share:.0%} right, {point.low:.0%} to {point.high:.0%}, at {point.cost:g}"
    path = f"M{figure(x - 5)} {figure(top)}h10m-5 0V{figure(bottom)}m-5 0h10"
    look = f"interval{' hollow' if point.hollow else ''} seat-{hue}"
    return (
        f'<g class="{look}"><title>{safe_text(title)}</title><path d="{path}"/>'
        f'<circle cx="{figure(x)}" cy="{figure(_y(point.share))}" r="5.5"/></g>'
    )


def _labels(points: Sequence[IntervalPoint], scale: _CostScale, hues: Sequence[int]) -> Iterator[str]:
    """The names, each beside its point where there is room, else as near as there is."""
    taken = [(scale.x(p.cost) - 6, _y(p.high), scale.x(p.cost) + 6, _y(p.low)) for p in points]
    taken += [(scale.x(p.cost) - 8, _y(p.share) - 8, scale.x(p.cost) + 8, _y(p.share) + 8) for p in points]
    for hue, point in sorted(zip(hues, points, strict=True), key=lambda pair: (pair[1].cost, pair[1].name)):
        words = shortened_line(point.name, MOST_LABEL, SIZE)
        line = TextLine(words.text, text_width(words.text, SIZE, bold=True), words.stated)
        place = min(_places(scale.x(point.cost), _y(point.share), line.width), key=lambda at: _overlap(at, taken))
        taken.append(place)
        yield text_element(place[0], place[3] - 3, line, f"end hued seat-{hue}")


def _places(x: float, y: float, wide: float) -> Iterator[Rectangle]:
    """Where a label may stand, the nearest first: right or left of its point, then further and further up and down."""
    for away in range(20):
        for sign in (-1, 1) if away else (1,):
            top = y - LINE / 2 + sign * away * LINE / 2
            for left in (x + 10, x - 10 - wide):
                if PLOT.left <= left and left + wide <= WIDTH and PLOT.top <= top and top + LINE <= PLOT.bottom:
                    yield left, top, left + wide, top + LINE
    yield PLOT.left, PLOT.top, PLOT.left + wide, PLOT.top + LINE


def _overlap(at: Rectangle, taken: Sequence[Rectangle]) -> float:
    left, top, right, bottom = at
    return sum(
        max(0.0, min(right, other[2]) - max(left, other[0])) * max(0.0, min(bottom, other[3]) - max(top, other[1]))
        for other in taken
    )


def _short(value: float) -> str:
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"
