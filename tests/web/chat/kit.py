"""A server that is asked as a model, by the client that its users have."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any

from openai import AsyncOpenAI

from moot.core.calls import Request
from moot.core.ports import Model
from moot.testing import Scripted, scripted
from tests.web.kit import MEMBER, SURE, Site

QUESTION = [{"role": "user", "content": "Is 97 a prime number?"}]
SINGLE = {"model": "moot/single", "messages": QUESTION}


@contextlib.asynccontextmanager
async def openai(site: Site, as_: str = "agent") -> AsyncGenerator[Any]:
    """Give the real client, with the key of a scope."""
    url = f"{str(site.client.base_url).rstrip('/')}/v1"
    async with AsyncOpenAI(api_key=site.keys.get(as_, as_), base_url=url, max_retries=0) as client:
        yield client


async def post(site: Site, body: Any, as_: str | None = "agent", **headers: str) -> Any:
    """Send a chat as it is, and return the answer."""
    return await call(site, "POST", "/chat/completions", as_, json=body, **headers)


async def call(site: Site, method: str, path: str, as_: str | None = "agent", json: Any = None, **headers: str) -> Any:
    sent = {name.replace("_", "-"): text for name, text in headers.items()}
    if as_ is not None:
        sent["Authorization"] = f"Bearer {site.keys.get(as_, as_)}"
    return await site.client.request(method, f"/v1{path}", headers=sent, json=json)


def answering(answer: str, confidence: float = 0.9) -> dict[str, Scripted]:
    """A member that gives one answer."""
    reply = json.dumps({"reasoning": "It is so.", "answer": answer, "confidence": confidence})
    return {MEMBER: scripted(lambda request: reply)}


@dataclass
class Held:
    """A member that does not answer until it is let go."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    free: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set where its call was cancelled."""

    async def reply(self, request: Request, reply: str = SURE) -> str:
        self.asked.set()
        try:
            await self.free.wait()
        except asyncio.CancelledError:
            self.left.set()
            raise
        return reply

    @property
    def models(self) -> Mapping[str, Model]:
        return {MEMBER: scripted(self.reply)}
