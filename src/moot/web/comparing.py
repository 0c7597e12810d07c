"""Which deliberations somebody wants side by side: the same for the API and for pages."""

from collections.abc import Iterable

from moot.core.errors import NotFound, NotYours
from moot.store.deliberations import no_deliberation
from moot.web.access import Caller
from moot.web.entitled import own_only, readable
from moot.web.serving import Serving

MOST_NAMED = 50
"""Names that are looked up; more were not meant."""


async def readable_ids(named: Iterable[str], serving: Serving, caller: Caller) -> list[str]:
    """Return the whole ids of deliberations that the caller may read, each once, in their order.

    Raises:
        NotFound: where one is not there; to whoever may not read it, it is as if it were not.
    """
    words = [word.strip() for name in named for word in name.split(",")]
    wanted = [word for word in dict.fromkeys(words) if word][:MOST_NAMED]
    return list(dict.fromkeys([await _readable(word, serving, caller) for word in wanted]))


async def _readable(word: str, serving: Serving, caller: Caller) -> str:
    try:
        return await readable(word, serving, caller)
    except (NotFound, NotYours):
        # What several ids begin with is told to whoever may see them all.
        if own_only(caller) is None:
            raise
        raise no_deliberation(word) from None
