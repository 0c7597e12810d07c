"""The arguments that were looked at last: a large one takes seconds, and its page asks for it again and again."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Annotated, Any

from fastapi import Depends, Request

MOST_KEPT = 6


class ArgumentShelf:
    """Keeps what was worked out under all that it was worked out from; whoever asks meanwhile waits for the same."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, asyncio.Future[Any]] = OrderedDict()

    async def read(self, key: Hashable, work_out: Callable[[], Awaitable[Any]]) -> Any:
        """Return what is kept under a key, or work it out; a failure is kept for nobody."""
        if key not in self._kept:
            self._kept[key] = asyncio.ensure_future(work_out())
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        kept = self._kept[key]
        self._kept.move_to_end(key)
        try:
            # A reader who goes away leaves it to those who wait with it.
            return await asyncio.shield(kept)
        except Exception:
            self._kept.pop(key, None)
            raise


def _shelf(request: Request) -> ArgumentShelf:
    return request.app.state.arguments


Shelf = Annotated[ArgumentShelf, Depends(_shelf)]
