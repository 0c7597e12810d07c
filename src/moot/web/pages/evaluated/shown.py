"""A run as its page shows it: the figures of `moot evals` with their charts, some items, and what is beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from moot.evals.figures.metrics import Paired, compare
from moot.evals.figures.outcomes import ItemLine, outcome_of
from moot.evals.report.beside import RunsBeside, beside
from moot.evals.report.parts import SummarySection, summary_sections
from moot.evals.report.plots import Measure, cost_measure
from moot.evals.report.summary import BASELINES, ArmSummary
from moot.evals.runs.shelf import EvalRun
from moot.views.charts import (
    IntervalPoint,
    ReliabilityPoint,
    StratumPoint,
    intervals_chart,
    reliability_chart,
    strata_chart,
)
from moot.views.words import counted
from moot.web.pages.evaluated.state import EvalState, Show
from moot.web.pages.shown.panes import drawn

ITEMS = 100
"""Items of one page."""
TONES = {"met": "good", "not met": "bad", "unknown": "soft"}
IN_THE_PAGE = ("", "Goals", "What is missing or could not be read")
"""Sections of the summary that the page has in another form."""


@dataclass(frozen=True, slots=True)
class ArmLine:
    """An arm in the table: its figures, its cost an item, and how it fared against another."""

    arm: ArmSummary
    cost: float | None
    paired: Paired | None


@dataclass(frozen=True, slots=True)
class RunShown:
    """What the templates of a run are given."""

    state: EvalState
    run: EvalRun
    other: EvalRun | None
    beside: RunsBeside | None
    measure: Measure
    against: str
    lines: tuple[ArmLine, ...]
    chart: Markup
    reliability: Markup
    strata: tuple[tuple[str, Markup], ...]
    sections: tuple[SummarySection, ...]
    items: Sequence[ItemLine]
    items_total: int

    @property
    def title(self) -> str:
        """What the tab of a browser is called."""
        words = f"{self.run.name}, {self.run.info.dataset}"
        return words if self.run.totals.is_whole else f"● {self.answered} \N{EN DASH} {words}"

    @property
    def swapped(self) -> str:
        """The address of the two runs with the other one first."""
        return EvalState(self.state.beside, beside=self.state.run).address()

    @property
    def answered(self) -> str:
        """How far the run has come."""
        cost = self.run.totals.expense
        return f"{cost.items if cost else 0} of {self.run.totals.planned}"


def run_shown(state: EvalState, run: EvalRun, other: EvalRun | None) -> RunShown:
    """Return a run with all its charts."""
    arms = run.summary.arms
    measure = cost_measure([*arms, *(other.summary.arms if other else ())])
    against = _against(state.against, run)
    matching = [line for line in run.lines if is_listed(line, state.show)]
    return RunShown(
        state=state,
        run=run,
        other=other,
        beside=beside(run, other) if other else None,
        measure=measure,
        against=against,
        lines=tuple(_lines(run, measure, against)),
        chart=_accuracy_chart(run, other, measure),
        reliability=_reliability(arms),
        strata=tuple(_strata(arms)),
        sections=tuple(part for part in summary_sections(run.summary) if part.title not in IN_THE_PAGE),
        items=matching[state.start : state.start + ITEMS],
        items_total=len(matching),
    )


def is_listed(line: ItemLine, show: Show) -> bool:
    """Return whether an item is among those that are asked for."""
    return show == "all" or (line.is_divided if show == "divided" else "failed" in line.outcomes)


def outcome_title(line: ItemLine, arm: str) -> str:
    """Return what is told of a cell where somebody points at it."""
    row = line.rows[arm]
    said = row.answer if row.answer is not None else row.problem or "no answer"
    words = "abstained, rightly" if row.correct and row.abstained else outcome_of(row)
    return f"{arm}, {line.item}: {words}: {said}"


def _against(chosen: str, run: EvalRun) -> str:
    """The arm that others are compared with: the one that was chosen, else the strongest baseline there is."""
    there = [arm for arm, rows in run.by_arm.items() if rows]
    wanted = (chosen, *reversed(BASELINES), *there)
    return next((arm for arm in wanted if arm in there), "")


def _lines(run: EvalRun, measure: Measure, against: str) -> Iterator[ArmLine]:
    for arm in run.summary.arms:
        is_compared = against and arm.arm != against and run.by_arm[arm.arm]
        paired = compare(run.by_arm[arm.arm], run.by_arm[against]) if is_compared else None
        yield ArmLine(arm, measure.of(arm), paired)


def _accuracy_chart(run: EvalRun, other: EvalRun | None, measure: Measure) -> Markup:
    points = list(_points(run, measure))
    points += _points(other, measure, ", there") if other else []
    if not points:
        return Markup()
    best = max(points, key=lambda point: point.share)
    finding = f"{counted(len(points), 'arm')}, items right against {measure.label}: {best.name} is right most often"
    return drawn(intervals_chart(f"{finding}, {best.share:.0%}", measure.label, points))


def _points(run: EvalRun, measure: Measure, mark: str = "") -> Iterator[IntervalPoint]:
    for arm in run.summary.arms:
        share, cost = arm.overall, measure.of(arm)
        if share.value is not None and cost is not None:
            yield IntervalPoint(
                f"{arm.arm}{mark}", cost, share.value, share.low, share.high, hollow=bool(mark), arm=arm.arm
            )


def _reliability(arms: Sequence[ArmSummary]) -> Markup:
    bases = {
        f"{arm.arm}: {one.basis}": [
            ReliabilityPoint(part.mean_confidence, part.right.value, part.right.of)
            for part in one.bins
            if part.mean_confidence is not None and part.right.value is not None
        ]
        for arm in arms
        for one in arm.calibrations
    }
    return drawn(reliability_chart("how often answers of a confidence were right", bases)) if bases else Markup()


def _strata(arms: Sequence[ArmSummary]) -> Iterator[tuple[str, Markup]]:
    for name, what in (("strata", "support width"), ("resilience", "resilience")):
        for arm in arms:
            parts = getattr(arm, name)
            points = [
                StratumPoint(
                    f"{part.width}{'+' if part.open_ended else ''}",
                    part.right.right,
                    part.right.of,
                    part.right.low,
                    part.right.high,
                )
                for part in parts
            ]
            if points:
                yield what, drawn(strata_chart(arm.arm, what, points))
