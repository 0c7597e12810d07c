"""`moot keys add`, `list`, `revoke`: who may use a server."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given
from moot.cli.helping import command_group

if TYPE_CHECKING:
    from moot.cli.session import Session
    from moot.service.signing.keys import Keys
    from moot.store import Key

app = command_group("keys", "Make, list and revoke the keys of a server.")


@app.command("add")
def add(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Whom the key is for; an agent has this name on the board.")
    ],
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--scope",
            metavar="agent|reviewer|admin",
            help="What the key opens; without it, what an agent needs. May be given several times.",
        ),
    ] = None,
    as_json: given.Json = False,
) -> None:
    """Make a key and print it. It is shown this once."""
    from moot.cli.session import print_json, session

    with session() as here:
        key, text = here.run(_keys(here).make(name, scope or ["agent"]))
    if as_json:
        print_json({**_told(key), "key": text})
        return
    typer.echo(text)
    typer.echo(f"this is the key of {key.name} ({', '.join(key.scopes)}); keep it: it is shown this once.", err=True)


@app.command("list")
def list_(as_json: given.Json = False) -> None:
    """List the keys, oldest first, without their secrets."""
    from moot.cli.session import print_json, session

    with session() as here:
        keys = here.run(_keys(here).list())
    if as_json:
        print_json([_told(key) for key in keys])
        return
    if not keys:
        typer.echo("there are no keys yet; make one with: moot keys add NAME")
    for key in keys:
        revoked = f"  revoked {_moment(key.revoked)}" if key.revoked is not None else ""
        typer.echo(f"{key.prefix}  {_moment(key.made)}  {', '.join(key.scopes):<22}  {key.name}{revoked}")


@app.command("revoke")
def revoke(
    prefix: Annotated[str, typer.Argument(metavar="PREFIX", help="The key's prefix, as `moot keys list` shows it.")],
    as_json: given.Json = False,
) -> None:
    """Revoke a key. Within two seconds every server ends its streams, stops its deliberations and frees its slots."""
    from moot.cli.session import print_json, session

    with session() as here:
        key = here.run(_keys(here).revoke(prefix))
    if as_json:
        print_json(_told(key))
    else:
        typer.echo(f"{key.prefix} of {key.name} opens nothing any more")


def _keys(here: "Session") -> "Keys":
    from moot.service.signing.keys import Keys

    store = here.service.store
    return Keys(store.callers, store.clock)


def _told(key: "Key") -> dict[str, Any]:
    from moot.core.moments import iso_moment

    return {
        "prefix": key.prefix,
        "name": key.name,
        "scopes": list(key.scopes),
        "made": iso_moment(key.made),
        "seen": iso_moment(key.seen),
        "revoked": iso_moment(key.revoked),
    }


def _moment(time: float) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(time, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
