"""`/deliberations`: put a question, watch it, stop it, go on with it, fork, contest and export it."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from moot.core.verdict import Status
from moot.service.asking import check_members
from moot.service.listing import list_page
from moot.service.orders import Fork
from moot.service.reading.acts import read_acts
from moot.service.reading.blindness import check_journal_open
from moot.service.reading.brief import read_brief
from moot.service.results import Result
from moot.store.lists import Sort
from moot.web.access import REVIEWER, AdminCaller, AnyCaller, AskingCaller, ReviewerCaller
from moot.web.api.bodies.deliberations import ContestView, DeliberationLine, DeliberationPage, DeliberationView
from moot.web.api.bodies.sent import NewContest, NewDeliberation, NewFork
from moot.web.api.paging import LARGEST, PAGE, Cursor, Limit, cursor_at, place_of
from moot.web.deleting import delete_deliberation
from moot.web.entitled import own_only, readable, steerable
from moot.web.serving import Here, Serving
from moot.web.starting import earlier_start, go_on, limits_of, name_of, start, start_fork
from moot.web.streams import EventStream, last_seen

router = APIRouter(prefix="/deliberations", tags=["deliberations"])

Id = Path(alias="id", min_length=1, max_length=100, description="a deliberation", examples=["0123456789"])
MEDIA = {"md": "text/markdown; charset=utf-8", "json": "application/json", "html": "text/html; charset=utf-8"}
TEXT = {"type": "string"}
EVENT = {"type": "object", "properties": {"id": TEXT, "event": TEXT, "data": TEXT}, "required": ["event", "data"]}
Responses = dict[int | str, dict[str, Any]]
STREAM: Responses = {200: {"content": {"text/event-stream": {"schema": EVENT}}}, 204: {"description": "It has ended."}}
FILES: Responses = {
    200: {
        "content": {
            "text/markdown": {"schema": TEXT},
            "text/html": {"schema": TEXT},
            "application/json": {"schema": {"type": "object"}},
        }
    }
}


@router.post("", status_code=201)
async def put_question(
    new: NewDeliberation, serving: Here, caller: AskingCaller, request: Request, response: Response
) -> DeliberationView:
    """Put a question to a panel. It is deliberated in the background; the address in Location shows how far it is."""
    check_members(new.members, limits_of(caller, serving))
    started = await earlier_start(request, serving) or await start(new.order(), serving, caller, request)
    return await _located(started, serving, response)


@router.get("")
async def list_deliberations(
    serving: Here,
    caller: AnyCaller,
    limit: Limit = PAGE,
    cursor: Cursor = None,
    q: Annotated[str | None, Query(max_length=1000, description="a text that question or answer holds")] = None,
    protocol: Annotated[str | None, Query(max_length=100)] = None,
    status: Annotated[Status | None, Query()] = None,
    model: Annotated[str | None, Query(max_length=500, description="a text that the name of a model holds")] = None,
    owner: Annotated[str | None, Query(max_length=100, description="the name or the prefix of a key")] = None,
    parent: Annotated[str | None, Query(max_length=100, description="a whole id; its forks")] = None,
    since: Annotated[str | None, Query(max_length=100, description="a day or a moment, ISO 8601")] = None,
    until: Annotated[str | None, Query(max_length=100, description="a day, to its end, or a moment")] = None,
    sort: Annotated[Sort, Query(description="by cost and seconds, the most first")] = "newest",
) -> DeliberationPage:
    """List deliberations with what each came to and took; an agent sees those that it started."""
    page = await list_page(
        serving.service,
        limit=limit,
        protocol=protocol,
        status=status.value if status else None,
        search=q,
        model=model,
        owner=owner,
        parent=parent,
        since=since,
        until=until,
        sort=sort,
        after=place_of(cursor),
        reader=own_only(caller),
    )
    lines = [DeliberationLine.of(row) for row in page.rows]
    return DeliberationPage(items=lines, next=None if page.next is None else cursor_at(page.next), total=page.total)


@router.get("/{id}")
async def show_deliberation(
    id_: Annotated[str, Id],
    serving: Here,
    caller: AnyCaller,
    detail: Annotated[bool, Query(description="0 leaves `detail` empty, which may be large")] = True,
) -> DeliberationView:
    """Show a deliberation as it stands: answer, status, confidence with its basis, dissent, who is missing, cost."""
    whole = await readable(id_, serving, caller)
    if detail:
        return await view(whole, serving)
    return (await _view_of(await read_brief(serving.service, whole), serving)).model_copy(update={"detail": {}})


@router.delete("/{id}", status_code=204)
async def delete(id_: Annotated[str, Id], serving: Here, caller: AdminCaller) -> None:
    """Delete a deliberation for good, with all that was answered; one that runs here is stopped first."""
    await delete_deliberation(await readable(id_, serving, caller), serving, caller)


@router.get("/{id}/events", response_class=Response, responses=STREAM)
async def stream_events(
    id_: Annotated[str, Id],
    serving: Here,
    caller: AnyCaller,
    after: Annotated[int | None, Query(ge=-1, lt=LARGEST, description="go on after this event")] = None,
    last_event_id: Annotated[str | None, Header(max_length=100)] = None,
) -> Response:
    """Stream run events (`event: run`, with an id) and progress (`event: progress`, without).

    The first is `event: now`: who is being asked at this moment, by this server. `Last-Event-ID`, or else `after`, goes
    on after that event. The stream closes after `event: end`; asked again after that, 204.
    """
    whole = await readable(id_, serving, caller)
    seen = last_seen(last_event_id, after)
    reached = (await serving.store.deliberations.reached([whole]))[whole]
    if Status(reached.status).ended and reached.last <= seen:
        return Response(status_code=204)
    heard = serving.watch.subscribe(whole, seen, reader=caller.prefix)
    if await serving.keys.holder(caller.prefix) is None:
        # Revoked since the request came in: nobody else would end this stream.
        heard.close()
    return EventStream(heard, serving.watch.being_asked(whole))


@router.post("/{id}/cancel")
async def cancel(id_: Annotated[str, Id], serving: Here, caller: AskingCaller) -> DeliberationView:
    """Stop a deliberation that the caller started; what was answered is kept, and resume goes on with it."""
    whole = await steerable(id_, serving, caller)
    await serving.runs.cancel(whole)
    return await view(whole, serving)


@router.post("/{id}/resume", status_code=202)
async def resume(id_: Annotated[str, Id], serving: Here, caller: AskingCaller) -> DeliberationView:
    """Go on with a deliberation that the caller started and that was stopped, unless its forks have what it needs."""
    whole = await steerable(id_, serving, caller)
    await go_on(whole, serving, caller)
    return await view(whole, serving)


@router.post("/{id}/fork", status_code=201)
async def fork(
    id_: Annotated[str, Id], new: NewFork, serving: Here, caller: AskingCaller, request: Request, response: Response
) -> DeliberationView:
    """Go another way from a step on, with other members, settings or budget; what was before it is not asked again."""
    whole = await readable(id_, serving, caller)
    other = Fork(new.at, tuple(new.members), new.settings, new.budget.budget(), new.seed)
    earlier = await earlier_start(request, serving)
    started = earlier or await start_fork(whole, other, serving, caller, name_of(request))
    return await _located(started, serving, response)


@router.post("/{id}/contest")
async def contest(id_: Annotated[str, Id], new: NewContest, serving: Here, caller: ReviewerCaller) -> ContestView:
    """Refute a claim of a stored graph, or take that back; no model is called."""
    if new.undo:
        return ContestView.of(await serving.service.uncontest(id_, new.claim, author=caller.name))
    return ContestView.of(await serving.service.contest(id_, new.claim, author=caller.name, reason=new.reason))


@router.get("/{id}/export", response_class=Response, responses=FILES)
async def export(
    id_: Annotated[str, Id],
    serving: Here,
    caller: AnyCaller,
    form: Annotated[Literal["md", "json", "html", "files"], Query(alias="format")] = "md",
) -> Response:
    """Export a deliberation; `files` is an object of file names and texts."""
    whole = await readable(id_, serving, caller)
    await check_journal_open(serving.service, whole, reviewer=caller.has(REVIEWER))
    texts = await serving.service.export(whole, form)
    if form == "files":
        return JSONResponse(dict(texts))
    [(name, text)] = texts.items()
    # A page made of what models wrote is for the caller's disk, not for this server's origin.
    attachment = {"Content-Disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(text, media_type=MEDIA[form], headers=attachment)


async def view(id_: str, serving: Serving) -> DeliberationView:
    """Return a deliberation as callers see it."""
    return await _view_of(await serving.service.show(id_), serving)


async def _view_of(shown: Result, serving: Serving) -> DeliberationView:
    acts = await read_acts(serving.service, shown.id)
    return DeliberationView.of(shown, await serving.runs.standing(shown.id), acts)


async def _located(id_: str, serving: Serving, response: Response) -> DeliberationView:
    response.headers["Location"] = f"/api/v1/deliberations/{id_}"
    return await view(id_, serving)
