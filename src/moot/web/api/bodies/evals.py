"""Evaluations, as callers get them."""

from typing import Any

from pydantic import BaseModel, Field

from moot.core.canonical import plain
from moot.evals.figures.outcomes import Outcome, outcome_of
from moot.evals.items.items import ArmRow
from moot.evals.report.folder import run_facts
from moot.evals.report.summary_json import summary_json
from moot.evals.runs.shelf import EvalRun, RunTotals
from moot.web.api.bodies.common import Moment

EXAMPLE = "20261118T175000Z"


class EvalRunView(BaseModel):
    """A run: what is asked of whom, and how far it has come."""

    name: str = Field(description="the name of its folder", examples=[EXAMPLE])
    dataset: str
    items: int
    arms: list[str]
    members: list[str]
    started: Moment | None = Field(description="null where the run does not say it")
    answered: int = Field(description="how many pairs of arm and item have a row")
    planned: int = Field(description="how many a whole run has")
    calls: int
    usd: float = Field(description="as far as known")
    usd_unknown: int = Field(description="of how many rows it is not known")

    @classmethod
    def of(cls, run: RunTotals) -> "EvalRunView":
        """Return a run that can be read as callers see it."""
        return cls(**_totals(run))


class EvalRunPage(BaseModel):
    """Some of the runs, and where the rest begins."""

    items: list[EvalRunView]
    next: str | None = Field(default=None, description="give it as `cursor` for the next page; null at the end")
    unreadable: dict[str, str] = Field(description="runs that cannot be shown, by name, with the reason")


class EvalRunReport(EvalRunView):
    """A run in figures."""

    finding: str = Field(description="what the figures can tell, in a sentence")
    facts: dict[str, str] = Field(description="what was run, on what, with whom and when")
    figures: dict[str, Any] = Field(description="for each arm, the figures of `moot evals show --json`")
    comparisons: list[dict[str, Any]] = Field(description="arms against the baselines, on the same items")
    goals: list[dict[str, Any]] = Field(description="the goals G1 to G5: target, measured, state, why")
    problems: list[str] = Field(description="what was not asked or could not be read")

    @classmethod
    def report(cls, run: EvalRun) -> "EvalRunReport":
        """Return a run in figures as callers see it."""
        told = plain(summary_json(run.summary, run.done.rows))
        return cls(
            **_totals(run.totals),
            finding=run.summary.finding,
            facts=run_facts(run.info),
            figures=told["arms"],
            comparisons=told["comparisons"],
            goals=told["goals"],
            problems=list(run.done.problems),
        )


class EvalRowView(BaseModel):
    """What one arm made of one item. Unknown cost is null."""

    arm: str
    item: str
    dataset: str
    outcome: Outcome = Field(description="an abstention in its place is right; no answer at all has failed")
    answer: str | None
    abstained: bool
    status: str
    confidence: float | None
    basis: str | None
    support_width: int | None
    calls: int
    tokens_in: int | None
    tokens_out: int | None
    usd: float | None
    seconds: float
    votes: list[str]
    problem: str
    deliberations: list[str] = Field(description="ids in the run's own record")

    @classmethod
    def of(cls, row: ArmRow) -> "EvalRowView":
        """Return a row as callers see it."""
        told = {name: getattr(row, name) for name in cls.model_fields if name != "outcome"}
        return cls.model_validate({**told, "outcome": outcome_of(row)})


def _totals(run: RunTotals) -> dict[str, Any]:
    info, cost = run.info, run.expense
    return {
        "name": run.name,
        "dataset": info.dataset if info else "",
        "items": info.items if info else 0,
        "arms": list(info.arms) if info else [],
        "members": list(info.members) if info else [],
        "started": run.started,
        "answered": cost.items if cost else 0,
        "planned": run.planned,
        "calls": cost.calls if cost else 0,
        "usd": cost.known_usd.total if cost else 0.0,
        "usd_unknown": cost.known_usd.unknown if cost else 0,
    }
