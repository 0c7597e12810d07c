"""Making, finding and revoking the keys that open a server.

A key reads `moot_` + 8 hexadecimal digits + `_` + a secret of 256 bits. The first two parts are its prefix, which is
shown and looked up by; of the whole only the SHA-256 is kept.
"""

import builtins
import hashlib
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from typing import Literal, get_args

from moot.core.errors import BadSetting
from moot.core.ports import Clock
from moot.service.orders import outside_agent
from moot.store import Key
from moot.store.callers import Callers

Scope = Literal["agent", "reviewer", "admin"]
SCOPES: tuple[str, ...] = get_args(Scope)
REMEMBERED_SECONDS = 2.0
MOST_REMEMBERED = 1000
SEEN_SECONDS = 60.0
"""How far what is stored of a last use may lie behind, so that not every request writes."""

_TEXT = re.compile(r"(moot_[0-9a-f]{8})_[A-Za-z0-9_-]{43}")


class Keys:
    """The keys of one store's callers."""

    def __init__(self, callers: Callers, clock: Clock) -> None:
        self._callers = callers
        self._clock = clock
        self._remembered: OrderedDict[str, tuple[float, Key | None]] = OrderedDict()
        self._seen: OrderedDict[str, float] = OrderedDict()
        self._changes = 0

    async def make(self, name: str, scopes: Sequence[str]) -> tuple[Key, str]:
        """Return a new key with its text, which nobody can get again.

        Raises:
            BadAgentName: for a name that no agent can have.
            BadSetting: for a scope that there is not, for none, or for a name that a key has or had.
        """
        name, chosen = outside_agent(name.strip()), _scopes(scopes)
        while True:
            prefix = f"moot_{secrets.token_hex(4)}"
            text = f"{prefix}_{secrets.token_urlsafe(32)}"
            key = await self._callers.add_key(name=name, prefix=prefix, digest=digest(text), scopes=chosen)
            if key is not None:
                self.forget()
                return key, text

    async def find(self, text: str) -> Key | None:
        """Return the live key of this text; None for one that is malformed, unknown or revoked.

        An answer is remembered for two seconds; that long a key still opens that another process has revoked.
        """
        shape = _TEXT.fullmatch(text)
        return None if shape is None else await self._used(await self._live(shape[1], digest(text)))

    async def holder(self, prefix: str) -> Key | None:
        """Return the live key of a prefix, for whoever has shown its text before; remembered as `find` remembers."""
        return await self._used(await self._live(prefix, None))

    async def first_admin(self) -> Key | None:
        """Return the oldest live key with the scope admin."""
        return next((key for key in await self.list() if key.revoked is None and "admin" in key.scopes), None)

    async def named(self, name: str) -> Key | None:
        """Return the live key of a name."""
        return next((key for key in await self.list() if key.revoked is None and key.name == name), None)

    async def list(self) -> builtins.list[Key]:
        """Return every key, live or revoked, oldest first."""
        return await self._callers.keys()

    async def revoke(self, prefix: str) -> Key:
        """Revoke a key and return it; through this object it opens nothing from now on.

        Raises:
            NotFound: for a prefix that no key has.
        """
        try:
            return await self._callers.revoke_key(prefix)
        finally:
            # Whoever looks a key up at this moment may have seen it live.
            self.forget()

    async def any(self) -> bool:
        """Whether a live key exists."""
        return await self._callers.any_key()

    async def _used(self, key: Key | None) -> Key | None:
        """Return a key that somebody comes with; that it was used is written once a minute, by whoever is first."""
        if key is None:
            return None
        now, written = self._clock.now(), self._seen.get(key.prefix, key.seen)
        if written is None or now - written >= SEEN_SECONDS:
            self._seen[key.prefix] = now
            self._seen.move_to_end(key.prefix)
            if len(self._seen) > MOST_REMEMBERED:
                self._seen.popitem(last=False)
            await self._callers.see_key(key.prefix, every=SEEN_SECONDS)
        return key

    async def _live(self, prefix: str, summed: str | None) -> Key | None:
        asked, changes = self._clock.monotonic(), self._changes
        since, known = self._remembered.get(summed or prefix, (0.0, None))
        if (summed or prefix) in self._remembered and asked - since < REMEMBERED_SECONDS:
            return known
        key = await self._looked_up(prefix, summed)
        if changes == self._changes:
            self._remember(summed or prefix, asked, key)
        return key

    async def _looked_up(self, prefix: str, summed: str | None) -> Key | None:
        stored = await self._callers.find_key(prefix)
        if stored is None or stored[0].revoked is not None:
            return None
        return stored[0] if summed is None or hmac.compare_digest(stored[1], summed) else None

    def _remember(self, name: str, asked: float, key: Key | None) -> None:
        self._remembered[name] = (asked, key)
        self._remembered.move_to_end(name)
        if len(self._remembered) > MOST_REMEMBERED:
            self._remembered.popitem(last=False)

    def forget(self) -> None:
        """Look every key up anew: one may have been made or revoked, here or in another process."""
        self._changes += 1
        self._remembered.clear()


def _scopes(given: Sequence[str]) -> tuple[str, ...]:
    for scope in given:
        if scope not in SCOPES:
            raise BadSetting(name="scope", problem=f"{scope[:40]!r} is none of {', '.join(SCOPES)}")
    if not given:
        raise BadSetting(name="scope", problem=f"a key has one at least of {', '.join(SCOPES)}")
    return tuple(scope for scope in SCOPES if scope in given)


def digest(text: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(text.encode()).hexdigest()
