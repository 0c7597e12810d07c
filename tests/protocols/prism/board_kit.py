"""A board over a real store, with scripted members and a clock that stands still."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from moot.core.ports import Clock, OpenStep
from moot.core.question import Question
from moot.gateway.data_files import read_data_files
from moot.gateway.gateway import Gateway
from moot.protocols.prism.layers import TableFile
from moot.service.board import Board
from moot.service.orders import Order
from moot.service.service import Service
from moot.store.store import Store
from moot.testing import scripted
from tests.protocols.prism.kit import CLAIM, Said, by_step, output
from tests.runtime.memory import SettableClock

T = TypeVar("T")

MEMBER = "scripted:house"

SHORT = """
name = "short"

[[layers]]
number = 1
name = "Frame"
shape = "framing"
work = { contributor = 2 }
consensus = 1
threshold = 0.7

[[layers]]
number = 2
name = "Classify"
shape = "classification"
work = { critic = 1 }
consensus = 2
threshold = 0.7

[[layers]]
number = 3
name = "Decide"
shape = "synthesis"
consensus = 2
threshold = 0.7
"""
"""Three layers that show all there is: work and consensus, both effects, a layer of consensus alone."""

TABLE = TableFile(path="short.toml", texts={"short.toml": SHORT})
SHAPES = {"1": "1", "2": "2", "3": "7"}


def short_output(step: str, confidence: float = 0.8) -> dict[str, Any]:
    """What a slot of the short table takes."""
    return output(SHAPES[step[1]], confidence)


@asynccontextmanager
async def open_board(
    url: str, *, clock: Clock | None = None, replies: Mapping[str, Said] | None = None
) -> AsyncGenerator[tuple[Board, Service], None]:
    """Give a board and its service."""
    said = by_step({**(replies or {}), **{f"L{layer}.*": short_output(f"L{layer}") for layer in SHAPES}})
    clock = clock or SettableClock()
    gateway = Gateway({}, own={MEMBER: scripted(lambda request: said(request.step))})
    store = Store.open(url, clock=clock)
    try:
        service = Service(store, gateway, clock=clock, environ={}, read_files=read_data_files)
        yield Board(service), service
    finally:
        await store.close()
        await gateway.close()


def on_board(folder: Path, scene: Callable[[Board, Service, SettableClock], Awaitable[T]], **options: Any) -> T:
    """Return what a scene on a board of its own returns."""

    async def run() -> T:
        clock = SettableClock()
        async with open_board(f"sqlite:///{folder}/moot.db", clock=clock, **options) as (board, service):
            return await scene(board, service, clock)

    return asyncio.run(run())


async def add(board: Board, claim: str = CLAIM, *, members: tuple[str, ...] = (), **settings: Any) -> str:
    """Put a claim on the board and return its id."""
    chosen = {"table": TABLE, "house": "all" if members else "none", **settings}
    return (await board.add(Order(Question(text=claim), members=members, settings=chosen, seed=1))).id


async def work(board: Board, agent: str, confidence: float = 0.8, **wanted: Any) -> OpenStep | None:
    """Let an agent take the next slot and fill it."""
    slot = await board.take_next(agent, **wanted)
    if slot:
        await board.done(slot.deliberation, slot.step, agent, short_output(slot.step, confidence))
    return slot
