"""How often answers of a confidence were right, one small chart a basis: bases are never put together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from moot.views.charts.frames import PlotArea, chart_figure, chart_svg, figures_table, label, level, share_words
from moot.views.svg import figure, safe_text, text_element, words_element
from moot.views.words import counted

PLOT = PlotArea(44.0, 40.0, 180.0, 180.0)
WIDTH, HEIGHT = PLOT.right + 24, PLOT.bottom + 40
SMALLEST, LARGEST = 3.5, 11.0


@dataclass(frozen=True, slots=True)
class ReliabilityPoint:
    """Answers of about one confidence: which, how many of them were right, and how many there were."""

    confidence: float
    share: float
    count: int


def reliability_chart(finding: str, bases: Mapping[str, Sequence[ReliabilityPoint]]) -> str:
    """Return a chart for each basis and one table for all."""
    charts = "".join(_basis(basis, points) for basis, points in bases.items())
    rows = (
        [basis, share_words(point.confidence), share_words(point.share), str(point.count)]
        for basis, points in bases.items()
        for point in points
    )
    table = figures_table(["basis", "confidence", "right", "answers"], rows, finding)
    return chart_figure(charts, table, look="several")


def _basis(basis: str, points: Sequence[ReliabilityPoint]) -> str:
    answers = sum(point.count for point in points)
    most = max((point.count for point in points), default=1)
    parts = [level(PLOT, _y(tick), share_words(tick)) for tick in (0.0, 0.5, 1.0)]
    parts += [
        words_element(_x(tick), PLOT.bottom + 16, share_words(tick), "tick", "middle") for tick in (0.0, 0.5, 1.0)
    ]
    parts.append(f'<path class="threshold" d="M{figure(_x(0))} {figure(_y(0))}L{figure(_x(1))} {figure(_y(1))}"/>')
    parts.append(text_element(0.0, 12.0, label(basis, WIDTH, bold=True), "end"))
    parts.append(words_element(0.0, 27.0, counted(answers, "answer"), "tick"))
    parts.append(words_element(PLOT.left + PLOT.width / 2, PLOT.bottom + 32, "confidence", "aside", "middle"))
    for point in sorted(points, key=lambda point: -point.count):
        radius = SMALLEST + (LARGEST - SMALLEST) * sqrt(point.count / most)
        words = f"confidence {point.confidence:.0%}: {point.share:.0%} of {counted(point.count, 'answer')} right"
        parts.append(
            f'<circle class="count" cx="{figure(_x(point.confidence))}" cy="{figure(_y(point.share))}" '
            f'r="{figure(radius)}"><title>{safe_text(words)}</title></circle>'
        )
    said = "; ".join(f"{point.share:.0%} right at {point.confidence:.0%}" for point in points)
    return chart_svg(WIDTH, HEIGHT, f"{basis}: {said or 'no answers'}", "".join(parts))


def _x(confidence: float) -> float:
    return PLOT.left + PLOT.width * confidence


def _y(share: float) -> float:
    return PLOT.bottom - PLOT.height * share
