"""A new question: a form with the plan beside it, asked once however often it is sent."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from moot.core.errors import DocumentUnreadable, ExtraMissing, StoreError
from moot.service.asking import OrderPlan, plan_order
from moot.service.orders import Plan
from moot.service.reading.documents import read_handed_over
from moot.service.reading.offers import AskingOffers, read_offers
from moot.web.access import AskingCaller
from moot.web.pages.ask_form import LIMITS, LONGEST_QUESTION, AskForm
from moot.web.pages.ask_plan import PlanView
from moot.web.pages.forms import Form, Problems, fresh_once, problems_at
from moot.web.pages.rendering import render
from moot.web.pages.schema_form import FormField, fields_of
from moot.web.problems import words_of
from moot.web.serving import Here
from moot.web.starting import earlier_start, limits_of, start

router = APIRouter(include_in_schema=False)

BUDGET = tuple(f"budget.{name}" for name in LIMITS)
FIELDS = ("question", "form", "documents", "protocol", "members", "settings", *BUDGET, "seed")


@router.get("/ask")
async def ask(
    request: Request,
    serving: Here,
    caller: AskingCaller,
    question: Annotated[str, Query(max_length=LONGEST_QUESTION)] = "",
    protocol: Annotated[str, Query(max_length=100)] = "",
) -> HTMLResponse:
    """Show the form."""
    form = AskForm(question=question, protocol=protocol, once=fresh_once())
    return await _page(request, serving, caller, form, {}, None)


@router.post("/ask")
async def put(request: Request, serving: Here, caller: AskingCaller, sent: Form) -> Response:
    """Ask, or show the form again with the plan or with what is wrong; the same form asks once."""
    form = AskForm.sent(sent)
    doing = sent.text("do", "ask")
    if doing == "document":
        form = replace(form, documents=(*form.documents, ("", "")))
        return await _page(request, serving, caller, form, {}, None)
    if form.once:
        request.scope["state"]["request"] = f"{caller.prefix}/ask/{form.once}"
        if doing == "ask" and (earlier := await earlier_start(request, serving)):
            return RedirectResponse(f"/d/{earlier}", status_code=303)
    problems, planned = await _planned(serving, caller, form)
    if planned is None or doing != "ask":
        return await _page(request, serving, caller, form, problems, planned, status=422 if problems else 200)
    try:
        started = await start(form.order()[0], serving, caller, request)
    except StoreError:
        # A second click has begun it between the look and the start.
        started = await earlier_start(request, serving)
        if started is None:
            raise
    return RedirectResponse(f"/d/{started}", status_code=303)


@router.post("/ask/plan")
async def plan(request: Request, serving: Here, caller: AskingCaller, sent: Form) -> HTMLResponse:
    """Show what would happen, and what is wrong at each field: what a form shows beside it while it is written."""
    form = AskForm.sent(sent)
    # Nobody is told that the question is empty before it was begun; whoever asks for the plan is.
    wanted = form.question or sent.text("do")
    problems, planned = await _planned(serving, caller, form) if wanted else ({}, None)
    fields = await _fields(serving, caller, form)
    shown = PlanView.of(planned, form.order()[0], _address(request)) if planned else None
    return render(
        request,
        "ask/parts.html",
        form=form,
        problems=problems,
        plan=shown,
        fields=fields,
        names=FIELDS,
        limit=serving.limits.body,
    )


@router.post("/ask/document")
async def document(
    request: Request, _caller: AskingCaller, name: Annotated[str, Query(min_length=1, max_length=1000)]
) -> JSONResponse:
    """Return the text of a file, for the form to show."""
    try:
        read = await read_handed_over(name, await request.body())
    except (DocumentUnreadable, ExtraMissing) as error:
        return JSONResponse({"problem": words_of(error, "page")})
    return JSONResponse({"text": read.text})


async def _planned(serving: Here, caller: AskingCaller, form: AskForm) -> tuple[Problems, Plan | None]:
    order, wrong = form.order()
    planned: OrderPlan = await plan_order(serving.service, order, limits_of(caller, serving))
    return problems_at(FIELDS, (*wrong, *planned.refusals), "question"), None if wrong else planned.plan


def _offered(specs: tuple[str, ...], form: AskForm) -> dict[str, bool]:
    """The members that may be chosen; and those of the form that are offered no longer, so that nobody loses them."""
    return {**dict.fromkeys(form.members or (), False), **dict.fromkeys(specs, True)}


async def _fields(serving: Here, caller: AskingCaller, form: AskForm) -> tuple[FormField, ...]:
    offers = await read_offers(serving.service, limits_of(caller, serving))
    chosen = form.protocol or (offers.with_documents if form.documents else offers.without_documents)
    return _fields_of(offers, chosen, form)


def _fields_of(offers: AskingOffers, protocol: str, form: AskForm) -> tuple[FormField, ...]:
    schema = next((one.settings for one in offers.protocols if one.name == protocol), {})
    return fields_of(schema, form.settings or {})


async def _page(
    request: Request,
    serving: Here,
    caller: AskingCaller,
    form: AskForm,
    problems: Problems,
    planned: Plan | None,
    status: int = 200,
) -> HTMLResponse:
    offers = await read_offers(serving.service, limits_of(caller, serving))
    usual = f"{offers.with_documents} where there are documents, and else {offers.without_documents}"
    return render(
        request,
        "ask/page.html",
        status=status,
        form=form,
        problems=problems,
        plan=PlanView.of(planned, form.order()[0], _address(request)) if planned else None,
        protocols=offers.protocols,
        usual=usual,
        members=_offered(tuple(member.spec for member in offers.members), form),
        usual_members=", ".join(dict.fromkeys(offers.usual_members)) or offers.why_usual,
        fields=_fields_of(offers, form.protocol or offers.without_documents, form),
        limits=LIMITS,
        refused_budget=any(name in problems for name in (*BUDGET, "seed")),
        limit=serving.limits.body,
    )


def _address(request: Request) -> str:
    return str(request.base_url).rstrip("/")
