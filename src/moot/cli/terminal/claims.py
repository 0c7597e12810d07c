"""Claims and slots of the board on a terminal."""

import shlex
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import typer
from rich.console import Console
from rich.text import Text

from moot.core.ports import OpenStep
from moot.core.telling import Narrator
from moot.protocols.prism.board import WIDTH, pipeline_lines
from moot.protocols.prism.prompts import SCALE
from moot.protocols.prism.rules import vote_words
from moot.protocols.prism.telling import PRISM_TELLING
from moot.service.board import OnBoard
from moot.views.words import harmless, one_line

_NEXT_LINE = " " * 12
LONGEST_DOMAIN = 18
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
    domains = [one_line(item.pipeline.claim.domain, LONGEST_DOMAIN) for item in claims]
    widest = max(map(len, domains), default=0)
    for item, domain in zip(claims, domains, strict=True):
        state = item.pipeline.state
        where = f"L{state.layer}" if item.pipeline.seal else f"L{state.layer} {state.phase}"
        start = f"{item.id}  {state.status:<9}  {where:<12}  {domain:<{widest}}  "
        typer.echo(start + one_line(item.pipeline.claim.text, WIDTH - len(start)))
        if item.stalled:
            typer.echo(f"{_NEXT_LINE}{_nobody(item)}")
        elif item.pipeline.open_flag:
            typer.echo(f"{_NEXT_LINE}moot board review {item.id}")


def draw(claim: OnBoard) -> None:
    """Draw a claim with its pipeline, its consensus, and what can be done next."""
    console, pipeline = _console(), claim.pipeline
    _print(console, _wrapped(pipeline.claim.text), "bold")
    state, facts = pipeline.state, f"{pipeline.claim.protocol}, domain {pipeline.claim.domain}"
    _print(console, _wrapped(f"{facts}: {state.status}, layer {state.layer}, {state.phase}"), "dim")
    for line in pipeline_lines(pipeline):
        style = "red" if "⚑" in line else "dim" if line.startswith("    ") else ""
        _print(console, [line], style)
    if pipeline.consensus:
        _print(console, [f"consensus  {pipeline.consensus['recommendation']}"], "bold")
        _print(console, _wrapped(pipeline.consensus["summary"]))
    elif pipeline.votes:
        votes = vote_words(vote["recommendation"] for vote in pipeline.votes)
        _print(console, [f"no consensus; the votes: {votes}"], "bold")
    if pipeline.seal:
        _print(console, [f"sealed  sha256 {pipeline.seal}"], "dim")
    say_where(claim)


def say_where(claim: OnBoard) -> None:
    """Say where a claim stands and by which command it goes on."""
    state, flag = claim.pipeline.state, claim.pipeline.open_flag
    if claim.stalled:
        typer.echo(f"layer {state.layer}, {state.phase}: {_nobody(claim)}")
    elif state.status == "flagged" and flag:
        _print(_console(), _wrapped(f"flagged at layer {flag.layer}: {'; '.join(flag.reasons)}"))
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
    typer.echo("")
    if slot.lease_until is not None:
        until = datetime.fromtimestamp(slot.lease_until, UTC).astimezone().strftime("%H:%M:%S")
        typer.echo(f"yours until {until}")
        typer.echo(f"for more time: moot board take {slot.deliberation} {slot.step} --as {who}")
    typer.echo(f"moot board submit {slot.deliberation} {slot.step} FILE --as {who}")


def show_flags(flags: Sequence[OpenStep], *, whole: bool, console: Console | None = None) -> None:
    """Show flags that wait for a person, each with what led to it where it is shown whole."""
    console = console or _console()
    if not flags:
        _print(console, ["no flag waits for a person"])
    for flag in flags:
        if whole:
            show_flag(flag, console)
        else:
            _print(console, _titled(flag))
            _print(console, [f"{_NEXT_LINE}{one_line(flag.context['claim'], WIDTH - len(_NEXT_LINE))}"])
        _print(console, [f"{'' if whole else _NEXT_LINE}{_how_to_review(flag.deliberation)}"])


def _slot_lines(slot: OpenStep) -> Iterator[str]:
    context = slot.context
    yield from _titled(slot)
    yield from _material(slot)
    yield ""
    yield from _wrapped(f"The goal of the layer: {context['layer']['goal']}.")
    yield from _wrapped(f"Your task: {' '.join(context['task'].split())}")
    yield ""
    yield "wanted, as one JSON object:"
    for field, what in _in_order(context["wanted"]):
        yield from _wrapped(f"{field}: {what}", "  ")
    if context.get("form"):
        yield from _wrapped(f"The form of answer asked for: {context['form']}")
    yield from _wrapped(" ".join(SCALE.split()))


def _flag_lines(flag: OpenStep) -> Iterator[str]:
    yield from _titled(flag)
    yield from _material(flag)
    yield ""
    yield from (f"  {decision}" for decision in flag.context["wanted"]["decision"].split(", "))


def _titled(step: OpenStep) -> list[str]:
    return _wrapped(f"{step.deliberation}  {step.step}  {step.title}", after=_NEXT_LINE)


def _material(slot: OpenStep) -> Iterator[str]:
    context = slot.context
    yield ""
    yield from _wrapped(context["claim"])
    yield from _wrapped(f"(domain {context['domain']})")
    if context.get("documents"):
        yield from _wrapped(f"documents: {', '.join(context['documents'])}")
        yield f"to read them: moot export {slot.deliberation} --format files"
    for part, title in _MATERIAL.items():
        if context.get(part):
            yield ""
            yield title
            for item in context[part]:
                yield from _wrapped(item, "  ") if isinstance(item, str) else _output(item)
    if context.get("review"):
        yield ""
        yield from _wrapped(f"A reviewer had this layer done again: {context['review']}")


def _output(item: Mapping[str, Any]) -> Iterator[str]:
    """Yield what somebody put into a slot, in the words in which it is told everywhere."""
    sure = item["output"]["confidence"]
    head = f"{item['layer']} {one_line(item['name'])}, {item['phase']}, {item['role']}, sure {sure:.2f}"
    yield from _wrapped(head, "  ")
    for name, words in Narrator(PRISM_TELLING).reply(item["phase"], item["output"]).rows:
        if name != "confidence":
            yield from _wrapped(f"{name}: {words}" if name else words, "    ", after="      " if name else None)


def _in_order(wanted: Mapping[str, str]) -> list[tuple[str, str]]:
    """Prose first and the confidence last, as a person thinks."""
    return sorted(wanted.items(), key=lambda item: (item[0] != "content", item[0] == "confidence"))


def _nobody(claim: OnBoard) -> str:
    return f"nobody works on it: moot resume {claim.id}"


def _how_to_review(deliberation: str) -> str:
    return f"moot board review {deliberation} advance|redo|close --note TEXT"


def _wrapped(text: str, indent: str = "", *, after: str | None = None) -> list[str]:
    """Return the text in lines of 80 columns, its own line ends kept; a word that is longer stays whole."""
    wrapper = textwrap.TextWrapper(WIDTH, indent, indent if after is None else after)
    wrapper.break_long_words = wrapper.break_on_hyphens = False
    return [part for line in harmless(text).splitlines() for part in wrapper.wrap(line) or [""]]


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True)


def _print(console: Console, lines: Iterable[str], style: str = "") -> None:
    for line in lines:
        console.print(Text(line, style=style))
