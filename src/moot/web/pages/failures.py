"""What fails on the way to a page, told to a person; also what is refused before anybody looks for the page."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match

from moot.core.errors import MootError
from moot.web.origins import READING
from moot.web.pages.rendering import render
from moot.web.problems import headers_of, status_of, words_of

log = logging.getLogger("moot.pages")


def failure_page(request: Request, error: MootError) -> HTMLResponse:
    """Return a failure as a page."""
    return _page(request, status_of(error), words_of(error, "page"), headers_of(error))


def tell_failures(app: FastAPI) -> None:
    """Make the pages answer every failure with a page."""

    @app.exception_handler(MootError)
    async def moot_error(request: Request, error: MootError) -> HTMLResponse:
        return failure_page(request, error)

    @app.exception_handler(RequestValidationError)
    async def bad_request(request: Request, error: RequestValidationError) -> HTMLResponse:
        wrong = "; ".join(f"{'.'.join(map(str, item['loc'][1:]))}: {item['msg']}" for item in error.errors()[:20])
        return _page(request, HTTPStatus.UNPROCESSABLE_ENTITY, f"{wrong}.")

    @app.exception_handler(HTTPException)
    async def not_served(request: Request, error: HTTPException) -> Response:
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and request.method in READING:
            # A refused form leaves its address behind, which is then read again, or kept as a bookmark.
            return RedirectResponse(_page_above(request), HTTPStatus.SEE_OTHER)
        words = "There is no such page." if error.status_code == HTTPStatus.NOT_FOUND else f"{error.detail}."
        return _page(request, error.status_code, words)

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> HTMLResponse:
        log.error("unforeseen failure at %s", request.url.path, exc_info=error)
        return _page(
            request, HTTPStatus.INTERNAL_SERVER_ERROR, "This is a fault of Moot's own; the server's log has more."
        )


def _page_above(request: Request) -> str:
    """The nearest page above an address: that of a form is below the page which the form is on."""
    path, routes = request.scope["path"], request.app.routes
    while path := path.rpartition("/")[0]:
        if any(route.matches({**request.scope, "path": path})[0] is Match.FULL for route in routes):
            return quote(path)
    return "/"


def _page(request: Request, status: int, words: str, headers: Mapping[str, str] | None = None) -> HTMLResponse:
    title = HTTPStatus(status).phrase
    # The words of a failure begin small, as they do behind a program's name.
    told = words[:1].upper() + words[1:]
    return render(request, "failure.html", status=status, headers=headers, title=title, words=told, code=status)
