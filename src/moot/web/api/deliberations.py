"""`/deliberations`: put a question, watch it, stop it, go on with it, fork, contest and export it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from moot.core.errors import NotYours
from moot.core.question import Question
from moot.core.verdict import Status
from moot.service.orders import Fork, Order
from moot.store.served import Served
from moot.web.access import REVIEWER, AnyCaller, AskingCaller, Caller, ReviewerCaller
from moot.web.api.asking import check_members, within_limits
from moot.web.api.bodies import ContestView, DeliberationLine, DeliberationView, NewContest, NewDeliberation, NewFork
from moot.web.api.paging import PAGE, Cursor, Limit, Page, next_cursor, place_of
from moot.web.serving import Here, Serving
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
    check_members(new.members, serving.limits)
    question = Question(text=new.question, form=new.form, documents=tuple(sent.document() for sent in new.documents))
    order = Order(question, new.protocol, tuple(new.members), new.settings, new.budget.budget(), new.seed)
    started = await earlier_start(request, serving) or await start(order, serving, caller, request)
    return await _located(started, serving, response)


@router.get("")
async def list_deliberations(
    serving: Here,
    caller: AnyCaller,
    limit: Limit = PAGE,
    cursor: Cursor = None,
    protocol: Annotated[str | None, Query(max_length=100)] = None,
    status: Annotated[Status | None, Query()] = None,
) -> Page[DeliberationLine]:
    """List deliberations, newest first; an agent sees those that it started."""
    rows = await serving.store.deliberations.newest(
        limit,
        protocol,
        before=place_of(cursor),
        owner=None if caller.has(REVIEWER) else caller.prefix,
        status=status.value if status else None,
    )
    numbers = [row.number for row in rows]
    return Page(items=[DeliberationLine.of(row) for row in rows], next=next_cursor(numbers, limit))


@router.get("/{id}")
async def show_deliberation(id_: Annotated[str, Id], serving: Here, caller: AnyCaller) -> DeliberationView:
    """Show a deliberation as it stands: answer, status, confidence with its basis, dissent, who is missing, cost."""
    return await view(await readable(id_, serving, caller), serving)


@router.get("/{id}/events", response_class=Response, responses=STREAM)
async def stream_events(
    id_: Annotated[str, Id],
    serving: Here,
    caller: AnyCaller,
    last_event_id: Annotated[str | None, Header(max_length=100)] = None,
) -> Response:
    """Stream run events (`event: run`, with an id) and progress (`event: progress`, without).

    `Last-Event-ID` goes on after that event. The stream closes after `event: end`; asked again after that, 204.
    """
    whole = await readable(id_, serving, caller)
    after, deliberations = last_seen(last_event_id), serving.store.deliberations
    if Status((await deliberations.summary(whole)).status).ended and not await deliberations.events(whole, after):
        return Response(status_code=204)
    return EventStream(serving.watch.subscribe(whole, after))


@router.post("/{id}/cancel")
async def cancel(id_: Annotated[str, Id], serving: Here, caller: AskingCaller) -> DeliberationView:
    """Stop a deliberation that the caller started; what was answered is kept, and resume goes on with it."""
    whole = await steerable(id_, serving, caller)
    await serving.runs.cancel(whole)
    return await view(whole, serving)


@router.post("/{id}/resume", status_code=202)
async def resume(id_: Annotated[str, Id], serving: Here, caller: AskingCaller) -> DeliberationView:
    """Go on with a deliberation that the caller started and that was stopped."""
    whole = await steerable(id_, serving, caller)
    await serving.service.check_resumable(whole)
    serving.runs.resume(whole)
    return await view(whole, serving)


@router.post("/{id}/fork", status_code=201)
async def fork(
    id_: Annotated[str, Id], new: NewFork, serving: Here, caller: AskingCaller, request: Request, response: Response
) -> DeliberationView:
    """Go another way from a step on, with other members, settings or budget; what was before it is not asked again."""
    whole = await readable(id_, serving, caller)
    check_members(new.members, serving.limits)
    own = (await serving.store.deliberations.header(whole)).budget
    budget = within_limits(new.budget.budget(), own, caller, serving.limits)
    other = Fork(new.at, tuple(new.members), new.settings, budget, new.seed)
    started = await earlier_start(request, serving)
    if started is None:
        with serving.runs.reserve() as run:
            served = Served(caller.prefix, _name_of(request))
            started = await serving.service.start_fork(whole, other, served=served)
            run(started)
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
    ended = Status((await serving.store.deliberations.summary(whole)).status).ended
    if not ended and not caller.has(REVIEWER):
        # The journal holds what peers have said in a phase that is not over.
        raise NotYours(what="until it has ended, the record of", name=whole)
    texts = await serving.service.export(whole, form)
    if form == "files":
        return JSONResponse(dict(texts))
    [(name, text)] = texts.items()
    # A page made of what models wrote is for the caller's disk, not for this server's origin.
    attachment = {"Content-Disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(text, media_type=MEDIA[form], headers=attachment)


async def start(order: Order, serving: Serving, caller: Caller, request: Request) -> str:
    """Start a deliberation within what the caller may have, to be run in the background, and return its id."""
    planner = serving.service.planner
    budget = within_limits(order.budget, planner.row_for(order).budget, caller, serving.limits)
    with serving.runs.reserve() as run:
        plan = await planner.plan(replace(order, budget=budget))
        started = await serving.service.start(plan, served=Served(caller.prefix, _name_of(request)))
        run(started)
    return started


async def earlier_start(request: Request, serving: Serving) -> str | None:
    """Return the deliberation that the same request started, where a server died before it could answer."""
    name = _name_of(request)
    return await serving.store.served.by_request(name) if name else None


def _name_of(request: Request) -> str | None:
    """Return the name of an idempotent request."""
    return request.scope.get("state", {}).get("request")


async def readable(id_: str, serving: Serving, caller: Caller) -> str:
    """Return the whole id of a deliberation that the caller may read.

    Raises:
        NotFound, NotYours: where there is none, or it is another's.
    """
    return await _allowed(id_, serving, caller.check_may_read)


async def steerable(id_: str, serving: Serving, caller: Caller) -> str:
    """Return the whole id of a deliberation that the caller may stop and go on with.

    Raises:
        NotFound, NotYours: where there is none, or it is another's.
    """
    return await _allowed(id_, serving, caller.check_may_steer)


async def _allowed(id_: str, serving: Serving, check: Callable[[str, str | None], None]) -> str:
    whole = await serving.store.deliberations.resolve(id_)
    served = await serving.store.served.read(whole)
    check(whole, served.owner if served else None)
    return whole


async def view(id_: str, serving: Serving) -> DeliberationView:
    """Return a deliberation as callers see it."""
    return DeliberationView.of(await serving.service.show(id_), serving.runs.state(id_), serving.runs.failed(id_))


async def _located(id_: str, serving: Serving, response: Response) -> DeliberationView:
    response.headers["Location"] = f"/api/v1/deliberations/{id_}"
    return await view(id_, serving)
