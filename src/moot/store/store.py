"""The store: one database, and the parts through which the rest of Moot reads and writes it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import URL

from moot.core.ports import Clock
from moot.store.acts import Acts
from moot.store.callers import Callers
from moot.store.clocks import SystemClock, clock_of
from moot.store.database import Database, connect, named_errors
from moot.store.deliberations import Deliberations, require, take_over
from moot.store.graphs import Graphs
from moot.store.hold import Hold
from moot.store.journal import Journals
from moot.store.limits.paces import KeyPaces
from moot.store.limits.pauses import StoredPauses
from moot.store.limits.shares import CallShares
from moot.store.limits.spending import KeySpending
from moot.store.locks import Locks, hold_lock, locks_for
from moot.store.migrations import migrate
from moot.store.queue.jobs import Queue
from moot.store.queue.workers import Workers
from moot.store.served import ServedRuns
from moot.store.sessions import StoredSessions
from moot.store.steps import StoredSteps
from moot.store.writer import Fence, Writer


class Store:
    """One database, opened: its parts, and who may write to a deliberation."""

    def __init__(self, database: Database, writer: Writer, locks: Locks, clock: Clock) -> None:
        self._database = database
        self._locks = locks
        self.clock = clock
        self.writer = writer
        self.deliberations = Deliberations(database, writer, locks, clock)
        self.journals = Journals(database)
        self.steps = StoredSteps(database, writer, clock)
        self.acts = Acts(database, writer, clock)
        self.served = ServedRuns(database, writer, clock)
        self.callers = Callers(database, writer, clock)
        self.spending = KeySpending(database, writer, clock)
        self.pauses = StoredPauses(database, writer, clock)
        self.sessions = StoredSessions(database, writer)
        self.graphs = Graphs(database, writer)
        self.queue = None if database.file else Queue(database, writer)
        self.workers = None if database.file else Workers(database, writer)
        self.call_shares = None if database.file else CallShares(writer)
        self.paces = None if database.file else KeyPaces(writer)

    @classmethod
    def open(cls, url: str, *, clock: Clock | None = None) -> "Store":
        """Return the store at `sqlite:///PATH` or `postgresql://…`, brought to today's schema.

        Without a clock it goes by the machine's for a file, and by the database's where many machines meet.

        Raises:
            DatabaseUnusable: for a damaged file, an unreachable server, or a schema of a newer Moot.
            DiskFull: where there is no room for the tables.
            ExtraMissing: for PostgreSQL without its driver.
        """
        database = connect(url)
        clock = clock or clock_of(database, SystemClock())
        try:
            with named_errors(database.where):
                migrate(database.writing, where=database.where, clock=clock)
        except BaseException:
            database.dispose()
            raise
        return cls(database, Writer(database), locks_for(database), clock)

    @property
    def where(self) -> str:
        """The place of the database, without its password."""
        return self._database.where

    @property
    def session(self) -> str:
        """The name of the session that holds this process's locks; empty where files do."""
        return self._locks.name

    @property
    def url(self) -> URL:
        """The address of the database, with its password."""
        return self._database.writing.url

    @property
    def file(self) -> Path | None:
        """The SQLite file; None for PostgreSQL."""
        return self._database.file

    async def close(self) -> None:
        """Commit what is queued and close every connection."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self.graphs.close()
        self.writer.close()
        self._locks.close()
        self._database.dispose()

    async def is_held(self, deliberation: str) -> bool:
        """Whether a live process works on the deliberation."""
        return await asyncio.to_thread(self._locks.is_taken, deliberation)

    @asynccontextmanager
    async def hold(self, deliberation: str) -> AsyncGenerator[Hold, None]:
        """Hold the deliberation as the one who may write its journal.

        Raises:
            AlreadyRunning: while another holder lives.
        """
        await self._database.read(lambda connection: require(connection, deliberation))
        async with hold_lock(self._locks, deliberation):
            epoch, active = await self.writer.run(
                lambda connection: take_over(connection, deliberation), touches=(deliberation,)
            )
            yield Hold(self._database, self.writer, Fence(deliberation, epoch, active), self.clock)
