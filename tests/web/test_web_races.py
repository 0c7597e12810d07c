"""Many agents over HTTP at the slots of many claims, on both databases; the server is killed in the middle.

`MOOT_RACE=200,50` makes it two hundred agents and fifty claims; it takes a minute a database.
"""

import asyncio
import gc
import itertools
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from moot.core.question import Question
from moot.service.orders import Order
from moot.service.watching import Watch
from moot.web.server import open_serving
from tests.protocols.prism.board_kit import SHORT, short_output
from tests.web.process import Process, begin, environment

AGENTS, CLAIMS = map(int, os.environ.get("MOOT_RACE", "60,12").split(","))
SLOTS = 8
KILLED_AFTER = CLAIMS * SLOTS // 3
TABLE = {"path": "short.toml", "texts": {"short.toml": SHORT}}


@dataclass
class Race:
    """What the agents share: the server, what was accepted, and what they wait for instead of asking again."""

    server: Process
    claims: frozenset[str]
    accepted: list[tuple[str, str, str]] = field(default_factory=list)
    odd: Counter[int] = field(default_factory=Counter)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    """Is set with the next event of any claim, and another takes its place."""
    serving: asyncio.Event = field(default_factory=asyncio.Event)
    a_third_is_done: asyncio.Event = field(default_factory=asyncio.Event)
    over: bool = False

    def tell(self) -> None:
        self.news.set()
        self.news = asyncio.Event()

    def accept(self, claim: str, step: str, name: str) -> None:
        self.accepted.append((claim, step, name))
        if len(self.accepted) >= KILLED_AFTER:
            self.a_third_is_done.set()


async def prepared(environ: dict[str, str]) -> tuple[list[str], list[str]]:
    """Put the claims on the board and give every agent a key."""
    async with open_serving(environ) as serving:
        order = Order(Question(text="Crows remember faces."), "prism", (), {"house": "none", "table": TABLE})
        claims = [(await serving.board.add(order)).id for _ in range(CLAIMS)]
        return claims, [(await serving.keys.make(f"agent {number}", ["agent"]))[1] for number in range(AGENTS)]


async def agent(race: Race, name: str, key: str, session: aiohttp.ClientSession) -> None:
    """Look for work and do it, until all is over. Where the server went away, what was begun is tried again."""
    headers = {"Authorization": f"Bearer {key}"}
    slot: dict[str, Any] | None = None
    while not race.over:
        # Taken before the question, so that what happens between its answer and the wait is not missed.
        news = race.news
        try:
            slot = slot or await found_slot(race, headers, session)
            if slot is None:
                await news.wait()
            else:
                await filled(race, name, slot, headers, session)
                slot = None
        except (aiohttp.ClientError, ConnectionError, TimeoutError):
            await race.serving.wait()


async def found_slot(race: Race, headers: dict[str, str], session: aiohttp.ClientSession) -> dict[str, Any] | None:
    """Return a slot that is offered; None where there is none to offer. A server that is too busy is asked again."""
    while True:
        async with session.get(f"{race.server.url}/api/v1/jobs/work", headers=headers) as found:
            if found.status == 200:
                return await found.json()
            race.odd[found.status] += 1
            if found.status != 503:
                return None


async def filled(
    race: Race, name: str, slot: dict[str, Any], headers: dict[str, str], session: aiohttp.ClientSession
) -> None:
    path = f"{race.server.url}/api/v1/claims/{slot['claim_id']}/stage-slots/{slot['id']}"
    async with session.post(f"{path}/take", headers=headers) as taken:
        if taken.status != 200:
            race.odd[taken.status] += 1
            return
    async with session.post(f"{path}/done", json={"output": short_output(slot["step"])}, headers=headers) as done:
        if done.status == 204:
            race.accept(slot["claim_id"], slot["step"], name)
        else:
            race.odd[done.status] += 1


async def listen(race: Race, claim: str, watch: Watch) -> None:
    """Pass on that something happened to a claim, until it has ended."""
    async for _ in watch.subscribe(claim):
        race.tell()


async def replace_server(race: Race, environ: dict[str, str]) -> None:
    """Kill the server when a third is done, and start another in its place."""
    await race.a_third_is_done.wait()
    race.serving.clear()
    race.server.kill()
    race.server = await asyncio.to_thread(begin, environ, "--work", "--port", race.server.url.rsplit(":", 1)[1])
    race.serving.set()


async def watched(race: Race, environ: dict[str, str]) -> None:
    """Wait until every claim has ended, in spite of the server's end."""
    async with open_serving(environ) as looking:
        listening = [listen(race, claim, looking.watch) for claim in race.claims]
        await asyncio.gather(replace_server(race, environ), *listening)
        await looking.watch.stop()
    race.over = True
    race.tell()


async def run(environ: dict[str, str]) -> tuple[Race, list[Any], list[str]]:
    claims, keys = await prepared(environ)
    race = Race(await asyncio.to_thread(begin, environ, "--work"), frozenset(claims))
    race.serving.set()
    try:
        connector = aiohttp.TCPConnector(limit=AGENTS)
        async with aiohttp.ClientSession(connector=connector) as session, asyncio.timeout(300):
            agents = [agent(race, f"agent {number}", key, session) for number, key in enumerate(keys)]
            await asyncio.gather(*agents, watched(race, environ))
    finally:
        race.server.kill()
    async with open_serving(environ) as looking:
        steps = list(itertools.chain(*[await looking.store.steps.search(deliberation=claim) for claim in claims]))
        statuses = [row.status for row in await looking.store.deliberations.newest(None, "prism")]
    return race, steps, statuses


# A connection that the client was making when the server was killed is closed by nobody but the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_no_slot_twice_nobody_twice_in_a_layer_nothing_lost_every_claim_ends(
    tmp_path: Path, database: str, request: pytest.FixtureRequest
) -> None:
    settings = {"database": request.getfixturevalue("postgres_url")} if database == "postgresql" else {}
    environ = environment(tmp_path, worker_silent="2", **settings)

    race, steps, statuses = asyncio.run(run(environ))
    gc.collect()

    assert statuses == ["complete"] * CLAIMS
    assert {step.state for step in steps} == {"done"} and len(steps) == CLAIMS * SLOTS
    assert max(Counter((step.deliberation, step.group, step.agent) for step in steps).values()) == 1
    stored = {(step.deliberation, step.step): step.agent for step in steps}
    assert len({(claim, step) for claim, step, _ in race.accepted}) == len(race.accepted)
    assert all(stored[claim, step] == name for claim, step, name in race.accepted)
    assert set(race.odd) <= {404, 409, 503}
