"""Machines whose clocks are wrong go by one time where they meet at a database (P2: a lease runs out for all)."""

from dataclasses import dataclass
from typing import Any

import pytest
from psycopg import OperationalError
from store_kit import SettableClock, header, invitation, with_steps

from moot.core.errors import StepGone
from moot.store.clocks import KEPT_SECONDS, SLOW_SECONDS, DatabaseClock, clock_of
from moot.store.database import connect
from moot.store.limits.spending import DayLimits, KeySpending
from moot.store.migrations import migrate
from moot.store.steps import StoredSteps
from moot.store.writer import Writer

HOUR = 3600.0


@dataclass
class Answers:
    """A connection whose database says what time it is, after so many seconds of the asker's clock."""

    own: SettableClock
    time: float
    takes: float = 0.0
    asked: int = 0
    rolled_back: int = 0
    lost: bool = False

    def execute(self, _sql: str) -> "Answers":
        if self.lost:
            raise OperationalError("the connection is lost")
        self.asked += 1
        self.own.time += self.takes
        return self

    def fetchone(self) -> tuple[float]:
        return (self.time,)

    def rollback(self) -> None:
        self.rolled_back += 1


@pytest.fixture
def machine(postgres_url):
    """Give what a process on a machine uses whose clock is wrong by so many seconds."""
    opened = []

    def machine_with(wrong: float) -> tuple[StoredSteps, KeySpending]:
        database = connect(postgres_url)
        clock = clock_of(database, SettableClock(1_900_000_000.0 + wrong))
        migrate(database.writing, where=database.where, clock=clock)
        writer = Writer(database)
        opened.append((writer, database))
        return StoredSteps(database, writer, clock), KeySpending(database, writer, clock)

    yield machine_with
    for writer, database in opened:
        writer.close()
        database.dispose()


def looked(clock: DatabaseClock, connection: Answers) -> DatabaseClock:
    clock._look(connection)
    return clock


def test_a_clock_is_the_databases_and_carried_on_by_the_monotonic_one() -> None:
    own = SettableClock(50.0)
    clock = looked(DatabaseClock(own), Answers(own, 9000.0))

    own.time += 5

    assert clock.now() == 9005.0


def test_the_time_an_answer_took_is_split_between_the_way_there_and_the_way_back() -> None:
    own = SettableClock(50.0)

    clock = looked(DatabaseClock(own), Answers(own, 9000.0, takes=0.5))

    assert clock.now() == 9000.25


def test_the_database_is_asked_again_only_after_a_while_and_no_transaction_stays_begun() -> None:
    own = SettableClock(50.0)
    connection = Answers(own, 9000.0)
    clock = looked(DatabaseClock(own), connection)

    own.time += KEPT_SECONDS / 2
    looked(clock, connection)
    own.time += KEPT_SECONDS / 2
    looked(clock, connection)

    assert (connection.asked, connection.rolled_back) == (2, 2)


def test_an_answer_that_took_long_does_not_set_a_clock_that_was_set_before() -> None:
    own = SettableClock(50.0)
    clock = looked(DatabaseClock(own), Answers(own, 9000.0))

    own.time += KEPT_SECONDS
    looked(clock, Answers(own, 12000.0, takes=SLOW_SECONDS))

    assert clock.now() == 9000.0 + KEPT_SECONDS + SLOW_SECONDS


def test_a_file_goes_by_the_clock_of_its_machine(sqlite_url) -> None:
    own = SettableClock()

    assert clock_of(connect(sqlite_url), own) is own


def test_a_connection_that_is_lost_while_it_is_asked_leaves_the_clock_as_it_was(postgres_url) -> None:
    database = connect(postgres_url)
    own = SettableClock(50.0)
    clock = clock_of(database, own)

    given_out: Any = database.writing.pool.dispatch
    given_out.checkout(Answers(own, 9000.0, lost=True), None, None)

    assert clock.now() == 50.0
    database.dispose()


async def test_a_lease_runs_out_at_one_time_on_machines_an_hour_apart(machine, open_store, postgres_url) -> None:
    await with_steps(open_store(postgres_url), "abc", invitation("slot"))
    ahead, _ = machine(HOUR)
    behind, _ = machine(-HOUR)

    taken = await behind.take("abc", "slot", "ann", lease=60)

    with pytest.raises(StepGone):
        await ahead.take("abc", "slot", "ben")
    assert (await ahead.read("abc", "slot")).lease_until == taken.lease_until


async def test_a_day_begins_at_one_time_on_machines_days_apart(machine, open_store, postgres_url) -> None:
    await open_store(postgres_url).deliberations.create("abc", header())
    _, ahead = machine(48 * HOUR)
    _, behind = machine(-48 * HOUR)

    days = {await spending.reserve("key", 1, 0.0, DayLimits()) for spending in (ahead, behind)}

    assert len(days) == 1
