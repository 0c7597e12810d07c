"""Agents that race for the slots of claims at several servers, and what is wrong with what they leave."""

import asyncio
import random
import tomllib
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from processes import Child
from tests.protocols.prism.board_kit import SHORT, short_output

from moot.store.store import Store
from moot.web.server import open_serving

SLOTS = 8
WAIT = 10
AWAY = (aiohttp.ClientError, ConnectionError, TimeoutError)
FINE = {404, 409, 503}
"""Nothing to do, somebody was quicker, or the server is busy."""


BUSY = {409, 429, 503}
"""The same request is under way, or there is no room, or no database."""


@dataclass
class Race:
    """What agents share: the servers, the claims, and what was accepted of whom."""

    servers: Sequence[Child]
    chance: random.Random
    keys: list[str]
    claims: list[str] = field(default_factory=list)
    accepted: list[tuple[str, str, str]] = field(default_factory=list)
    odd: Counter[int] = field(default_factory=Counter)
    over: bool = False

    def address(self) -> str:
        """Return some server's address; it may have another after its next beginning."""
        return f"{self.chance.choice(self.servers).told['url']}/api/v1"

    async def put_claims(self, key: str, count: int, seconds: float) -> None:
        """Put claims on the board over so many seconds, each at some server and once in all."""
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            for number in range(count):
                body = {"claim": f"Crow {number} remembers faces.", "house": "none", "table": tomllib.loads(SHORT)}
                self.claims.append(await put_once(session, self.servers, "claims", body, key, self.chance))
                await asyncio.sleep(seconds / count)

    async def run(self) -> None:
        """Have every agent work until the race is over."""
        connector = aiohttp.TCPConnector(limit=0)
        timeout = aiohttp.ClientTimeout(total=WAIT * 3)
        async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
            await asyncio.gather(
                *(self._agent(f"agent {number}", key, session) for number, key in enumerate(self.keys))
            )

    async def _agent(self, name: str, key: str, session: aiohttp.ClientSession) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        slot: dict[str, Any] | None = None
        while not self.over:
            try:
                slot = slot or await self._found(headers, session)
                if slot:
                    await self._fill(name, slot, headers, session)
                    slot = None
            except AWAY:
                # What was begun is tried again, perhaps elsewhere.
                await asyncio.sleep(self.chance.uniform(0.2, 1.0))

    async def _found(self, headers: dict[str, str], session: aiohttp.ClientSession) -> dict[str, Any] | None:
        async with session.get(f"{self.address()}/jobs/work", params={"wait": WAIT}, headers=headers) as found:
            if found.status == 200:
                slot = await found.json()
                # The house's slots are open to all for a moment; its records would then not be as undisturbed.
                if slot["claim_id"] in self.claims:
                    return slot
            else:
                self.odd[found.status] += 1
        if found.status != 404:
            await asyncio.sleep(self.chance.uniform(0.2, 1.0))
        return None

    async def _fill(
        self, name: str, slot: dict[str, Any], headers: dict[str, str], session: aiohttp.ClientSession
    ) -> None:
        path = f"{self.address()}/claims/{slot['claim_id']}/stage-slots/{slot['id']}"
        async with session.post(f"{path}/take", headers=headers) as taken:
            if taken.status != 200:
                self.odd[taken.status] += 1
                return
        async with session.post(f"{path}/done", json={"output": short_output(slot["step"])}, headers=headers) as done:
            if done.status == 204:
                self.accepted.append((slot["claim_id"], slot["step"], name))
            else:
                self.odd[done.status] += 1

    async def judged(self, store: Store) -> list[str]:
        """Return what is wrong with the slots: one that is open, two of an agent in a layer, a reply that is lost."""
        steps = [step for claim in self.claims for step in await store.steps.search(deliberation=claim)]
        wrong = []
        if len(steps) != len(self.claims) * SLOTS or {step.state for step in steps} - {"done"}:
            wrong.append(f"{Counter(step.state for step in steps)} slots of {len(self.claims)} claims")
        of_agents = Counter((step.deliberation, step.group, step.agent) for step in steps)
        wrong.extend(f"{place} has {count} slots" for place, count in of_agents.items() if count > 1)
        stored = {(step.deliberation, step.step): step.agent for step in steps}
        twice = Counter((claim, step) for claim, step, _ in self.accepted)
        wrong.extend(f"{place} was filled {count} times" for place, count in twice.items() if count > 1)
        wrong.extend(
            f"{claim} {step} was accepted of {name} and is {stored.get((claim, step))}'s"
            for claim, step, name in self.accepted
            if stored.get((claim, step)) != name
        )
        wrong.extend(f"{count} answers {status}" for status, count in self.odd.items() if status not in FINE)
        return wrong


async def put_once(
    session: aiohttp.ClientSession,
    servers: Sequence[Child],
    path: str,
    body: dict[str, Any],
    key: str,
    chance: random.Random,
) -> str:
    """Put something at some server until one has taken it, once in all; return its id."""
    headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": uuid.uuid4().hex}
    while True:
        try:
            url = f"{chance.choice(servers).told['url']}/api/v1/{path}"
            async with session.post(url, json=body, headers=headers) as answer:
                if answer.status == 201:
                    return (await answer.json())["id"]
                assert answer.status in BUSY, await answer.text()
        except AWAY:
            pass
        await asyncio.sleep(0.2)


async def race_with(environ: dict[str, str], servers: Sequence[Child], agents: int, chance: random.Random) -> Race:
    """Return a race whose agents have a key each."""
    async with open_serving(environ) as serving:
        keys = [(await serving.keys.make(f"agent {number}", ["agent"]))[1] for number in range(agents)]
    return Race(servers, chance, keys)
