"""What happens when a key is revoked: its streams end, its runs stop and its slots are free, in every process.

The database has the revocation and what it takes back in one commit, by which workers hear of it. Every server looks
twice a second for keys that another process, or `moot keys revoke`, has revoked.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from moot.core.errors import MootError
from moot.service.background.queued import QueuedRuns
from moot.service.runs import Runs
from moot.service.signing.keys import Keys
from moot.service.watching import Watch
from moot.store.callers import Callers
from moot.store.keys import Key

SECONDS = 0.5

log = logging.getLogger("moot.keys")


class Revocations:
    """The keys that were revoked, as one server has heard of them."""

    def __init__(self, callers: Callers, keys: Keys, watch: Watch, runs: Runs | QueuedRuns) -> None:
        self._callers = callers
        self._keys = keys
        self._watch = watch
        self._runs = runs
        self._known: frozenset[str] = frozenset()

    async def revoke(self, prefix: str) -> Key:
        """Revoke a key and return it; here it has nothing any more once this returns.

        Raises:
            NotFound: for a prefix that no key has.
        """
        key = await self._keys.revoke(prefix)
        await self.look()
        return key

    async def look(self) -> None:
        """Do what is to be done for keys that have been revoked since the last look, and for runs nobody wants."""
        revoked = await self._callers.revoked_keys()
        for prefix in sorted(revoked - self._known):
            self._keys.forget()
            self._watch.close_streams_of(prefix)
            # What was under way at that moment may have taken a slot, or begun a run.
            await self._callers.take_back(prefix)
        await self._runs.cancel_unwanted()
        self._known = revoked

    async def watch(self, pause: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Look again and again, until cancelled. A store that fails is asked again; one line says since when."""
        failing = False
        while True:
            try:
                await self.look()
                failing = False
            except Exception as error:
                if not failing:
                    log.error("looking for revoked keys: %s", error if isinstance(error, MootError) else type(error))  # noqa: TRY400
                failing = True
            await pause(SECONDS)
