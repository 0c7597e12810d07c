"""The one thread that writes: order, groups, and one failure that stays one failure."""

import asyncio
import sqlite3

import psycopg
import pytest
from sqlalchemy import event, insert, select, text
from store_kit import header, intent

from moot.core.errors import DatabaseUnusable, DiskFull, NotFound, StoreError
from moot.store import schema
from moot.store.database import connect
from moot.store.migrations import migrate
from moot.store.writer import Fence, Writer


@pytest.fixture
def database(url, clock):
    database = connect(url)
    migrate(database.writing, where=database.where, clock=clock)
    yield database
    database.dispose()


@pytest.fixture
def writer(database):
    writer = Writer(database)
    yield writer
    writer.close()


def put(seq: int, of: str = "abc"):
    row = {"deliberation": of, "seq": seq, "text": str(seq)}
    return lambda connection: connection.execute(insert(schema.events), row) and None


def written(connection):
    return list(connection.execute(select(schema.events.c.seq).order_by(schema.events.c.seq)).scalars())


async def test_operations_are_done_in_the_order_of_the_queue(store):
    seen = []

    def noted(number: int):
        return lambda connection: seen.append(number)

    await asyncio.gather(*(store.writer.run(noted(number)) for number in range(300)))

    assert seen == list(range(300))


async def test_operations_that_wait_are_committed_together(database, writer):
    commits = []
    event.listen(database.writing, "commit", lambda connection: commits.append(1))
    gate = asyncio.Event()
    loop = asyncio.get_running_loop()

    def first(connection):
        asyncio.run_coroutine_threadsafe(gate.wait(), loop).result()

    waiting = [asyncio.ensure_future(writer.run(work)) for work in [first, *[lambda connection: None] * 50]]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*waiting)

    # All went in before the first was done: at most the first alone, then the rest.
    assert len(commits) <= 2


async def test_a_failing_operation_fails_alone(store):
    await store.deliberations.create("abc", header())

    def broken(connection):
        connection.execute(insert(schema.events), {"deliberation": "abc", "seq": 99, "text": ""})
        raise ZeroDivisionError

    works = [put(0), put(1), broken, put(1), put(2)]
    results = await asyncio.gather(*(store.writer.run(work) for work in works), return_exceptions=True)

    assert [type(result) for result in results] == [type(None), type(None), ZeroDivisionError, StoreError, type(None)]
    assert await store.writer.run(written) == [0, 1, 2]


async def test_a_refused_operation_is_refused_alone(store):
    await store.deliberations.create("abc", header())

    def refused(connection):
        raise NotFound(what="thing", name="x", see="look")

    results = await asyncio.gather(
        *(store.writer.run(work) for work in (put(0), refused, put(1))), return_exceptions=True
    )

    assert [type(result) for result in results] == [type(None), NotFound, type(None)]
    assert await store.writer.run(written) == [0, 1]


async def test_an_operation_whose_caller_was_cancelled_is_still_written(store):
    await store.deliberations.create("abc", header())

    task = asyncio.ensure_future(store.writer.run(put(0)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert await store.writer.run(written) == [0]


async def test_closing_commits_what_is_queued(url, open_store):
    store = open_store(url)
    await store.deliberations.create("abc", header())

    writes = [asyncio.ensure_future(store.writer.run(put(number))) for number in range(100)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*writes)

    assert await open_store(url).writer.run(written) == list(range(100))


async def test_a_closed_store_takes_nothing_more_and_says_so(url, open_store):
    store = open_store(url)
    await store.close()

    with pytest.raises(StoreError, match="has been closed"):
        await store.deliberations.create("abc", header())


def test_a_loop_that_is_gone_does_not_stop_the_thread(store):
    async def leave_behind() -> None:
        task = asyncio.ensure_future(store.deliberations.create("abc", header()))
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(leave_behind())

    assert [summary.id for summary in asyncio.run(store.deliberations.newest())] in ([], ["abc"])
    asyncio.run(store.deliberations.create("other", header()))
    assert "other" in {summary.id for summary in asyncio.run(store.deliberations.newest())}


async def test_a_group_checks_each_epoch_once(database, writer):
    statements = []
    event.listen(
        database.writing,
        "before_cursor_execute",
        lambda connection, cursor, statement, *rest: statements.append(statement),
    )
    fence = Fence("abc", 0, 0.0)
    gate = asyncio.Event()
    loop = asyncio.get_running_loop()

    def first(connection):
        asyncio.run_coroutine_threadsafe(gate.wait(), loop).result()

    waiting = [asyncio.ensure_future(writer.run(first))]
    waiting += [asyncio.ensure_future(writer.run(lambda connection: None, fence=fence)) for _ in range(50)]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*waiting, return_exceptions=True)

    assert len([statement for statement in statements if statement.startswith("UPDATE")]) == 1


async def test_two_processes_that_write_to_the_same_deliberations_never_block_each_other(url, store, open_store):
    second = open_store(url)
    for name in ("a", "b"):
        await store.deliberations.create(name, header())

    await asyncio.gather(
        *(
            one.acts.add(name, kind="note", author=str(number), data=None, at=None)
            for number in range(50)
            for one, name in ((store, "ab"[number % 2]), (second, "ba"[number % 2]))
        )
    )

    assert [len(await store.acts.read(name)) for name in ("a", "b")] == [50, 50]
    assert [act.seq for act in await store.acts.read("a")] == list(range(50))


async def test_a_database_that_another_program_locks_is_named_and_usable_afterwards(sqlite_url, open_store, tmp_path):
    store = open_store(sqlite_url)
    await store.deliberations.create("abc", header())
    await store.writer.run(lambda connection: connection.execute(text("PRAGMA busy_timeout=0")) and None)

    other = sqlite3.connect(tmp_path / "data" / "moot.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    results = await asyncio.gather(*(store.writer.run(put(number)) for number in range(20)), return_exceptions=True)
    other.close()
    await store.writer.run(put(20))

    assert {type(result) for result in results} == {DatabaseUnusable}
    assert "another program keeps it locked" in str(results[0])
    assert await store.writer.run(written) == [20]


async def test_a_connection_that_the_server_dropped_is_made_again(postgres_url, open_store):
    store = open_store(postgres_url)
    await store.deliberations.create("abc", header())
    await store.deliberations.newest()

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        mine = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        connection.execute(f"{mine} WHERE datname = current_database() AND pid <> pg_backend_pid()")

    await store.writer.run(put(0))
    assert await store.deliberations.events("abc") == [(0, "0")]


async def test_a_connection_that_breaks_within_a_group_fails_the_group_and_no_more(postgres_url, open_store):
    store = open_store(postgres_url)
    await store.deliberations.create("abc", header())

    def end_own_session(connection):
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with pytest.raises(DatabaseUnusable, match="MOOT_DATABASE"):
        await store.writer.run(end_own_session)
    await store.writer.run(put(0))

    assert await store.writer.run(written) == [0]


async def test_a_full_disk_is_named_and_nothing_committed_is_lost(sqlite_url, open_store):
    store = open_store(sqlite_url)
    await store.deliberations.create("abc", header())

    async with store.hold("abc") as hold:
        await hold.journal.intend([intent("one", 0)], [], active=0)
        await store.writer.run(lambda connection: connection.execute(text("PRAGMA max_page_count=1")) and None)
        results = await asyncio.gather(
            hold.journal.intend([intent("two", 1, request="x" * 3_000_000)], [], active=0),
            hold.journal.count_try("one", 1, 2),
            return_exceptions=True,
        )
        await store.writer.run(lambda connection: connection.execute(text("PRAGMA max_page_count=4294967294")) and None)
        await hold.journal.intend([intent("two", 1, request="x" * 3_000_000)], [], active=0)

    assert [type(result) for result in results] == [DiskFull, type(None)]
    assert "moot.db" in str(results[0]) and "moot resume" in str(results[0])
    assert [(row.step, row.tries) for row in (await store.journals.read("abc")).attempts] == [("one", 2), ("two", 1)]
