"""From rows to a summary: every arm with its figures, the comparisons, the goals, and all that is missing.

An arm that failed on every item is there with 0 of N; one that was never asked is there too, and says so. The Markdown
names each method beside its figures.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from moot.evals.figures.apart import apart_words, arm_pairs
from moot.evals.figures.calibration import Calibration, Stratum, by_resilience, by_support_width, calibrations
from moot.evals.figures.goals import Goal, ScreenCost, goals
from moot.evals.figures.metrics import Expense, Paired, Proportion, abstention, accuracy, compare, expense, overall
from moot.evals.figures.votes import Electorate, electorate
from moot.evals.items.grading import grade
from moot.evals.items.items import ArmRow, Item

BASELINES = ("single-pass", "self-consistency")
"""One call, and plain voting: what a deliberation has to beat."""


@dataclass(frozen=True, slots=True)
class ArmSummary:
    """The figures of one arm over all items that it was asked."""

    arm: str
    accuracy: Proportion
    abstention: Proportion
    overall: Proportion
    expense: Expense
    failed: int
    """Items without an answer; they are among the wrong ones."""
    withheld: int
    """Items with an answer on which the arm abstained; they are among the wrong ones."""
    unasked: int
    """Items of the set for which the arm has no row."""
    electorate: Electorate | None
    calibrations: tuple[Calibration, ...]
    strata: tuple[Stratum, ...]
    """By support width."""
    resilience: tuple[Stratum, ...]
    """By how many claims must be wrong before the answer falls."""


@dataclass(frozen=True, slots=True)
class ArmComparison:
    """One arm against a baseline on the items that both were asked."""

    arm: str
    baseline: str
    paired: Paired


@dataclass(frozen=True, slots=True)
class EvalSummary:
    """A run in figures."""

    finding: str
    """What the figures can tell, in a sentence."""
    arms: tuple[ArmSummary, ...]
    comparisons: tuple[ArmComparison, ...]
    goals: tuple[Goal, ...]
    problems: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    """What was run, on what, with whom and when, as it should be printed."""


def summarise(
    rows: Iterable[ArmRow],
    *,
    arms: Sequence[str] = (),
    planned: int | None = None,
    items: Iterable[Item] = (),
    problems: Iterable[object] = (),
    facts: Mapping[str, str] | None = None,
    screen: ScreenCost | None = None,
    baselines: Sequence[str] = BASELINES,
) -> EvalSummary:
    """Return the figures of a run.

    `arms` are those that were to run, in order: each is in the summary, whether it has rows or not. `planned` is the
    number of items each was to be asked. With the `items`, the votes of an arm are graded one by one.
    """
    by_arm: dict[str, list[ArmRow]] = {arm: [] for arm in arms}
    for row in rows:
        by_arm.setdefault(row.arm, []).append(row)
    known = {(item.dataset, item.id): item for item in items}
    return EvalSummary(
        finding=apart_words(arm_pairs(by_arm), sum(map(bool, by_arm.values()))),
        arms=tuple(_arm(arm, its_rows, planned, known) for arm, its_rows in by_arm.items()),
        comparisons=tuple(
            ArmComparison(arm, baseline, compare(its_rows, by_arm[baseline]))
            for number, baseline in enumerate(baselines)
            if by_arm.get(baseline)
            for arm, its_rows in by_arm.items()
            if arm not in baselines[: number + 1] and its_rows
        ),
        goals=goals(by_arm, screen),
        problems=tuple(str(problem) for problem in problems),
        facts=dict(facts or {}),
    )


def _arm(arm: str, rows: Sequence[ArmRow], planned: int | None, items: Mapping[tuple[str, str], Item]) -> ArmSummary:
    return ArmSummary(
        arm=arm,
        accuracy=accuracy(rows),
        abstention=abstention(rows),
        overall=overall(rows),
        expense=expense(rows),
        failed=sum(row.answer is None for row in rows),
        withheld=sum(row.abstained and not row.abstain_item for row in rows),
        unasked=max(0, (planned or 0) - len(rows)),
        electorate=_electorate(rows, items),
        calibrations=calibrations(rows),
        strata=by_support_width(rows),
        resilience=by_resilience(rows),
    )


def _electorate(rows: Sequence[ArmRow], items: Mapping[tuple[str, str], Item]) -> Electorate | None:
    graded = [(row.votes, right) for row in rows if row.votes and (right := _right_votes(row, items)) is not None]
    return electorate([votes for votes, _ in graded], [right for _, right in graded])


def _right_votes(row: ArmRow, items: Mapping[tuple[str, str], Item]) -> Sequence[bool] | None:
    """Return which votes were right: as the row says, or graded against its item; None where neither is to be had."""
    if "right_votes" in row.detail:
        return [bool(right) for right in row.detail["right_votes"]]
    item = items.get((row.dataset, row.item))
    return None if item is None else [grade(item, vote).correct for vote in row.votes]
