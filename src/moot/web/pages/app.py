"""The pages as an application of their own: what fails in it is told to a person, not to a program."""

import logging
from functools import cache
from http import HTTPStatus

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute

from moot.core.errors import MootError, StoreError
from moot.web.pages import acting, argument, asking, assets, calls, deliberations, live, signing, transcript, turns
from moot.web.pages.argued.shelf import ArgumentShelf
from moot.web.pages.rendering import render
from moot.web.pages.shown.list_rows import ListRows
from moot.web.pages.shown.renderings import Renderings
from moot.web.problems import status_of
from moot.web.serving import Serving

ROUTERS = (
    acting.router,
    argument.router,
    asking.router,
    assets.router,
    calls.router,
    deliberations.router,
    live.router,
    signing.router,
    transcript.router,
    turns.router,
)

log = logging.getLogger("moot.pages")


def create_pages(serving: Serving) -> FastAPI:
    """Return the pages of a server, to be mounted beside its API."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.serving = serving
    app.state.arguments = ArgumentShelf()
    app.state.renderings = Renderings()
    app.state.rows = ListRows(serving.service, serving.clock)
    app.router.routes.extend(_addresses())
    _tell_failures(app)
    return app


@cache
def _addresses() -> tuple[BaseRoute, ...]:
    """Return the routes of the pages, which the applications of a process share: what each takes is worked out once."""
    every = APIRouter()
    for router in ROUTERS:
        every.include_router(router)
    return tuple(every.routes)


def _tell_failures(app: FastAPI) -> None:
    @app.exception_handler(MootError)
    async def moot_error(request: Request, error: MootError) -> HTMLResponse:
        if isinstance(error, StoreError):
            log.error("%s: %s", error.code, error)
            return _told(request, status_of(error), "The server cannot do this just now; try again in a while.")
        return _told(request, status_of(error), str(error))

    @app.exception_handler(RequestValidationError)
    async def bad_request(request: Request, error: RequestValidationError) -> HTMLResponse:
        wrong = "; ".join(f"{'.'.join(map(str, item['loc'][1:]))}: {item['msg']}" for item in error.errors()[:20])
        return _told(request, 422, f"{wrong}.")

    @app.exception_handler(HTTPException)
    async def not_served(request: Request, error: HTTPException) -> HTMLResponse:
        words = "There is no such page." if error.status_code == HTTPStatus.NOT_FOUND else f"{error.detail}."
        return _told(request, error.status_code, words)


def _told(request: Request, status: int, words: str) -> HTMLResponse:
    title = HTTPStatus(status).phrase
    return render(request, "failure.html", status=status, title=title, words=words, code=status)
