"""The figures of a spiral: agreement and divergence by loop, and the matrix of pairs. Scheduled is said to be so."""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.core.panes import ChartSeries, LineChart, MatrixChart
from moot.protocols.spiral.agreement.measures import (
    LEAST_AGREEMENT,
    LEAST_HARMONY,
    LOOPS,
    MOST_DIVERGENCE,
    scheduled_divergence,
)
from moot.protocols.spiral.axioms.registry import LEVELS
from moot.protocols.spiral.pages.progress import Decided, LoopProgress

THRESHOLDS = (
    (f"needed: H > {LEAST_HARMONY:.2f}", LEAST_HARMONY),
    (f"needed: every C > {LEAST_AGREEMENT:.2f}", LEAST_AGREEMENT),
    (f"needed: scheduled D < {MOST_DIVERGENCE:.2f}", MOST_DIVERGENCE),
)
"""The three conditions of spiral 5.2."""

PartWeights = Mapping[str, float]
"""How much each part counts in C, by its name."""

Figures = Mapping[str, Any]
"""What a measurement found, as its note has it."""


def loop_name(loop: int) -> str:
    """Return what a loop is called."""
    return f"loop {loop}" if loop else "the exposition"


def agreement_chart(measured: Sequence[LoopProgress], *, ended: bool) -> LineChart:
    """Return H, the least C and both divergences by loop; while it runs, the schedule for the loops to come too."""
    figures = {loop.loop: loop.measured for loop in measured if loop.measured}
    last = max(figures) if ended else LOOPS
    by_loop = [figures.get(loop) for loop in range(last + 1)]
    initial = figures[min(figures)]["scheduled_divergence"]
    schedule = tuple(scheduled_divergence(initial, loop) for loop in range(last + 1))
    return LineChart(
        _finding(measured),
        tuple(f"{loop} {LEVELS.get(loop, 'exposition')}" for loop in range(last + 1)),
        (
            ChartSeries("H", _values(by_loop, "harmony"), "good"),
            ChartSeries("least C", tuple(least_agreement(one) if one else None for one in by_loop)),
            ChartSeries("D measured", _values(by_loop, "measured_divergence"), "warn"),
            ChartSeries("D scheduled", schedule, "warn", dashed=True),
        ),
        THRESHOLDS,
    )


def pair_matrix(loop: LoopProgress, weights: PartWeights, *, small: bool = False) -> MatrixChart:
    """Return C of every pair after a loop, with its parts where the matrix is not a small one."""
    pairs = (loop.measured or {})["pairs"]
    seats = tuple(dict.fromkeys(seat for pair in pairs for seat in (pair["first"], pair["second"])))
    by_pair = {(pair["first"], pair["second"]): pair for pair in pairs}
    by_pair |= {(second, first): pair for (first, second), pair in by_pair.items()}
    told = (
        {} if small else {pair["first"] + " " + pair["second"]: _parts(pair, weights, loop.decided) for pair in pairs}
    )
    least = min(pairs, key=lambda pair: pair["agreement"])
    return MatrixChart(
        f"After {loop_name(loop.loop)} C is least between {least['first']} and {least['second']}: "
        f"{least['agreement']:.2f}.",
        seats,
        seats,
        tuple(tuple(_agreement(by_pair.get((row, column))) for column in seats) for row in seats),
        tuple(tuple(_told(by_pair.get((row, column)), told) for column in seats) for row in seats) if told else (),
        small=small,
        caption=loop_name(loop.loop),
        seats=True,
    )


def least_agreement(figures: Figures) -> float | None:
    """Return C of the pair that agrees least."""
    return min((pair["agreement"] for pair in figures["pairs"]), default=None)


def _finding(measured: Sequence[LoopProgress]) -> str:
    first, last = measured[0].measured or {}, measured[-1]
    now = last.measured or {}
    begin, end = f"{first['harmony']:.2f}", f"{now['harmony']:.2f}"
    still = f"is {end} after {loop_name(last.loop)}"
    course = still if begin == end else f"goes from {begin} at the exposition to {end} after {loop_name(last.loop)}"
    divergences = (
        f"measured divergence is {now['measured_divergence']:.2f}; the scheduled one, which measures nothing, "
        f"is {now['scheduled_divergence']:.2f}"
    )
    return f"Harmony H {course}; the least C of a pair is {least_agreement(now) or 0:.2f}; {divergences}."


def _values(by_loop: Sequence[Figures | None], name: str) -> tuple[float | None, ...]:
    return tuple(figures[name] if figures else None for figures in by_loop)


def _agreement(pair: Figures | None) -> float | None:
    return pair["agreement"] if pair else None


def _told(pair: Figures | None, told: Mapping[str, str]) -> str:
    return told[pair["first"] + " " + pair["second"]] if pair else ""


def _parts(pair: Figures, weights: PartWeights, decided: Decided) -> str:
    parts = "; ".join(_part(name, pair[name], weight) for name, weight in weights.items())
    return f"C {pair['agreement']:.2f}: {parts}{_judge(decided.get((pair['first'], pair['second'])))}"


def _part(name: str, value: float | None, weight: float) -> str:
    if value is not None:
        return f"{name} {value:.2f} \u00d7 {weight:.2f}"
    why = "judged by nobody" if name == "entailment" else "of neither"
    return f"{name} {why}, its weight {weight:.2f} is spread"


def _judge(item: Mapping[str, Any] | None) -> str:
    if item is None:
        return ""
    return f"; judged by {item['judge']}" if item["judge"] else "; decided by letters alone"
