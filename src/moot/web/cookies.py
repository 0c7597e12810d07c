"""The cookie that holds a browser's session: what it is called, and how it is set and taken away."""

from urllib.parse import urlsplit

from fastapi import Request, Response
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope

from moot.service.signing.sessions import LONGEST_SECONDS


def session_text(scope: Scope, headers: Headers, *, https: bool) -> str | None:
    """Return what the session's cookie of a request holds; None without one."""
    name = _name(scope, headers, https=https)
    return next((text for line in headers.getlist("cookie") if (text := cookie_parser(line).get(name))), None)


def set_session(response: Response, request: Request, text: str, *, https: bool) -> None:
    """Let a browser keep its session, for this host alone and out of reach of every script."""
    response.set_cookie(
        _name(request.scope, request.headers, https=https),
        text,
        max_age=int(LONGEST_SECONDS),
        path="/",
        httponly=True,
        samesite="strict",
        secure=_is_https(request.scope, https=https),
    )


def drop_session(response: Response, request: Request, *, https: bool) -> None:
    """Let a browser forget its session."""
    response.delete_cookie(
        _name(request.scope, request.headers, https=https),
        path="/",
        httponly=True,
        samesite="strict",
        secure=_is_https(request.scope, https=https),
    )


def _name(scope: Scope, headers: Headers, *, https: bool) -> str:
    """The cookie's name: with the port, since a browser shows a cookie to every port of its host."""
    secure = _is_https(scope, https=https)
    port = _port(headers.get("host", "")) or (443 if secure else 80)
    return f"__Host-moot_{port}" if secure else f"moot_{port}"


def _is_https(scope: Scope, *, https: bool) -> bool:
    return https or scope.get("scheme") == "https"


def _port(host: str) -> int | None:
    try:
        return urlsplit(f"//{host}").port
    except ValueError:
        return None
