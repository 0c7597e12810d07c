"""`/evals`: runs, one of them in figures, two side by side."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from moot.core.errors import NotFound
from moot.evals.figures.outcomes import outcome_of
from moot.web.access import ReviewerCaller
from moot.web.pages.evaluated.shown import ITEMS, TONES, RunShown, outcome_title, run_shown
from moot.web.pages.evaluated.state import RunAsked
from moot.web.pages.rendering import part, render
from moot.web.serving import Here, Serving

RUNS = 50
"""Runs of one page."""

RUN_PARTS = {
    f"part-{name}": f"evals/{name}.html" for name in ("facts", "finding", "beside", "figures", "side", "items")
}
"""The templates of a run that a stream renders anew, by the ids of the elements that they fill."""

FACTS = "part-facts"
"""The part that says how long ago something was written: it changes with the clock alone."""

router = APIRouter(include_in_schema=False)


@router.get("/evals")
async def evaluations(
    request: Request, serving: Here, caller: ReviewerCaller, start: Annotated[int, Query(ge=0, lt=2**62)] = 0
) -> HTMLResponse:
    """List the runs, the latest first; those that go on are kept up by a stream."""
    every = await serving.evals.listed()
    return render(
        request,
        "evals/list.html",
        runs=every[start : start + RUNS],
        total=len(every),
        start=start,
        size=RUNS,
        now=serving.clock.now(),
    )


@router.get("/evals/{run}")
async def evaluation(request: Request, serving: Here, caller: ReviewerCaller, state: RunAsked) -> HTMLResponse:
    """Show a run in figures, beside another where one is named."""
    run = await serving.evals.read(state.run)
    other, problem = None, ""
    if state.beside:
        try:
            other = await serving.evals.read(state.beside)
        except NotFound as missing:
            problem = str(missing)
    others = [row for row in await serving.evals.listed() if row.name != run.name and not row.problem]
    context = run_context(serving, run_shown(state, run, other))
    return render(
        request,
        "evals/run.html",
        status=404 if problem else 200,
        problem=problem,
        others=others[:RUNS],
        **context,
    )


def run_context(serving: Serving, shown: RunShown) -> dict[str, Any]:
    """Return what the templates of a run are given, on the page as in a stream."""
    return {
        "shown": shown,
        "run": shown.run,
        "summary": shown.run.summary,
        "state": shown.state,
        "tones": TONES,
        "outcome_of": outcome_of,
        "outcome_title": outcome_title,
        "size": ITEMS,
        "now": serving.clock.now(),
    }


def run_parts(serving: Serving, shown: RunShown) -> tuple[RunShown, dict[str, str]]:
    """Return a run with the parts of its page, by the ids of their elements."""
    context = run_context(serving, shown)
    return shown, {id_: part(template, **context) for id_, template in RUN_PARTS.items()}
