"""The application: what stands before the endpoints, and the endpoints."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from functools import cache

from fastapi import APIRouter, Depends, FastAPI, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Mount
from starlette.types import Scope
from typing_extensions import override

from moot.core.errors import MootError
from moot.service.limits.paces import TOLD_SECONDS, RateLimiter
from moot.web.access import Access
from moot.web.api import (
    about,
    agents,
    board,
    compare,
    deliberations,
    evals,
    graphs,
    offers,
    open_steps,
    reading,
    usage,
    workers,
)
from moot.web.api.openapi import documented
from moot.web.api.parameters import check_parameters
from moot.web.chat import endpoints as chat
from moot.web.concurrency import Turns
from moot.web.guard import Guard
from moot.web.housekeeping import again, sweep
from moot.web.idempotency import Idempotency
from moot.web.metrics import Measuring, Meters
from moot.web.origins import CHAT, is_page
from moot.web.pages.app import create_pages
from moot.web.pages.failures import failure_page
from moot.web.problems import handle_failures, problem_of
from moot.web.serving import Serving

API = "/api/v1"


class PagesMount(Mount):
    """The pages beside the API: what the API has not is told by the API, as programs read it."""

    @override
    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Say whether an address is one of a page."""
        return super().matches(scope) if is_page(scope["path"]) else (Match.NONE, {})


def create_app(serving: Serving) -> FastAPI:
    """Return the service over HTTP; while it lives, it runs what it was asked to."""

    limits = serving.limits
    paces = RateLimiter(limits.rate, serving.clock, serving.store.paces)

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncGenerator[None, None]:
        await serving.runs.start()
        due = (serving.board.due_claims, serving.store.served.due)
        looking = (
            asyncio.ensure_future(sweep(due, serving.runs.resume_if_due)),
            asyncio.ensure_future(serving.revocations.watch()),
            asyncio.ensure_future(again(paces.tell, every=TOLD_SECONDS, doing="telling other servers of requests")),
        )
        try:
            yield
        finally:
            for task in looking:
                task.cancel()
            await serving.runs.stop()
            await serving.watch.stop()
            serving.work.stop()

    # A page with scripts from elsewhere is nothing that this server shows.
    app = FastAPI(
        lifespan=life,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.serving = serving
    app.state.meters = meters = Meters()
    app.router.routes.extend(_endpoints())
    app.router.routes.append(PagesMount("/", create_pages(serving)))
    app.openapi = documented(app)
    handle_failures(app)
    # The last one added is the first to see a request.
    app.add_middleware(Idempotency, callers=serving.store.callers, clock=serving.clock)
    app.add_middleware(Turns)
    app.add_middleware(
        Access,
        keys=serving.keys,
        sessions=serving.sessions,
        paces=paces,
        https=limits.https,
        pause=limits.pause,
        refusal=refusal,
    )
    app.add_middleware(Guard, hosts=limits.hosts, most=limits.body, refusal=refusal)
    app.add_middleware(Measuring, meters=meters, clock=serving.clock)
    return app


def refusal(error: MootError, scope: Scope) -> Response:
    """Return the answer to a request that comes no further: a page to whoever asked for one."""
    return failure_page(Request(scope), error) if is_page(scope["path"]) else problem_of(error, scope["path"])


@cache
def _endpoints() -> tuple[BaseRoute, ...]:
    """Return the routes of the API, which the applications of a process share: what each takes is worked out once."""
    every = APIRouter(generate_unique_id_function=lambda route: route.name)
    first = (board, offers, deliberations, reading, open_steps, compare, evals)
    for part in (*first, graphs, usage, agents, workers, about):
        every.include_router(part.router, prefix=API, dependencies=[Depends(check_parameters)])
    # What a model's clients send and get is described by others, and is no part of this server's own document.
    every.include_router(chat.router, prefix=CHAT, dependencies=[Depends(check_parameters)], include_in_schema=False)
    return tuple(every.routes)
