"""Who runs a deliberation. The lock dies with its process, so a crash frees it."""

import asyncio
import hashlib
import secrets
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from moot.core.errors import AlreadyRunning, ServerAlreadyThere
from moot.store.database import Database, named_errors

Release = Callable[[], None]

PROBE_SECONDS = 0.2
"""A lock that is only being looked at is held for an instant; who wants it waits this long before giving up."""


class Locks(Protocol):
    """The running locks of one database."""

    @property
    def name(self) -> str:
        """The name of the database session that holds them; empty where there is none."""
        ...

    def take(self, deliberation: str) -> Release:
        """Return what gives the lock back.

        Raises:
            AlreadyRunning: while somebody else has it, in this process or another.
        """
        ...

    def is_taken(self, deliberation: str) -> bool:
        """Whether somebody has the lock, in this process or another."""
        ...

    def forget(self, deliberation: str) -> None:
        """Leave no trace of a deliberation that is gone."""
        ...

    def close(self) -> None:
        """Give back what the locks themselves need."""
        ...


def locks_for(database: Database) -> Locks:
    """Return the locks that fit the database."""
    if database.file:
        return FileLocks(database.file.with_name(f"{database.file.name}.locks"), database.where)
    return AdvisoryLocks(database.writing, database.where)


@asynccontextmanager
async def hold_lock(locks: Locks, deliberation: str) -> AsyncGenerator[None, None]:
    """Hold the lock of a deliberation; the disk or the server that has it is waited for off the event loop.

    Raises:
        AlreadyRunning: while somebody else has it.
    """
    taking = asyncio.ensure_future(asyncio.to_thread(locks.take, deliberation))
    try:
        release = await asyncio.shield(taking)
    except asyncio.CancelledError:
        taking.add_done_callback(_give_back)
        raise
    try:
        yield
    finally:
        await asyncio.shield(asyncio.ensure_future(asyncio.to_thread(release)))


@contextmanager
def hold_server_lock(file: Path) -> Generator[None, None, None]:
    """Hold the lock of the one server that may be at a SQLite file.

    Raises:
        ServerAlreadyThere: while another is.
    """
    lock = FileLock(file.with_name(f"{file.name}.server.lock"), thread_local=False)
    with named_errors(str(file)):
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise ServerAlreadyThere(where=str(file)) from None
    try:
        yield
    finally:
        lock.release()


def _give_back(taking: asyncio.Future[Release]) -> None:
    if not taking.cancelled() and taking.exception() is None:
        taking.result()()


class FileLocks:
    """One locked file per deliberation, in a folder beside the database."""

    name = ""

    def __init__(self, folder: Path, where: str) -> None:
        self._folder = folder
        self._where = where

    def take(self, deliberation: str) -> Release:
        """Return what gives the lock back."""
        with named_errors(self._where):
            self._folder.mkdir(exist_ok=True)
            lock = FileLock(self._file(deliberation), thread_local=False)
            try:
                lock.acquire(timeout=PROBE_SECONDS, poll_interval=PROBE_SECONDS / 10)
            except Timeout:
                raise AlreadyRunning(deliberation=deliberation) from None
        return lock.release

    def is_taken(self, deliberation: str) -> bool:
        """Try the lock and give it back at once."""
        file = self._file(deliberation)
        with named_errors(self._where):
            if not file.exists():
                return False
            try:
                with FileLock(file, timeout=0, thread_local=False):
                    return False
            except Timeout:
                return True

    def forget(self, deliberation: str) -> None:
        """Remove the file."""
        with suppress(OSError):
            self._file(deliberation).unlink()

    def close(self) -> None:
        """Nothing is kept between two locks."""

    def _file(self, deliberation: str) -> Path:
        # A digest is a safe file name whatever the id holds.
        return self._folder / f"{_hash(deliberation).hex()}.lock"


# The server shows the two halves of a key as two numbers.
_IS_TAKEN = """
SELECT EXISTS (
    SELECT 1 FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND ((CAST(classid AS bigint) << 32) | CAST(objid AS bigint)) = :key
)
"""


# A server that hears nothing of a machine for so long takes it for gone, and frees its locks; by itself, for two hours.
_KEEPALIVES = "-c tcp_keepalives_idle=3 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=4 -c tcp_user_timeout=7000"


class AdvisoryLocks:
    """Advisory locks of PostgreSQL, all in one session that does nothing else and has a name of its own.

    A session may take its own lock twice, so what is held is kept here as well. When the session breaks, the
    server frees its locks, and nothing is held any more; the epoch then stops whoever goes on writing.
    """

    def __init__(self, engine: Engine, where: str) -> None:
        self.name = f"moot lock {secrets.token_hex(8)}"
        given = engine.url.query.get("options", "")
        options = f"{given if isinstance(given, str) else ' '.join(given)} {_KEEPALIVES}".strip()
        url = engine.url.update_query_dict({"application_name": self.name, "options": options})
        self._engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT", hide_parameters=True)
        self._where = where
        self._mutex = threading.Lock()
        self._session: Connection | None = None
        self._held: dict[int, object] = {}
        """What is held, each with a token of who took it: a late release gives back nobody else's."""

    def take(self, deliberation: str) -> Release:
        """Return what gives the lock back."""
        key = advisory_key(deliberation)
        with self._mutex, named_errors(self._where):
            if key in self._held:
                # Somebody may have ended the session since, and with it what is held here.
                self._asked("SELECT true WHERE :key IS NOT NULL", key)
            if key in self._held or not self._asked("SELECT pg_try_advisory_lock(:key)", key):
                raise AlreadyRunning(deliberation=deliberation)
            self._held[key] = token = object()
        return partial(self._release, key, token)

    def is_taken(self, deliberation: str) -> bool:
        """Ask the server who has the lock, without taking it."""
        with self._mutex, named_errors(self._where):
            return self._asked(_IS_TAKEN, advisory_key(deliberation))

    def forget(self, deliberation: str) -> None:
        """The server keeps no trace."""

    def close(self) -> None:
        """End the session."""
        with self._mutex:
            self._hang_up()
            self._engine.dispose()

    def _release(self, key: int, token: object) -> None:
        with self._mutex:
            if self._held.get(key) is not token:
                return
            del self._held[key]
            if not self._session:
                return
            try:
                self._session.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": key})
            except DBAPIError:
                # Where the session is gone, the lock is gone with it.
                self._hang_up()

    def _asked(self, question: str, key: int) -> bool:
        try:
            return bool(self._connected().execute(text(question), {"key": key}).scalar())
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        self._hang_up()
        return bool(self._connected().execute(text(question), {"key": key}).scalar())

    def _connected(self) -> Connection:
        if self._session is None:
            self._session = self._engine.connect()
        return self._session

    def _hang_up(self) -> None:
        session, self._session = self._session, None
        self._held.clear()
        if session:
            with suppress(DBAPIError):
                session.close()


def advisory_key(deliberation: str) -> int:
    """Return the number of a deliberation's lock in PostgreSQL."""
    return int.from_bytes(_hash(deliberation)[:8], "big", signed=True)


def _hash(deliberation: str) -> bytes:
    return hashlib.sha256(deliberation.encode("utf-8", "replace")).digest()[:16]
