"""The one thread that writes. Operations queue up from the event loop and are committed in groups.

While one group waits for the disk the next one gathers, so a hundred rows cost one wait. The groups keep the
order of the queue. An operation is answered only after the commit that holds it.

An operation looks before it writes: one that raises a `MootError` has changed nothing, and its group goes on
without it. After any other failure the group is rolled back and its operations are done again one by one, so
that only the guilty one fails. A database that cannot be reached at all fails the whole group at once.
"""

import asyncio
import hashlib
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from sqlalchemy import Connection, func, select, update
from sqlalchemy.sql.expression import bindparam

from moot.core.errors import Fenced, MootError, StoreError
from moot.store import schema
from moot.store.database import Database
from moot.store.failures import connection_lost, named

T = TypeVar("T")

LARGEST_GROUP = 500

_NAMES = 0x6D6F6F74
"""Locks by name are of two numbers, and so never those of running deliberations, which are of one."""

_table = schema.deliberations
_ENTER = (
    update(_table)
    .where(_table.c.id == bindparam("held"), _table.c.epoch == bindparam("held_epoch"))
    .values(active=bindparam("worked"))
)
_LOCK_ROW = select(_table.c.number).where(_table.c.id == bindparam("touched")).with_for_update(key_share=True)


@dataclass(slots=True, eq=False)
class Fence:
    """What a process must still be to write: the last to have taken the deliberation."""

    deliberation: str
    epoch: int
    active: float
    """Seconds of work so far, written along with whatever is written next."""


@dataclass(frozen=True, slots=True, eq=False)
class _Operation:
    work: Callable[[Connection], Any]
    touches: tuple[str, ...]
    alone: tuple[str, ...]
    fence: Fence | None
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


@dataclass(frozen=True, slots=True)
class _Done:
    value: Any = None
    error: Exception | None = None


class Writer:
    """A queue of operations and the thread that commits them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: SimpleQueue[_Operation | None] = SimpleQueue()
        self._door = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="moot-writer", daemon=True)
        self._thread.start()

    async def run(
        self,
        work: Callable[[Connection], T],
        *,
        touches: Sequence[str] = (),
        alone: str | tuple[str, ...] = (),
        fence: Fence | None = None,
    ) -> T:
        """Return what the work returns, once it is committed; a cancelled caller does not undo it.

        `touches` names the deliberations whose rows the work reads before it writes: nobody else writes to them
        meanwhile. `alone` is a name, or several, for rows that may not be there yet: no two operations of one name, in
        whichever processes, work at once.

        Raises:
            Fenced: when the deliberation of the fence has been taken over.
        """
        loop = asyncio.get_running_loop()
        operation = _Operation(
            work, tuple(touches), (alone,) if isinstance(alone, str) else alone, fence, loop, loop.create_future()
        )
        with self._door:
            if self._closed:
                raise StoreError(f"database {self._database.where} has been closed.")
            self._queue.put(operation)
        return await operation.future

    def close(self) -> None:
        """Commit what is queued and end the thread."""
        with self._door:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (first := self._queue.get()) is not None:
            group = [first, *self._waiting()]
            _answer(zip(group, self._commit(group), strict=True))

    def _waiting(self) -> Iterable[_Operation]:
        with suppress(Empty):
            for _ in range(LARGEST_GROUP - 1):
                operation = self._queue.get_nowait()
                if operation is None:
                    self._queue.put(None)
                    return
                yield operation

    def _commit(self, group: Sequence[_Operation]) -> list[_Done]:
        begun = False
        try:
            self._database.check_present()
            with self._database.writing.begin() as connection:
                begun = True
                entered = self._enter(connection, group)
                return [_performed(connection, operation, entered) for operation in group]
        except Exception as error:  # whoever awaits the operation gets it
            # Where nothing could begin, each would only wait in vain again; and a commit that was cut off may have
            # happened, so that doing it again could do it twice.
            if len(group) == 1 or not begun or connection_lost(error):
                told = error if isinstance(error, MootError) else named(error, self._database.where)
                return [_Done(error=told) for _ in group]
        return [done for operation in group for done in self._commit([operation])]

    def _enter(self, connection: Connection, group: Sequence[_Operation]) -> set[Fence]:
        """Lock every deliberation of the group, and return the fences that still stand."""
        # Names first, then ids, each in order, so that two processes never wait for each other in a circle.
        if connection.dialect.name == "postgresql":
            for number in sorted({_number(name) for op in group for name in op.alone}):
                connection.execute(select(func.pg_advisory_xact_lock(_NAMES, number)))
        fences = sorted({op.fence for op in group if op.fence}, key=lambda fence: (fence.deliberation, fence.epoch))
        touched = {deliberation for op in group for deliberation in op.touches}
        standing = set()
        for deliberation in sorted(touched | {fence.deliberation for fence in fences}):
            for fence in (fence for fence in fences if fence.deliberation == deliberation):
                if _still_held(connection, fence):
                    standing.add(fence)
            if deliberation in touched and connection.dialect.name == "postgresql":
                connection.execute(_LOCK_ROW, {"touched": deliberation})
        return standing


def _number(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "replace")).digest()[:4], "big", signed=True)


def _still_held(connection: Connection, fence: Fence) -> bool:
    values = {"held": fence.deliberation, "held_epoch": fence.epoch, "worked": fence.active}
    return connection.execute(_ENTER, values).rowcount == 1


def _performed(connection: Connection, operation: _Operation, entered: set[Fence]) -> _Done:
    if operation.fence and operation.fence not in entered:
        return _Done(error=Fenced(deliberation=operation.fence.deliberation))
    try:
        return _Done(value=operation.work(connection))
    except MootError as refusal:
        return _Done(error=refusal)


def _answer(results: Iterable[tuple[_Operation, _Done]]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Operation, _Done]]] = {}
    for operation, done in results:
        by_loop.setdefault(operation.loop, []).append((operation, done))
    for loop, answers in by_loop.items():
        # A loop that is closed has nobody left who waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve, answers)


def _resolve(answers: list[tuple[_Operation, _Done]]) -> None:
    for operation, done in answers:
        if operation.future.done():
            continue
        if done.error is not None:
            operation.future.set_exception(done.error)
        else:
            operation.future.set_result(done.value)
