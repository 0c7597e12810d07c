"""`moot replay`, `export`, `delete`: what is stored. No model is called."""

from pathlib import Path
from typing import Annotated

import typer

from moot.cli import completing
from moot.cli import options as given


def replay(id_: given.Id, protocol: given.OwnProtocol = None, as_json: given.Json = False) -> None:
    """Go through a deliberation again without the network, and compare its record byte by byte."""
    from dataclasses import asdict

    from moot.cli.session import print_json, session

    with session() as here:
        here.bring_protocol(protocol)
        same = here.run(here.service.replay(id_))
    if as_json:
        print_json({"equal": True, **asdict(same)})
        return
    waits = "; it waits for an open step" if same.paused else ""
    typer.echo(f"equal to the byte: {same.events} events, {same.bytes} bytes, sha256 {same.sha256}{waits}")


def export(
    id_: given.Id,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="md|json|html|files",
            help="Write Markdown, one JSON object, a page, or a folder of files.",
            autocompletion=completing.export_formats,
        ),
    ] = "md",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="PATH", help="The file to write, or for `files` the folder."),
    ] = None,
) -> None:
    """Write a deliberation as Markdown, JSON, a page, or a folder of files."""

    from moot.cli.session import session
    from moot.cli.terminal.files import write_files
    from moot.core.errors import BadSetting
    from moot.core.near_names import did_you_mean
    from moot.service.protocol_part import protocol_part
    from moot.views.formats import EXPORT_FORMATS

    chosen = next((known for known in EXPORT_FORMATS if known == form), None)
    if chosen is None:
        meant = did_you_mean(form, EXPORT_FORMATS)
        raise BadSetting(name="format", problem=f"{form!r} is no format; {meant}there are {', '.join(EXPORT_FORMATS)}")
    with session() as here:
        shown = here.run(here.service.show(id_))
        texts = here.run(here.service.export(shown.id, chosen))
    absence = protocol_part(shown.record, here.service.find_protocol).absence
    if absence and form != "json":
        typer.echo(absence, err=True)
    if form == "files":
        write_files(out or Path(f"moot-{shown.id}"), texts)
    elif out is None:
        typer.echo(next(iter(texts.values())), nl=False)
    else:
        write_files(out.parent, {out.name: next(iter(texts.values()))})


def delete(
    id_: given.Id,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking first.")] = False,
    as_json: given.Json = False,
) -> None:
    """Delete a deliberation with all that belongs to it."""
    from moot.cli.session import print_json, session
    from moot.cli.terminal.consoles import is_confirmed
    from moot.core.errors import NotConfirmed
    from moot.views.words import one_line

    with session() as here:
        shown = here.run(here.service.show(id_))
        wanted = f"delete {shown.id}, {one_line(shown.record.header.question.text, 60)!r}?"
        if not yes and (as_json or not is_confirmed(wanted)):
            raise NotConfirmed(what="nothing was deleted", without_asking=f"moot delete {shown.id} --yes")
        here.run(here.service.store.deliberations.delete(shown.id))
    if as_json:
        print_json({"deleted": shown.id})
    else:
        typer.echo(f"deleted {shown.id}")
