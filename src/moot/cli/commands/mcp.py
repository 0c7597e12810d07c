"""`moot mcp`: deliberations and the argument graph as MCP tools over stdio."""

from typing import Annotated

import typer

from moot.core.errors import ExtraMissing


def mcp(
    server: Annotated[
        str | None,
        typer.Option(
            "--server",
            metavar="URL",
            help="The address of a running Moot server to work on; its key is read from MOOT_SERVER_KEY.",
        ),
    ] = None,
) -> None:
    """Serve deliberations and argument graphs to an agent, as MCP tools over stdin and stdout."""
    try:
        from moot.mcp_server import main
    except ModuleNotFoundError:
        raise ExtraMissing(what="the MCP server", extra="mcp") from None
    main(server)
