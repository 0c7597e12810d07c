"""Pictures of a summary as SVG: accuracy against cost, accuracy by support width, reliability of each basis.

The same summary gives the same bytes: no date, a fixed salt for ids, text kept as text. matplotlib comes with the extra
`evals` and is imported only when something is drawn.
"""

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from moot.core.errors import ExtraMissing
from moot.evals.figures.calibration import Calibration, Stratum
from moot.evals.report.summary import ArmSummary, EvalSummary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, GREY, ORANGE = "#2f5d8a", "#8a8f98", "#b3541e"
COLOURS = ("#2f5d8a", "#b3541e", "#3f7f4f", "#8c4a8c", "#a8861c", "#4a9aa8", "#7a4a35", "#5b616b")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p", "h")
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "moot",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Arial", "Helvetica"],
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
}


@dataclass(frozen=True, slots=True)
class Plot:
    """One picture: the name of its file without an ending, what it shows, and its bytes."""

    name: str
    caption: str
    image: bytes


@dataclass(frozen=True, slots=True)
class Measure:
    """What stands for cost on the axis, and why it is not dollars where it is not."""

    unit: str
    why: str
    of: Callable[[ArmSummary], float | None]

    @property
    def label(self) -> str:
        """What the axis is called."""
        return f"{self.unit} an item ({self.why})" if self.why else f"{self.unit} an item"


def plots(summary: EvalSummary, *, image_format: str = "svg") -> tuple[Plot, ...]:
    """Return every picture that the summary has figures for.

    Raises:
        ExtraMissing: matplotlib is not installed.
    """
    made: list[Plot] = []
    if any(arm.expense.items for arm in summary.arms):
        measure = cost_measure(summary.arms)
        caption = f"Accuracy against {measure.label}"
        made.append(Plot("accuracy_cost", caption, _image(lambda: _accuracy_cost(summary.arms, measure), image_format)))
    for arm in summary.arms:
        if arm.strata:
            made.append(_drawn_widths(arm, image_format))
        made += [_drawn_reliability(arm, one, image_format) for one in arm.calibrations]
    return tuple(made)


def cost_measure(arms: Sequence[ArmSummary]) -> Measure:
    """Return dollars an item where every arm's cost is known and some arm's is not 0; else tokens; else seconds."""
    asked = [arm for arm in arms if arm.expense.items]
    costs = [arm.expense.usd for arm in asked]
    why = "some cost is unknown" if None in costs else "the cost is $0"
    if None not in costs and any(costs):
        return Measure("dollars", "", lambda arm: _an_item(arm, arm.expense.usd))
    if all(arm.expense.tokens is not None for arm in asked):
        return Measure("tokens", why, lambda arm: _an_item(arm, arm.expense.tokens))
    return Measure("seconds", why, lambda arm: _an_item(arm, arm.expense.seconds))


def _an_item(arm: ArmSummary, total: float | None) -> float | None:
    return None if total is None or not arm.expense.items else total / arm.expense.items


def _drawn_widths(arm: ArmSummary, image_format: str) -> Plot:
    caption = f"Accuracy by support width: {arm.arm}"
    image = _image(lambda: _by_width(arm.strata, caption), image_format)
    return Plot(f"support_width_{_file_name(arm.arm)}", caption, image)


def _drawn_reliability(arm: ArmSummary, one: Calibration, image_format: str) -> Plot:
    caption = f"Reliability of {one.basis} confidence: {arm.arm}"
    image = _image(lambda: _reliability(one, caption), image_format)
    return Plot(f"reliability_{_file_name(arm.arm)}_{_file_name(one.basis)}", caption, image)


def _file_name(text: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in text.lower())


def _image(draw: Callable[[], "Figure"], image_format: str) -> bytes:
    try:
        import matplotlib
    except ImportError:
        raise ExtraMissing(what="drawing plots", extra="evals") from None
    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        # No date in an SVG, no version in a PNG: the same figures are the same bytes.
        metadata = {"Date": None, "Creator": "Moot"} if image_format == "svg" else {"Software": "Moot"}
        draw().savefig(buffer, format=image_format, metadata=metadata, dpi=120)
    return buffer.getvalue()


def _figure(width: float, height: float) -> "tuple[Figure, Axes]":
    # A figure made by hand has its own Agg canvas: neither a display nor pyplot's global state is touched.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _accuracy_cost(arms: Sequence[ArmSummary], measure: Measure) -> "Figure":
    asked = sorted((arm for arm in arms if arm.expense.items), key=lambda arm: (-(arm.overall.value or 0), arm.arm))
    figure, axes = _figure(8.4, 4.6)
    costs = [measure.of(arm) or 0.0 for arm in asked]
    logarithmic = min(costs) > 0 and max(costs) / min(costs) > 5
    for number, (arm, cost) in enumerate(zip(asked, costs, strict=True)):
        share = arm.overall
        colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
        axes.vlines(cost, 100 * share.low, 100 * share.high, color=colour, linewidth=1.4, zorder=2)
        (point,) = axes.plot([cost], [100 * (share.value or 0.0)], color=colour, marker=marker, markersize=8, zorder=3)
        point.set(linestyle="", label=f"{arm.arm}, {share.right} of {share.of}")
    if logarithmic:
        _decades(axes, min(costs), max(costs))
    else:
        axes.set_xlim(-0.03 * (max(costs) or 1), max(costs) * 1.06 or 1)
    axes.set_xlabel(measure.label + (", logarithmic" if logarithmic else ""))
    _percent(axes, "items right, 95 % interval")
    axes.set_title("Accuracy against cost")
    figure.legend(loc="outside right center", frameon=False, fontsize=9, labelspacing=0.9)
    return figure


def _decades(axes: "Axes", least: float, most: float) -> None:
    """Put plain numbers at 1, 2 and 5 of each decade on a logarithmic axis."""
    low, high = math.floor(math.log10(least)) - 1, math.ceil(math.log10(most)) + 1
    axes.set_xscale("log")
    ticks = [step * 10.0**power for power in range(low, high + 1) for step in (1, 2, 5)]
    shown = [tick for tick in ticks if least * 0.7 <= tick <= most * 1.4]
    axes.set_xticks(shown, [f"{tick:,.10g}" for tick in shown])
    axes.set_xticks([], minor=True)
    axes.set_xlim(least * 0.7, most * 1.4)


def _by_width(strata: Sequence[Stratum], title: str) -> "Figure":
    figure, axes = _figure(5.6, 3.8)
    places = range(len(strata))
    shares = [100 * (part.right.value or 0.0) for part in strata]
    axes.bar(places, shares, width=0.6, color=BLUE, alpha=0.35)
    for place, part, share in zip(places, strata, shares, strict=True):
        _interval(axes, place, share, 100 * part.right.low, 100 * part.right.high)
    axes.set_xticks(list(places), [f"{part}\n{part.right.right} of {part.right.of}" for part in strata])
    axes.set_xlim(-0.7, len(strata) - 0.3)
    axes.set_xlabel("support width")
    _percent(axes, "right, 95 % interval")
    axes.set_title(title)
    return figure


def _reliability(one: Calibration, title: str) -> "Figure":
    figure, axes = _figure(5.2, 5)
    axes.plot([0, 100], [0, 100], color=GREY, linewidth=1, linestyle="--", label="perfectly calibrated")
    for part in one.bins:
        if part.mean_confidence is None or part.right.value is None:
            continue
        confidence, share = 100 * part.mean_confidence, 100 * part.right.value
        size = 5 + 9 * math.sqrt(part.right.of / one.held)
        _interval(axes, confidence, share, 100 * part.right.low, 100 * part.right.high, size=size)
        axes.annotate(str(part.right.of), (confidence, share), xytext=(8, 5), textcoords="offset points", fontsize=9)
    note = "\nan order, not a probability" if one.basis == "structure" else ""
    axes.set_xlim(-3, 103)
    axes.set_xlabel(f"{one.basis} confidence (%), mean of each tenth{note}")
    _percent(axes, "right, 95 % interval; beside each point how many")
    axes.set_title(f"{title}\nBrier {one.brier:.3f}, ECE {one.ece:.3f}, {one.held} answers")
    axes.legend(frameon=False, loc="upper left", fontsize=9)
    return figure


def _interval(axes: "Axes", x: float, middle: float, low: float, high: float, size: float = 7) -> None:
    axes.vlines(x, low, high, color=BLUE, linewidth=1.4, zorder=2)
    axes.plot([x], [middle], marker="o", markersize=size, color=ORANGE, zorder=3)


def _percent(axes: "Axes", label: str) -> None:
    axes.set_ylim(-3, 103)
    axes.set_yticks(range(0, 101, 20), [f"{value} %" for value in range(0, 101, 20)])
    axes.set_ylabel(label)
    axes.grid(axis="y", color="#e3e5e8", linewidth=0.8)
    axes.set_axisbelow(True)
