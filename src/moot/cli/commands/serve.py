"""`moot serve`: the board, deliberations and graphs over HTTP."""

from typing import TYPE_CHECKING, Annotated

import typer

from moot.cli import options as given
from moot.core.errors import ExtraMissing

if TYPE_CHECKING:
    from moot.web.server import Listening

PORT = 8017


def serve(
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", help="The port to listen at; 0 takes one that is free.")
    ] = PORT,
    as_json: given.Json = False,
) -> None:
    """Serve the board, deliberations and argument graphs over HTTP, for agents and programs."""
    import asyncio
    import os

    try:
        from moot.web.server import open_serving, serve
    except ModuleNotFoundError:
        raise ExtraMissing(what="the HTTP service", extra="server") from None

    async def run() -> None:
        async with open_serving(os.environ) as serving:
            await serve(serving, host, port, _print_json if as_json else _print)

    asyncio.run(run())


def _print(where: "Listening") -> None:
    if where.first_key:
        typer.echo(f"the first key, for admin; it is shown this once:\n\n    {where.first_key}\n")
    typer.echo(f"serving on {where.url}; {where.url}/api/v1/openapi.json tells what there is. Ctrl-C ends it.")


def _print_json(where: "Listening") -> None:
    from moot.cli.session import print_json

    print_json({"url": where.url, "key": where.first_key})
