"""All figures of the run, gathered from its rows. Pure; `page` writes them down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.evidence.arms import ARMS, BOTH, LIVE, PLAIN, SECOND, Arm, Results, results
from benchmarks.evidence.figures import (
    ArmFigures,
    Lean,
    Shares,
    TwoForms,
    arm_figures,
    covered,
    form_seconds,
    is_loaded,
    lean,
    paired,
    runs_right,
    share,
    shares_to_right,
    two_forms,
)
from benchmarks.evidence.plan import Plan
from benchmarks.evidence.rows import Row

from moot.evals.figures.metrics import Paired, Proportion

ALL, UNSETTLED = "all", "unsettled"
ONE_FORM = ((4, 4), (3, 3), (2, 2), (0, 1))
TWO_FORMS = ((7, 8), (5, 6), (0, 4))
COVERED, AUROC, TOKENS = 0.85, 0.7, 2 / 3
COVERED_SET = "hotpotqa"
BESIDE = ("single", "plain 4", "both 4+4", "`vote`", "`interrogation`")
"""Arms of the pool that are shown beside those that ask for themselves."""


@dataclass(frozen=True, slots=True)
class StageState:
    """How far a stage has come, and how busy the machine was."""

    name: str
    planned: int
    asked: int
    days: tuple[str, ...]
    busiest: float | None
    cores: int
    is_loaded: bool
    unasked: int


@dataclass(frozen=True, slots=True)
class Abstaining:
    """How often an arm abstains where the documents do not settle it, and where they do."""

    arm: str
    rightly: Proportion
    wrongly: Proportion


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal of the plan, what was measured, and whether it is met; None where that is not known."""

    name: str
    says: str
    measured: str
    is_met: bool | None


@dataclass(frozen=True, slots=True)
class Report:
    """All that the tables show."""

    stages: tuple[StageState, ...]
    arms: Mapping[str, tuple[ArmFigures, ...]]
    """By set, and over all of them."""
    shares: Mapping[str, tuple[Shares, ...]]
    two_forms: Mapping[str, TwoForms]
    adaptive: Lean
    interrogation: Paired
    """`interrogation` against `vote`, both over the same replies."""
    covered: Mapping[str, Proportion]
    with_line: Proportion
    """Answers of `interrogation` over documents that have a line of support, and those that have none."""
    without_line: Proportion
    false_sums: Proportion
    no_false_sums: Proportion
    abstaining: tuple[Abstaining, ...]
    graph: tuple[ArmFigures, ...]
    rounds: tuple[ArmFigures, ...]
    seconds: Mapping[str, Mapping[str, float]]
    goals: tuple[Goal, ...]


def report(plan: Plan, rows: Sequence[Row]) -> Report:
    """Return all figures of a run as far as it has come."""
    by_stage = {stage.name: [row for row in rows if row.stage == stage.name] for stage in plan.stages}
    pool, unsettled = by_stage.get("pool", []), by_stage.get("abstention", [])
    sets = {name: [row for row in pool if row.dataset == name] for name in dict.fromkeys(row.dataset for row in pool)}
    arms = {name: figures_of(ARMS, each) for name, each in {ALL: pool, **sets}.items() if each}
    by_arm = {arm.name: results(arm, pool) for arm in ARMS}
    lines = _lines(by_arm["`interrogation`"])
    covers = {name: each for name, part in sets.items() if (each := covered(part)).of}
    slim = lean(by_arm["adaptive"], by_arm["both 4+4"])
    return Report(
        stages=tuple(_state(stage.name, len(stage.items), by_stage[stage.name]) for stage in plan.stages),
        arms=arms,
        shares={
            PLAIN: tuple(shares_to_right(pool, PLAIN, ONE_FORM, 4)),
            SECOND: tuple(shares_to_right(pool, SECOND, ONE_FORM, 4)),
            BOTH: tuple(shares_to_right(pool, BOTH, TWO_FORMS, 8)),
        },
        two_forms={name: found for name, each in {ALL: pool, **sets}.items() if (found := two_forms(each))},
        adaptive=slim,
        interrogation=paired(by_arm["`interrogation`"], by_arm["`vote`"]),
        covered=covers,
        with_line=lines[0],
        without_line=lines[1],
        false_sums=runs_right(pool, lambda run: run.false_sums > 0),
        no_false_sums=runs_right(pool, lambda run: run.true_sums > 0 and not run.false_sums),
        abstaining=tuple(_abstaining(arm, unsettled, pool) for arm in ARMS if results(arm, unsettled)),
        graph=_beside_pool(by_stage.get("graph", []), pool),
        rounds=_beside_pool(by_stage.get("rounds", []), pool),
        seconds={name: took for name, each in {**sets, UNSETTLED: unsettled}.items() if (took := form_seconds(each))},
        goals=_goals(plan, by_arm, arms.get(ALL, ()), covers, slim),
    )


def figures_of(arms: Sequence[Arm], rows: Sequence[Row]) -> tuple[ArmFigures, ...]:
    """Return the figures of the arms that have something on these items."""
    return tuple(figures for arm in arms if (figures := arm_figures(arm, rows)))


def _beside_pool(rows: Sequence[Row], pool: Sequence[Row]) -> tuple[ArmFigures, ...]:
    """The arms that ask for themselves, and a few of the pool on the same items."""
    items = {row.item for row in rows}
    few = [arm for arm in ARMS if arm.name in BESIDE]
    return (*figures_of(LIVE, rows), *figures_of(few, [row for row in pool if row.item in items]))


def _state(name: str, planned: int, rows: Sequence[Row]) -> StageState:
    loads = [load for row in rows for load in row.loads]
    return StageState(
        name=name,
        planned=planned,
        asked=len(rows),
        days=tuple(sorted({row.drawn for row in rows if row.drawn})),
        busiest=max(loads, default=None),
        cores=max((row.cores for row in rows), default=1),
        is_loaded=is_loaded(rows),
        unasked=sum(arm.unasked for row in rows for arm in row.arms.values()),
    )


def _lines(interrogated: Results) -> tuple[Proportion, Proportion]:
    """The answers with a line of support and those without; an abstention is no answer that could have one."""
    given = [each for each in interrogated.values() if not each.abstained and not each.tied]
    answers = [each for each in given if each.width is not None]
    return (
        share([each for each in answers if each.width], lambda each: each.right),
        share([each for each in answers if not each.width], lambda each: each.right),
    )


def _abstaining(arm: Arm, unsettled: Sequence[Row], pool: Sequence[Row]) -> Abstaining:
    settled = [row for row in pool if row.kind != "number"]
    return Abstaining(
        arm=arm.name,
        rightly=share(results(arm, unsettled).values(), lambda outcome: outcome.abstained),
        wrongly=share(results(arm, settled).values(), lambda outcome: outcome.abstained),
    )


def _goals(
    plan: Plan,
    by_arm: Mapping[str, Results],
    figures: Sequence[ArmFigures],
    covers: Mapping[str, Proportion],
    slim: Lean,
) -> tuple[Goal, ...]:
    interrogated = next((each for each in figures if each.arm == "`interrogation`"), None)
    found = {
        "accuracy": _accuracy(by_arm),
        "covered": _covered(covers.get(COVERED_SET)),
        "auroc": _auroc(interrogated.auroc if interrogated else None),
        "adaptive": _adaptive(slim),
    }
    return tuple(Goal(name, says, *found[name]) for name, says in plan.goals.items() if name in found)


def _accuracy(by_arm: Mapping[str, Results]) -> tuple[str, bool | None]:
    one, other = by_arm["`interrogation`"], by_arm["`vote`"]
    if not one or not other:
        return "not run", None
    both = lean(one, other)
    at = "" if both.tokens is None else f", at {both.tokens:.2f} times its tokens"
    return f"{both.right} against {both.other_right} of {both.items}{at}", both.right >= both.other_right


def _covered(found: Proportion | None) -> tuple[str, bool | None]:
    if found is None or found.value is None:
        return "not run", None
    return f"{found.right} of {found.of}, {100 * found.value:.0f} %", found.value > COVERED


def _auroc(found: float | None) -> tuple[str, bool | None]:
    return ("not known", None) if found is None else (f"{found:.2f}", found > AUROC)


def _adaptive(slim: Lean) -> tuple[str, bool | None]:
    if not slim.items or slim.tokens is None:
        return "not run", None
    written = "" if slim.written is None else f" ({100 * slim.written:.0f} % of those written)"
    told = (
        f"{slim.right} against {slim.other_right} of {slim.items}, at {100 * slim.tokens:.0f} % of the tokens{written}"
    )
    return told, slim.right >= slim.other_right - 1 and slim.tokens <= TOKENS
