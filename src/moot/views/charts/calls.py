"""When each call was made and how long it took, seat by seat."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from moot.views.charts.frames import PlotArea, chart_figure, chart_svg, even_ticks, figures_table, label, label_room
from moot.views.svg import figure, safe_text, text_element, words_element
from moot.views.words import counted

WIDTH = 760.0
TOP, SEAT_GAP = 6.0, 8.0
LANE, LANE_GAP, NARROW_LANE = 8.0, 2.0, 3.0
MANY_LANES = 16
"""Where a seat has more calls at once, they are drawn narrow."""
MOST_LABEL = 130.0
SEAT_HUES = 12
THINNEST = 1.5
MOST_ROWS = 400
"""Rows of the table; the page of calls has all."""


@dataclass(frozen=True, slots=True)
class CallBar:
    """One call: who was asked for what, when after the start, for how long; `problem` is why it was made again."""

    seat: str
    step: str
    start: float
    seconds: float
    tokens: int | None = None
    usd: float | None = None
    problem: str = ""
    running: bool = False

    @property
    def words(self) -> str:
        """All that is known of it, in a line."""
        parts = [self.step, f"{self.seconds:.1f} s"]
        parts += [f"{self.tokens:,} tokens"] if self.tokens is not None else []
        parts += [f"${self.usd:.4f}"] if self.usd is not None else []
        parts += ["under way"] if self.running else []
        return ", ".join([*parts, *([self.problem] if self.problem else [])])


def calls_chart(bars: Sequence[CallBar], seats: Mapping[str, int]) -> str:
    """Return the calls as bars by seat; `seats` gives the number of each, in the order in which they are shown."""
    names = list(dict.fromkeys([*seats, *(bar.seat for bar in bars)]))
    room = label_room(names, MOST_LABEL) + 12
    end = max((bar.start + bar.seconds for bar in bars), default=0.0) or 1.0
    plot = PlotArea(room, TOP, WIDTH - room - 26, 0.0)
    y, parts = TOP, []
    for name in names:
        lanes = _lanes([bar for bar in bars if bar.seat == name])
        high = LANE if len(lanes) <= MANY_LANES else NARROW_LANE
        parts.append(text_element(0, y + LANE, label(name, room - 8), "head"))
        for row, lane in enumerate(lanes):
            parts += _drawn_bars(lane, plot, y + (high + LANE_GAP) * row, high, end, seats)
        y += max((high + LANE_GAP) * len(lanes), LANE + LANE_GAP) + SEAT_GAP
    parts[:0] = _axis(plot, y, end)
    finding = f"{counted(len(bars), 'call')} in {end:.1f} seconds, by seat"
    return chart_figure(chart_svg(WIDTH, y + 18, finding, "".join(parts)), _table(bars, finding), look="calls")


def _lanes(bars: Sequence[CallBar]) -> list[list[CallBar]]:
    """The bars in as few rows as they need so that none covers another."""
    lanes: list[list[CallBar]] = []
    for bar in sorted(bars, key=lambda bar: (bar.start, bar.step)):
        free = next((lane for lane in lanes if lane[-1].start + lane[-1].seconds <= bar.start), None)
        if free is None:
            lanes.append([bar])
        else:
            free.append(bar)
    return lanes


def _drawn_bars(
    lane: Sequence[CallBar], plot: PlotArea, y: float, high: float, end: float, seats: Mapping[str, int]
) -> Iterator[str]:
    for bar in lane:
        x = plot.left + plot.width * bar.start / end
        wide = max(plot.width * bar.seconds / end, THINNEST)
        hue = f" seat-{(seats[bar.seat] - 1) % SEAT_HUES + 1}" if bar.seat in seats else ""
        look = f"bar{' failed' if bar.problem else hue}{' running' if bar.running else ''}"
        place = f'x="{figure(x)}" y="{figure(y)}" width="{figure(wide)}" height="{figure(high)}" rx="2"'
        yield f'<rect class="{look}" {place}><title>{safe_text(f"{bar.seat}: {bar.words}")}</title></rect>'


def _axis(plot: PlotArea, bottom: float, end: float) -> Iterator[str]:
    for tick in even_ticks(0.0, end):
        x = plot.left + plot.width * tick / end
        yield f'<path class="grid" d="M{figure(x)} {figure(plot.top)}V{figure(bottom)}"/>'
        yield words_element(x, bottom + 13, f"{tick:g} s", "tick", "middle")


def _table(bars: Sequence[CallBar], finding: str) -> str:
    rows = (
        [
            bar.step,
            bar.seat,
            f"{bar.start:.1f}",
            f"{bar.seconds:.1f}",
            "unknown" if bar.tokens is None else f"{bar.tokens:,}",
            "unknown" if bar.usd is None else f"{bar.usd:.4f}",
            bar.problem,
        ]
        for bar in sorted(bars, key=lambda bar: bar.start)[:MOST_ROWS]
    )
    caption = finding if len(bars) <= MOST_ROWS else f"{finding}; the first {MOST_ROWS}"
    return figures_table(["step", "seat", "start", "seconds", "tokens", "dollars", "problem"], rows, caption)
