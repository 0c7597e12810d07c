"""`moot models`: the embedded models, and fetching their weights."""

from pathlib import Path
from typing import Annotated

import typer

from moot.cli import options as given

app = typer.Typer(help="List the embedded models, or fetch one.", invoke_without_command=True, rich_markup_mode=None)


@app.callback()
def models(context: typer.Context, as_json: given.Json = False) -> None:
    """List the embedded models, or fetch one."""
    if context.invoked_subcommand is not None:
        return
    import os

    from moot.cli.session import print_json
    from moot.gateway.embedded.catalogue import CATALOGUE
    from moot.gateway.embedded.fetch import is_stamped
    from moot.service.configuring import product_settings

    cache = product_settings(os.environ).cache
    cached = {entry.name: is_stamped(cache / entry.file, entry) for entry in CATALOGUE}
    if as_json:
        print_json(
            [
                {
                    "name": entry.name,
                    "member": f"embedded:{entry.name}",
                    "title": entry.title,
                    "licence": entry.licence,
                    "bytes": entry.bytes,
                    "sha256": entry.sha256,
                    "cached": cached[entry.name],
                }
                for entry in CATALOGUE
            ]
        )
        return
    for entry in CATALOGUE:
        state = "here" if cached[entry.name] else "not fetched"
        typer.echo(
            f"embedded:{entry.name:<20} {entry.bytes / 1e6:>6.0f} MB  {state:<12} {entry.title} ({entry.licence})"
        )


@app.command("pull")
def pull(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The model, as `moot models` lists it.")],
    file: Annotated[
        Path | None, typer.Option("--file", metavar="PATH", help="Take the weights from this file.")
    ] = None,
    as_json: given.Json = False,
) -> None:
    """Fetch a model's weights, check them, and keep them."""
    import asyncio
    import os

    from moot.cli.session import print_json
    from moot.cli.terminal.progress import shown_progress
    from moot.core.errors import Interrupted
    from moot.gateway.embedded.catalogue import find
    from moot.gateway.embedded.fetch import fetch
    from moot.service.configuring import product_settings

    entry = find(name.removeprefix("embedded:"))
    try:
        with shown_progress() as heard:
            path = asyncio.run(fetch(entry, product_settings(os.environ).cache, progress=heard.fetch, file=file))
    except KeyboardInterrupt:
        raise Interrupted(go_on=f"moot models pull {entry.name}") from None
    if as_json:
        print_json({"name": entry.name, "path": str(path)})
    else:
        typer.echo(f"{entry.name} is in {path}")
