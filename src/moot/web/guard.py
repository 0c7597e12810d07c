"""What every request must be before anybody looks at it: for this host, from no foreign page, of a sane size and shape.

A web page cannot drive a local server: a browser sends the page's Origin, and a name that was bound to a loopback
address for the attack arrives as a Host that nobody listed.
"""

import asyncio
import ipaddress
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from moot.core.errors import BadBody, BodyTooLarge, ForeignHost, ForeignOrigin, MootError
from moot.gateway.members import is_loopback
from moot.web.problems import problem_of

BODY_SECONDS = 30.0
DEEPEST = 40
"""How deep a body may nest; no request of the API comes near it."""

HARDENING = (
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; sandbox"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)


class Guard:
    """Refuses what is not for this server, and hands the body on whole."""

    def __init__(self, app: ASGIApp, *, hosts: tuple[str, ...], most: int) -> None:
        self._app = app
        self._hosts = hosts
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on with its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        hardened = _hardened(send)
        try:
            check_origin(Headers(scope=scope), self._hosts)
            body = await _body_in_time(Headers(scope=scope), receive, self._most)
            check_json(body)
        except MootError as error:
            await problem_of(error, scope["path"])(scope, receive, hardened)
            return
        scope.setdefault("state", {})["body"] = body
        await self._app(scope, _again(body, receive), hardened)


def check_origin(headers: Headers, hosts: tuple[str, ...]) -> None:
    """Do nothing for a request to this server that no foreign page sent.

    Raises:
        ForeignHost: for a name that is neither this machine's, nor an address, nor listed.
        ForeignOrigin: for a request by a page of another origin.
    """
    host = headers.get("host", "")
    name = _hostname(host)
    if not (is_loopback(name) or _is_address(name) or name in hosts):
        raise ForeignHost(host=host[:100])
    origin = headers.get("origin")
    if origin is not None and _netloc(origin) != host.lower():
        raise ForeignOrigin(origin=origin[:100])
    if headers.get("sec-fetch-site") == "cross-site":
        raise ForeignOrigin(origin="another site")


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


def _hostname(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


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


def _hardened(send: Send) -> Send:
    async def send_hardened(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message.get("headers", [])}
            added = [header for header in HARDENING if header[0] not in there]
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await send(message)

    return send_hardened
