"""What every request must be before anybody looks at it: for this host, from no foreign page, of a sane size and shape.

A web page cannot drive a local server: a browser sends the page's Origin, and a name that was bound to a loopback
address for the attack arrives as a Host that nobody listed.
"""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from moot.core.errors import BadBody, BodyTooLarge, HeadersTooLarge, MootError
from moot.web.origins import check_origin, is_page
from moot.web.pages.headers import PAGE_HARDENING
from moot.web.problems import Refusal

BODY_SECONDS = 30.0
MOST_HEADERS, HEADER_BYTES = 100, 32_000
"""No browser or proxy sends nearly as many."""

DEEPEST = 40
"""How deep a body may nest; no request of the API comes near it."""

FORMS = ("application/x-www-form-urlencoded", "application/octet-stream")
"""What a page takes: a form, or a file as it is."""

HARDENING = (
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; sandbox"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)


class Guard:
    """Refuses what is not for this server, and hands the body on whole."""

    def __init__(self, app: ASGIApp, *, hosts: tuple[str, ...], most: int, refusal: Refusal) -> None:
        self._app = app
        self._hosts = hosts
        self._most = most
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on with its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, of_a_page = Headers(scope=scope), is_page(scope["path"])
        hardened = _hardened(send, PAGE_HARDENING if of_a_page else HARDENING)
        try:
            check_headers(headers)
            check_origin(scope, headers, self._hosts)
            body = await _body_in_time(headers, receive, self._most)
            if of_a_page:
                check_form(headers.get("content-type", ""), body)
            else:
                check_json(body)
        except MootError as error:
            await self._refusal(error, scope)(scope, receive, hardened)
            return
        scope.setdefault("state", {})["body"] = body
        await self._app(scope, _again(body, receive), hardened)


def check_headers(headers: Headers) -> None:
    """Do nothing for headers of a sane number and size.

    Raises:
        HeadersTooLarge: for others.
    """
    if len(headers.raw) > MOST_HEADERS or sum(len(name) + len(value) for name, value in headers.raw) > HEADER_BYTES:
        raise HeadersTooLarge(most=MOST_HEADERS, size=HEADER_BYTES)


def check_form(kind: str, body: bytes) -> None:
    """Do nothing for a form, or no body: a page takes nothing else.

    Raises:
        BadBody: for anything else.
    """
    if body and kind.partition(";")[0].strip().lower() not in FORMS:
        raise BadBody(problem="a page takes forms; programs use /api/v1")


def check_json(body: bytes) -> None:
    """Do nothing for a body that can be stored; what is no JSON at all is for the endpoint to refuse.

    Raises:
        BadBody: for one that nests too deep or holds text that is not Unicode.
    """
    try:
        pending: list[Iterator[Any]] = [iter([json.loads(body)])]
    except RecursionError:
        raise BadBody(problem=f"it nests deeper than {DEEPEST} levels") from None
    except ValueError:
        return
    while pending:
        item = next(pending[-1], pending)
        if item is pending:
            pending.pop()
        elif isinstance(item, str) and not _is_storable(item):
            raise BadBody(problem="it holds NUL or half a surrogate pair, which is no text")
        elif isinstance(item, dict | list):
            if len(pending) > DEEPEST:
                raise BadBody(problem=f"it nests deeper than {DEEPEST} levels")
            pending.append(iter([*item, *item.values()] if isinstance(item, dict) else item))


def _is_storable(text: str) -> bool:
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


async def _body_in_time(headers: Headers, receive: Receive, most: int) -> bytes:
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _body(headers, receive, most)
    except TimeoutError:
        raise BadBody(problem=f"its body did not arrive within {BODY_SECONDS:.0f} seconds") from None


async def _body(headers: Headers, receive: Receive, most: int) -> bytes:
    announced = headers.get("content-length", "0")
    if announced.isascii() and announced.isdigit() and int(announced[:20]) > most:
        raise BodyTooLarge(limit=most)
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise BodyTooLarge(limit=most)
        if not message.get("more_body", False):
            break
    return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the body first, and then whatever else happens to the connection."""
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


def _hardened(send: Send, hardening: tuple[tuple[bytes, bytes], ...]) -> Send:
    async def send_hardened(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message.get("headers", [])}
            added = [header for header in hardening if header[0] not in there]
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await send(message)

    return send_hardened
