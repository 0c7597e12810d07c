"""Async tests run on asyncio, against a fake server where they want one."""

import socket

import pytest

from tests.fake_server import FakeServer


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
