"""The commands, in the order in which help shows them."""

from typing import Annotated

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
    mcp,
    models,
    oracle,
    screen,
    serve,
    stored,
)
from moot.cli.commands import ask as asking
from moot.cli.commands import compare as comparing
from moot.cli.commands import contest as contesting

app = typer.Typer(
    name="moot",
    help="Put a question to a panel of language models and get an answer whose confidence can be inspected.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print Moot's version and stop.")] = False,
) -> None:
    if version:
        from moot.version import __version__

        typer.echo(__version__)
        raise typer.Exit


for command in (
    asking.ask,
    asking.resume,
    asking.fork,
    comparing.compare,
    stored.list_,
    stored.show,
    stored.replay,
    contesting.contest,
    stored.export,
    stored.delete,
    graph.graph,
    screen.screen,
    about.protocols,
):
    app.command(command.__name__.rstrip("_"))(command)
# A claim may begin with a minus sign.
app.command("oracle", context_settings={"ignore_unknown_options": True})(oracle.oracle)
app.add_typer(board.app, name="board")
app.add_typer(coherence.app, name="coherence")
app.add_typer(axioms.app, name="axioms")
app.add_typer(evals.app, name="evals")
app.add_typer(models.app, name="models")
app.add_typer(keys.app, name="keys")
app.command("config")(config.config)
app.command("doctor")(about.doctor)
app.command("serve")(serve.serve)
app.command("mcp")(mcp.mcp)
