"""What can be read of a deliberation: its events by page, a step, its argument, its acts."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query

from moot.service.reading.acts import read_acts
from moot.service.reading.arguments import MOST_SUPPOSED, read_argument
from moot.service.reading.records import MOST_AT_ONCE, record_page
from moot.service.reading.steps import read_step
from moot.web.access import REVIEWER, AnyCaller
from moot.web.api.bodies.reading import ActView, ArgumentView, RecordView, StepView
from moot.web.api.paging import LARGEST, Page
from moot.web.entitled import readable
from moot.web.serving import Here
from moot.web.slot_names import step_of

router = APIRouter(prefix="/deliberations", tags=["deliberations"])

Id = Annotated[
    str, Path(alias="id", min_length=1, max_length=100, description="a deliberation", examples=["0123456789"])
]
StepName = Annotated[
    str,
    Path(
        alias="step",
        min_length=1,
        max_length=500,
        description="a step, with ~ for every / of its name",
        examples=["round~1~m1"],
    ),
]
Kind = Literal["started", "answered", "unanswered", "opened", "filled", "embedded", "noted", "ended"]
Seq = Annotated[int | None, Query(ge=-1, lt=LARGEST)]
Words = Annotated[str | None, Query(max_length=500)]
Claim = Annotated[str, Query(max_length=2000)]


@router.get("/{id}/record")
async def read_record(
    id_: Id,
    serving: Here,
    caller: AnyCaller,
    after: Seq = None,
    before: Seq = None,
    limit: Annotated[int, Query(ge=1, le=MOST_AT_ONCE)] = 100,
    kind: Kind | None = None,
    seat: Annotated[str | None, Query(max_length=200, description="a seat, or who filled a step")] = None,
    step: Annotated[str | None, Query(max_length=500, description="how the step begins")] = None,
    q: Annotated[str | None, Query(max_length=500, description="words that the event holds")] = None,
    failures: Annotated[bool, Query(description="only where an attempt failed, or no answer came")] = False,
) -> RecordView:
    """Read run events by page: the first past `after`, or the last before `before`, of those that fit."""
    whole = await readable(id_, serving, caller)
    page = await record_page(
        serving.service,
        whole,
        after=after,
        before=before,
        limit=limit,
        kind=kind,
        seat=seat,
        step=step,
        q=q,
        failures=failures,
    )
    return RecordView.of(page)


@router.get("/{id}/steps/{step}")
async def show_step(
    id_: Id,
    step: StepName,
    serving: Here,
    caller: AnyCaller,
    seq: Annotated[int | None, Query(ge=0, lt=LARGEST, description="that of its run event, where it is known")] = None,
) -> StepView:
    """Show a step with its prompt, every attempt and what came of it.

    Whoever asked the question sees it once its round is over, a reviewer at any time.
    """
    whole = await readable(id_, serving, caller)
    is_reviewer = caller.has(REVIEWER)
    return StepView.of(await read_step(serving.service, whole, step_of(step), reviewer=is_reviewer, seq=seq))


@router.get("/{id}/graph")
async def show_argument(
    id_: Id,
    serving: Here,
    caller: AnyCaller,
    refute: Annotated[
        list[Claim] | None,
        Query(max_length=MOST_SUPPOSED, description="claims or sentences supposed to be wrong, by id or words"),
    ] = None,
    conclusion: Annotated[str | None, Query(max_length=2000, description="the conclusion that is looked at")] = None,
) -> ArgumentView:
    """Show the argument as it stands, contests included; with `refute`, what would stand. Nothing is stored."""
    whole = await readable(id_, serving, caller)
    return ArgumentView.of(await read_argument(serving.service, whole, refute or (), conclusion=conclusion))


@router.get("/{id}/acts")
async def list_acts(id_: Id, serving: Here, caller: AnyCaller) -> Page[ActView]:
    """List what people did to a deliberation afterwards: contests, and what took them back."""
    whole = await readable(id_, serving, caller)
    return Page(items=[ActView.of(act) for act in await read_acts(serving.service, whole)])
