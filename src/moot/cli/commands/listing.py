"""`moot list`: the stored deliberations, newest first."""

from typing import TYPE_CHECKING, Annotated

import typer

from moot.cli import completing

if TYPE_CHECKING:
    from moot.service.listing import ListPage


def list_(
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", help="Show the newest N. Without it, as many as fit the screen."),
    ] = None,
    status: Annotated[
        str | None,
        typer.Option(
            "--status",
            metavar="STATUS",
            help="Show only those with this status, such as complete, paused or failed.",
            autocompletion=completing.statuses,
        ),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            "--protocol",
            "-p",
            metavar="NAME",
            help="Show only those of this protocol.",
            autocompletion=completing.protocols,
        ),
    ] = None,
    search: Annotated[
        str | None,
        typer.Option("--search", metavar="TEXT", help="Show only those whose question or answer holds this text."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all of them for programs, unless --limit says how many.")
    ] = False,
) -> None:
    """List the deliberations, newest first, with what each took."""
    import sys
    from shutil import get_terminal_size

    from moot.cli.session import print_json, session
    from moot.cli.terminal.listing import ROWS, rows_that_fit
    from moot.service.listing import list_page

    screen = get_terminal_size() if sys.stdout.isatty() else None
    fitting = rows_that_fit(screen.columns, screen.lines) if screen else ROWS
    most = limit if limit is not None or as_json else fitting
    with session() as here:
        page = here.run(list_page(here.service, limit=most, protocol=protocol, status=status, search=search))
        now = here.service.store.clock.now()
    if as_json:
        print_json([row.json() for row in page.rows])
        return
    if not page.rows:
        typer.echo(_nothing(protocol, filtered=bool(status or protocol or search)), err=True)
    filters = {"--status": status, "--protocol": protocol, "--search": search}
    _print(
        page, now, screen.columns if screen else None, [part for pair in filters.items() if pair[1] for part in pair]
    )


def _print(page: "ListPage", now: float, width: int | None, filters: "list[str | None]") -> None:
    import shlex

    from moot.cli.terminal.listing import list_lines

    for line in list_lines(page.rows, now, width):
        typer.echo(line)
    if page.more:
        words = ["moot", "list", *map(str, filters), "--limit", str(len(page.rows) + page.more)]
        # Not among the rows: whoever counts or searches these has rows alone.
        typer.echo(f"{page.more} more: {shlex.join(words)}", err=True)


def _nothing(protocol: str | None, *, filtered: bool) -> str:
    from moot.core.near_names import did_you_mean
    from moot.protocols import protocol_names

    if filtered:
        meant = did_you_mean(protocol, protocol_names()) if protocol and protocol not in protocol_names() else ""
        return f"{meant}no deliberation fits; `moot list` without these options shows what there is"
    return 'nothing has been asked yet; begin with: moot ask "…"'
