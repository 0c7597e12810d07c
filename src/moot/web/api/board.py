"""The board: claims, the slots that agents take, and the flags that reviewers clear (prism, engine)."""

import json
from functools import cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Query, Request, Response

from moot.core.calls import Reply
from moot.core.errors import NoSlots, NotFound
from moot.core.ports import OpenStep
from moot.core.question import Question
from moot.service.asking import check_members
from moot.service.background.work import LONGEST_WAIT, WorkWanted
from moot.service.board import PRISM, ROLES, is_slot, slot_labels
from moot.service.orders import Order
from moot.service.service import shape_of
from moot.web.access import AgentCaller, AnyCaller, AskingCaller, Caller, ReviewerCaller
from moot.web.api.bodies.board import (
    ClaimView,
    DocumentLine,
    DocumentPart,
    FlagView,
    PipelineView,
    SlotView,
    StageSlotView,
    VerifiedView,
)
from moot.web.api.bodies.sent import Clearing, Done, NewClaim, Taking
from moot.web.api.paging import PAGE, Cursor, Limit, Page, next_cursor, place_of
from moot.web.boarding import clear_waiting, find_slot, readable_documents
from moot.web.concurrency import GIVE_BACK
from moot.web.entitled import known_id
from moot.web.serving import Here, Serving
from moot.web.slot_names import step_of
from moot.web.starting import earlier_start, limits_of, start

router = APIRouter(tags=["board"])

ClaimId = Annotated[str, Path(alias="id", min_length=1, max_length=100, description="a claim", examples=["0123456789"])]
SlotId = Annotated[
    str, Path(alias="slot", min_length=1, max_length=200, description="a slot", examples=["L1.1~work~1"])
]
FlagId = Annotated[str, Path(alias="id", min_length=1, max_length=300, description="a flag")]
Seal = Annotated[str | None, Query(max_length=100, description="the seal as somebody noted it")]
DocumentNumber = Annotated[int, Path(ge=1, le=1_000_000, description="a document, from 1 on", examples=[1])]
Start = Annotated[int, Query(ge=0, le=10**12, description="the first character, from 0 on")]
Characters = Annotated[int, Query(ge=1, le=200_000, description="how many characters at most")]
Lease = Annotated[Taking, Body(default_factory=Taking)]
Layer = Annotated[int | None, Query(ge=1, le=100)]
Role = Annotated[str | None, Query(max_length=100, description=f"one of {', '.join(ROLES)}")]
Type = Annotated[Literal["work", "consensus"] | None, Query(alias="type")]
Wait = Annotated[float, Query(ge=0, le=LONGEST_WAIT, description="seconds to wait for a slot")]
SLOTS = "/claims/{id}/stage-slots/{slot}"


@router.post("/claims", status_code=201)
async def put_claim(
    new: NewClaim, serving: Here, caller: AskingCaller, request: Request, response: Response
) -> PipelineView:
    """Put a claim on the board. Without members, its slots wait for people and agents."""
    check_members(new.members, limits_of(caller, serving))
    started = await earlier_start(request, serving)
    if started is None:
        started = await start(_order(new), serving, caller, request)
        if not new.members and _house(new) == "none":
            # Nobody is called for it, so that its first slots are there as soon as it is.
            await serving.runs.finished(started)
    response.headers["Location"] = f"/api/v1/claims/{started}"
    return PipelineView.of(await serving.board.claim(started))


@router.get("/claims")
async def list_claims(serving: Here, caller: AnyCaller, limit: Limit = PAGE, cursor: Cursor = None) -> Page[ClaimView]:
    """List the claims on the board, newest first."""
    claims = await serving.board.page(limit, place_of(cursor))
    items = [ClaimView.of(claim) for claim in claims]
    return Page(items=items, next=next_cursor([claim.number for claim in claims], limit))


@router.get("/claims/{id}")
async def show_claim(id_: ClaimId, serving: Here, caller: AnyCaller) -> ClaimView:
    """Show a claim with its domain, where it stands, its flags and its consensus."""
    return ClaimView.of(await serving.board.claim(await known_id(id_, serving, caller)))


@router.get("/claims/{id}/pipeline")
async def show_pipeline(id_: ClaimId, serving: Here, caller: AnyCaller) -> PipelineView:
    """Show a claim with its slots; what an unfinished phase has brought is not shown to anybody."""
    return PipelineView.of(await serving.board.claim(await known_id(id_, serving, caller)))


@router.get("/claims/{id}/verify")
async def verify_claim(id_: ClaimId, serving: Here, caller: AnyCaller, seal: Seal = None) -> VerifiedView:
    """Check a claim that has ended against its seal, and against one that was noted elsewhere; 409 before its end."""
    return VerifiedView.of(await serving.board.verify(await known_id(id_, serving, caller), seal))


@router.get("/claims/{id}/documents")
async def list_documents(id_: ClaimId, serving: Here, caller: AnyCaller) -> Page[DocumentLine]:
    """List the documents of a claim, for whoever holds or may take a slot of it, put it, or reviews."""
    documents = await readable_documents(id_, serving, caller)
    return Page(items=[DocumentLine.of(number, document) for number, document in enumerate(documents, 1)])


@router.get("/claims/{id}/documents/{number}")
async def read_document(
    id_: ClaimId,
    number: DocumentNumber,
    serving: Here,
    caller: AnyCaller,
    start: Start = 0,
    limit: Characters = 200_000,
) -> DocumentPart:
    """Read a document of a claim: from a character on, and so many; `next` is where to go on."""
    documents = await readable_documents(id_, serving, caller)
    if number > len(documents):
        there = f"GET /api/v1/claims/{id_}/documents lists those there are"
        raise NotFound(what="document", name=str(number), see=there)
    return DocumentPart.cut(number, documents[number - 1], start, limit)


@router.get("/jobs/work")
async def find_work(
    request: Request,
    serving: Here,
    caller: AgentCaller,
    layer: Layer = None,
    role: Role = None,
    type_: Type = None,
    wait: Wait = 0,
) -> SlotView:
    """Find the oldest slot that this agent may take, with the claim and its context; 404 `no_slots` where none is.

    With `wait`, the answer waits for so many seconds until there is one. A slot that was shown to another agent within
    the last two seconds is offered only after the slots that were shown to nobody. One that was shown to three others
    in that time is not offered at all.
    """
    if wait:
        request.scope["state"][GIVE_BACK]()
        wanted = slot_labels(layer, role, type_)
        place = await serving.work.wait(WorkWanted(caller.name, role, wanted), wait)
        if place is None or await serving.keys.holder(caller.prefix) is None:
            raise NoSlots(agent=caller.name)
        return _slot(await serving.store.steps.read(place.deliberation, place.step), serving)
    return _slot(await find_slot(serving, caller, layer, role, type_), serving)


@router.get(SLOTS)
async def show_slot(id_: ClaimId, slot: SlotId, serving: Here, caller: AnyCaller) -> StageSlotView:
    """Show a slot with its task and context, and with its output once its phase is over; until then to nobody."""
    on_board = await serving.board.slot(await known_id(id_, serving, caller), step_of(slot))
    return StageSlotView.shown(on_board, _schema(shape_of(serving.service.find_protocol(PRISM), on_board.step)))


@router.post(f"{SLOTS}/take")
async def take_slot(id_: ClaimId, slot: SlotId, serving: Here, caller: AgentCaller, taking: Lease) -> SlotView:
    """Take a slot for the seconds of the lease; 409 when it is gone. Taking one's own again renews it."""
    claim, step = await _place(id_, slot, serving, caller)
    return _slot(await serving.board.take(claim, step, caller.name, lease=taking.lease), serving)


@router.post(f"{SLOTS}/renew")
async def renew_slot(id_: ClaimId, slot: SlotId, serving: Here, caller: AgentCaller, taking: Lease) -> SlotView:
    """Lengthen the lease on a slot that the caller holds."""
    claim, step = await _place(id_, slot, serving, caller)
    return _slot(await serving.board.renew(claim, step, caller.name, lease=taking.lease), serving)


@router.post(f"{SLOTS}/release", status_code=204)
async def release_slot(id_: ClaimId, slot: SlotId, serving: Here, caller: AgentCaller) -> None:
    """Give a slot back; an admin may take back a slot that somebody else holds."""
    claim, step = await _place(id_, slot, serving, caller)
    await serving.board.release(claim, step, caller.releases_as)


@router.post(f"{SLOTS}/done", status_code=204)
async def slot_done(id_: ClaimId, slot: SlotId, done: Done, serving: Here, caller: AgentCaller) -> None:
    """Put the output into a slot that the caller holds; the claim goes on when its phase is over."""
    claim, step = await _place(id_, slot, serving, caller)
    await serving.board.done(claim, step, caller.name, done.output)


@router.get("/flags")
async def list_flags(
    serving: Here, caller: ReviewerCaller, limit: Limit = PAGE, cursor: Cursor = None
) -> Page[FlagView]:
    """List the flags that wait for a reviewer, oldest first."""
    waiting = await serving.board.flags()
    begin = place_of(cursor) or 0
    shown = [step for step in waiting if step.number > begin][:limit]
    return Page(items=[FlagView.of(step) for step in shown], next=next_cursor([s.number for s in shown], limit))


@router.post("/flags/{id}/clear")
async def clear_flag(id_: FlagId, clearing: Clearing, serving: Here, caller: ReviewerCaller) -> ClaimView:
    """Clear a flag: go on in spite of it, do the layer again, or close the claim; the answer is where it stands then.

    403 `review_of_own_work` for somebody who filled a slot of that attempt, while another reviewer has a key.
    """
    claim = await clear_waiting(id_, serving, caller, clearing.decision, clearing.note)
    return ClaimView.of(await serving.board.claim(claim))


@router.get("/protocols")
async def list_tables(serving: Here, caller: AnyCaller) -> Page[dict[str, Any]]:
    """List the layer tables of the claims on the board."""
    return Page(items=await serving.board.protocols())


def _order(new: NewClaim) -> Order:
    question = Question(text=new.claim, documents=tuple(sent.document() for sent in new.documents))
    table: Any = new.table
    if isinstance(table, dict):
        name = "table.json"
        table = {"path": name, "texts": {name: json.dumps(table)}}
    chosen = {"house": _house(new), "table": table, **new.settings}
    return Order(question, PRISM, tuple(new.members), chosen, new.budget.budget(), new.seed)


def _house(new: NewClaim) -> str:
    return new.house or ("all" if new.members else "none")


async def _place(id_: str, slot: str, serving: Serving, caller: Caller) -> tuple[str, str]:
    """Return claim and step of an address; a step that is no slot of the board is nowhere.

    Raises:
        NotFound: where there is none.
    """
    claim, step = await known_id(id_, serving, caller), step_of(slot)
    asked = await serving.store.steps.read(claim, step)
    if not is_slot(asked):
        raise NotFound(what="slot", name=slot, see=f"GET /api/v1/claims/{claim}/pipeline lists those there are")
    return claim, step


def _slot(step: OpenStep, serving: Serving) -> SlotView:
    return SlotView.of(step, _schema(shape_of(serving.service.find_protocol(PRISM), step)))


@cache
def _schema(shape: type[Reply]) -> dict[str, Any]:
    return shape.model_json_schema()
