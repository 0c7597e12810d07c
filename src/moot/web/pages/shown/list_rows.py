"""The rows of lists that people look at, read once a second for all of them."""

import asyncio
from collections.abc import Sequence

from moot.core.ports import Clock
from moot.service.listing import ListedDeliberation, list_some
from moot.service.service import Service
from moot.web.pages.shown.following import EVERY

MOST_KEPT = 2000


class ListRows:
    """Rows as they were a second ago or later."""

    def __init__(self, service: Service, clock: Clock) -> None:
        self._service = service
        self._clock = clock
        self._lock = asyncio.Lock()
        self._rows: dict[str, tuple[float, ListedDeliberation | None]] = {}

    async def read(self, ids: Sequence[str]) -> list[ListedDeliberation]:
        """Return the rows of these deliberations; of those that are gone, none."""
        async with self._lock:
            now = self._clock.monotonic()
            old = [id_ for id_ in ids if id_ not in self._rows or now - self._rows[id_][0] >= EVERY]
            if old:
                if len(self._rows) > MOST_KEPT:
                    self._rows.clear()
                    old = list(ids)
                fresh = {row.summary.id: row for row in await list_some(self._service, old)}
                self._rows |= {id_: (now, fresh.get(id_)) for id_ in old}
            known = [self._rows[id_][1] for id_ in ids]
        return [row for row in known if row]
