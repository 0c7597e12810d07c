"""POST twice, done once: an `Idempotency-Key` makes a repeated request get the first one's answer."""

import hashlib
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from moot.core.errors import BadBody, IdempotencyMismatch, MootError, ShownOnce, StillUnderWay
from moot.core.ports import Clock
from moot.store.callers import Callers
from moot.store.requests import Stored
from moot.web.access import Caller
from moot.web.problems import MEDIA_TYPE, problem_of

HEADER = "idempotency-key"
LONGEST = 200
KEPT_HEADERS = ("content-type", "location", "retry-after")
REPLAYED = {"Idempotency-Replayed": "true"}
# Nothing was done: the caller may put right what was wrong and use the same key.
NOT_KEPT = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}


class Idempotency:
    """Keeps the answers to POST requests that came with a key of their own."""

    def __init__(self, app: ASGIApp, callers: Callers, clock: Clock) -> None:
        self._app = app
        self._callers = callers
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from what is kept, or pass the request on and keep its answer."""
        key = Headers(scope=scope).get(HEADER) if scope["type"] == "http" and scope["method"] == "POST" else None
        caller = scope.get("state", {}).get("caller")
        if key is None or not isinstance(caller, Caller):
            await self._app(scope, receive, send)
            return
        try:
            kept = await self._begin(key, caller, scope)
        except MootError as error:
            await problem_of(error, scope["path"])(scope, receive, send)
            return
        if kept is not None:
            await kept(scope, receive, send)
            return
        # The digest too: a key whose request was dropped may come back with another.
        scope["state"]["request"] = f"{caller.prefix}/{key}/{_digest(scope)[:16]}"
        await self._do(key, caller, scope, receive, send)

    async def _begin(self, key: str, caller: Caller, scope: Scope) -> Response | None:
        if not (0 < len(key) <= LONGEST and key.isascii() and key.isprintable()):
            raise BadBody(problem=f"an Idempotency-Key has 1 to {LONGEST} printable ASCII characters")
        digest = _digest(scope)
        stored = await self._callers.begin_request(caller.prefix, key, digest, self._clock.now())
        return None if stored is None else _answer(stored, key, digest)

    async def _do(self, key: str, caller: Caller, scope: Scope, receive: Receive, send: Send) -> None:
        heard = _Heard(send)
        try:
            await self._app(scope, receive, heard.send)
        finally:
            await self._keep(key, caller, scope, heard)

    async def _keep(self, key: str, caller: Caller, scope: Scope, heard: "_Heard") -> None:
        status, headers, body = heard.status, heard.headers, b"".join(heard.parts)
        if not heard.whole or status in NOT_KEPT or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            await self._callers.drop_request(caller.prefix, key)
            return
        if prefix := scope["state"].get("shown_once"):
            # A secret is not kept, not even to be sent again to the one who lost it.
            problem = problem_of(ShownOnce(prefix=prefix), scope["path"])
            status, headers, body = problem.status_code, {"content-type": MEDIA_TYPE}, bytes(problem.body)
        await self._callers.end_request(caller.prefix, key, status, headers, body)


class _Heard:
    """Listens to an answer while it is sent."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0
        self.headers: dict[str, str] = {}
        self.parts: list[bytes] = []
        self.whole = False

    async def send(self, message: Message) -> None:
        """Pass a part of the answer on."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            given = Headers(raw=message.get("headers", []))
            self.headers = {name: given[name] for name in KEPT_HEADERS if name in given}
        elif message["type"] == "http.response.body":
            self.parts.append(message.get("body", b""))
            self.whole = not message.get("more_body", False)
        await self._send(message)


def _answer(stored: Stored, key: str, digest: str) -> Response:
    if stored.digest != digest:
        raise IdempotencyMismatch(key=key)
    if stored.status is None:
        raise StillUnderWay(key=key, retry_after=1)
    return Response(stored.body, stored.status, {**stored.headers, **REPLAYED})


def _digest(scope: Scope) -> str:
    asked = [scope["path"].encode(), scope.get("query_string", b""), scope["state"]["body"]]
    return hashlib.sha256(b"\0".join(asked)).hexdigest()
