"""An agent with Moot's tools, over a workplace of its own or on a server that listens on a port."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.types import TextContent

from moot.core.ports import Model, ProgressEvent
from moot.mcp_server import build_server
from moot.service.opening import open_service
from moot.service.remote import open_remote
from moot.service.workplace import open_own_process
from moot.testing import scripted
from tests.web.kit import MEMBER, Site, environ, live_site

SURE = json.dumps({"reasoning": "Nothing divides it.", "answer": "97 is prime", "confidence": 0.9})
PLACES = ["own", "server"]


@dataclass
class Agent:
    """An agent with Moot's tools, and the server that they work on, where there is one."""

    client: Client
    folder: Path
    site: Site | None = None

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that has something to give."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        return result.structured_content

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Call a tool in vain, and return what it says."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        (said,) = [part.text for part in result.content if isinstance(part, TextContent)]
        return said

    async def is_told_something(self, id_: str) -> None:
        """Let a server tell of progress: what it told before anybody listened, nobody heard."""
        if self.site:
            self.site.serving.watch.progress_of(id_)(ProgressEvent("noted", "answer", "m1", phase="answer"))
        await asyncio.sleep(0)

    async def stored(self, id_: str) -> dict[str, Any]:
        """Return what the database has, read past the tools."""
        async with open_service(environ(self.folder)) as service:
            return (await service.show(id_)).json()


@contextlib.asynccontextmanager
async def agent(place: str, folder: Path, models: Mapping[str, Model]) -> AsyncGenerator[Agent]:
    """Give an agent whose tools work in their own process or on a server that listens on a port."""
    async with contextlib.AsyncExitStack() as stack:
        site = None
        if place == "own":
            workplace = await stack.enter_async_context(open_own_process(environ(folder), models=models))
        else:
            site = await stack.enter_async_context(live_site(folder, models))
            key = {"MOOT_SERVER_KEY": site.keys["admin"]}
            workplace = await stack.enter_async_context(open_remote(str(site.client.base_url), key, look=0.01))
        client = await stack.enter_async_context(Client(build_server(workplace), mode="legacy"))
        yield Agent(client, folder, site)


def at_work(place: str, folder: Path, scene: Callable[[Agent], Awaitable[Any]], *replies: str) -> Any:
    """Return what a scene comes to, with one member that has these replies."""
    return with_member(place, folder, scene, scripted(list(replies) or [SURE]))


def with_member(place: str, folder: Path, scene: Callable[[Agent], Awaitable[Any]], member: Model) -> Any:
    async def run() -> Any:
        async with agent(place, folder, {MEMBER: member}) as at:
            return await scene(at)

    return asyncio.run(run())
