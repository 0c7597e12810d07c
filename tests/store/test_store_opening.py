"""Opening a database: made once, brought up to date once, refused by name where it cannot be used."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import inspect, select, text
from store_kit import SettableClock, header, intent, invitation

from moot.core.errors import DatabaseUnusable
from moot.store import Served, Store, schema
from moot.store.database import connect
from moot.store.migrations import MIGRATIONS, migrate


def applied(connection):
    return [row.number for row in connection.execute(select(schema.migrations).order_by(schema.migrations.c.number))]


@pytest.fixture
def database(url):
    database = connect(url)
    yield database
    database.dispose()


async def test_opening_makes_the_folder_and_every_table(url, store):
    tables = await store.writer.run(lambda connection: set(inspect(connection).get_table_names()))

    assert tables == set(schema.metadata.tables)


async def test_processes_that_open_at_once_migrate_once(url, open_store, process):
    children = [process("open", url) for _ in range(6)]

    for child in children:
        child.stdin.close()
    codes = [child.wait() for child in children]

    assert codes == [0] * 6
    assert await open_store(url).writer.run(applied) == list(range(1, len(MIGRATIONS) + 1))


def test_an_older_database_gets_what_it_lacks_and_nothing_twice(database, clock):
    calls = []
    later = (*MIGRATIONS, lambda connection: calls.append(connection.execute(text("SELECT 1")).scalar()))
    migrate(database.writing, where="here", clock=clock)

    migrate(database.writing, where="here", clock=clock, migrations=later)
    migrate(database.writing, where="here", clock=clock, migrations=later)

    assert calls == [1]
    with database.reading.connect() as connection:
        assert applied(connection) == list(range(1, len(later) + 1))


def test_a_migration_that_fails_leaves_the_database_as_it_was(database, clock):
    def fails(connection):
        connection.execute(text("CREATE TABLE half (x INTEGER)"))
        raise ZeroDivisionError

    migrate(database.writing, where="here", clock=clock)
    with pytest.raises(ZeroDivisionError):
        migrate(database.writing, where="here", clock=clock, migrations=(*MIGRATIONS, fails))

    with database.reading.connect() as connection:
        assert not inspect(connection).has_table("half")
        assert applied(connection) == list(range(1, len(MIGRATIONS) + 1))


def test_the_schema_of_a_newer_moot_is_refused(url, database, clock):
    newer = (*MIGRATIONS, lambda connection: None)
    migrate(database.writing, where="here", clock=clock, migrations=newer)

    with pytest.raises(DatabaseUnusable, match=r"newer Moot .* upgrade Moot"):
        Store.open(url, clock=clock)


def test_a_file_that_is_no_database_is_refused(tmp_path, clock):
    file = tmp_path / "moot.db"
    file.write_text("These are my notes, and there are many of them. " * 100, encoding="utf-8")

    with pytest.raises(DatabaseUnusable, match=r"moot\.db: it is damaged or no database; restore a copy"):
        Store.open(f"sqlite:///{file}", clock=clock)


async def test_a_damaged_page_is_named_when_it_is_read(sqlite_url, open_store, tmp_path):
    store = open_store(sqlite_url)
    await store.deliberations.create("abc", header())
    async with store.hold("abc") as hold:
        await hold.journal.intend([intent(f"step {number}", number) for number in range(500)], [], active=0)
    await store.close()
    file = tmp_path / "data" / "moot.db"
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))

    with pytest.raises(DatabaseUnusable, match="restore a copy"):
        await open_store(sqlite_url).journals.read("abc")


def test_a_path_that_cannot_be_made_is_refused(tmp_path, clock):
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(DatabaseUnusable, match="MOOT_HOME"):
        Store.open(f"sqlite:///{tmp_path / 'file' / 'moot.db'}", clock=clock)
    with pytest.raises(DatabaseUnusable, match="MOOT_HOME"):
        Store.open(f"sqlite:///{tmp_path}", clock=clock)


def test_a_file_that_may_not_be_written_is_refused(tmp_path):
    # A process of its own, since the superuser may write anywhere.
    script = (
        "import os, sys, pathlib\n"
        "from moot.core.errors import DatabaseUnusable\n"
        "from moot.store import Store\n"
        "from store_kit import SettableClock\n"
        "if os.geteuid() == 0: os.setuid(65534)\n"
        "try: Store.open(sys.argv[1], clock=SettableClock())\n"
        "except DatabaseUnusable as error: print(error)\n"
    )
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o555)
    for parent in list(folder.parents)[:-2]:
        parent.chmod(parent.stat().st_mode | 0o111)

    said = subprocess.run(
        [sys.executable, "-c", script, f"sqlite:///{folder / 'moot.db'}"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "it cannot be written; check the rights" in said.stdout


def test_a_server_that_does_not_answer_is_named_without_the_password(clock):
    with pytest.raises(DatabaseUnusable) as refused:
        Store.open("postgresql://ann:s3cret@127.0.0.1:1/moot?sslpassword=s3cret", clock=clock)

    assert "127.0.0.1/moot" in str(refused.value)
    assert "MOOT_DATABASE" in str(refused.value)
    assert "s3cret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_database_that_the_server_does_not_have_is_refused(postgres, clock):
    with pytest.raises(DatabaseUnusable, match="MOOT_DATABASE"):
        Store.open(postgres.get_uri(database="nothing_here"), clock=clock)


@pytest.mark.parametrize(
    "url", ["", "moot.db", "mysql://u:s3cret@h/d", "sqlite://", "sqlite:///:memory:", "x://[s3cret"]
)
def test_a_url_of_neither_kind_is_refused_without_repeating_it(url, clock):
    with pytest.raises(DatabaseUnusable, match="sqlite:///PATH or postgresql://") as refused:
        Store.open(url, clock=clock)

    assert "s3cret" not in str(refused.value)


def test_postgresql_without_its_driver_names_the_extra():
    script = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from moot.core.errors import ExtraMissing\n"
        "from moot.store import Store\n"
        "try: Store.open('postgresql://h/d', clock=None)\n"
        "except ExtraMissing as error: print(error)\n"
    )

    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert "moot[postgres]" in said.stdout


def test_a_store_can_be_opened_again_and_again(url, clock):
    for number in range(3):
        store = Store.open(url, clock=SettableClock())
        asyncio.run(store.deliberations.create(f"d{number}", header()))
        asyncio.run(store.close())

    store = Store.open(url, clock=clock)
    assert len(asyncio.run(store.deliberations.newest())) == 3
    asyncio.run(store.close())


def test_steps_of_an_older_database_can_be_filled_in_order_after_the_migration(database, clock):
    migrate(database.writing, where="here", clock=clock, migrations=MIGRATIONS[:1])
    with database.writing.begin() as connection:
        connection.execute(text("DROP INDEX steps_unfilled"))
        connection.execute(text("ALTER TABLE steps DROP COLUMN filled"))
        connection.execute(text("ALTER TABLE steps DROP COLUMN waits"))

    migrate(database.writing, where="here", clock=clock)

    with database.reading.connect() as connection:
        found = inspect(connection)
        assert {"filled", "waits"} <= {column["name"] for column in found.get_columns("steps")}
        assert "steps_unfilled" in {index["name"] for index in found.get_indexes("steps")}


async def test_a_database_from_before_servers_opens_and_keeps_its_rows(url, open_store, clock):
    store = open_store(url)
    await store.deliberations.create("abc", header("Why?"))
    async with store.hold("abc") as hold:
        await hold.steps.open([(0, invitation("slot"))])
        await hold.set_status("complete")
    before = (
        await store.deliberations.events("abc"),
        await store.steps.search(),
        await store.deliberations.header("abc"),
        await store.deliberations.summary("abc"),
    )
    await store.writer.run(as_before_servers)
    await store.close()

    newer = open_store(url)

    after = (
        await newer.deliberations.events("abc"),
        await newer.steps.search(),
        await newer.deliberations.header("abc"),
        await newer.deliberations.summary("abc"),
    )
    assert after == before
    assert await newer.writer.run(applied) == list(range(1, len(MIGRATIONS) + 1))
    assert await newer.callers.keys() == []
    assert await newer.served.to_resume() == []
    await newer.served.create("new", header(), Served("moot_1", "moot_1/k"))
    assert [(row.id, row.owner) for row in await newer.deliberations.newest()] == [("new", "moot_1"), ("abc", None)]


def as_before_servers(connection):
    for table in ("sessions", "graphs", "requests", "served", "keys"):
        connection.execute(text(f"DROP TABLE {table}"))
    connection.execute(text("DELETE FROM migrations WHERE number > 2"))
