"""The pages as an application of their own: what fails in it is told to a person, not to a program."""

from functools import cache

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute

from moot.web.pages import acting, argument, asking, assets, calls, deliberations, live, signing, transcript, turns
from moot.web.pages.argued.shelf import ArgumentShelf
from moot.web.pages.failures import tell_failures
from moot.web.pages.shown.list_rows import ListRows
from moot.web.pages.shown.renderings import Renderings
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


def create_pages(serving: Serving) -> FastAPI:
    """Return the pages of a server, to be mounted beside its API."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.serving = serving
    app.state.arguments = ArgumentShelf()
    app.state.renderings = Renderings()
    app.state.rows = ListRows(serving.service, serving.clock)
    app.router.routes.extend(_addresses())
    tell_failures(app)
    return app


@cache
def _addresses() -> tuple[BaseRoute, ...]:
    """Return the routes of the pages, which the applications of a process share: what each takes is worked out once."""
    every = APIRouter()
    for router in ROUTERS:
        every.include_router(router)
    return tuple(every.routes)
