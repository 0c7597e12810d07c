"""Argument graphs of the callers of a server, each as the JSON text that `moot.argument` writes (ruling A17)."""

import asyncio
import json
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Connection, func, insert, select, update

from moot.core.canonical import storable
from moot.core.errors import BadSetting
from moot.store import schema
from moot.store.database import Database
from moot.store.writer import Writer

T = TypeVar("T")

CHANGES_AT_ONCE = 2
MOST_GRAPHS = 200
MOST_NODES = 2_000
LARGEST_TEXT = 30_000_000

_table = schema.graphs


class Graphs:
    """The argument graphs of the callers of servers over one database."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        # A change of a large graph takes seconds; in threads of its own it keeps nobody from reading.
        self._threads = ThreadPoolExecutor(CHANGES_AT_ONCE, thread_name_prefix="moot-graphs")
        self._changing: WeakValueDictionary[tuple[Hashable, ...], asyncio.Lock] = WeakValueDictionary()

    def close(self) -> None:
        """Begin no further change."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def names(self, owner: str) -> list[str]:
        """Return the ids of a caller's graphs, in order."""
        wanted = select(_table.c.id).where(_table.c.owner == owner).order_by(_table.c.id)
        return await self._database.read(lambda connection: list(connection.execute(wanted).scalars()))

    async def read(self, owner: str, graph: str) -> str | None:
        """Return the text of a caller's graph."""
        kept = await self._database.read(lambda connection: _read(connection, owner, graph))
        return kept[0] if kept else None

    async def change(self, owner: str, graph: str, change: Callable[[str | None], tuple[str | None, T]]) -> T:
        """Change a caller's graph and return what the change returns beside its new text; without one, it stays.

        The change runs in a thread, since it may take long, and again where another process was quicker. One caller has
        one change under way at a time, so that nobody has all the threads.

        Raises:
            BadSetting: for a graph too many, or one that is too large.
        """
        loop = asyncio.get_running_loop()
        lock = self._changing.setdefault((loop, owner), asyncio.Lock())
        async with lock:
            while True:
                kept = await self._database.read(lambda connection: _read(connection, owner, graph))
                text, writes = kept or (None, 0)
                new, result = await loop.run_in_executor(self._threads, _changed, change, text)
                if new is None or await self._write(owner, graph, new, writes):
                    return result

    async def _write(self, owner: str, graph: str, text: str, after: int) -> bool:
        return await self._writer.run(
            lambda connection: _write(connection, owner, graph, text, after), alone=f"graphs/{owner}"
        )


def _changed(change: Callable[[str | None], tuple[str | None, T]], text: str | None) -> tuple[str | None, T]:
    new, result = change(text)
    return None if new is None or new == text else _bounded(new), result


def _read(connection: Connection, owner: str, graph: str) -> tuple[str, int] | None:
    """Return a graph's text with the number of times that it was written."""
    this = (_table.c.owner == storable(owner), _table.c.id == storable(graph))
    row = connection.execute(select(_table.c.text, _table.c.writes).where(*this)).one_or_none()
    return None if row is None else (row.text, row.writes)


def _write(connection: Connection, owner: str, graph: str, text: str, after: int) -> bool:
    """Write a graph that has been written as often as `after` says; False where it has been since.

    Raises:
        BadSetting: for one graph too many.
    """
    owner, graph = storable(owner), storable(graph)
    kept = _read(connection, owner, graph)
    if (kept[1] if kept else 0) != after:
        return False
    if kept:
        this = (_table.c.owner == owner, _table.c.id == graph)
        connection.execute(update(_table).where(*this).values(text=text, writes=after + 1))
        return True
    count = connection.execute(select(func.count()).where(_table.c.owner == owner)).scalar_one()
    if count >= MOST_GRAPHS:
        raise BadSetting(name="graph_id", problem=f"a caller has {MOST_GRAPHS} graphs at most; go on with one of yours")
    connection.execute(insert(_table), {"owner": owner, "id": graph, "text": text, "writes": 1})
    return True


def _bounded(text: str) -> str:
    """Return the text of a graph that is not too large to be kept.

    Raises:
        BadSetting: for one that is.
    """
    if len(text) > LARGEST_TEXT or len(json.loads(text)["asserted"]["nodes"]) > MOST_NODES:
        problem = f"a graph has {MOST_NODES} nodes and {LARGEST_TEXT} characters at most; begin another under a new id"
        raise BadSetting(name="graph_id", problem=problem)
    return storable(text)
