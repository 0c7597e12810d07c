"""Who calls, by a key or by a browser's session, what they may do, and how often."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, Request, Security
from fastapi.responses import RedirectResponse
from fastapi.security import HTTPBearer
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from moot.core.errors import (
    KeyRequired,
    MissingScope,
    MootError,
    NotYours,
    SignedOut,
    TwoCredentials,
    WrongKey,
)
from moot.core.ports import OpenStep
from moot.service import open_steps
from moot.service.limits.paces import RateLimiter
from moot.service.signing.keys import Keys
from moot.service.signing.sessions import Sessions
from moot.store.keys import Key
from moot.web.cookies import session_text
from moot.web.origins import READING, check_same_origin, is_followed_link, is_page
from moot.web.problems import Refusal

AGENT, REVIEWER, ADMIN = "agent", "reviewer", "admin"

SIGN_IN = "/in"
OPEN_TO_ALL = (f"{SIGN_IN}/", "/static/")
WRONG_KEY = "wrong_key"
"""The mark in a request's state for which the answer is held back a while."""

bearer = HTTPBearer(auto_error=False, description="A key of this server, as `moot keys add` or POST agents gives it.")


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever holds the key that came with a request."""

    name: str
    prefix: str
    scopes: tuple[str, ...]

    def has(self, *scopes: str) -> bool:
        """Whether the key has one of these scopes; admin has all."""
        return ADMIN in self.scopes or any(scope in self.scopes for scope in scopes)

    @property
    def releases_as(self) -> str | None:
        """The agent whose slots the caller may give back; None for an admin, who may give back anybody's."""
        return None if ADMIN in self.scopes else self.name

    def check_may_read(self, deliberation: str, owner: str | None) -> None:
        """Do nothing where the caller may read a deliberation.

        Raises:
            NotYours: for an agent's key and a deliberation that it did not start.
        """
        if not self.has(REVIEWER) and owner != self.prefix:
            raise NotYours(what="deliberation", name=deliberation)

    def check_may_steer(self, deliberation: str, owner: str | None) -> None:
        """Do nothing where the caller may stop a deliberation and go on with it: it started it, or is admin.

        Raises:
            NotYours: for anybody else.
        """
        if not self.has(ADMIN) and owner != self.prefix:
            raise NotYours(what="deliberation", name=deliberation)

    def check_may_fill(self, step: OpenStep, owner: str | None) -> None:
        """Do nothing where the caller may see an open step and fill it.

        Whoever reviews may; whoever asked the question, where it is not up for review; and an agent's key where the
        step is not for people.

        Raises:
            NotYours: for anybody else.
        """
        its_own = owner == self.prefix and step.role != open_steps.REVIEWER
        agents_too = step.role not in (open_steps.PERSON, open_steps.REVIEWER) and self.has(AGENT)
        if not (self.has(REVIEWER) or its_own or agents_too):
            raise NotYours(what="open step", name=step.step)


class Access:
    """Finds out who calls and at what pace, before anything else is looked at."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        keys: Keys,
        sessions: Sessions,
        paces: RateLimiter,
        https: bool,
        pause: float,
        refusal: Refusal,
    ) -> None:
        self._app = app
        self._keys = keys
        self._sessions = sessions
        self._paces = paces
        self._https = https
        self._pause = pause
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on with its caller."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            caller = await self._caller(scope, Headers(scope=scope))
            self._paces.count(caller.prefix if isinstance(caller, Caller) else address_of(scope))
        except MootError as error:
            await self._refusal(error, scope)(scope, receive, send)
            return
        scope.setdefault("state", {})["caller"] = caller
        if isinstance(caller, KeyRequired | SignedOut) and _is_for_people_who_signed_in(scope):
            await _to_sign_in(scope)(scope, receive, send)
            return
        await self._app(scope, receive, self._held_back(scope, send))

    async def _caller(self, scope: Scope, headers: Headers) -> Caller | MootError:
        session = session_text(scope, headers, https=self._https)
        scheme, _, text = headers.get("authorization", "").partition(" ")
        if is_followed_link(scope, headers):
            return KeyRequired()
        if session is not None:
            if scheme.lower() == "bearer":
                raise TwoCredentials
            check_same_origin(scope, headers)
            return _caller_with(await self._sessions.find(session)) or SignedOut()
        if headers.get("sec-fetch-site") == "same-site" and is_page(scope["path"]):
            # Another port signs nobody in here.
            check_same_origin(scope, headers)
        if "authorization" not in headers:
            return KeyRequired()
        return _caller_with(await self._keys.find(text.strip()) if scheme.lower() == "bearer" else None) or WrongKey()

    def _held_back(self, scope: Scope, send: Send) -> Send:
        async def send_later(message: Message) -> None:
            # Here nobody else waits for it: the request has given its turn back.
            if message["type"] == "http.response.start" and scope["state"].get(WRONG_KEY):
                await asyncio.sleep(self._pause)
            await send(message)

        return send_later


def caller_of(request: Request) -> Caller:
    """Return who calls.

    Raises:
        KeyRequired, WrongKey: for a request without a key that counts.
    """
    caller = request.scope.get("state", {}).get("caller") or KeyRequired()
    if isinstance(caller, MootError):
        raise caller
    return caller


def _with(*scopes: str) -> Callable[[Request, Any], Caller]:
    def caller_with_scope(request: Request, _documented: Annotated[Any, Security(bearer)]) -> Caller:
        caller = caller_of(request)
        if scopes and not caller.has(*scopes):
            raise MissingScope(needed=(*scopes, ADMIN) if ADMIN not in scopes else scopes, has=caller.scopes)
        return caller

    return caller_with_scope


def address_of(scope: Scope) -> str:
    """Return the name under which the pace of somebody without a key is remembered."""
    return f"address {scope['client'][0]}" if scope.get("client") else "no address"


def _caller_with(key: Key | None) -> Caller | None:
    return Caller(key.name, key.prefix, key.scopes) if key else None


def _is_for_people_who_signed_in(scope: Scope) -> bool:
    path = scope["path"]
    return scope["method"] in READING and is_page(path) and path != SIGN_IN and not path.startswith(OPEN_TO_ALL)


def _to_sign_in(scope: Scope) -> RedirectResponse:
    query = scope.get("query_string", b"").decode("latin-1")
    wanted = f"{scope['path']}?{query}" if query else scope["path"]
    return RedirectResponse(SIGN_IN if wanted == "/" else f"{SIGN_IN}?to={quote(wanted, safe='/')}", status_code=303)


AnyCaller = Annotated[Caller, Depends(_with())]
AgentCaller = Annotated[Caller, Depends(_with(AGENT))]
AskingCaller = Annotated[Caller, Depends(_with(AGENT, REVIEWER))]
ReviewerCaller = Annotated[Caller, Depends(_with(REVIEWER))]
AdminCaller = Annotated[Caller, Depends(_with(ADMIN))]
