"""Signing in with a key or by a one-time link, and signing out. A key is never repeated, nor put into an address."""

from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from moot.core.errors import LinkGone, SignedOut, TooManyRequests
from moot.store.keys import Key
from moot.web.access import SIGN_IN, WRONG_KEY, Caller, address_of
from moot.web.cookies import drop_session, session_text, set_session
from moot.web.origins import is_followed_link
from moot.web.pages.forms import Form
from moot.web.pages.rendering import render
from moot.web.problems import status_of
from moot.web.serving import Here, Serving

HOME = "/"
NO_PAGES = ("in", "out", "api", "static")
LONGEST_PATH = 2000
WRONG = "This key opens nothing here. Check that it was copied whole, or ask for a new one."
OVER = "You have been signed out. Sign in again to go on."

router = APIRouter(include_in_schema=False)


def local_path(wanted: str) -> str:
    """Return where to go after signing in: the page that was wanted, or home for an address that leads elsewhere.

    A browser reads a backslash as a slash and passes over tabs and line ends, so that neither may be in it.
    """
    if len(wanted) > LONGEST_PATH or not wanted.isprintable() or "\\" in wanted or not wanted.startswith("/"):
        return HOME
    try:
        parts = urlsplit(wanted)
    except ValueError:
        return HOME
    if wanted.startswith("//") or parts.scheme or parts.netloc:
        return HOME
    return HOME if parts.path.split("/")[1] in NO_PAGES else wanted


@router.get(SIGN_IN)
async def show_sign_in(request: Request, to: str = HOME) -> Response:
    """Ask for a key; whoever has signed in goes on."""
    caller = request.state.caller
    if isinstance(caller, Caller):
        return RedirectResponse(local_path(to), status_code=303)
    return _asked(request, local_path(to), OVER if isinstance(caller, SignedOut) else "")


@router.post(SIGN_IN)
async def sign_in(request: Request, here: Here, form: Form) -> Response:
    """Open a session for a key that counts; answer a wrong one slowly, and not too many of them."""
    address, to = address_of(request.scope), local_path(form.text("to", HOME))
    try:
        here.attempts.count(address)
    except TooManyRequests as error:
        wait = max(1, round(error.retry_after))
        said = f"Too many wrong keys came from your address. Wait {wait} s and try again."
        return _asked(request, to, said, status=429, headers={"Retry-After": str(wait)})
    key = await here.keys.find(form.text("key"))
    if key is None:
        request.scope["state"][WRONG_KEY] = True
        return _asked(request, to, WRONG, status=401)
    here.attempts.give_back(address)
    return await _signed_in(request, here, key, to)


@router.get(f"{SIGN_IN}/{{token}}")
async def show_link(request: Request, here: Here, token: str) -> Response:
    """Show whom a one-time link is for; it is not used up, however often it is fetched."""
    try:
        key = await here.links.look(token)
    except LinkGone as gone:
        return _refused(request, gone)
    return render(request, "link.html", name=key.name, problem="")


@router.post(f"{SIGN_IN}/{{token}}")
async def use_link(request: Request, here: Here, token: str) -> Response:
    """Open a session by a one-time link, and use it up."""
    try:
        key = await here.links.use(token)
    except LinkGone as gone:
        return _refused(request, gone)
    return await _signed_in(request, here, key, HOME)


@router.post("/out")
async def sign_out(request: Request, here: Here) -> Response:
    """End the session of this browser."""
    await _end_session(request, here)
    response = RedirectResponse(SIGN_IN, status_code=303)
    drop_session(response, request, https=here.limits.https)
    return response


async def _signed_in(request: Request, here: Serving, key: Key, to: str) -> Response:
    await _end_session(request, here)
    response = RedirectResponse(to, status_code=303)
    set_session(response, request, await here.sessions.make(key), https=here.limits.https)
    return response


async def _end_session(request: Request, here: Serving) -> None:
    if text := session_text(request.scope, request.headers, https=here.limits.https):
        await here.sessions.end(text)


def _asked(
    request: Request, to: str, problem: str, *, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    # Their cookie did not count on the way here; it will for a link of this page.
    by_link = is_followed_link(request.scope, request.headers)
    return render(request, "in.html", status=status, headers=headers, to=to, problem=problem, by_link=by_link)


def _refused(request: Request, gone: LinkGone) -> Response:
    return render(
        request, "link.html", status=status_of(gone), name="", problem=f"{str(gone)[0].upper()}{str(gone)[1:]}"
    )
