"""The commands, in the sections and in the order in which help shows them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from moot.cli.commands import (
    about,
    axioms,
    board,
    coherence,
    config,
    evals,
    graph,
    keys,
    listing,
    mcp,
    models,
    oracle,
    screen,
    serve,
    stored,
    worker,
)
from moot.cli.commands import ask as asking
from moot.cli.commands import compare as comparing
from moot.cli.commands import contest as contesting
from moot.cli.commands import show as showing
from moot.cli.helping import WIDEST, command_group

app = command_group(
    "moot",
    "Put a question to a panel of language models and get an answer whose confidence can be inspected.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print Moot's version and stop.")] = False,
) -> None:
    if version:
        from moot.version import __version__

        typer.echo(__version__)
        raise typer.Exit


SECTIONS: Mapping[str, Sequence[Any]] = {
    "Ask": (asking.ask, asking.resume, asking.fork, comparing.compare),
    "Look": (
        listing.list_,
        showing.show,
        contesting.contest,
        stored.replay,
        stored.export,
        graph.graph,
        oracle.oracle,
    ),
    "Board": (board.app,),
    "Evaluate": (screen.screen, evals.app),
    "Serve": (serve.serve, worker.worker, worker.workers, mcp.mcp, keys.app),
    "Manage": (
        about.protocols,
        models.app,
        axioms.app,
        coherence.app,
        config.config,
        about.doctor,
        stored.delete,
    ),
}
# A claim may begin with a minus sign.
UNUSUAL = {"oracle": {"ignore_unknown_options": True}}

for section, commands in SECTIONS.items():
    for command in commands:
        if isinstance(command, typer.Typer):
            app.add_typer(command, rich_help_panel=section)
        else:
            name = command.__name__.rstrip("_")
            app.command(name, rich_help_panel=section, context_settings=UNUSUAL.get(name))(command)
