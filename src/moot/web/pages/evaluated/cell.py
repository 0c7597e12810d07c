"""`/evals/{run}/{arm}/{item}`: what one arm made of one item, with the deliberation behind it."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

from moot.core.errors import NotFound
from moot.evals.figures.outcomes import outcome_of
from moot.evals.items.items import ArmRow
from moot.evals.runs.shelf import EvalRun
from moot.views.page import record_html
from moot.web.access import ReviewerCaller
from moot.web.pages.evaluated.state import EvalState, RunName
from moot.web.pages.rendering import render
from moot.web.pages.shown.panes import drawn
from moot.web.serving import Here, Serving

router = APIRouter(include_in_schema=False)


@router.get("/evals/{run}/{arm}/{item:path}")
async def cell(
    request: Request,
    serving: Here,
    caller: ReviewerCaller,
    run: RunName,
    arm: Annotated[str, Path(max_length=200)],
    item: Annotated[str, Path(max_length=1000)],
) -> Response:
    """Show what an arm made of an item; a deliberation that this server has itself is shown where it stands."""
    read = await serving.evals.read(run)
    row = read.row(arm, item)
    if here := await _stored(serving, row):
        return RedirectResponse(f"/d/{here}", HTTPStatus.SEE_OTHER)
    record, absence = await _record(serving, read, row)
    return render(
        request,
        "evals/cell.html",
        state=EvalState(run),
        run=read,
        row=row,
        outcome=outcome_of(row),
        line=next(line for line in read.lines if (line.dataset, line.item) == (row.dataset, row.item)),
        outcome_of=outcome_of,
        record=record,
        absence=absence,
    )


async def _stored(serving: Serving, row: ArmRow) -> str:
    """The deliberation behind a row, where it is one of this server's own."""
    for id_ in row.deliberations[-1:]:
        try:
            return id_ if await serving.store.deliberations.resolve(id_) == id_ else ""
        except NotFound:
            continue
    return ""


async def _record(serving: Serving, run: EvalRun, row: ArmRow) -> tuple[Markup, str]:
    """The deliberation as it is exported, or why there is none to show."""
    try:
        shown, own = await serving.evals.record(run, row)
    except NotFound as missing:
        return Markup(), str(missing)
    return drawn(record_html(shown.id, shown.record, own.report, own.narrator, own.panes)), ""
