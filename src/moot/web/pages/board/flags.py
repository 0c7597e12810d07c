"""`/flags`: the flags that wait for a person, and one of them: why, what was said, and what is done about it."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from moot.core.errors import BadSubmission, MootError, NotFound, StepError
from moot.core.ports import OpenStep
from moot.web.access import AGENT, Caller, ReviewerCaller
from moot.web.boarding import clear_waiting, find_flag
from moot.web.pages.board.shown import earlier_layers, flag_path, said_outputs
from moot.web.pages.forms import Form, SentForm, fresh_once
from moot.web.pages.once import do_once
from moot.web.pages.rendering import render
from moot.web.pages.schema_form import problems_by_field
from moot.web.problems import status_of, words_of
from moot.web.serving import Here, Serving

SEE_OTHER = 303
DECISIONS = {
    "advance": (
        "Advance",
        "Let the layer pass in spite of the flag: what it came to counts, and the claim goes on.",
    ),
    "redo": ("Redo", "Open the layer again with fresh slots; what was said stays as an earlier attempt."),
    "close": ("Close", "End the claim here, without a consensus."),
}
LONGEST_NOTE = 4000

router = APIRouter(include_in_schema=False)

FlagId = Annotated[str, Path(alias="id", min_length=1, max_length=300)]
Cleared = Annotated[str, Query(max_length=300)]


@router.get("/flags")
async def list_flags(request: Request, serving: Here, caller: ReviewerCaller, cleared: Cleared = "") -> HTMLResponse:
    """List the flags that wait, oldest first."""
    return await _list(request, serving, caller, cleared=cleared)


@router.get("/flags/{id}")
async def show_flag(
    request: Request, id_: FlagId, serving: Here, caller: ReviewerCaller, cleared: Cleared = ""
) -> HTMLResponse:
    """Show a flag with the words of judges and workers, and the three ways to clear it."""
    try:
        flag = await find_flag(id_, serving)
    except NotFound:
        return await _list(request, serving, caller, gone=id_)
    return await _page(request, serving, flag, SentForm({}), cleared=cleared)


@router.post("/flags/{id}")
async def clear_flag(request: Request, id_: FlagId, serving: Here, caller: ReviewerCaller, form: Form) -> Response:
    """Clear a flag, and lead to the next; the same form sent twice clears it once."""

    async def clear() -> None:
        await clear_waiting(id_, serving, caller, form.text("decision"), form.whole("note"))

    try:
        await do_once(serving, caller, form, clear)
    except NotFound:
        return await _list(request, serving, caller, gone=id_, note=form.text("note"))
    except StepError as error:
        return await _page(request, serving, await find_flag(id_, serving), form, error)
    waiting = await serving.board.flags()
    following = flag_path(waiting[0]) if waiting else "/flags"
    return RedirectResponse(f"{following}?cleared={id_}", SEE_OTHER)


async def _list(
    request: Request, serving: Serving, caller: Caller, *, cleared: str = "", gone: str = "", note: str = ""
) -> HTMLResponse:
    return render(
        request,
        "board/flags.html",
        status=404 if gone else 200,
        waiting=await serving.board.flags(),
        may_work=caller.has(AGENT),
        held=len(await serving.board.held(caller.name)) if caller.has(AGENT) else 0,
        cleared=cleared,
        gone=gone.partition("~")[0],
        note=note,
    )


async def _page(
    request: Request,
    serving: Serving,
    flag: OpenStep,
    form: SentForm,
    error: MootError | None = None,
    cleared: str = "",
) -> HTMLResponse:
    told, waiting = flag.context, await serving.board.flags()
    places = [step.number for step in waiting]
    claim = await serving.board.claim(flag.deliberation)
    refused = problems_by_field(error.problems, ("decision", "note")) if isinstance(error, BadSubmission) else {}
    return render(
        request,
        "board/flag.html",
        status=status_of(error) if error else 200,
        flag=flag,
        path=flag_path(flag),
        claim=claim,
        raised=told["flag"],
        layer=told["layer"],
        judges=said_outputs(told["consensus"]),
        workers=said_outputs(told["work"]),
        earlier=earlier_layers(told["earlier"]),
        attempt=next((one.latest for one in claim.layers if one.layer.number == told["layer"]["number"]), None),
        decisions=DECISIONS,
        decision=form.text("decision"),
        note=form.whole("note"),
        longest=LONGEST_NOTE,
        problems=refused,
        trouble="" if error is None or refused else _trouble(error),
        place=places.index(flag.number) + 1 if flag.number in places else 0,
        total=len(waiting),
        cleared=cleared,
        once=fresh_once(),
    )


def _trouble(error: MootError) -> str:
    words = words_of(error, "page")
    return f"{words[:1].upper()}{words[1:]}"
