"""The time that leases, pauses and days go by: the machine's for a file, the database's where many machines meet."""

import time
from contextlib import suppress
from typing import Any

from sqlalchemy import Engine, event

from moot.core.ports import Clock
from moot.store.database import Database

KEPT_SECONDS = 30.0
SLOW_SECONDS = 1.0
_NOW = "SELECT EXTRACT(EPOCH FROM clock_timestamp())::float8"


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        """Return seconds since the epoch."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()


class DatabaseClock:
    """The clock of a PostgreSQL server, as all its processes read it, however wrong their own are.

    It is asked over a connection that is about to be used anyway, twice a minute; between, the machine's monotonic
    clock carries it on.
    """

    def __init__(self, own: Clock) -> None:
        self._own = own
        self._told: tuple[float, float] | None = None
        """What it was there, and what the monotonic clock said then."""

    def now(self) -> float:
        """Return seconds since the epoch."""
        if self._told is None:
            return self._own.now()
        there, then = self._told
        return there + self._own.monotonic() - then

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return self._own.monotonic()

    def follow(self, engine: Engine) -> None:
        """Be set by the connections that an engine gives out."""
        lost = engine.dialect.loaded_dbapi.Error

        def look(connection: Any, _record: Any, _proxy: Any) -> None:
            # A connection that is lost is for its user to meet, who names the failure.
            with suppress(lost):
                self._look(connection)

        event.listen(engine, "checkout", look)

    def _look(self, connection: Any) -> None:
        asked = self._own.monotonic()
        if self._told is not None and asked - self._told[1] < KEPT_SECONDS:
            return
        there = connection.execute(_NOW).fetchone()[0]
        # Else the connection would be given out with a transaction begun.
        connection.rollback()
        took = self._own.monotonic() - asked
        if self._told is None or took < SLOW_SECONDS:
            self._told = there, asked + took / 2


def clock_of(database: Database, own: Clock) -> Clock:
    """Return the clock of whoever uses a database, on a machine with a clock of its own."""
    if database.file is not None:
        return own
    clock = DatabaseClock(own)
    for engine in (database.writing, database.reading):
        clock.follow(engine)
    return clock
