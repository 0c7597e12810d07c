"""`/health` and `/metrics`: whether the server can work, and what it does."""

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from moot.service.background.queued import UNSEEN_SECONDS as SEEN_SECONDS
from moot.version import __version__
from moot.web.access import AdminCaller
from moot.web.api.bodies.agents import Health
from moot.web.metrics import Measured
from moot.web.serving import Here

router = APIRouter(tags=["about"])


@router.get("/health")
async def health(serving: Here) -> Health:
    """Say whether the server can work; it needs no key."""
    await serving.keys.any()
    runs = serving.runs
    states = (("stopping", runs.stopping), ("no_workers", runs.lacks_workers), ("left", runs.leaves_some))
    status = next((name for name, is_so in states if is_so), "ok")
    force = runs.workforce
    workers = None if force is None else len(force.living(SEEN_SECONDS))
    told = {"status": status, "moot": __version__, "running": runs.running, "queued": runs.queued, "workers": workers}
    return Health.model_validate(told)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(serving: Here, caller: AdminCaller, measured: Measured) -> Response:
    """Show what the server does, as Prometheus reads it."""
    await measured.look(serving)
    return Response(generate_latest(measured.registry), media_type=CONTENT_TYPE_LATEST)
