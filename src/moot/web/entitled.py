"""What a caller may read and steer: the same for the API and for pages."""

from collections.abc import Callable

from moot.service.board import PRISM
from moot.web.access import REVIEWER, Caller
from moot.web.serving import Serving


def own_only(caller: Caller) -> str | None:
    """Return the prefix of a key that may see only what it asked itself; None for one that may see all."""
    return None if caller.has(REVIEWER) else caller.prefix


async def readable(id_: str, serving: Serving, caller: Caller) -> str:
    """Return the whole id of a deliberation that the caller may read.

    Raises:
        NotFound, NotYours: where there is none, or it is another's.
    """
    return await _allowed(id_, serving, caller, caller.check_may_read)


async def steerable(id_: str, serving: Serving, caller: Caller) -> str:
    """Return the whole id of a deliberation that the caller may stop and go on with.

    Raises:
        NotFound, NotYours: where there is none, or it is another's.
    """
    return await _allowed(id_, serving, caller, caller.check_may_steer)


async def known_id(id_: str, serving: Serving, caller: Caller) -> str:
    """Return the whole id of a deliberation of which a caller has given the start.

    Of what an agent neither began nor sees on the board it has to know the whole id: no start finds it.

    Raises:
        NotFound: where there is none.
    """
    return await serving.store.deliberations.resolve(id_, known_to=own_only(caller), protocol=PRISM)


async def _allowed(id_: str, serving: Serving, caller: Caller, check: Callable[[str, str | None], None]) -> str:
    whole = await known_id(id_, serving, caller)
    served = await serving.store.served.read(whole)
    check(whole, served.owner if served else None)
    return whole
