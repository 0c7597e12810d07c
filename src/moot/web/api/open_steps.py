"""Open steps that are not the board's: a person's turn, a ruling, whatever a protocol invites others to."""

from typing import Annotated

from fastapi import APIRouter, Body, Path

from moot.core.errors import NotFound
from moot.core.ports import OpenStep
from moot.web.access import REVIEWER, AnyCaller, AskingCaller, Caller
from moot.web.api.bodies.deliberations import OpenStepLine, OpenStepView
from moot.web.api.bodies.sent import Filling, Taking
from moot.web.api.paging import PAGE, Cursor, Limit, Page, next_cursor, place_of
from moot.web.entitled import known_id
from moot.web.serving import Here, Serving
from moot.web.slot_names import slot_id

router = APIRouter(tags=["open steps"])

Id = Annotated[
    str, Path(alias="id", min_length=1, max_length=100, description="a deliberation", examples=["0123456789"])
]
StepId = Annotated[
    str,
    Path(
        alias="step",
        min_length=1,
        max_length=300,
        description="an open step, with ~ for every / of its name",
        examples=["turn~1"],
    ),
]
Lease = Annotated[Taking, Body(default_factory=Taking)]
OF_ONE = "/deliberations/{id}/open-steps"
STEP = f"{OF_ONE}/{{step}}"


@router.get("/open-steps")
async def list_open_steps(
    serving: Here, caller: AnyCaller, limit: Limit = PAGE, cursor: Cursor = None
) -> Page[OpenStepLine]:
    """List the steps that deliberations wait for and the caller may fill, oldest first; the board's are with the board.

    Whoever asked the question may fill a step, and a key with the scope reviewer; any agent may fill one that is not
    for people.
    """
    return await _listed(serving, caller, None, limit, cursor)


@router.get(OF_ONE)
async def list_open_steps_of(
    id_: Id, serving: Here, caller: AnyCaller, limit: Limit = PAGE, cursor: Cursor = None
) -> Page[OpenStepLine]:
    """List the steps that a deliberation waits for and the caller may fill."""
    return await _listed(serving, caller, await known_id(id_, serving, caller), limit, cursor)


@router.get(STEP)
async def show_open_step(id_: Id, step: StepId, serving: Here, caller: AnyCaller) -> OpenStepView:
    """Show a step: what it is about, what is wanted in which shape, who has it and until when."""
    return await _view(await _entitled(id_, step, serving, caller), serving)


@router.post(f"{STEP}/take")
async def take_open_step(id_: Id, step: StepId, serving: Here, caller: AskingCaller, taking: Lease) -> OpenStepView:
    """Take a step for the seconds of the lease; 409 when somebody has it. Taking one's own again renews it."""
    asked = await _entitled(id_, step, serving, caller)
    return await _view(await serving.open_steps.take(asked, caller.name, lease=taking.lease), serving)


@router.post(f"{STEP}/renew")
async def renew_open_step(id_: Id, step: StepId, serving: Here, caller: AskingCaller, taking: Lease) -> OpenStepView:
    """Lengthen the lease on a step that the caller holds."""
    asked = await _entitled(id_, step, serving, caller)
    return await _view(await serving.open_steps.renew(asked, caller.name, lease=taking.lease), serving)


@router.post(f"{STEP}/release")
async def release_open_step(id_: Id, step: StepId, serving: Here, caller: AskingCaller) -> OpenStepView:
    """Give a step back; an admin may take back a step that somebody else holds."""
    asked = await _entitled(id_, step, serving, caller)
    await serving.open_steps.release(asked, caller.releases_as)
    return await _view(await serving.open_steps.find(asked.deliberation, asked.step), serving)


@router.post(f"{STEP}/fill")
async def fill_open_step(id_: Id, step: StepId, filling: Filling, serving: Here, caller: AskingCaller) -> OpenStepView:
    """Put a reply into a step that the caller holds; the deliberation goes on when it waits for nothing more."""
    asked = await _entitled(id_, step, serving, caller)
    await serving.open_steps.fill(asked, caller.name, filling.reply)
    return await _view(await serving.open_steps.find(asked.deliberation, asked.step), serving)


async def _listed(
    serving: Serving, caller: Caller, id_: str | None, limit: int, cursor: str | None
) -> Page[OpenStepLine]:
    steps = await serving.open_steps.waiting(
        id_,
        for_agent=None if caller.has(REVIEWER) else caller.prefix,
        after=place_of(cursor) or 0,
        limit=limit,
    )
    return Page(items=[OpenStepLine.of(step) for step in steps], next=next_cursor([s.number for s in steps], limit))


async def _entitled(id_: str, step: str, serving: Serving, caller: Caller) -> OpenStep:
    """Return the step of an address that the caller may see and fill.

    Raises:
        NotFound, NotYours: where there is none, or it is for others.
    """
    deliberation = await known_id(id_, serving, caller)
    steps = await serving.store.steps.search(deliberation=deliberation)
    # A name of a protocol from outside may hold a ~ of its own: what counts is the address that was given out.
    name = next((one.step for one in steps if slot_id(one.step) == slot_id(step)), None)
    if name is None:
        see = f"GET /api/v1/deliberations/{deliberation}/open-steps lists those that wait"
        raise NotFound(what="open step", name=step, see=see)
    asked = await serving.open_steps.find(deliberation, name)
    served = await serving.store.served.read(deliberation)
    caller.check_may_fill(asked, served.owner if served else None)
    return asked


async def _view(step: OpenStep, serving: Serving) -> OpenStepView:
    return OpenStepView.whole(step, await serving.service.shape(step))
