"""Every test of the store runs on both databases; an async test runs in a loop of its own."""

import asyncio
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from store_kit import SettableClock

from moot.store import Store


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted}))
    return True


@pytest.fixture
def sqlite_url(tmp_path):
    return f"sqlite:///{tmp_path / 'data' / 'moot.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request):
    return request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")


@pytest.fixture
def clock():
    return SettableClock()


@pytest.fixture
def open_store(clock):
    """Open stores that are closed when the test ends."""
    opened = []

    def open_one(url: str, clock=clock) -> Store:
        opened.append(Store.open(url, clock=clock))
        return opened[-1]

    yield open_one
    for store in opened:
        asyncio.run(store.close())


@pytest.fixture
def store(url, open_store):
    return open_store(url)


@pytest.fixture
def process():
    """Start the kit as another process; whoever is left when the test ends is killed."""
    started = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(Path(__file__).with_name("store_kit.py")), *arguments]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        started.append(child)
        return child

    yield start
    for child in started:
        with child:
            child.kill()
