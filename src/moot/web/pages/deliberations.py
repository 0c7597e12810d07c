"""The list of deliberations, the answer of one with all that stands around it, and its rounds."""

from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from moot.core.errors import BadSetting
from moot.core.verdict import Status
from moot.service.listing import ListPage, list_page
from moot.web.access import AGENT, REVIEWER, AnyCaller, Caller
from moot.web.entitled import own_only
from moot.web.pages.heading import DeliberationHeading
from moot.web.pages.rendering import render
from moot.web.pages.shown.answers import answer_view, changed_settings
from moot.web.pages.shown.list_state import ORDERS, ListAsked, ListState
from moot.web.pages.shown.panes import choices_of, panes_shown
from moot.web.serving import Here, Serving

ROWS = 50
FORKS = 20

router = APIRouter(include_in_schema=False)


@router.get("/")
async def deliberations(request: Request, serving: Here, caller: AnyCaller, state: ListAsked) -> HTMLResponse:
    """List the deliberations that fit, fifty at a time; those that run are kept up by a stream."""
    page, problem = await _page(serving, caller, state)
    running = [row.summary.id for row in page.rows if not Status(row.summary.status).ended] if page else []
    counts = await serving.store.deliberations.counts()
    return render(
        request,
        "list.html",
        status=422 if problem else 200,
        state=state,
        page=page,
        problem=problem,
        live=f"/live?{urlencode([('d', id_) for id_ in running])}" if running else "",
        protocols=sorted({name for name, _ in counts} | ({state.protocol} - {""})),
        statuses=[status.value for status in Status],
        orders=ORDERS,
        now=serving.clock.now(),
        sees_all=caller.has(REVIEWER),
        may_ask=caller.has(AGENT, REVIEWER),
    )


async def _page(serving: Serving, caller: Caller, state: ListState) -> tuple[ListPage | None, str]:
    try:
        page = await list_page(
            serving.service,
            limit=ROWS,
            search=state.q,
            protocol=state.protocol,
            status=state.status,
            model=state.model,
            owner=state.owner,
            since=state.since,
            sort=state.sort,
            after=state.after,
            reader=own_only(caller),
        )
    except BadSetting as bad:
        return None, str(bad)
    return page, ""


@router.get("/d/{id}")
async def answer(
    request: Request, heading: DeliberationHeading, serving: Here, sent: str = "", passed: bool = False
) -> HTMLResponse:
    """Show the answer, or where it stands, and all that stands around it; `sent` is a turn that was just filled."""
    head = heading.head
    folded = await serving.folds.read_soon(head)
    forks = await list_page(serving.service, parent=head.id, limit=FORKS, reader=own_only(heading.caller))
    context = heading.context(
        "answer",
        view=await answer_view(serving, heading, folded),
        after=folded.last,
        settings=changed_settings(head.header, folded.part.spec),
        forks=[row.summary for row in forks.rows],
        sent=sent[:100],
        passed=passed,
    )
    return render(request, "answer.html", **context)


@router.get("/d/{id}/rounds")
async def rounds(request: Request, heading: DeliberationHeading, serving: Here) -> HTMLResponse:
    """Show what the protocol itself has to show: loops, rounds, layers, columns."""
    folded = await serving.folds.read_soon(heading.head)
    chosen = choices_of(request.query_params)
    context = heading.context(
        "rounds",
        shown=panes_shown(heading, folded, chosen),
        note=folded.panes.note,
        after=folded.last,
        live_query=urlencode(chosen),
    )
    return render(request, "rounds.html", **context)
