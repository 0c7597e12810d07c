"""What is done to a deliberation from its page: stop it, go on with it, fork, export and delete it."""

import io
import zipfile
from collections.abc import Mapping
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from moot.core.errors import MootError, NotYours, StoreError, UsageError
from moot.core.protocol import ProtocolSpec
from moot.service.asking import Refusal
from moot.service.limits.forks import fork_refusals
from moot.service.orders import Fork
from moot.web.access import ADMIN, AskingCaller
from moot.web.deleting import delete_deliberation
from moot.web.entitled import steerable
from moot.web.pages.forms import Form, SentForm, problems_at
from moot.web.pages.heading import DeliberationHeading, Heading
from moot.web.pages.rendering import render
from moot.web.pages.schema_form import fields_of, values_of_form
from moot.web.pages.shown.forking import SETTING, ForkForm, asked_steps
from moot.web.problems import status_of, words_of
from moot.web.serving import Here, Serving
from moot.web.starting import go_on, limits_of, start_fork

ExportForm = Literal["md", "json", "html", "files"]
MEDIA = {"md": "text/markdown; charset=utf-8", "json": "application/json", "html": "text/html; charset=utf-8"}
SEE_OTHER = 303
FORK_FIELDS = ("at", "members", "seed", "budget.calls")

router = APIRouter(include_in_schema=False)


@router.post("/d/{id}/stop")
async def stop(heading: DeliberationHeading, serving: Here, caller: AskingCaller) -> RedirectResponse:
    """Stop it; what was answered is kept. To stop it twice is to stop it once."""
    whole = await steerable(heading.head.id, serving, caller)
    await serving.runs.cancel(whole)
    serving.folds.forget_head(whole)
    return RedirectResponse(heading.path, SEE_OTHER)


@router.post("/d/{id}/resume")
async def resume(heading: DeliberationHeading, serving: Here, caller: AskingCaller) -> RedirectResponse:
    """Go on with it; what runs already is left to run."""
    whole = await steerable(heading.head.id, serving, caller)
    await go_on(whole, serving, caller)
    serving.folds.forget_head(whole)
    return RedirectResponse(heading.path, SEE_OTHER)


@router.post("/d/{id}/delete")
async def delete(request: Request, heading: DeliberationHeading, serving: Here, form: Form) -> Response:
    """Delete it for good, where its id was typed."""
    if heading.caller.has(ADMIN) and form.text("confirm") != heading.head.id:
        words = f"Nothing was deleted: {heading.head.id} is its id, and something else was typed."
        return render(request, "failure.html", status=422, title="Not deleted", words=words, code=422)
    await delete_deliberation(heading.head.id, serving, heading.caller)
    return RedirectResponse("/", SEE_OTHER)


@router.get("/d/{id}/export")
async def export(
    heading: DeliberationHeading, serving: Here, form: Annotated[ExportForm, Query(alias="format")] = "md"
) -> Response:
    """Send the record for the reader's disk; it is never opened as a page of this server."""
    id_ = heading.head.id
    if not heading.may_see_record:
        # The journal holds what peers have said in a phase that is not over.
        raise NotYours(what="until it has ended, the record of", name=id_)
    texts = await serving.service.export(id_, form)
    if form == "files":
        return _attached(_zipped(texts), "application/zip", f"{id_}.zip")
    [(name, text)] = texts.items()
    return _attached(text.encode(), MEDIA[form], name)


def _zipped(texts: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return packed.getvalue()


def _attached(body: bytes, media: str, name: str) -> Response:
    # A page made of what models wrote may do nothing, wherever it is opened.
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }
    return Response(body, media_type=media, headers=headers)


@router.get("/d/{id}/fork")
async def show_fork(
    request: Request,
    heading: DeliberationHeading,
    serving: Here,
    caller: AskingCaller,
    at: Annotated[str, Query(max_length=200)] = "",
) -> HTMLResponse:
    """Ask from which step on it is to go another way, and what is to be other there."""
    return await _fork_page(request, heading, serving, ForkForm(at=at), ())


@router.post("/d/{id}/fork")
async def fork(
    request: Request, heading: DeliberationHeading, serving: Here, caller: AskingCaller, form: Form
) -> Response:
    """Go another way from a step on; the same form sent twice leads to the same fork."""
    name = f"page/{caller.prefix}/{form.once}" if form.once else None
    started = await serving.store.served.by_request(name) if name else None
    if started is None:
        try:
            other, refusals = await _ordered(heading, serving, form)
            if refusals:
                return await _fork_page(request, heading, serving, ForkForm.sent(form), refusals, 422)
            started = await start_fork(heading.head.id, other, serving, caller, name)
        except StoreError:
            # The other of two clicks has begun it.
            started = await serving.store.served.by_request(name) if name else None
            if started is None:
                raise
        except MootError as error:
            refused = (Refusal("", error.code, words_of(error, "page")),)
            return await _fork_page(request, heading, serving, ForkForm.sent(form), refused, status_of(error))
    return RedirectResponse(f"/d/{started}", SEE_OTHER)


async def _ordered(heading: Heading, serving: Serving, form: SentForm) -> tuple[Fork, tuple[Refusal, ...]]:
    header, spec = heading.head.header, _spec(serving, heading)
    written = values_of_form(spec.settings.model_json_schema(), form, SETTING) if spec else {}
    settings = {key: value for key, value in written.items() if header.settings.get(key) != value}
    other, wrong = ForkForm.sent(form).fork(settings)
    limits = limits_of(heading.caller, serving)
    return other, (*wrong, *await fork_refusals(serving.service, heading.head.id, other, limits))


async def _fork_page(
    request: Request,
    heading: Heading,
    serving: Serving,
    sent: ForkForm,
    refusals: tuple[Refusal, ...],
    status: int = 200,
) -> HTMLResponse:
    spec = _spec(serving, heading)
    folded = await serving.folds.read(heading.head.id, heading.head.events - 1)
    steps = asked_steps(folded)
    context = heading.context(
        "fork",
        sent=sent,
        problems=problems_at(FORK_FIELDS, refusals),
        steps=steps if not sent.at or sent.at in steps else (sent.at, *steps),
        offered=serving.limits.members,
        fields=fields_of(spec.settings.model_json_schema(), sent.settings) if spec else (),
    )
    return render(request, "fork.html", status=status, **context)


def _spec(serving: Serving, heading: Heading) -> ProtocolSpec | None:
    try:
        return serving.service.find_protocol(heading.head.header.protocol)
    except UsageError:
        return None
