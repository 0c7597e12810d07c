"""Why an answer is believed: its argument drawn, each claim in a drawer, and what would be so if one were wrong."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from moot.service.reading.arguments import DeliberationArgument
from moot.views.graph_svg import downloaded_svg, graph_json
from moot.web.access import ReviewerCaller
from moot.web.pages.argued.looking import Looking
from moot.web.pages.argued.page import ArgumentPage
from moot.web.pages.argued.state import State
from moot.web.pages.forms import Form
from moot.web.pages.heading import DeliberationHeading, Heading
from moot.web.pages.once import do_once
from moot.web.pages.rendering import render
from moot.web.serving import Here

LONGEST_REASON = 4_000
NO_REASON = "Say why it is wrong: the reason is kept with your name."

router = APIRouter(include_in_schema=False)


@router.get("/d/{id}/argument")
async def argument_page(
    request: Request,
    heading: DeliberationHeading,
    looking: Looking,
    state: State,
    fragment: Annotated[Literal["", "drawer"], Query()] = "",
) -> HTMLResponse:
    """Show the argument; `fragment` asks for the drawer of the selected claim alone."""
    looked_at = await looking.at(state)
    if isinstance(looked_at, DeliberationArgument):
        return render(request, "argument/missing.html", **heading.context("argument", read=looked_at))
    if fragment == "drawer":
        context = await asyncio.to_thread(looked_at.drawer_context, heading)
        return render(request, "argument/drawer_alone.html", **context)
    return await _page(request, heading, looked_at)


@router.get("/d/{id}/argument/drawing.svg")
async def drawing_svg(heading: DeliberationHeading, looking: Looking, state: State) -> Response:
    """Send what is drawn as a file of its own."""
    text = await looking.drawn(state, lambda page: downloaded_svg(page.drawn(is_still=True)))
    # A file for the reader's disk: nothing of it is shown under this server's own address.
    named = {"Content-Disposition": f'attachment; filename="argument-{heading.head.id}.svg"'}
    return Response(text, media_type="image/svg+xml", headers=named)


@router.get("/d/{id}/argument/drawing.json")
async def drawing_json(looking: Looking, state: State) -> Response:
    """Send what is drawn as data, for a browser that draws only what is in view."""
    text = await looking.drawn(state, lambda page: graph_json(page.drawn(is_still=False)))
    return Response(text, media_type="application/json")


@router.post("/d/{id}/argument/contest")
async def contest_claim(
    request: Request,
    heading: DeliberationHeading,
    looking: Looking,
    serving: Here,
    state: State,
    caller: ReviewerCaller,
    form: Form,
) -> Response:
    """Refute a claim for a reason, in the reviewer's name."""
    claim, reason, id_ = form.text("claim"), form.text("reason"), heading.head.id
    if not reason:
        looked_at = await looking.at(replace(state, claim=claim))
        if isinstance(looked_at, ArgumentPage):
            return await _page(request, heading, looked_at, status=422, contest_problem=NO_REASON)
    refuting = partial(serving.service.contest, id_, claim, author=caller.name, reason=reason[:LONGEST_REASON])
    await do_once(serving, caller, form, refuting)
    return RedirectResponse(state.selecting(claim), status_code=303)


@router.post("/d/{id}/argument/uncontest")
async def uncontest_claim(
    heading: DeliberationHeading, serving: Here, state: State, caller: ReviewerCaller, form: Form
) -> Response:
    """Take the latest contest of a claim back."""
    claim = form.text("claim")
    await do_once(serving, caller, form, partial(serving.service.uncontest, heading.head.id, claim, author=caller.name))
    return RedirectResponse(state.selecting(claim), status_code=303)


async def _page(
    request: Request, heading: Heading, looked_at: ArgumentPage, *, status: int = 200, **more: Any
) -> HTMLResponse:
    context = await asyncio.to_thread(looked_at.context, heading)
    return render(request, "argument.html", status=status, **{**context, **more})
