"""A summary as JSON: every figure of its tables, as numbers; what is unknown is null."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from moot.evals.figures.metrics import Paired, Proportion
from moot.evals.items.items import ArmRow
from moot.evals.report.summary import ArmSummary, EvalSummary


def summary_json(summary: EvalSummary, rows: Iterable[ArmRow]) -> dict[str, Any]:
    """Return the arms by name, what the figures can tell, the comparisons and the goals."""
    told = list(rows)
    return {
        "arms": {arm.arm: _arm(arm, [row for row in told if row.arm == arm.arm]) for arm in summary.arms},
        "finding": summary.finding,
        "comparisons": [
            {"arm": one.arm, "against": one.baseline, **_paired(one.paired)} for one in summary.comparisons
        ],
        "goals": [asdict(goal) for goal in summary.goals],
    }


def share_json(share: Proportion) -> dict[str, Any]:
    """Return a share with its value and its interval."""
    return {**asdict(share), "value": share.value}


def _arm(arm: ArmSummary, rows: Iterable[ArmRow]) -> dict[str, Any]:
    cost = arm.expense
    return {
        "asked": cost.items,
        "not_asked": arm.unasked,
        "correct": cost.correct,
        "accuracy": share_json(arm.accuracy),
        "abstained_rightly": share_json(arm.abstention),
        "all_items": share_json(arm.overall),
        "failed": sum(bool(row.problem) for row in rows),
        "no_answer": arm.failed,
        "abstained_wrongly": arm.withheld,
        "calls": cost.calls,
        "usd": asdict(cost.known_usd),
        "tokens": asdict(cost.known_tokens),
        "seconds": cost.seconds,
        "seconds_an_item": cost.mean_seconds,
        "usd_per_correct": cost.usd_per_correct,
        "seconds_per_correct": cost.seconds_per_correct,
        "tokens_per_correct": cost.tokens_per_correct,
        "votes": asdict(arm.electorate) if arm.electorate else None,
        "confidence": [
            {"basis": one.basis, "answers": one.held, "brier": one.brier, "ece": one.ece} for one in arm.calibrations
        ],
        "support_widths": [{"width": str(part), "right": share_json(part.right)} for part in arm.strata],
        "resilience": [{"claims": str(part), "right": share_json(part.right)} for part in arm.resilience],
    }


def _paired(pair: Paired) -> dict[str, Any]:
    return {
        "both": pair.both,
        "only_the_arm": pair.only_first,
        "only_the_other": pair.only_second,
        "neither": pair.neither,
        "difference": pair.difference,
        "p": pair.p_value,
        "unpaired": pair.unpaired,
    }
