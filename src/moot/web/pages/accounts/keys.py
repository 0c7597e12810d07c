"""`/keys`: who has a key and when it was used last; a new key, shown once; a key revoked."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from moot.core.errors import BadAgentName, UsageError
from moot.service.signing.keys import SCOPES
from moot.store.keys import Key
from moot.web.access import ADMIN, AdminCaller, Caller
from moot.web.pages.forms import Form, SentForm, fresh_once
from moot.web.pages.once import do_once
from moot.web.pages.rendering import render
from moot.web.problems import status_of, words_of
from moot.web.serving import Here, Serving

MEANINGS = {
    "agent": "asks, and works on the board; sees what it asked itself",
    "reviewer": "asks, sees all, contests and clears flags",
    "admin": "may do everything, keys too",
}
SENT_BEFORE = "This form was sent before, and its key was shown then. Nothing was made now."

router = APIRouter(include_in_schema=False)

Prefix = Annotated[str, Path(min_length=1, max_length=100)]


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key, how many browsers are signed in with it, and what to know before it is revoked."""

    key: Key
    sessions: int
    is_own: bool
    is_last_admin: bool


@dataclass(frozen=True, slots=True)
class NewKeyForm:
    """What was sent for a new key, and what is wrong with it."""

    name: str = ""
    scopes: tuple[str, ...] = ("agent",)
    problem: str = ""


@router.get("/keys")
async def show_keys(request: Request, serving: Here, caller: AdminCaller) -> HTMLResponse:
    """Show who has a key, and who had one."""
    return await _page(request, serving, caller, NewKeyForm())


@router.post("/keys")
async def make_key(request: Request, serving: Here, caller: AdminCaller, form: Form) -> Response:
    """Make a key and show it, in this answer and never again; the same form sent twice makes one."""
    made: list[tuple[Key, str]] = []

    async def make() -> None:
        made.append(await serving.keys.make(form.text("name"), form.all("scope")))

    try:
        await do_once(serving, caller, form, make)
    except (BadAgentName, UsageError) as error:
        return await _page(request, serving, caller, _sent(form, words_of(error, "page")), status=status_of(error))
    if not made:
        return await _page(request, serving, caller, NewKeyForm(problem=SENT_BEFORE), status=HTTPStatus.CONFLICT)
    return await _page(request, serving, caller, NewKeyForm(), made[0], status=HTTPStatus.CREATED)


@router.post("/keys/{prefix}/revoke")
async def revoke_key(prefix: Prefix, serving: Here, caller: AdminCaller) -> RedirectResponse:
    """Revoke a key; to revoke it twice is to revoke it once."""
    await serving.revocations.revoke(prefix)
    return RedirectResponse("/keys", HTTPStatus.SEE_OTHER)


async def _page(
    request: Request,
    serving: Serving,
    caller: Caller,
    sent: NewKeyForm,
    made: tuple[Key, str] | None = None,
    status: int = 200,
) -> HTMLResponse:
    rows = key_rows(await serving.keys.list(), [one.prefix for one in await serving.sessions.live()], caller.prefix)
    return render(
        request,
        "keys.html",
        status=status,
        live=[row for row in rows if row.key.revoked is None],
        revoked=[row for row in rows if row.key.revoked is not None],
        made=made,
        sent=sent,
        meanings=MEANINGS,
        once=fresh_once(),
        now=serving.clock.now(),
    )


def key_rows(keys: Sequence[Key], sessions: Sequence[str], own: str) -> list[KeyRow]:
    """Return the keys with the number of their sessions, which are given by their keys' prefixes."""
    counts = Counter(sessions)
    admins = [key.prefix for key in keys if ADMIN in key.scopes and key.revoked is None]
    return [KeyRow(key, counts[key.prefix], key.prefix == own, admins == [key.prefix]) for key in keys]


def _sent(form: SentForm, problem: str) -> NewKeyForm:
    return NewKeyForm(form.text("name")[:100], tuple(scope for scope in SCOPES if scope in form.all("scope")), problem)
