"""The tables of the engine, in a schema of their own. Which of its schemas it is stands in that schema's comment."""

from sqlalchemy import Connection, text

from moot.core.errors import ExtraMissing

SCHEMA = "moot_queue"
ENGINE = "procrastinate 3.10"
"""The version of the engine whose tables these are; a later one that needs others gets a migration of its own."""

# The engine's functions name their tables without a schema; so bound, they work whatever the caller's path is.
_BIND_FUNCTIONS = f"""
DO $$
DECLARE function regprocedure;
BEGIN
    FOR function IN SELECT oid FROM pg_proc WHERE pronamespace = '{SCHEMA}'::regnamespace LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = {SCHEMA}, pg_catalog', function);
    END LOOP;
END;
$$
"""  # noqa: S608 - a constant


def install_engine(connection: Connection) -> None:
    """Make the engine's schema with its tables and functions; in SQLite there is none.

    Raises:
        ExtraMissing: without the engine.
    """
    if connection.dialect.name != "postgresql":
        return
    if connection.execute(text("SELECT to_regnamespace(:schema)"), {"schema": SCHEMA}).scalar():
        return
    own_path = connection.execute(text("SHOW search_path")).scalar_one()
    connection.execute(text(f"CREATE SCHEMA {SCHEMA}"))
    connection.execute(text(f"SET LOCAL search_path TO {SCHEMA}"))
    driver = connection.connection.driver_connection
    if driver is None:
        raise ExtraMissing(what="a PostgreSQL database", extra="postgres")
    driver.execute(_tables())
    driver.execute(_BIND_FUNCTIONS)
    connection.execute(text(f"COMMENT ON SCHEMA {SCHEMA} IS '{ENGINE}'"))
    connection.execute(text("SELECT set_config('search_path', :path, true)"), {"path": own_path})


def _tables() -> str:
    try:
        from procrastinate.schema import SchemaManager
    except ImportError as error:
        raise ExtraMissing(what="a PostgreSQL database", extra="postgres") from error
    return SchemaManager.get_schema()
