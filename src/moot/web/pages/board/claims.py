"""`/board`: the claims with their layers at a glance, the reader's own slots, who works here, and a new claim."""

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from moot.core.budget import Budget
from moot.core.canonical import storable
from moot.core.errors import EmptyQuestion, MootError, NoSlots, StoreError
from moot.core.question import Document, Question
from moot.service.board import PRISM, TABLE_NAMES
from moot.service.orders import Order
from moot.web.access import AGENT, REVIEWER, AgentCaller, AnyCaller, AskingCaller, Caller
from moot.web.boarding import LOOKED_AT, find_slot, gone_on, open_slots
from moot.web.pages.board.shown import slot_path
from moot.web.pages.forms import Form, SentForm, fresh_once
from moot.web.pages.rendering import render
from moot.web.problems import status_of, words_of
from moot.web.serving import Here, Serving
from moot.web.starting import earlier_start, start

CLAIMS_OF_A_PAGE = 20
SEE_OTHER = 303
NO_CLAIM = "The claim is empty: say in a sentence or two what is to be judged."

router = APIRouter(include_in_schema=False)

Tab = Literal["claims", "slots", "agents"]
Before = Annotated[int | None, Query(ge=0, le=2**62)]


@dataclass(frozen=True, slots=True)
class ClaimForm:
    """A new claim as it was sent, and what is wrong with it."""

    claim: str = ""
    table: str = TABLE_NAMES[0]
    name: str = ""
    text: str = ""
    problem: str = ""

    @classmethod
    def sent(cls, form: SentForm) -> "ClaimForm":
        """Return what a form says."""
        return cls(
            form.whole("claim").strip(),
            form.text("table", TABLE_NAMES[0]),
            form.text("document-name")[:200],
            form.whole("document-text"),
        )

    def order(self) -> Order:
        """Return what is ordered: a claim whose slots wait for people and agents."""
        documents = (Document(name=self.name or "document", text=storable(self.text)),) if self.text.strip() else ()
        question = Question(text=self.claim, documents=documents)
        return Order(question, PRISM, (), {"house": "none", "table": self.table}, Budget())


@router.get("/board")
async def show_board(
    request: Request, serving: Here, caller: AnyCaller, tab: Tab = "claims", before: Before = None
) -> HTMLResponse:
    """Show the claims, newest first, or the reader's slots, or who works on the board."""
    return await _page(request, serving, caller, tab, before, ClaimForm())


@router.post("/board")
async def put_claim(request: Request, serving: Here, caller: AskingCaller, form: Form) -> Response:
    """Put a claim on the board; the same form sent twice puts one."""
    if form.once:
        request.scope["state"]["request"] = f"{caller.prefix}/board/{form.once}"
    started = await earlier_start(request, serving)
    if started is None:
        sent = ClaimForm.sent(form)
        try:
            started = await start(sent.order(), serving, caller, request)
        except StoreError:
            # The other of two clicks has begun it.
            started = await earlier_start(request, serving)
            if started is None:
                raise
        except MootError as error:
            problem = NO_CLAIM if isinstance(error, EmptyQuestion) else words_of(error, "page")
            refused = replace(sent, problem=f"{problem[:1].upper()}{problem[1:]}")
            return await _page(request, serving, caller, "claims", None, refused, status_of(error))
        await gone_on(started, serving)
    return RedirectResponse(f"/board/{started}", SEE_OTHER)


@router.get("/board/work")
async def find_work(request: Request, serving: Here, caller: AgentCaller) -> Response:
    """Lead to the oldest slot that the reader may take, by the rule of `jobs/work`; nothing is taken by it."""
    try:
        return RedirectResponse(slot_path(await find_slot(serving, caller)), SEE_OTHER)
    except NoSlots:
        return render(request, "board/no_work.html", held=await serving.board.held(caller.name))


async def _page(
    request: Request,
    serving: Serving,
    caller: Caller,
    tab: Tab,
    before: int | None,
    sent: ClaimForm,
    status: int = 200,
) -> HTMLResponse:
    may_work = caller.has(AGENT)
    claims = await serving.board.page(CLAIMS_OF_A_PAGE, before) if tab == "claims" else []
    return render(
        request,
        "board/page.html",
        status=status,
        tab=tab,
        claims=claims,
        total=await serving.board.count(),
        next=claims[-1].number if len(claims) == CLAIMS_OF_A_PAGE else None,
        before=before,
        held=await serving.board.held(caller.name) if may_work else [],
        open_slots=len(await open_slots(serving, caller)) if may_work else 0,
        most_counted=LOOKED_AT,
        agents=await serving.board.agents() if tab == "agents" else [],
        may_work=may_work,
        may_put=caller.has(AGENT, REVIEWER),
        tables=TABLE_NAMES,
        sent=sent,
        now=serving.clock.now(),
        once=fresh_once(),
    )
