"""How a database gets the tables that this Moot needs: numbered functions, each applied once.

To change the schema, change `schema.py` and append a function here. An earlier function makes its tables as
`schema.py` has them today, so a later one that adds a column first looks whether it is there already.
"""

from collections.abc import Callable

from sqlalchemy import Connection, Engine, func, insert, inspect, select, text

from moot.core.errors import DatabaseUnusable
from moot.core.ports import Clock
from moot.store import schema
from moot.store.limits.costs import fill_payments
from moot.store.outlines import fill_outlines
from moot.store.queue.installing import install_engine

Migration = Callable[[Connection], None]

_ADVISORY_KEY = 0x6D6F6F74


def first_tables(connection: Connection) -> None:
    """Make the tables of deliberations, events, journal, open steps and acts."""
    first = (schema.deliberations, schema.events, schema.attempts, schema.outcomes, schema.steps, schema.acts)
    schema.metadata.create_all(connection, tables=first)


def order_of_filling(connection: Connection) -> None:
    """Add the order in which open steps were filled, whether a run waits for them, and an index of those to fill."""
    there = {column["name"] for column in inspect(connection).get_columns("steps")}
    for name, kind in (("filled", "BIGINT NOT NULL DEFAULT 0"), ("waits", "BOOLEAN NOT NULL DEFAULT true")):
        if name not in there:
            connection.execute(text(f"ALTER TABLE steps ADD COLUMN {name} {kind}"))
    for index in schema.steps.indexes:
        index.create(connection, checkfirst=True)


def tables_of_a_server(connection: Connection) -> None:
    """Make the tables of keys, of what a server runs, of its answered requests, and of its callers' graphs."""
    schema.metadata.create_all(connection, tables=(schema.keys, schema.served, schema.requests, schema.graphs))


def table_of_sessions(connection: Connection) -> None:
    """Make the table of the sessions of browsers."""
    schema.metadata.create_all(connection, tables=(schema.sessions,))


def outlines_of_deliberations(connection: Connection) -> None:
    """Make the table that lists are read from, fill it for what is there, and find forks by their parent."""
    schema.metadata.create_all(connection, tables=(schema.outlines,))
    for index in schema.deliberations.indexes:
        index.create(connection, checkfirst=True)
    fill_outlines(connection)


def what_was_paid_for(connection: Connection) -> None:
    """Add when each attempt was sent and to which model, an index to sum calls from, and when a key was seen last."""
    for table, name, kind in (
        ("attempts", "sent", "DOUBLE PRECISION"),
        ("attempts", "model", "TEXT NOT NULL DEFAULT ''"),
        ("keys", "seen", "DOUBLE PRECISION"),
    ):
        if name not in {column["name"] for column in inspect(connection).get_columns(table)}:
            connection.execute(text(f"ALTER TABLE {table} ADD COLUMN {name} {kind}"))
    fill_payments(connection)
    for index in schema.attempts.indexes:
        index.create(connection, checkfirst=True)


def limits_for_all_servers(connection: Connection) -> None:
    """Make the tables of what keys have spent in a day, and of providers that want to be left alone for a while."""
    schema.metadata.create_all(connection, tables=(schema.spending, schema.pauses))


def queue_of_workers(connection: Connection) -> None:
    """Make the tables of workers, of their turns and of why runs stopped, and the engine's in a schema of its own."""
    schema.metadata.create_all(connection, tables=(schema.turns, schema.workers, schema.stops))
    install_engine(connection)


def limits_while_under_way(connection: Connection) -> None:
    """Make the tables of calls under way with providers, and of requests by key, over all processes."""
    schema.metadata.create_all(connection, tables=(schema.call_shares, schema.paces))


def runs_taken_up_again(connection: Connection) -> None:
    """Add how often a deliberation was taken up by a server that started."""
    if "taken_up" not in {column["name"] for column in inspect(connection).get_columns("served")}:
        connection.execute(text("ALTER TABLE served ADD COLUMN taken_up INTEGER NOT NULL DEFAULT 0"))


MIGRATIONS: tuple[Migration, ...] = (
    first_tables,
    order_of_filling,
    tables_of_a_server,
    table_of_sessions,
    outlines_of_deliberations,
    what_was_paid_for,
    limits_for_all_servers,
    queue_of_workers,
    limits_while_under_way,
    runs_taken_up_again,
)


def migrate(engine: Engine, *, where: str, clock: Clock, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Bring the database to the schema of this Moot; any number of processes may try at once.

    Raises:
        DatabaseUnusable: where a newer Moot has been at it.
    """
    with engine.connect() as connection:
        if _applied(connection, where, len(migrations)) == len(migrations):
            return
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            # In SQLite the transaction itself has begun as the only one that writes.
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_KEY})
        schema.migrations.create(connection, checkfirst=True)
        done = _applied(connection, where, len(migrations))
        for number, migration in enumerate(migrations[done:], done + 1):
            migration(connection)
            connection.execute(insert(schema.migrations), {"number": number, "applied": clock.now()})


def _applied(connection: Connection, where: str, known: int) -> int:
    if not inspect(connection).has_table(schema.migrations.name):
        return 0
    applied = connection.execute(select(func.max(schema.migrations.c.number))).scalar() or 0
    if applied > known:
        raise DatabaseUnusable(
            where=where, problem=f"a newer Moot made it (schema {applied}, this one knows {known}); upgrade Moot"
        )
    return applied
