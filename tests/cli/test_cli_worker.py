"""`moot worker`: what the command does around the worker itself."""

import asyncio
import logging
import signal
from collections.abc import Generator
from typing import Any, cast

import pytest

from moot.cli.commands.worker import _work


class TalkingWorker:
    """A worker that says much and ends."""

    def __init__(self) -> None:
        self.ready = asyncio.Event()

    async def run(self) -> None:
        for number in range(100):
            logging.getLogger("moot.worker").warning("line %d", number)

    async def stop(self) -> None:
        pass


@pytest.fixture
def _signals() -> Generator[None]:
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.usefixtures("_signals")
def test_a_worker_writes_only_so_many_lines_a_second(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        await _work(cast("Any", TalkingWorker()), lambda: None)

    asyncio.run(scene())

    assert 10 <= len(caplog.records) < 100
