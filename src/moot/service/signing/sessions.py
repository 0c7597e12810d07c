"""Browsers that have signed in: a random text in a cookie stands for a key, for a while and no longer than the key."""

import re
import secrets
from collections import OrderedDict
from dataclasses import replace

from moot.core.ports import Clock
from moot.service.signing.keys import MOST_REMEMBERED, REMEMBERED_SECONDS, SEEN_SECONDS, Keys, digest
from moot.store import Key
from moot.store.sessions import StoredSession, StoredSessions

IDLE_SECONDS = 12 * 3600.0
LONGEST_SECONDS = 7 * 24 * 3600.0

_TEXT = re.compile(r"[A-Za-z0-9_-]{43}")


class Sessions:
    """The sessions of one server's browsers."""

    def __init__(self, stored: StoredSessions, keys: Keys, clock: Clock) -> None:
        self._stored = stored
        self._keys = keys
        self._clock = clock
        self._remembered: OrderedDict[str, tuple[float, StoredSession | None]] = OrderedDict()
        self._changes = 0

    async def make(self, key: Key) -> str:
        """Return the text of a new session, which nobody can get again."""
        text, now = secrets.token_urlsafe(32), self._clock.now()
        until = now + min(IDLE_SECONDS, LONGEST_SECONDS)
        await self._stored.add(StoredSession(digest(text), key.prefix, made=now, seen=now, until=until))
        self._forget()
        return text

    async def find(self, text: str) -> Key | None:
        """Return the live key that a session stands for; None for one that is malformed, unknown, over or ended.

        What is found is remembered for two seconds, as keys are, and apart from the key: that long at most a session
        goes on whose key another process has revoked.
        """
        if _TEXT.fullmatch(text) is None:
            return None
        session = await self._session(digest(text))
        now = self._clock.now()
        if session is None or session.until <= now:
            return None
        key = await self._keys.holder(session.prefix)
        if key is not None and now - session.seen >= SEEN_SECONDS:
            await self._use(session, now)
        return key

    async def live(self) -> list[StoredSession]:
        """Return the sessions that are not over, the one used last first; their secrets are kept nowhere."""
        return await self._stored.live(self._clock.now())

    async def end(self, text: str) -> None:
        """End a session, if there is one; through this object it opens nothing from now on."""
        try:
            await self._stored.end(digest(text))
        finally:
            self._forget()

    async def _session(self, summed: str) -> StoredSession | None:
        asked, changes = self._clock.monotonic(), self._changes
        since, known = self._remembered.get(summed, (0.0, None))
        if summed in self._remembered and asked - since < REMEMBERED_SECONDS:
            return known
        session = await self._stored.find(summed)
        if changes == self._changes:
            self._remember(summed, asked, session)
        return session

    async def _use(self, session: StoredSession, now: float) -> None:
        until = min(now + IDLE_SECONDS, session.made + LONGEST_SECONDS)
        changes = self._changes
        await self._stored.use(session.digest, now, until)
        if changes == self._changes:
            self._remember(session.digest, self._clock.monotonic(), replace(session, seen=now, until=until))

    def _remember(self, summed: str, asked: float, session: StoredSession | None) -> None:
        self._remembered[summed] = (asked, session)
        self._remembered.move_to_end(summed)
        if len(self._remembered) > MOST_REMEMBERED:
            self._remembered.popitem(last=False)

    def _forget(self) -> None:
        self._changes += 1
        self._remembered.clear()
