"""How often answers were right, by a whole number that orders them, such as support width."""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.views.charts.frames import PlotArea, chart_figure, chart_svg, figures_table, label, level, share_words
from moot.views.svg import figure, safe_text, text_element, words_element

PLOT = PlotArea(44.0, 26.0, 180.0, 130.0)
WIDTH, HEIGHT = PLOT.right + 24, PLOT.bottom + 54
WIDEST_BAR = 34.0


@dataclass(frozen=True, slots=True)
class StratumPoint:
    """Answers of one number: how many of how many were right, and the interval of that share."""

    name: str
    right: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """How many of them were right, of one."""
        return self.right / self.of if self.of else 0.0


def strata_chart(title: str, axis: str, points: Sequence[StratumPoint]) -> str:
    """Return a bar for each number that `axis` names, with its interval and how many it stands for, and the table."""
    finding = f"{title}: right by {axis}"
    parts = [level(PLOT, _y(tick), share_words(tick)) for tick in (0.0, 0.5, 1.0)]
    parts.append(text_element(0.0, 12.0, label(title, WIDTH, bold=True), "end"))
    slot = PLOT.width / max(1, len(points))
    for number, point in enumerate(points):
        parts.append(_bar(point, PLOT.left + slot * (number + 0.5), min(WIDEST_BAR, slot * 0.6), slot))
    parts.append(words_element(PLOT.left + PLOT.width / 2, PLOT.bottom + 46, axis, "aside", "middle"))
    rows = ([p.name, f"{p.right} of {p.of}", share_words(p.share), f"{p.low:.0%} to {p.high:.0%}"] for p in points)
    said = "; ".join(f"{point.name}: {point.right} of {point.of}" for point in points)
    svg = chart_svg(WIDTH, HEIGHT, f"{finding}: {said}", "".join(parts))
    return chart_figure(svg, figures_table([axis, "right", "share", "interval"], rows, finding), look="several")


def _bar(point: StratumPoint, x: float, wide: float, slot: float) -> str:
    top, middle = _y(point.share), figure(x)
    place = f'x="{figure(x - wide / 2)}" y="{figure(top)}" width="{figure(wide)}" height="{figure(PLOT.bottom - top)}"'
    path = f"M{figure(x - 5)} {figure(_y(point.high))}h10m-5 0V{figure(_y(point.low))}m-5 0h10"
    title = safe_text(f"{point.name}: {point.right} of {point.of} right, {point.low:.0%} to {point.high:.0%}")
    return (
        f'<g class="stratum"><title>{title}</title><rect {place}/><path d="{path}"/>'
        f'<circle cx="{middle}" cy="{figure(top)}" r="3.5"/></g>'
        f"{text_element(x, PLOT.bottom + 15, label(point.name, slot), 'tick', 'middle')}"
        f"{words_element(x, PLOT.bottom + 29, f'{point.right} of {point.of}', 'place', 'middle')}"
    )


def _y(share: float) -> float:
    return PLOT.bottom - PLOT.height * share
