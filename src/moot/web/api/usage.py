"""`/usage`: what calls took, by day, model or key."""

from typing import Annotated

from fastapi import APIRouter, Query

from moot.service.reading.usage import Grouping, read_usage
from moot.web.access import AnyCaller
from moot.web.api.bodies.usage import UsageView
from moot.web.entitled import own_only
from moot.web.serving import Here

router = APIRouter(prefix="/usage", tags=["about"])


@router.get("")
async def show_usage(
    serving: Here,
    caller: AnyCaller,
    by: Annotated[Grouping, Query(description="what the calls of a line have in common")] = "day",
    since: Annotated[str, Query(max_length=100, description="a day or a moment, ISO 8601")] = "",
    until: Annotated[str, Query(max_length=100, description="a day, to its end, or a moment")] = "",
) -> UsageView:
    """Sum what calls took that were sent in a span; an agent sees its own. What was deleted is not counted."""
    reading = await read_usage(serving.service, by, since=since, until=until, reader=own_only(caller))
    return UsageView.of(reading)
