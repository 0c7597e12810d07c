"""`/workers`: who runs what is asked, and what nobody can run."""

from fastapi import APIRouter

from moot.web.access import AdminCaller
from moot.web.api.bodies.workers import WorkforceView
from moot.web.serving import Here
from moot.web.workforce import read_here

router = APIRouter(prefix="/workers", tags=["about"])


@router.get("")
async def show_workers(serving: Here, caller: AdminCaller) -> WorkforceView:
    """List the workers with what each does, and what waits; without PostgreSQL the server does all itself."""
    reading = await read_here(serving)
    return WorkforceView.model_validate(reading.json() if reading else {"workers": [], "waiting": {}, "left": {}})
