"""Async tests run on asyncio; the fake server stands beside the test folders."""

import socket
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from fake_server import FakeServer


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def server():
    async with FakeServer() as running:
        yield running


@pytest.fixture
def unused_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]
