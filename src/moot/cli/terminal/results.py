"""Results on a terminal: a short answer, what it is worth, where to look further."""

from collections.abc import Iterator

from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.text import Text

from moot.core.verdict import Status, Verdict
from moot.service.protocol_part import ProtocolPart
from moot.service.results import Result
from moot.views.words import (
    MEANING,
    coda_rows,
    confidence_words,
    cost_words,
    harmless,
    missing_rows,
    one_line,
    other_caveats,
    turnout_words,
)

_COLOUR = {Status.COMPLETE: "green", Status.FAILED: "red", Status.FLAGGED: "red"}


def print_result(result: Result) -> None:
    """Print the answer of a deliberation, its status, and how to see more."""
    console = Console(highlight=False, soft_wrap=True)
    verdict, colour = result.record.verdict, _COLOUR.get(result.status, "yellow")
    if verdict and verdict.answer:
        answer = Text(harmless(verdict.answer))
        console.print(Panel(answer, border_style=colour) if console.is_terminal else answer)
    for name, value in (*_parts(verdict), *_facts(result, verdict)):
        console.print(Text.assemble((f"{name:>11}  ", "dim"), value))
    console.print(Text(f"{'':>11}  moot show {result.id}", style="dim"))


def print_report(own: ProtocolPart) -> None:
    """Print the report of a deliberation's protocol, where it has one; where the protocol is not here, say so."""
    if own.report:
        print_markdown(own.report, Console(highlight=False))


def print_markdown(text: str, console: Console) -> None:
    """Print Markdown wrapped to the terminal, and as it stands where there is none."""
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        console.print(Text(text), soft_wrap=True)


def _parts(verdict: Verdict | None) -> Iterator[tuple[str, str]]:
    """Yield what all hold, what some add and what is disputed, where the protocol's answer has these parts."""
    for name, text in coda_rows(verdict) if verdict else ():
        yield name, one_line(text, 700)


def _facts(result: Result, verdict: Verdict | None) -> Iterator[tuple[str, str]]:
    stalled = f", and nobody works on it: moot resume {result.id}" if result.stalled else ""
    yield "status", f"{MEANING[result.status]}{stalled}"
    for step in result.waiting:
        yield "waiting", f"{step.step} for {step.role}: {one_line(step.title)}"
    if result.waiting:
        yield "answer it", f"moot resume {result.id} --join"
    if verdict:
        yield "stopped", one_line(verdict.stop_reason, 300)
        yield "confidence", one_line(confidence_words(verdict.confidence), 300)
        for other in verdict.dissent:
            yield "dissent", f"{', '.join(other.held_by)}: {one_line(other.answer, 300)}"
        for caveat in other_caveats(verdict):
            yield "caveat", one_line(caveat, 300)
        if turnout := turnout_words(verdict):
            yield "answered", turnout
        for words in missing_rows(verdict):
            yield "missing", words
    panel = result.record.header.panel
    if len(panel) > 1:
        yield "panel", f"{len(panel)} seats, {len(panel.models)} distinct model{'s' if len(panel.models) > 1 else ''}"
    yield "took", cost_words(result.spent)
