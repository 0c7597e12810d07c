"""`moot models`: which models can be asked, and fetching the weights of the embedded ones."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given
from moot.cli.helping import command_group

if TYPE_CHECKING:
    from moot.service.models import Models

app = command_group(
    "models",
    "List the models that you can ask here, or fetch an embedded one.\n\nBeside the embedded models, these are the "
    "models of every provider whose key is set, and of a server such as Ollama that runs on this machine. Each line "
    "begins with what --member takes.",
    invoke_without_command=True,
    no_args_is_help=False,
)


@app.callback()
def models(context: typer.Context, local: given.Local = False, as_json: given.Json = False) -> None:
    """List the models that you can ask here, or fetch an embedded one."""
    if context.invoked_subcommand is not None:
        return
    import asyncio
    import os

    from moot.cli.session import print_json
    from moot.service.models import find_models

    there = asyncio.run(find_models(os.environ, local=local))
    if as_json:
        print_json(_as_json(there))
    else:
        _print(there)
    for row in there.silent:
        typer.echo(f"{row.provider.name}: {row.problem}", err=True)


def _as_json(there: "Models") -> list[dict[str, Any]]:
    embedded = [
        {
            "name": entry.name,
            "provider": "embedded",
            "member": f"embedded:{entry.name}",
            "title": entry.title,
            "licence": entry.licence,
            "bytes": entry.bytes,
            "sha256": entry.sha256,
            "cached": cached,
        }
        for entry, cached in there.embedded
    ]
    others = [
        {"name": name, "provider": row.provider.name, "member": f"{row.provider.name}:{name}"}
        for row in there.lists
        for name in row.models
    ]
    return [*embedded, *others]


def _print(there: "Models") -> None:
    for entry, cached in there.embedded:
        state = "here" if cached else "not fetched"
        typer.echo(
            f"embedded:{entry.name:<20} {entry.bytes / 1e6:>6.0f} MB  {state:<12} {entry.title} ({entry.licence})"
        )
    for row in there.lists:
        for name in row.models:
            typer.echo(f"{row.provider.name}:{name}")
    if there.without_key:
        wanted = ", ".join(f"{row.name} ({row.keys[0]})" for row in there.without_key)
        typer.echo(f"no key: {wanted}", err=True)


@app.command("pull")
def pull(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The model to fetch, as `moot models` lists it.")],
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="PATH", help="Take the weights from this file instead of the network."),
    ] = None,
    as_json: given.Json = False,
) -> None:
    """Fetch the weights of an embedded model, check them, and keep them."""
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
