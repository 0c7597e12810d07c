"""`/workers`: who runs what is asked, what each does and since when, and what nobody can run."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from moot.web.access import AdminCaller
from moot.web.pages.rendering import render
from moot.web.serving import Here
from moot.web.workforce import read_here

router = APIRouter(include_in_schema=False)


@router.get("/workers")
async def show_workers(request: Request, serving: Here, caller: AdminCaller) -> HTMLResponse:
    """Show the workers, and what waits for them."""
    reading = await read_here(serving)
    return render(
        request,
        "workers.html",
        reading=reading,
        rows=[(worker, reading.state(worker)) for worker in reading.force.workers] if reading else [],
        waiting=sum(reading.force.waiting.values()) if reading else 0,
        left=reading.left_lines() if reading else [],
        lacking=serving.runs.lacks_workers,
        now=serving.clock.now(),
    )
