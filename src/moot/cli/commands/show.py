"""`moot show`: a deliberation as it stands. No model is called."""

from typing import Annotated

import typer

from moot.cli import options as given

Full = Annotated[bool, typer.Option("--full", help="Show every event as JSON, and all of it, instead of words.")]
Steps = Annotated[
    list[str] | None,
    typer.Option(
        "--step",
        metavar="STEP",
        help="Show this step alone: its request, its reply, tokens and seconds. May be given several times.",
    ),
]
NoPager = Annotated[bool, typer.Option("--no-pager", help="Print it all at once, also on a terminal.")]


def show(
    id_: given.Id,
    full: Full = False,
    step: Steps = None,
    no_pager: NoPager = False,
    as_json: given.Json = False,
) -> None:
    """Show a deliberation: the answer, what it is worth, who said what."""
    import os

    from moot.cli.session import print_json, session
    from moot.cli.terminal.pager import paged, pager_command
    from moot.cli.terminal.steps import print_steps
    from moot.cli.terminal.transcript import print_deliberation
    from moot.service.configuring import product_settings
    from moot.service.contests import contest_lines
    from moot.service.protocol_part import protocol_part
    from moot.views.step_records import step_records

    with session() as here:
        shown = here.run(here.service.show(id_))
        contests = here.run(contest_lines(here.service.store, shown))
        journaled = here.run(here.service.store.journals.read(shown.id)) if step else None
    steps = step_records(step or (), shown.record, journaled.attempts if journaled else ())
    if as_json:
        print_json({"id": shown.id, "steps": [one.json() for one in steps]} if steps else shown.json())
        return
    own = protocol_part(shown.record, here.service.find_protocol)
    chosen = product_settings(os.environ).values["pager"]
    with paged([] if no_pager else pager_command(os.environ, chosen)) as console:
        if steps:
            print_steps(steps, own.narrator, console)
        else:
            print_deliberation(shown, own, console, contests=contests, full=full)
