"""The server: Moot's tools over stdin and stdout, in this process or on a running Moot server.

Each tool hands its arguments to a `Workplace` and returns what it gives. Nothing is decided here.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager

from mcp.server import MCPServer

from moot.mcp_server.answering import ToolServer
from moot.mcp_server.deliberation_tools import add_deliberation_tools
from moot.mcp_server.graph_tools import add_graph_tools
from moot.service.configuring import product_settings
from moot.service.remote import open_remote
from moot.service.workplace import Workplace, open_own_process
from moot.version import __version__

INSTRUCTIONS = """Put a question that matters to a panel of models with `deliberate`, and read how far the answer can be
trusted. Write an argument of your own down as a graph with `assert_graph`, then ask what holds it up; `show_graph`
reads it back. What goes wrong comes as `error`, in words, with a `code`."""


def build_server(workplace: Workplace, offered: Sequence[str] = ()) -> MCPServer:
    """Return a server whose tools are what a workplace offers; `offered` are the members that it is known to."""
    # What goes to stderr is for whoever started the agent: that a request was answered is nothing to read.
    server = ToolServer("moot", title="Moot", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    add_graph_tools(server, workplace)
    add_deliberation_tools(server, workplace, offered)
    return server


@asynccontextmanager
async def open_workplace(environ: Mapping[str, str], server: str | None = None) -> AsyncGenerator[Workplace, None]:
    """Give the workplace that an environment asks for: on a server where one is named, else in this process."""
    if url := server or product_settings(environ).values["server"]:
        async with open_remote(url, environ) as remote:
            yield remote
    else:
        async with open_own_process(environ) as own:
            yield own


def offered_members(environ: Mapping[str, str], server: str | None = None) -> tuple[str, ...]:
    """Return the members that an environment names for agents; those of a server are for the server to tell."""
    settings = product_settings(environ)
    if server or settings.values["server"]:
        return ()
    return (*settings.members, *settings.names("serve_members"))


def main(server: str | None = None) -> None:
    """Serve over stdin and stdout until the client leaves.

    Raises:
        UsageError: for a server that is no address, or no key for it.
    """

    async def serve() -> None:
        async with open_workplace(os.environ, server) as workplace:
            await build_server(workplace, offered_members(os.environ, server)).run_stdio_async()

    asyncio.run(serve())
