"""Who calls, what they may do, and how often."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request, Security
from fastapi.security import HTTPBearer
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from moot.core.errors import KeyRequired, MissingScope, MootError, NotYours, TooManyRequests, WrongKey
from moot.core.ports import Clock, OpenStep
from moot.service import open_steps
from moot.service.signing.keys import Keys
from moot.web.problems import problem_of

AGENT, REVIEWER, ADMIN = "agent", "reviewer", "admin"
BURST_SECONDS = 4
REMEMBERED = 10_000
"""Callers whose pace is remembered; the one not heard of for longest is forgotten first."""

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


class RateLimiter:
    """How fast each caller has been; a bucket of requests that fills with time."""

    def __init__(self, rate: float, clock: Clock) -> None:
        self._rate = rate
        self._most = max(1.0, rate * BURST_SECONDS)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def count(self, caller: str) -> None:
        """Count a request.

        Raises:
            TooManyRequests: for one too many, with the seconds to wait.
        """
        now = self._clock.monotonic()
        left, since = self._left.pop(caller, (self._most, now))
        left = min(self._most, left + (now - since) * self._rate)
        self._left[caller] = (max(0.0, left - 1), now)
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        if left < 1:
            raise TooManyRequests(retry_after=(1 - left) / self._rate)


class Access:
    """Finds out who calls and at what pace, before anything else is looked at."""

    def __init__(self, app: ASGIApp, keys: Keys, paces: RateLimiter) -> None:
        self._app = app
        self._keys = keys
        self._paces = paces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on with its caller."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            caller = await self._caller(Headers(scope=scope))
            self._paces.count(caller.prefix if isinstance(caller, Caller) else _address(scope))
        except MootError as error:
            await problem_of(error, scope["path"])(scope, receive, send)
            return
        scope.setdefault("state", {})["caller"] = caller
        await self._app(scope, receive, send)

    async def _caller(self, headers: Headers) -> Caller | MootError:
        given = headers.get("authorization")
        if given is None:
            return KeyRequired()
        scheme, _, text = given.partition(" ")
        key = await self._keys.find(text.strip()) if scheme.lower() == "bearer" else None
        return Caller(key.name, key.prefix, key.scopes) if key else WrongKey()


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


def _address(scope: Scope) -> str:
    return f"address {scope['client'][0]}" if scope.get("client") else "no address"


AnyCaller = Annotated[Caller, Depends(_with())]
AgentCaller = Annotated[Caller, Depends(_with(AGENT))]
AskingCaller = Annotated[Caller, Depends(_with(AGENT, REVIEWER))]
ReviewerCaller = Annotated[Caller, Depends(_with(REVIEWER))]
AdminCaller = Annotated[Caller, Depends(_with(ADMIN))]
