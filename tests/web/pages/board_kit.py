"""Claims on a board that people fill, and what a test of its pages does to them."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import update

from moot.store import schema
from tests.protocols.prism.board_kit import SHORT, short_output
from tests.protocols.prism.kit import CLAIM, output
from tests.web.kit import Site

SHORT_TABLE = {"path": "short.toml", "texts": {"short.toml": SHORT}}
PEOPLE = ("ada", "bea", "cyd", "dov", "eli")


async def put(site: Site, claim: str = CLAIM, as_: str = "admin", *, short: bool = False, **more: Any) -> str:
    """Put a claim of one agent a phase, or of the short table that has two, and return its id."""
    table = {"settings": {"table": SHORT_TABLE}} if short else {"table": "prism-v1-solo"}
    made = await site.post("/claims", {"claim": claim, **table, **more}, as_)
    assert made.status_code == 201, made.text
    return made.json()["id"]


async def people(site: Site, *names: str) -> None:
    """Give people keys by which they work on the board."""
    for name in names or PEOPLE:
        await site.agent(name)


async def fill(
    site: Site, claim: str, slots: int = 100, sure: float = 0.8, *, short: bool = False, **said: Any
) -> list[str]:
    """Let people fill so many slots of a claim, and return their steps."""
    filled: list[str] = []
    board = site.serving.board
    while len(filled) < slots:
        open_ = [(name, slot) for name in PEOPLE if (slot := await board.next_slot(name, claim=claim))]
        if not open_:
            break
        name, slot = open_[0]
        await board.take(claim, slot.step, name)
        written: Mapping[str, Any] = short_output(slot.step, sure) if short else output(slot.step[1], sure)
        await board.done(claim, slot.step, name, {**written, **said})
        await site.serving.runs.finished(claim)
        filled.append(slot.step)
    return filled


async def end_leases(site: Site) -> None:
    """Let every lease run out."""
    over = update(schema.steps).where(schema.steps.c.lease_until.is_not(None)).values(lease_until=1.0)
    await site.serving.store.writer.run(lambda connection: connection.execute(over), alone="test")
