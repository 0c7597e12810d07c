"""`/compare`: stored deliberations side by side."""

from typing import Annotated

from fastapi import APIRouter, Query

from moot.service.comparing.reading import compare
from moot.web.access import AnyCaller
from moot.web.api.bodies.compare import CompareView
from moot.web.api.paging import LARGEST
from moot.web.comparing import readable_ids
from moot.web.serving import Here

router = APIRouter(prefix="/compare", tags=["deliberations"])


@router.get("")
async def compare_deliberations(
    serving: Here,
    caller: AnyCaller,
    ids: Annotated[list[str], Query(max_length=50, description="two to six, given several times or by commas")],
    base: Annotated[
        str, Query(max_length=100, description="the one that others are beside; the first where empty")
    ] = "",
    start: Annotated[int, Query(ge=0, lt=LARGEST, description="how many claims to leave out at the beginning")] = 0,
    limit: Annotated[int, Query(ge=1, le=1200, description="how many claims at most")] = 200,
) -> CompareView:
    """Show deliberations side by side: what each came to, how sure and by what measure, what it took, who holds what.

    Nobody is asked and nothing is stored. Claims are one by the test that merges claims in an argument.
    """
    chosen = await readable_ids(ids, serving, caller)
    return CompareView.of(await compare(serving.service, serving.folds, chosen, base or None), start, limit)
