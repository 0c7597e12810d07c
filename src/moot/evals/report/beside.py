"""Two runs side by side: what was run otherwise, and arm by arm what came of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from moot.evals.figures.metrics import Paired, compare
from moot.evals.report.folder import run_facts
from moot.evals.report.summary import ArmSummary
from moot.evals.runs.shelf import EvalRun


@dataclass(frozen=True, slots=True)
class ArmBeside:
    """An arm in two runs; where both asked the same items, item by item too."""

    arm: str
    here: ArmSummary | None
    there: ArmSummary | None
    paired: Paired | None


@dataclass(frozen=True, slots=True)
class RunsBeside:
    """One run beside another."""

    arms: tuple[ArmBeside, ...]
    facts: tuple[tuple[str, str, str], ...]
    """What differs, by name: here, and there."""
    same_items: bool
    """Whether both were to ask the same questions with the same gold answers: else nothing can be paired."""


def beside(here: EvalRun, there: EvalRun) -> RunsBeside:
    """Return two runs side by side."""
    same = here.info.digest == there.info.digest
    return RunsBeside(tuple(_arms(here, there, same_items=same)), tuple(_facts(here, there)), same)


def _arms(here: EvalRun, there: EvalRun, *, same_items: bool) -> Iterator[ArmBeside]:
    ours, theirs = ({arm.arm: arm for arm in run.summary.arms} for run in (here, there))
    for arm in dict.fromkeys([*ours, *theirs]):
        rows, others = here.by_arm.get(arm), there.by_arm.get(arm)
        paired = compare(rows, others) if same_items and rows and others else None
        yield ArmBeside(arm, ours.get(arm), theirs.get(arm), paired)


def _facts(here: EvalRun, there: EvalRun) -> Iterator[tuple[str, str, str]]:
    ours, theirs = run_facts(here.info), run_facts(there.info)
    for name in dict.fromkeys([*ours, *theirs]):
        pair = ours.get(name, ""), theirs.get(name, "")
        if pair[0] != pair[1]:
            yield name, *pair
