"""The two databases behind one face: how to connect, how to read, and what their failures are called."""

import asyncio
import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock
from sqlalchemy import URL, Connection, Engine, Float, cast, create_engine, event, func, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from moot.core.errors import DatabaseUnusable, ExtraMissing
from moot.store.failures import named

T = TypeVar("T")

BUSY_SECONDS = 30
CONNECT_SECONDS = 10
IDLE_SECONDS = 10

POSTGRESQL_NOW = cast(func.extract("epoch", func.clock_timestamp()), Float)
"""The database's own clock, where those of its processes may differ."""


@dataclass(frozen=True, slots=True)
class Database:
    """One engine that writes, one that reads, and the words for the place in an error."""

    where: str
    file: Path | None
    """The SQLite file; None for PostgreSQL."""
    writing: Engine
    reading: Engine
    identity: tuple[int, int] | None = None
    """Device and number of the SQLite file as it was opened."""

    def check_present(self) -> None:
        """Do nothing where the file that was opened is still the one of its name.

        Raises:
            DatabaseUnusable: where it was deleted or another put in its place: what is written now would be lost.
        """
        if self.file is not None and self.identity is not None and _identity(self.file) != self.identity:
            raise DatabaseUnusable(
                where=self.where,
                problem="its file has been deleted or replaced since it was opened; put it back, and begin again",
            )

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Return what the work reads, in one snapshot and off the event loop."""

        def read() -> T:
            with named_errors(self.where), self.reading.connect() as connection:
                return work(connection)

        return await asyncio.to_thread(read)

    def dispose(self) -> None:
        """Close every connection."""
        self.writing.dispose()
        self.reading.dispose()


@contextmanager
def named_errors(where: str) -> Generator[None, None, None]:
    """Turn a driver's failure into the Moot error that says what to do."""
    try:
        yield
    except (DBAPIError, sqlite3.Error, OSError) as error:
        raise named(error, where) from error


def connect(url: str) -> Database:
    """Return the database that a URL names; a SQLite file and its folder are made where they are missing.

    Raises:
        DatabaseUnusable: for a URL of neither kind, a file that is no database, a folder that cannot be written.
        ExtraMissing: for PostgreSQL without its driver.
    """
    parsed = _parsed(url)
    if parsed.drivername == "sqlite":
        return _sqlite(Path(parsed.database or ""))
    return _postgresql(parsed)


def _parsed(url: str) -> URL:
    # The text is not repeated: it may hold a password.
    wrong = DatabaseUnusable(
        where="URL", problem="MOOT_DATABASE must read sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"
    )
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise wrong from None
    kind = parsed.drivername.partition("+")[0]
    if kind == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return parsed.set(drivername="sqlite")
    if kind in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+psycopg")
    raise wrong


def _sqlite(file: Path) -> Database:
    where = str(file)
    with named_errors(where):
        file.parent.mkdir(parents=True, exist_ok=True)
        _use_wal(file)
    url = URL.create("sqlite", database=str(file))
    writing = create_engine(url, pool_size=1, max_overflow=0, hide_parameters=True)
    reading = create_engine(url, hide_parameters=True)
    event.listen(writing, "connect", _prepare_writing)
    event.listen(reading, "connect", _prepare_reading)
    event.listen(writing, "begin", _begin_immediate)
    event.listen(reading, "begin", _begin_deferred)
    return Database(where, file, writing, reading, _identity(file))


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _use_wal(file: Path) -> None:
    # Two processes that switch a new file to WAL at once do not wait for each other, hence the lock.
    connection = sqlite3.connect(file, timeout=BUSY_SECONDS)
    try:
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            with FileLock(f"{file}.setup.lock"):
                connection.execute("PRAGMA journal_mode=WAL")
    finally:
        connection.close()


def _prepare_writing(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    connection.execute("PRAGMA foreign_keys=ON")
    # FULL: a reply that was paid for outlives a power cut. Commits come in groups, so the wait is shared.
    connection.execute("PRAGMA synchronous=FULL")


def _prepare_reading(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    connection.execute("PRAGMA query_only=ON")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_deferred(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _bound_idleness(connection: Any, _record: Any) -> None:
    """Let no process that was paused in the middle of a change keep all others waiting for what it has locked."""
    connection.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'")
    connection.commit()


def _postgresql(url: URL) -> Database:
    host = url.host or url.query.get("host") or "localhost"
    where = f"postgresql://{host}/{url.database or ''}"
    if "connect_timeout" not in url.query:
        # The driver's own default is to wait for minutes.
        url = url.update_query_dict({"connect_timeout": str(CONNECT_SECONDS)})
    try:
        writing = create_engine(url, pool_size=1, max_overflow=1, pool_pre_ping=True, hide_parameters=True)
        reading = create_engine(url, pool_pre_ping=True, hide_parameters=True, isolation_level="REPEATABLE READ")
    except ImportError as error:
        raise ExtraMissing(what="a PostgreSQL database", extra="postgres") from error
    event.listen(writing, "connect", _bound_idleness)
    return Database(where, None, writing, reading)
