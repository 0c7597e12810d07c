"""`/evals`: evaluations that lie in the server's folder of them, also while they go on in another process."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from moot.evals.figures.outcomes import Outcome, outcome_of
from moot.web.access import ReviewerCaller
from moot.web.api.bodies.evals import EXAMPLE, EvalRowView, EvalRunPage, EvalRunReport, EvalRunView
from moot.web.api.paging import PAGE, Cursor, Limit, Page, cursor_at, place_of
from moot.web.serving import Here

router = APIRouter(prefix="/evals", tags=["evals"])

RunName = Annotated[
    str, Path(min_length=1, max_length=255, description="the name of the run's folder", examples=[EXAMPLE])
]


@router.get("")
async def list_evaluations(
    serving: Here, caller: ReviewerCaller, limit: Limit = PAGE, cursor: Cursor = None
) -> EvalRunPage:
    """List evaluations, the latest first. Reviewers see them: their rows tell right answers from wrong ones."""
    start = place_of(cursor) or 0
    every = await serving.evals.listed()
    readable = [row for row in every if not row.problem]
    shown = readable[start : start + limit]
    return EvalRunPage(
        items=[EvalRunView.of(row) for row in shown],
        next=cursor_at(start + limit) if start + limit < len(readable) else None,
        unreadable={row.name: row.problem for row in every if row.problem},
    )


@router.get("/{run}")
async def show_evaluation(run: RunName, serving: Here, caller: ReviewerCaller) -> EvalRunReport:
    """Show an evaluation in figures, as `moot evals show --json` does."""
    return EvalRunReport.report(await serving.evals.read(run))


@router.get("/{run}/rows")
async def list_evaluation_rows(
    run: RunName,
    serving: Here,
    caller: ReviewerCaller,
    arm: Annotated[str, Query(max_length=200, description="rows of this arm alone")] = "",
    item: Annotated[str, Query(max_length=1000, description="rows of this item alone")] = "",
    outcome: Annotated[Outcome | None, Query(description="rows that came out so")] = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Page[EvalRowView]:
    """List what each arm made of each item, arm by arm."""
    start = place_of(cursor) or 0
    rows = [
        row
        for row in (await serving.evals.read(run)).done.rows
        if arm in ("", row.arm) and item in ("", row.item) and outcome in (None, outcome_of(row))
    ]
    shown = rows[start : start + limit]
    return Page(
        items=[EvalRowView.of(row) for row in shown],
        next=cursor_at(start + limit) if start + limit < len(rows) else None,
    )
