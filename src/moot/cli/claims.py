"""Claims and slots of the board on a terminal."""

import json

import typer
from rich.console import Console
from rich.text import Text

from moot.core.ports import OpenStep
from moot.protocols.prism.board import pipeline_lines
from moot.service.board import OnBoard
from moot.views.words import harmless


def draw(claim: OnBoard) -> None:
    """Draw a claim with its pipeline, its consensus, and what can be done next."""
    console, pipeline = Console(highlight=False, soft_wrap=True), claim.pipeline
    console.print(Text(harmless(pipeline.claim.text), style="bold"))
    state, facts = pipeline.state, f"{pipeline.claim.protocol}, domain {pipeline.claim.domain}"
    console.print(Text(f"{facts}: {state.status}, layer {state.layer}, {state.phase}", style="dim"))
    for line in pipeline_lines(pipeline):
        style = "red" if "⚑" in line else "dim" if line.startswith("    ") else ""
        console.print(Text(line, style=style))
    if pipeline.consensus:
        console.print(Text(f"consensus  {pipeline.consensus['recommendation']}", style="bold"))
        console.print(Text(harmless(pipeline.consensus["summary"])))
    if pipeline.seal:
        console.print(Text(f"sealed     sha256 {pipeline.seal}", style="dim"))
    say_where(claim)


def say_where(claim: OnBoard) -> None:
    """Say where a claim stands and by which command it goes on."""
    state, flag = claim.pipeline.state, claim.pipeline.open_flag
    if state.status == "flagged" and flag and not claim.pipeline.seal:
        typer.echo(f"flagged at layer {flag.layer}: {'; '.join(flag.reasons)}")
        typer.echo(f"           moot board review {claim.id} advance|redo|close --note TEXT")
    elif state.status == "active":
        typer.echo(f"layer {state.layer}, {state.phase}: moot board take {claim.id}")
    else:
        typer.echo(f"{state.status}: moot show {claim.id}")


def show_slot(slot: OpenStep) -> None:
    """Show what a slot gives to see and wants to have."""
    context = dict(slot.context)
    for line in (f"{slot.deliberation}  {slot.step}  {slot.title}", context.pop("claim"), context.pop("task", "")):
        typer.echo(harmless(line))
    wanted = context.pop("wanted")
    typer.echo(harmless(json.dumps(context, ensure_ascii=False, indent=2)))
    typer.echo("wanted, as one JSON object:")
    for field, what in wanted.items():
        typer.echo(f"  {field}: {what}")
    typer.echo(f"moot board submit {slot.deliberation} {slot.step} FILE")
