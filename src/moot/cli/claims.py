"""Claims and slots of the board on a terminal."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import typer
from rich.console import Console
from rich.text import Text

from moot.core.ports import OpenStep
from moot.protocols.prism.board import pipeline_lines
from moot.protocols.prism.prompts import SCALE
from moot.protocols.prism.schemas import LONGEST_POINT, LONGEST_PROSE
from moot.service.board import OnBoard
from moot.views.words import harmless, one_line

_NEXT_LINE = " " * 12
_MATERIAL = {
    "earlier": "What earlier layers came to",
    "work": "The work of this layer",
    "consensus": "What its consensus slots say",
    "weaknesses": "Weaknesses to answer",
    "questions": "Questions to answer",
}


def list_claims(claims: Sequence[OnBoard]) -> None:
    """List claims, one line each, with what is to be done where one does not go on by itself."""
    if not claims:
        typer.echo('no claim is on the board; put one on it with: moot board add "…"')
    widest = max((len(item.pipeline.claim.domain) for item in claims), default=0)
    for item in claims:
        state, claim = item.pipeline.state, item.pipeline.claim
        where = f"L{state.layer}" if item.pipeline.seal else f"L{state.layer} {state.phase}"
        about = f"{claim.domain:<{widest}}  {one_line(claim.text, 70)}"
        typer.echo(f"{item.id}  {state.status:<9}  {where:<12}  {about}")
        if item.left_alone:
            typer.echo(f"{_NEXT_LINE}{_nobody(item)}")
        elif item.pipeline.open_flag:
            typer.echo(f"{_NEXT_LINE}moot board review {item.id}")


def draw(claim: OnBoard) -> None:
    """Draw a claim with its pipeline, its consensus, and what can be done next."""
    console, pipeline = _console(), claim.pipeline
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
        console.print(Text(f"sealed  sha256 {pipeline.seal}", style="dim"))
    say_where(claim)


def say_where(claim: OnBoard) -> None:
    """Say where a claim stands and by which command it goes on."""
    state, flag = claim.pipeline.state, claim.pipeline.open_flag
    if claim.left_alone:
        typer.echo(f"layer {state.layer}, {state.phase}: {_nobody(claim)}")
    elif state.status == "flagged" and flag:
        typer.echo(f"flagged at layer {flag.layer}: {'; '.join(flag.reasons)}")
        typer.echo(f"           {_how_to_review(claim.id)}")
    elif claim.at_work:
        typer.echo(f"layer {state.layer}, {state.phase}: the panel is at work")
    elif state.status == "active":
        typer.echo(f"layer {state.layer}, {state.phase}: moot board take {claim.id}")
    else:
        typer.echo(f"{state.status}: moot show {claim.id}")


def show_slot(slot: OpenStep, console: Console | None = None) -> None:
    """Show what a slot gives to see and wants to have."""
    _print(console or _console(), _slot_lines(slot))


def show_flag(flag: OpenStep, console: Console | None = None) -> None:
    """Show a flag with what led to it, and how it can be cleared."""
    _print(console or _console(), _flag_lines(flag))


def say_how_to_submit(slot: OpenStep) -> None:
    """Say until when a slot is whose, and by which commands it is kept and filled."""
    who = shlex.quote(slot.agent or "")
    if slot.lease_until is not None:
        until = datetime.fromtimestamp(slot.lease_until, UTC).astimezone().strftime("%H:%M:%S")
        again = f"moot board take {slot.deliberation} {slot.step} --as {who}"
        typer.echo(f"\nyours until {until}; for more time: {again}")
    typer.echo(f"moot board submit {slot.deliberation} {slot.step} FILE --as {who}")


def show_flags(flags: Sequence[OpenStep], *, whole: bool) -> None:
    """Show flags that wait for a person, each with what led to it where it is shown whole."""
    if not flags:
        typer.echo("no flag waits for a person")
    for flag in flags:
        if whole:
            show_flag(flag)
        else:
            typer.echo(_headline(flag))
            typer.echo(f"{_NEXT_LINE}{one_line(flag.context['claim'], 100)}")
        typer.echo(f"{'' if whole else _NEXT_LINE}{_how_to_review(flag.deliberation)}")


def _slot_lines(slot: OpenStep) -> Iterator[str]:
    context = slot.context
    yield f"{slot.deliberation}  {slot.step}  {harmless(slot.title)}"
    yield from _material(slot)
    yield f"\nThe goal of the layer: {context['layer']['goal']}."
    yield f"Your task: {' '.join(context['task'].split())}"
    yield "\nwanted, as one JSON object:"
    yield from (f"  {field}: {what}" for field, what in _in_order(context["wanted"]))
    yield " ".join(SCALE.split())


def _flag_lines(flag: OpenStep) -> Iterator[str]:
    yield _headline(flag)
    yield from _material(flag)
    yield ""
    yield from (f"  {decision}" for decision in flag.context["wanted"]["decision"].split(", "))


def _headline(flag: OpenStep) -> str:
    return f"{flag.deliberation}  {harmless(flag.title)}"


def _material(slot: OpenStep) -> Iterator[str]:
    context = slot.context
    yield f"\n{harmless(context['claim'])}"
    yield harmless(f"(domain {context['domain']})")
    if context.get("documents"):
        yield harmless(f"documents: {', '.join(context['documents'])}")
        yield f"to read them: moot export {slot.deliberation} --format files"
    for part, title in _MATERIAL.items():
        if not context.get(part):
            continue
        yield f"\n{title}"
        for item in context[part]:
            lines = [one_line(item, LONGEST_POINT)] if isinstance(item, str) else _output(item)
            yield from (f"  {line}" for line in lines)
    if context.get("review"):
        yield f"\nA reviewer had this layer done again: {harmless(context['review'])}"


def _output(item: Mapping[str, Any]) -> Iterator[str]:
    output = dict(item["output"])
    sure = output.pop("confidence")
    yield f"{item['layer']} {one_line(item['name'])}, {item['phase']}, {item['role']}, sure {sure:.2f}"
    yield from (f"  {line}" for line in harmless(output.pop("content")).splitlines())
    for field, value in output.items():
        if isinstance(value, str) and value:
            yield f"  {field}: {one_line(value, LONGEST_PROSE)}"
        elif value:
            yield f"  {field}:"
            yield from (f"    - {one_line(point, LONGEST_POINT)}" for point in value)


def _in_order(wanted: Mapping[str, str]) -> list[tuple[str, str]]:
    """Prose first and the confidence last, as a person thinks."""
    return sorted(wanted.items(), key=lambda item: (item[0] != "content", item[0] == "confidence"))


def _nobody(claim: OnBoard) -> str:
    return f"nobody works on it: moot resume {claim.id}"


def _how_to_review(deliberation: str) -> str:
    return f"moot board review {deliberation} advance|redo|close --note TEXT"


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True)


def _print(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        console.print(Text(line))
