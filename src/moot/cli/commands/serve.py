"""`moot serve`: pages for people, and the board, deliberations and graphs for programs, over HTTP."""

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
    in_browser: Annotated[
        bool, typer.Option("--open", help="Open a browser that is signed in, by a link that works once.")
    ] = False,
    as_: Annotated[
        str | None,
        typer.Option(
            "--as", metavar="NAME", help="Make the link for the key of this name. Without it, the oldest admin's."
        ),
    ] = None,
    work: Annotated[
        bool,
        typer.Option(
            "--work",
            help="On PostgreSQL, run deliberations here too, as a worker does. Without it, workers run them all.",
        ),
    ] = False,
    as_json: given.Json = False,
) -> None:
    """Serve pages for people, and the board, deliberations and argument graphs for agents and programs, over HTTP."""
    import asyncio
    import os

    try:
        from moot.web.server import open_serving, serve
    except ModuleNotFoundError:
        raise ExtraMissing(what="the HTTP service", extra="server") from None

    def listening(where: "Listening") -> None:
        (_print_json if as_json else _print)(where)
        if in_browser and where.link:
            _open_browser(where.link)

    async def run() -> None:
        async with open_serving(os.environ, work=work) as serving:
            await serve(serving, host, port, listening, with_link=in_browser or as_ is not None, link_name=as_)

    asyncio.run(run())


def _print(where: "Listening") -> None:
    if where.first_key:
        typer.echo(f"the first key, for admin; it is shown this once:\n\n    {where.first_key}\n")
    if where.link:
        typer.echo(
            f"this link opens Moot in a browser as {where.link_name}, once, for ten minutes:\n\n    {where.link}\n"
        )
    else:
        typer.echo(f"pages are at {where.pages}; sign in with a key, or start with --open.")
    typer.echo(f"serving on {where.url}; {where.url}/api/v1/openapi.json tells what there is. Ctrl-C ends it.")


def _print_json(where: "Listening") -> None:
    from moot.cli.session import print_json

    print_json({"url": where.url, "pages": where.pages, "key": where.first_key, "link": where.link})


def _open_browser(link: str) -> None:
    """Open a link without waiting for the browser, which may take its time or stay."""
    import threading
    import webbrowser

    def show() -> None:
        if not webbrowser.open(link):
            typer.echo("no browser could be opened here; open the link yourself.", err=True)

    threading.Thread(target=show, name="browser", daemon=True).start()
