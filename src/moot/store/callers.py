"""What a server keeps of its callers: their keys, the requests that they may repeat, their graphs."""

import asyncio
import builtins
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakValueDictionary

from moot.core.ports import Clock
from moot.store import graphs, keys, requests
from moot.store.database import Database
from moot.store.keys import Key
from moot.store.requests import Stored
from moot.store.writer import Writer

T = TypeVar("T")

CHANGES_AT_ONCE = 2


class Callers:
    """Keys, requests and graphs, in one database."""

    def __init__(self, database: Database, writer: Writer, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        # A change of a large graph takes seconds; in threads of its own it keeps nobody from reading.
        self._threads = ThreadPoolExecutor(CHANGES_AT_ONCE, thread_name_prefix="moot-graphs")
        self._changing: WeakValueDictionary[tuple[Hashable, ...], asyncio.Lock] = WeakValueDictionary()
        self.writer = writer

    def stop_changes(self) -> None:
        """Begin no further change of a graph."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    # Access keys

    async def add_key(self, *, name: str, prefix: str, digest: str, scopes: tuple[str, ...]) -> Key | None:
        """Write a key that is made now; None where another has its prefix.

        Raises:
            BadSetting: for a name that a key has or had.
        """
        made = self._clock.now()
        return await self.writer.run(
            lambda connection: keys.add(connection, name=name, prefix=prefix, digest=digest, scopes=scopes, made=made),
            alone="keys",
        )

    async def find_key(self, prefix: str) -> tuple[Key, str] | None:
        """Return a key, live or revoked, with the digest of its text."""
        return await self._database.read(lambda connection: keys.find(connection, prefix))

    async def keys(self) -> builtins.list[Key]:
        """Return every key, live or revoked, oldest first."""
        return await self._database.read(keys.read)

    async def any_key(self) -> bool:
        """Whether there is a key that has not been revoked."""
        return await self._database.read(keys.any_live)

    async def revoke_key(self, prefix: str) -> Key:
        """Revoke a key from now on, and return it.

        Raises:
            NotFound: for a prefix that no key has.
        """
        now = self._clock.now()
        return await self.writer.run(lambda connection: keys.revoke(connection, prefix, now), alone="keys")

    # Requests that may be repeated

    async def begin_request(self, owner: str, key: str, digest: str, now: float) -> Stored | None:
        """Return what is stored of a caller's request; None where it is now the caller's to do.

        One that has had no answer for a minute is given to whoever asks; an answer is remembered for a day.
        """
        return await self.writer.run(
            lambda connection: requests.begin(connection, owner, key, digest, now),
            alone=f"requests/{owner}/{key}",
        )

    async def end_request(self, owner: str, key: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Write the answer to a request that has begun; the first answer stays."""
        await self.writer.run(
            lambda connection: requests.end(connection, owner, key, status, headers, body),
            alone=f"requests/{owner}/{key}",
        )

    async def drop_request(self, owner: str, key: str) -> None:
        """Forget a request that has begun and has no answer, so that it can be tried again."""
        await self.writer.run(lambda connection: requests.drop(connection, owner, key), alone=f"requests/{owner}/{key}")

    # Argument graphs of callers

    async def graphs(self, owner: str) -> builtins.list[str]:
        """Return the ids of a caller's graphs, in order."""
        return await self._database.read(lambda connection: graphs.names(connection, owner))

    async def graph(self, owner: str, graph: str) -> str | None:
        """Return the text of a caller's graph."""
        found = await self._database.read(lambda connection: graphs.read(connection, owner, graph))
        return found[0] if found else None

    async def change_graph(self, owner: str, graph: str, change: Callable[[str | None], tuple[str | None, T]]) -> T:
        """Change a caller's graph and return what the change returns beside its new text; without one, it stays.

        The change runs in a thread, since it may take long, and again where another process was quicker.

        Raises:
            BadSetting: for a graph too many, or one that is too large.
        """
        loop = asyncio.get_running_loop()
        lock = self._changing.setdefault((loop, owner, graph), asyncio.Lock())
        async with lock:
            while True:
                found = await self._database.read(lambda connection: graphs.read(connection, owner, graph))
                changing = loop.run_in_executor(self._threads, _changed, change, found[0] if found else None)
                text, result = await changing
                if text is None or await self._write_graph(owner, graph, text, found[1] if found else 0):
                    return result

    async def _write_graph(self, owner: str, graph: str, text: str, after: int) -> bool:
        return await self.writer.run(
            lambda connection: graphs.write(connection, owner, graph, text, after), alone=f"graphs/{owner}"
        )


def _changed(change: Callable[[str | None], tuple[str | None, T]], text: str | None) -> tuple[str | None, T]:
    new, result = change(text)
    return None if new is None or new == text else graphs.bounded(new), result
