"""`/board/{id}/{slot}`: what a slot asks for, and the form by which somebody fills it.

Whatever goes wrong, the answer is the same page with everything that was written: a lease that has run out, somebody
who was quicker, an output that was refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from moot.core.errors import BadSubmission, MootError, NotFound, NotYours, OneAnswerPerAgent, StepError
from moot.core.question import Document
from moot.service.board import SlotOnBoard
from moot.service.service import Service
from moot.web.access import AGENT, AgentCaller, AnyCaller, Caller
from moot.web.boarding import gone_on, readable_documents
from moot.web.entitled import known_id
from moot.web.pages.board.shown import (
    LEASES,
    SCALE,
    USUAL_LEASE,
    earlier_layers,
    said_output,
    said_outputs,
    slot_path,
)
from moot.web.pages.forms import Form, SentForm, fresh_once
from moot.web.pages.once import do_once
from moot.web.pages.rendering import render
from moot.web.pages.schema_form import FormField, fields_of, problems_by_field, values_of_form
from moot.web.problems import status_of, words_of
from moot.web.serving import Here, Serving
from moot.web.slot_names import slot_id, step_of

SEE_OTHER = 303
LONGEST_SHOWN = 50_000
"""Characters of a document that stand on the page; all of it is a file."""

NOT_TOLD: Mapping[str, Any] = {"form": "", "review": "", "weaknesses": (), "questions": ()}
"""What only some slots tell."""

router = APIRouter(include_in_schema=False)

ClaimId = Annotated[str, Path(alias="id", min_length=1, max_length=100)]
SlotId = Annotated[str, Path(alias="slot", min_length=1, max_length=200)]
Doing = Literal["take", "renew", "release"]


@dataclass(frozen=True, slots=True)
class SlotPage:
    """A slot as one reader sees it."""

    slot: SlotOnBoard
    caller: Caller
    fields: tuple[FormField, ...]
    documents: tuple[Document, ...] | None
    """None where their text is not the reader's to see."""
    may_take: bool
    now: float
    own_other: str = ""
    """Another slot of the layer that the reader has or had."""

    @property
    def path(self) -> str:
        """The address of the page."""
        return slot_path(self.slot.step)

    @property
    def is_held(self) -> bool:
        """Whether the reader holds the slot."""
        return self.slot.step.state == "taken" and self.slot.step.agent == self.caller.name

    @property
    def lease_left(self) -> float:
        """Seconds that are left of the lease."""
        return max(0.0, (self.slot.step.lease_until or self.now) - self.now)


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody at a slot, with what they have written so far."""

    request: Request
    serving: Serving
    caller: Caller
    id: str
    step: str
    form: SentForm

    async def slot(self) -> SlotOnBoard:
        """Return the slot as it stands."""
        return await self.serving.board.slot(self.id, self.step)


async def _visit(request: Request, serving: Here, caller: AnyCaller, id_: ClaimId, slot: SlotId, form: Form) -> Visit:
    return Visit(request, serving, caller, await known_id(id_, serving, caller), step_of(slot), form)


AtSlot = Annotated[Visit, Depends(_visit)]


@router.get("/board/{id}/{slot}")
async def show_slot(visit: AtSlot) -> HTMLResponse:
    """Show a slot: what is asked, what it rests on, and, to whoever holds it, the form."""
    return await _answer(visit)


@router.post("/board/{id}/{slot}/{doing}")
async def hold_slot(visit: AtSlot, doing: Doing, _agent: AgentCaller) -> Response:
    """Take a slot, lengthen its lease or give it back; what was written already stays."""
    board, name, lease = visit.serving.board, visit.caller.name, _lease(visit.form)
    there = await visit.slot()
    claim, step = there.claim.id, there.step.step
    try:
        match doing:
            case "take":
                await board.take(claim, step, name, lease=lease)
            case "renew":
                await board.renew(claim, step, name, lease=lease)
            case "release":
                await board.release(claim, step, name)
                return RedirectResponse(f"/board/{claim}?released={slot_id(step)}", SEE_OTHER)
    except StepError as error:
        return await _answer(visit, error)
    schema = await _schema(visit.serving.service, there)
    if any(visit.form.text(field) for field in schema.get("properties", {})):
        return await _answer(visit)
    return RedirectResponse(slot_path(there.step), SEE_OTHER)


@router.post("/board/{id}/{slot}")
async def submit(visit: AtSlot, _agent: AgentCaller) -> Response:
    """Put what was written into the slot; the same form sent twice does it once."""
    there, serving, caller = await visit.slot(), visit.serving, visit.caller
    output = values_of_form(await _schema(serving.service, there), visit.form)

    async def fill() -> None:
        await serving.board.done(there.claim.id, there.step.step, caller.name, output)

    try:
        await do_once(serving, caller, visit.form, fill)
    except StepError as error:
        return await _answer(visit, error)
    await gone_on(there.claim.id, serving)
    return RedirectResponse(f"/board/{there.claim.id}?done={slot_id(there.step.step)}", SEE_OTHER)


async def _answer(visit: Visit, error: MootError | None = None) -> HTMLResponse:
    page = await _read(visit)
    names = [one.name for one in page.fields]
    shown, context = page.slot.shown, page.slot.step.context
    return render(
        visit.request,
        "board/slot.html",
        status=status_of(error) if error else 200,
        page=page,
        slot=page.slot.step,
        shown=shown,
        claim=page.slot.claim,
        context={**NOT_TOLD, **context},
        earlier=earlier_layers(context.get("earlier", ())),
        work=said_outputs(context.get("work", ())),
        own_output=said_output(shown.role, shown.output) if shown.output else None,
        problems=problems_by_field(error.problems, names) if isinstance(error, BadSubmission) else {},
        trouble=_trouble(error),
        other=slot_id(error.step) if isinstance(error, OneAnswerPerAgent) else page.own_other,
        was_sent=any(visit.form.text(name) for name in names),
        leases=LEASES,
        usual_lease=_lease(visit.form),
        scale=SCALE,
        longest=LONGEST_SHOWN,
        once=fresh_once(),
    )


async def _read(visit: Visit) -> SlotPage:
    there, serving, caller = await visit.slot(), visit.serving, visit.caller
    schema = await _schema(serving.service, there)
    hints: Mapping[str, Any] = there.step.context.get("wanted", {})
    given = {name: visit.form.whole(name) for name in schema.get("properties", {})}
    fields = tuple(replace(one, words=str(hints.get(one.name, one.words))) for one in fields_of(schema, given))
    try:
        documents = await readable_documents(there.claim.id, serving, caller)
    except NotYours:
        documents = None
    may_take = caller.has(AGENT) and not there.claim.pipeline.seal
    most = len(there.claim.pipeline.slots)
    open_to_reader = await serving.board.next_slots(caller.name, most, claim=there.claim.id) if may_take else []
    return SlotPage(
        there,
        caller,
        fields,
        documents,
        may_take=any(step.step == there.step.step for step in open_to_reader),
        now=serving.clock.now(),
        own_other=_own_other(there, caller),
    )


def _own_other(there: SlotOnBoard, caller: Caller) -> str:
    """Return the slot of the same attempt that the reader has or had; empty where there is none."""
    mine = [
        slot.step
        for slot in there.claim.pipeline.slots
        if (slot.layer, slot.attempt) == (there.shown.layer, there.shown.attempt)
        and slot.agent == caller.name
        and slot.step != there.shown.step
    ]
    return slot_id(mine[0]) if mine else ""


def _trouble(error: MootError | None) -> str:
    """What stands above the form: reasons that belong to a field stand there."""
    if error is None:
        return ""
    if isinstance(error, BadSubmission):
        return "It was not taken yet: what is wrong is said at each field. Nothing that you wrote is lost."
    words = words_of(error, "page")
    return f"{words[:1].upper()}{words[1:]} Nothing that you wrote is lost."


async def _schema(service: Service, there: SlotOnBoard) -> Mapping[str, Any]:
    try:
        return (await service.shape(there.step)).model_json_schema(by_alias=True)
    except NotFound:
        # Another version of the protocol opened it: it is read, and nobody fills it here.
        return {}


def _lease(form: SentForm) -> int:
    """Return the lease that a form asks for, one of those that are offered."""
    asked = form.text("lease")
    return int(asked) if asked in map(str, LEASES) else USUAL_LEASE
