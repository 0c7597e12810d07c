"""One amount by day, as columns, or by name, as bars; each figure stands in a table beside the chart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from moot.views.charts.frames import SIZE, PlotArea, chart_svg, even_ticks, label, label_room, level
from moot.views.svg import figure, safe_text, text_element, words_element
from moot.views.text_widths import text_width

WIDTH, HEIGHT = 640.0, 220.0
TOP, FOOT, RIGHT = 12.0, 26.0, 12.0
WIDEST_COLUMN = 34.0
ROW, BAR = 26.0, 16.0
MOST_LABEL = 220.0
DAY_GAP = 14.0
"""Room between the labels of two days."""


@dataclass(frozen=True, slots=True)
class AmountBar:
    """An amount under its name, and how it is said; `partly` where some of it is unknown."""

    name: str
    amount: float
    words: str
    partly: bool = False

    @property
    def look(self) -> str:
        """How it is drawn: what is only partly known is open."""
        return "amount partly" if self.partly else "amount"

    @property
    def title(self) -> str:
        """What is told of it where somebody points at it."""
        return f"{self.name}: {self.words}"


def day_columns(finding: str, bars: Sequence[AmountBar]) -> str:
    """Return the amounts of days that follow each other."""
    highest = max((bar.amount for bar in bars), default=0.0) or 1.0
    ticks = _ticks(bars, highest)
    room = label_room(map(tick_words, ticks), MOST_LABEL) + 10
    plot = PlotArea(room, TOP, WIDTH - room - RIGHT, HEIGHT - TOP - FOOT)
    parts = [level(plot, plot.bottom - plot.height * tick / highest, tick_words(tick)) for tick in ticks]
    step = plot.width / max(1, len(bars))
    wide = min(WIDEST_COLUMN, step * 0.8)
    for number, bar in enumerate(bars):
        x, high = plot.left + step * (number + 0.5), plot.height * bar.amount / highest
        parts.append(_rectangle(bar, x - wide / 2, plot.bottom - high, wide, high))
    return chart_svg(WIDTH, HEIGHT, finding, "".join([*parts, *_days(bars, plot, step)]))


def named_bars(finding: str, bars: Sequence[AmountBar]) -> str:
    """Return the amounts of names, one below the other."""
    highest = max((bar.amount for bar in bars), default=0.0) or 1.0
    room = label_room([bar.name for bar in bars], MOST_LABEL) + 12
    said = label_room([bar.words for bar in bars], MOST_LABEL) + 12
    parts = []
    for number, bar in enumerate(bars):
        y, wide = ROW * number + TOP / 2, (WIDTH - room - said) * bar.amount / highest
        parts.append(text_element(0, y + BAR - 4, label(bar.name, room - 12), "head"))
        parts.append(_rectangle(bar, room, y, wide, BAR))
        parts.append(text_element(room + wide + 6, y + BAR - 4, label(bar.words, said - 6), "tick"))
    return chart_svg(WIDTH, ROW * len(bars) + TOP, finding, "".join(parts))


def _rectangle(bar: AmountBar, x: float, y: float, width: float, height: float) -> str:
    place = f'x="{figure(x)}" y="{figure(y)}" width="{figure(width)}" height="{figure(height)}"'
    return f'<rect class="{bar.look}" {place}><title>{safe_text(bar.title)}</title></rect>'


def _days(bars: Sequence[AmountBar], plot: PlotArea, step: float) -> Iterator[str]:
    """As many labels of days as have room, the last among them."""
    wide = max((text_width(bar.name, SIZE) for bar in bars), default=0.0) + DAY_GAP
    every = max(1, -(-int(wide) // max(1, int(step)))) if step < wide else 1
    for number in range(len(bars) - 1, -1, -every):
        half = text_width(bars[number].name, SIZE) / 2
        x = min(max(plot.left + step * (number + 0.5), plot.left + half - 20), WIDTH - half)
        yield words_element(x, plot.bottom + 17, bars[number].name, "tick", "middle")


def _ticks(bars: Sequence[AmountBar], highest: float) -> list[float]:
    """Round figures of the axis; there is no half of what is counted."""
    is_count = all(bar.amount % 1 == 0 for bar in bars)
    return [tick for tick in even_ticks(0.0, highest) if tick % 1 == 0 or not is_count]


def tick_words(value: float) -> str:
    """Return a figure of an axis in few letters."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
