"""Streams that keep evaluations up while another process writes their rows."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from moot.core.errors import BadEvaluation, NotFound
from moot.evals.runs.shelf import EvalRun
from moot.web.access import ReviewerCaller
from moot.web.pages.evaluated.page import FACTS, RUN_PARTS, RUNS, run_context, run_parts
from moot.web.pages.evaluated.shown import RunShown, run_shown
from moot.web.pages.evaluated.state import EvalState, RunAsked
from moot.web.pages.rendering import part
from moot.web.pages.shown.following import PageLook, followed_texts
from moot.web.serving import Here, Serving
from moot.web.streams import TextStream

MOST_KEPT = 64
TAKEN_AWAY = "This evaluation can no longer be read:"

router = APIRouter(include_in_schema=False)


class RenderedRuns:
    """The parts of runs as they were rendered last, for all who look at the same with the same choices."""

    def __init__(self) -> None:
        self._kept: dict[EvalState, tuple[EvalRun, EvalRun | None, tuple[RunShown, dict[str, str]]]] = {}

    async def parts(
        self, serving: Serving, state: EvalState, run: EvalRun, other: EvalRun | None
    ) -> tuple[RunShown, dict[str, str]]:
        """Return a run with its parts; what was rendered from the same rows is not rendered again."""
        known = self._kept.get(state)
        if known and known[0] is run and known[1] is other:
            return known[2]
        made = await asyncio.to_thread(lambda: run_parts(serving, run_shown(state, run, other)))
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[state] = (run, other, made)
        return made


@router.get("/live/evals")
async def watch_evaluations(
    request: Request, serving: Here, caller: ReviewerCaller, start: Annotated[int, Query(ge=0, lt=2**62)] = 0
) -> Response:
    """Stream the list of runs as it changes."""

    async def look() -> PageLook:
        runs = (await serving.evals.list_followed())[start : start + RUNS]
        html = part("evals/runs.html", runs=runs, now=serving.clock.now())
        return PageLook({"part-runs": html}, is_over=all(run.is_whole for run in runs))

    return TextStream(followed_texts(request, serving, look), lambda: None)


@router.get("/live/evals/{run}")
async def watch_evaluation(request: Request, serving: Here, caller: ReviewerCaller, state: RunAsked) -> Response:
    """Stream what changes of a run's page, until every arm was asked every item."""
    await serving.evals.follow(state.run)
    rendered: RenderedRuns = request.app.state.rendered_runs

    async def look() -> PageLook:
        try:
            run = await serving.evals.follow(state.run)
            other = await serving.evals.follow(state.beside) if state.beside else None
        except (NotFound, BadEvaluation):
            return PageLook({}, gone=TAKEN_AWAY)
        shown, parts = await rendered.parts(serving, state, run, other)
        facts = {FACTS: part(RUN_PARTS[FACTS], **run_context(serving, shown))}
        is_over = run.totals.is_whole and (other is None or other.totals.is_whole)
        return PageLook({**parts, **facts}, is_over=is_over, news={"title": shown.title})

    return TextStream(followed_texts(request, serving, look), lambda: None)
