"""The application: what stands before the endpoints, and the endpoints."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

from fastapi import FastAPI
from fastapi.responses import Response

from moot.web.access import Access, RateLimiter
from moot.web.api import about, agents, board, deliberations, graphs, open_steps
from moot.web.api.openapi import documented
from moot.web.concurrency import Turns
from moot.web.guard import Guard
from moot.web.housekeeping import sweep
from moot.web.idempotency import Idempotency
from moot.web.metrics import Measuring, Meters
from moot.web.problems import handle_failures
from moot.web.serving import Serving

API = "/api/v1"


def create_app(serving: Serving) -> FastAPI:
    """Return the service over HTTP; while it lives, it runs what it was asked to."""

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncGenerator[None, None]:
        await serving.runs.start()
        sweeping = asyncio.ensure_future(sweep(serving.board.due_claims, serving.runs.resume_if_due))
        try:
            yield
        finally:
            sweeping.cancel()
            await serving.runs.stop()
            await serving.watch.stop()

    # A page with scripts from elsewhere is nothing that this server shows.
    app = FastAPI(
        lifespan=life,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.serving = serving
    app.state.meters = meters = Meters()
    for part in (board, deliberations, open_steps, graphs, agents, about):
        app.include_router(part.router, prefix=API)
    app.add_api_route("/", _root, include_in_schema=False)
    app.openapi = documented(app)
    handle_failures(app)
    limits = serving.limits
    # The last one added is the first to see a request.
    app.add_middleware(Idempotency, callers=serving.store.callers, clock=serving.clock)
    app.add_middleware(Turns)
    app.add_middleware(Access, keys=serving.keys, paces=RateLimiter(limits.rate, serving.clock))
    app.add_middleware(Guard, hosts=limits.hosts, most=limits.body)
    app.add_middleware(Measuring, meters=meters, clock=serving.clock)
    return app


async def _root() -> Response:
    return Response(status_code=303, headers={"Location": f"{API}/openapi.json"})
