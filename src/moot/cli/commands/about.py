"""`moot protocols` and `moot doctor`: what there is, and what is missing."""

import typer

from moot.cli import options as given


def protocols(as_json: given.Json = False) -> None:
    """List the protocols, with their settings and their usual budgets."""
    from moot.cli.session import print_json
    from moot.core.canonical import plain
    from moot.protocols import all_protocols
    from moot.views.words import counted

    rows, broken = all_protocols()
    for problem in broken:
        typer.echo(f"moot: {problem}", err=True)
    if as_json:
        print_json(
            [
                {
                    "name": row.name,
                    "version": row.version,
                    "summary": row.summary,
                    "seats": row.seats,
                    "budget": plain(row.budget),
                    "origin": row.origin or "moot",
                    "settings": row.settings.model_json_schema().get("properties", {}),
                }
                for row in rows
            ]
        )
        return
    for row in rows:
        limits = ", ".join(f"{value:g} {name}" for name, value in plain(row.budget).items() if value is not None)
        typer.echo(f"{row.name}  {row.summary}")
        typer.echo(f"    {counted(row.seats, 'seat')}, at most {limits}{f'; of {row.origin}' if row.origin else ''}")
        for name, setting in row.settings.model_fields.items():
            usual = "…" if setting.default in (None, ()) else setting.default
            typer.echo(f"    --set {name}={usual}  {setting.description}")


def doctor(as_json: given.Json = False) -> None:
    """Say what Moot can use on this machine, and how to get what is missing."""
    import asyncio
    import os

    from moot.cli.session import FAILURE, print_json
    from moot.service.health import examine

    findings = asyncio.run(examine(os.environ))
    if as_json:
        print_json(
            [{"what": item.what, "state": item.state, "found": item.found, "needs": item.needs} for item in findings]
        )
    else:
        for item in findings:
            typer.echo(f"{item.state:>8}  {item.what:<12}  {item.found}")
            if item.needs:
                typer.echo(f"{'':>24}{item.needs}")
    raise typer.Exit(FAILURE if any(item.state == "broken" for item in findings) else 0)
