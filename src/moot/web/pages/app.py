"""The pages as an application of their own: what fails in it is told to a person, not to a program."""

from functools import cache

from fastapi import APIRouter, Depends, FastAPI
from starlette.routing import BaseRoute

from moot.web.pages import acting, argument, asking, assets, calls, deliberations, live, signing, transcript, turns
from moot.web.pages.accounts import keys, usage, workers
from moot.web.pages.argued.shelf import ArgumentShelf
from moot.web.pages.board import claim, claims, flags, slot
from moot.web.pages.compared import page as compared
from moot.web.pages.evaluated import cell as evaluated_cell
from moot.web.pages.evaluated import following as evaluated_following
from moot.web.pages.evaluated import page as evaluated
from moot.web.pages.failures import tell_failures
from moot.web.pages.rendering import count_flags
from moot.web.pages.shown.list_rows import ListRows
from moot.web.pages.shown.renderings import Renderings
from moot.web.serving import Serving

ROUTERS = (
    acting.router,
    argument.router,
    asking.router,
    assets.router,
    calls.router,
    claims.router,
    claim.router,
    compared.router,
    deliberations.router,
    flags.router,
    evaluated.router,
    evaluated_cell.router,
    evaluated_following.router,
    keys.router,
    live.router,
    signing.router,
    slot.router,
    transcript.router,
    turns.router,
    usage.router,
    workers.router,
)


WITHOUT_RAIL = (assets.router, live.router)


def create_pages(serving: Serving) -> FastAPI:
    """Return the pages of a server, to be mounted beside its API."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.serving = serving
    app.state.arguments = ArgumentShelf()
    app.state.renderings = Renderings()
    app.state.rendered_runs = evaluated_following.RenderedRuns()
    app.state.rows = ListRows(serving.service, serving.clock)
    app.router.routes.extend(_addresses())
    tell_failures(app)
    return app


@cache
def _addresses() -> tuple[BaseRoute, ...]:
    """Return the routes of the pages, which the applications of a process share: what each takes is worked out once."""
    every = APIRouter()
    for router in ROUTERS:
        every.include_router(router, dependencies=[] if router in WITHOUT_RAIL else [Depends(count_flags)])
    return tuple(every.routes)
