"""What a server keeps of its callers: their keys, and the requests that they may repeat."""

from collections.abc import Mapping

from sqlalchemy import Connection

from moot.core.ports import Clock
from moot.store import keys, requests
from moot.store.database import Database
from moot.store.keys import Key
from moot.store.limits import revoking
from moot.store.queue.jobs import QUEUE
from moot.store.requests import Stored
from moot.store.writer import Writer


class Callers:
    """The keys and the requests of those who call servers over one database."""

    def __init__(self, database: Database, writer: Writer, clock: Clock) -> None:
        self._database = database
        self._writer = writer
        self._clock = clock

    # Access keys

    async def add_key(self, *, name: str, prefix: str, digest: str, scopes: tuple[str, ...]) -> Key | None:
        """Write a key that is made now; None where another has its prefix.

        Raises:
            BadSetting: for a name that a key has or had.
        """
        made = self._clock.now()
        return await self._writer.run(
            lambda connection: keys.add(connection, name=name, prefix=prefix, digest=digest, scopes=scopes, made=made),
            alone="keys",
        )

    async def find_key(self, prefix: str) -> tuple[Key, str] | None:
        """Return a key, live or revoked, with the digest of its text."""
        return await self._database.read(lambda connection: keys.find(connection, prefix))

    async def keys(self) -> list[Key]:
        """Return every key, live or revoked, oldest first."""
        return await self._database.read(keys.read)

    async def any_key(self) -> bool:
        """Whether there is a key that has not been revoked."""
        return await self._database.read(keys.any_live)

    async def revoke_key(self, prefix: str) -> Key:
        """Revoke a key from now on, with all that it has in hand, and return it.

        Raises:
            NotFound: for a prefix that no key has.
        """
        now = self._clock.now()

        def revoke(connection: Connection) -> Key:
            key = keys.revoke(connection, prefix, now)
            revoking.take_back(connection, prefix)
            return key

        return await self._writer.run(revoke, touches=await self._in_hand(prefix), alone=("keys", QUEUE))

    async def revoked_keys(self) -> frozenset[str]:
        """Return the prefixes of all keys that have been revoked, by whichever process."""
        return await self._database.read(revoking.revoked)

    async def take_back(self, prefix: str) -> None:
        """Free what a revoked key took or began by a request that was under way while it was revoked."""
        if touched := await self._in_hand(prefix):
            await self._writer.run(
                lambda connection: revoking.take_back(connection, prefix), touches=touched, alone=QUEUE
            )

    async def _in_hand(self, prefix: str) -> tuple[str, ...]:
        return await self._database.read(lambda connection: revoking.in_hand(connection, prefix))

    async def see_key(self, prefix: str, *, every: float) -> None:
        """Write that a key is used, where that was not written in the seconds before."""
        now = self._clock.now()
        await self._writer.run(lambda connection: keys.see(connection, prefix, now, now - every), alone="keys")

    # Requests that may be repeated

    async def begin_request(self, owner: str, key: str, digest: str, now: float) -> Stored | None:
        """Return what is stored of a caller's request; None where it is now the caller's to do.

        One that has had no answer for a minute is given to whoever asks; an answer is remembered for a day.
        """
        return await self._writer.run(
            lambda connection: requests.begin(connection, owner, key, digest, now),
            alone=f"requests/{owner}/{key}",
        )

    async def end_request(self, owner: str, key: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Write the answer to a request that has begun; the first answer stays."""
        await self._writer.run(
            lambda connection: requests.end(connection, owner, key, status, headers, body),
            alone=f"requests/{owner}/{key}",
        )

    async def drop_request(self, owner: str, key: str) -> None:
        """Forget a request that has begun and has no answer, so that it can be tried again."""
        await self._writer.run(
            lambda connection: requests.drop(connection, owner, key), alone=f"requests/{owner}/{key}"
        )
