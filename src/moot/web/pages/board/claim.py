"""`/board/{id}`: a claim with its layers, gates and slots, what finished phases brought, its consensus and its seal."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, Response

from moot.core.errors import NotEnded, NotFound, NotYours
from moot.service.board import OnBoard, Verified
from moot.views.pane_html import PaneLinks, pane_html
from moot.web.access import AGENT, AnyCaller, Caller
from moot.web.boarding import readable_documents
from moot.web.entitled import known_id, readable
from moot.web.pages.board.shown import flag_path, said_output
from moot.web.pages.forms import fresh_once
from moot.web.pages.rendering import render
from moot.web.pages.shown.panes import drawn
from moot.web.serving import Here, Serving

router = APIRouter(include_in_schema=False)

ClaimId = Annotated[str, Path(alias="id", min_length=1, max_length=100)]
Number = Annotated[int, Path(ge=1, le=1_000_000)]
Done = Annotated[str, Query(max_length=200)]


@router.get("/board/{id}")
async def show_claim(
    request: Request, id_: ClaimId, serving: Here, caller: AnyCaller, done: Done = "", released: Done = ""
) -> HTMLResponse:
    """Show a claim; what an unfinished phase has brought is not on it, whoever looks."""
    claim = await serving.board.claim(await known_id(id_, serving, caller))
    may_read = await _may_read(claim.id, serving, caller)
    links = PaneLinks(transcript=f"/d/{claim.id}/transcript" if may_read else "")
    flags = [step for step in await serving.board.flags() if step.deliberation == claim.id]
    return render(
        request,
        "board/claim.html",
        claim=claim,
        panes=[drawn(pane_html(pane, links)) for pane in claim.panes if not pane.side],
        side_panes=[drawn(pane_html(pane, links)) for pane in claim.panes if pane.side],
        verified=await _verified(claim, serving),
        may_read=may_read,
        may_work=caller.has(AGENT),
        said=said_output,
        flag=flag_path(flags[0]) if flags else "",
        takeable=await _takeable(claim, serving, caller),
        done=done,
        released=released,
        now=serving.clock.now(),
        once=fresh_once(),
    )


@router.get("/board/{id}/documents/{number}")
async def send_document(id_: ClaimId, number: Number, serving: Here, caller: AnyCaller) -> Response:
    """Send a document of a claim as a file; it is never opened as a page of this server."""
    documents = await readable_documents(id_, serving, caller)
    if number > len(documents):
        raise NotFound(what="document", name=str(number), see=f"claim {id_} has {len(documents)}")
    headers = {
        "Content-Disposition": f'attachment; filename="document-{number}.txt"',
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return Response(documents[number - 1].text.encode(), media_type="text/plain; charset=utf-8", headers=headers)


async def _verified(claim: OnBoard, serving: Serving) -> Verified | None:
    try:
        return await serving.board.verify(claim.id) if claim.pipeline.seal else None
    except NotEnded:
        return None


async def _may_read(id_: str, serving: Serving, caller: Caller) -> bool:
    try:
        await readable(id_, serving, caller)
    except NotYours:
        return False
    return True


async def _takeable(claim: OnBoard, serving: Serving, caller: Caller) -> frozenset[str]:
    """Return the slots that the reader may take now."""
    if claim.pipeline.seal or not caller.has(AGENT):
        return frozenset()
    most = len(claim.pipeline.slots)
    return frozenset(step.step for step in await serving.board.next_slots(caller.name, most, claim=claim.id))
