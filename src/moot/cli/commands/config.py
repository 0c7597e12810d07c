"""`moot config`: what holds where a command says nothing, and from where."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from moot.cli import options as given

if TYPE_CHECKING:
    from collections.abc import Sequence

    from moot.configuration import Configuration
    from moot.configuration.files import Place, State
    from moot.configuration.listing import Held

WRONG = 2


def config(
    panel: given.Panel = None,
    path: Annotated[
        bool, typer.Option("--path", help="Show only the files that are looked for, the nearest first.")
    ] = False,
    as_json: given.Json = False,
) -> None:
    """Show which settings hold and where each comes from: moot.toml, the environment, or Moot itself."""
    import os

    from moot.cli.session import print_json
    from moot.configuration import places, states
    from moot.configuration.listing import held_values
    from moot.service.configuring import look_for_configuration

    configuration = look_for_configuration(os.environ)
    files = states(places(os.environ), configuration)
    held = [] if path else held_values(configuration, os.environ, panel)
    if as_json:
        print_json(_as_json(configuration, files, held, files_alone=path))
    elif path:
        _print_files(files)
    else:
        _print_values(held)
        _print_panels(configuration)
    for problem in configuration.problems:
        typer.echo(f"moot: {problem.words}.", err=True)
    raise typer.Exit(WRONG if configuration.problems else 0)


def _as_json(
    configuration: "Configuration",
    files: "Sequence[tuple[Place, State]]",
    held: "Sequence[Held]",
    *,
    files_alone: bool,
) -> dict[str, Any]:
    from moot.configuration.listing import panel_rows

    told = {"files": [{"path": str(place.path), "of": place.kind, "state": state} for place, state in files]}
    problems = [problem.words for problem in configuration.problems]
    if files_alone:
        return {**told, "problems": problems}
    values = {row.name: {"value": row.value, "origin": row.origin, "place": row.place or None} for row in held}
    return {**told, "values": values, "panels": panel_rows(configuration), "problems": problems}


def _print_files(files: "Sequence[tuple[Place, State]]") -> None:
    if not files:
        typer.echo("none is looked for: MOOT_CONFIG says so")
    for place, state in files:
        typer.echo(f"{state:<14}  {place.path}")


def _print_values(held: "Sequence[Held]") -> None:
    names = max(len(row.name) for row in held)
    values = [_shown(row.value) for row in held]
    widest = min(max(map(len, values)), 40)
    for row, value in zip(held, values, strict=True):
        origin = f"{row.origin}: {row.place}" if row.place else row.origin
        typer.echo(f"{row.name:<{names}}  {value:<{widest}}  {origin}")


def _print_panels(configuration: "Configuration") -> None:
    from moot.configuration.listing import panel_rows

    for name, row in panel_rows(configuration).items():
        limits = ", ".join(f"{value:g} {limit}" for limit, value in row["budget"].items())
        told = [", ".join(row["members"]), row["protocol"] or "", f"at most {limits}" if limits else ""]
        typer.echo(f"panel {_shown(name)}: {'; '.join(part for part in told if part)}  ({row['file']})")


def _shown(value: Any) -> str:
    from moot.views.words import harmless

    if value is None:
        return "-"
    return harmless(", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))
