"""One-time links: whoever starts a server opens it in a browser, and pastes no key.

A link is shown as often as it is fetched, since previews and virus scanners fetch links; signing in uses it up.
"""

import secrets
from dataclasses import dataclass

from moot.core.errors import LinkGone
from moot.core.ports import Clock
from moot.service.signing.keys import Keys, digest
from moot.store import Key

LIFE_SECONDS = 600.0
MOST_LINKS = 100

GONE = "this link has been used, or is older than ten minutes"
REVOKED = "the key that this link was made for has been revoked"


@dataclass(frozen=True, slots=True)
class _OneTimeLink:
    prefix: str
    until: float


class OneTimeLinks:
    """The links of one server, in its memory alone: they end with it."""

    def __init__(self, keys: Keys, clock: Clock) -> None:
        self._keys = keys
        self._clock = clock
        self._links: dict[str, _OneTimeLink] = {}

    def make(self, key: Key) -> str:
        """Return the token of a new link, by which a browser signs in as this key."""
        now, token = self._clock.monotonic(), secrets.token_urlsafe(32)
        live = [(summed, link) for summed, link in self._links.items() if link.until > now]
        self._links = dict(live[-MOST_LINKS + 1 :])
        self._links[digest(token)] = _OneTimeLink(key.prefix, now + LIFE_SECONDS)
        return token

    async def look(self, token: str) -> Key:
        """Return the key that a link is for, and leave the link as it is.

        Raises:
            LinkGone: for one that is unknown, used up or too old, or whose key has been revoked.
        """
        return await self._key(self._links.get(digest(token)))

    async def use(self, token: str) -> Key:
        """Return the key that a link is for, and use the link up; of several who try at once, one gets it.

        Raises:
            LinkGone: as `look` does.
        """
        return await self._key(self._links.pop(digest(token), None))

    async def _key(self, link: _OneTimeLink | None) -> Key:
        if link is None or link.until <= self._clock.monotonic():
            raise LinkGone(problem=GONE)
        key = await self._keys.holder(link.prefix)
        if key is None:
            raise LinkGone(problem=REVOKED)
        return key
