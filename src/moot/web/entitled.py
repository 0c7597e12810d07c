"""What a caller may read and steer: the same for the API and for pages."""

from collections.abc import Callable

from moot.web.access import Caller
from moot.web.serving import Serving


async def readable(id_: str, serving: Serving, caller: Caller) -> str:
    """Return the whole id of a deliberation that the caller may read.

    Raises:
        NotFound, NotYours: where there is none, or it is another's.
    """
    return await _allowed(id_, serving, caller.check_may_read)


async def steerable(id_: str, serving: Serving, caller: Caller) -> str:
    """Return the whole id of a deliberation that the caller may stop and go on with.

    Raises:
        NotFound, NotYours: where there is none, or it is another's.
    """
    return await _allowed(id_, serving, caller.check_may_steer)


async def _allowed(id_: str, serving: Serving, check: Callable[[str, str | None], None]) -> str:
    whole = await serving.store.deliberations.resolve(id_)
    served = await serving.store.served.read(whole)
    check(whole, served.owner if served else None)
    return whole
