"""What every chart has: a picture with a sentence for its label, axes, and its figures in a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, log10

from moot.views.scrolling import scroll_box
from moot.views.svg import figure, safe_text, words_element
from moot.views.text_widths import BOLD, TextLine, shortened_line, text_width

SIZE = 11.0
"""The size of every label."""


@dataclass(frozen=True, slots=True)
class PlotArea:
    """The part of a chart that figures stand in."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height


def chart_figure(svg: str, table: str, *, look: str = "", caption: str = "") -> str:
    """Return a chart with its table, and words below it."""
    words = f"<figcaption>{safe_text(caption)}</figcaption>" if caption else ""
    shown = scroll_box(svg, "Chart")
    return f'<figure class="chart{f" {look}" if look else ""}">{shown}{words}{table}</figure>'


def chart_svg(width: float, height: float, finding: str, body: str, *, has_stops: bool = False) -> str:
    """Return the picture; its label is what it shows. With stops, parts of it can have the focus."""
    role = "group" if has_stops else "img"
    size = f'viewBox="0 0 {figure(width)} {figure(height)}" width="{figure(width)}" height="{figure(height)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="{role}" aria-label="{safe_text(finding)}">{body}</svg>'
    )


def figures_table(columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """Return the figures of a chart as a folded table; the first of each row is its name."""
    head = "".join(f'<th scope="col">{safe_text(name)}</th>' for name in columns)
    body = "".join(
        f'<tr><th scope="row">{safe_text(first)}</th>{"".join(f"<td>{safe_text(value)}</td>" for value in rest)}</tr>'
        for first, *rest in rows
    )
    said = f"<caption>{safe_text(caption)}</caption>" if caption else ""
    table = f"<table>{said}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<details class="figures"><summary>The figures</summary>{scroll_box(table, "The figures")}</details>'


def level(plot: PlotArea, y: float, words: str) -> str:
    """Return a line across the plot with its figure at the left."""
    line = f'<path class="grid" d="M{figure(plot.left)} {figure(y)}H{figure(plot.right)}"/>'
    return line + words_element(plot.left - 7, y + 4, words, "tick", "end")


def even_ticks(low: float, high: float) -> list[float]:
    """Return four to seven round figures from the lowest to the highest."""
    span = high - low
    step = 10 ** floor(log10(span)) if span > 0 else 1.0
    # A span of 1 has steps of 0.25, one of 3 steps of 0.5.
    step = next(step * part for part in (0.25, 0.5, 1.0, 2.0, 2.5) if span <= 6 * step * part)
    first = floor(low / step + 1e-9)
    return [
        round(number * step, 12) for number in range(first, first + 9) if low - 1e-9 <= number * step <= high + 1e-9
    ]


def share_words(value: float) -> str:
    """Return a share in per cent."""
    return f"{value:.0%}"


def figure_words(value: float | None) -> str:
    """Return a figure of a chart, a dash where there is none."""
    return "–" if value is None else f"{value:.2f}"  # noqa: RUF001


def label_room(words: Iterable[str], most: float, *, bold: bool = False) -> float:
    """Return how much room the widest of these labels takes, and no more than `most`."""
    return min(most, max((text_width(text, SIZE, bold=bold) for text in words), default=0.0))


def label(words: str, room: float, *, bold: bool = False) -> TextLine:
    """Return a label that fits its room."""
    return shortened_line(words, (room + 0.1) / (BOLD if bold else 1.0), SIZE)
