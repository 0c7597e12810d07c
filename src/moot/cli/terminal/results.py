"""Results on a terminal: the answer, what it is worth and what to do about it, and where to look further."""

from collections.abc import Iterable, Iterator

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from moot.cli.terminal.consoles import beside, err, out
from moot.core.telling import Narrator
from moot.core.verdict import Status, Verdict
from moot.service.protocol_part import ProtocolPart
from moot.service.results import Result
from moot.views.words import (
    MEANING,
    advice_words,
    coda_rows,
    confidence_words,
    cost_words,
    flat,
    harmless,
    missing_rows,
    other_caveats,
    turnout_words,
)

_COLOUR = {Status.COMPLETE: "green", Status.FAILED: "red", Status.FLAGGED: "red"}
LABEL = 11
"""Columns of a label before what it names."""

CODE_THEME = "ansi_dark"
"""The terminal's own colours: a block of another background is a hole in a light terminal."""

Row = tuple[str, str]


def print_answer(result: Result) -> None:
    """Print the answer alone; where there is none, say so on stderr."""
    if result.answer:
        out().print(Text(harmless(result.answer)), soft_wrap=True)
    else:
        why = flat(f"{MEANING[result.status]}; {result.stop_reason}")
        err().print(Text(f"moot: no answer: {why}"), soft_wrap=True)


def print_result(result: Result, narrator: Narrator, console: Console | None = None, *, further: bool = True) -> None:
    """Print the answer of a deliberation, its status with what to do, and with `further` how to see more."""
    to = console or out()
    if result.answer:
        answer = Text(harmless(result.answer))
        framed = Panel(answer, border_style=_COLOUR.get(result.status, "yellow"))
        to.print(framed) if to.is_terminal else to.print(answer, soft_wrap=True)
    print_rows([*_rows(result, narrator), *([("", f"moot show {result.id}")] if further else [])], console or beside())


def print_rows(rows: Iterable[Row], console: Console) -> None:
    """Print names with what they name: wrapped beside the names on a terminal, else a line each."""
    if not console.is_terminal:
        for name, value in rows:
            console.print(Text(f"{name:>{LABEL}}  {harmless(value)}"), soft_wrap=True)
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", style="dim", min_width=LABEL, no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        label, words = (name, value) if len(name) <= LABEL else ("", f"{name}: {value}")
        table.add_row(label, Text(harmless(words), style="" if name else "dim"))
    console.print(table)


def print_report(own: ProtocolPart, console: Console | None = None) -> None:
    """Print the report of a deliberation's protocol, where it has one; where the protocol is not here, say so."""
    if own.report:
        print_markdown(own.report, console or out())


def print_markdown(text: str, console: Console) -> None:
    """Print Markdown wrapped to the terminal, and as it stands where there is none."""
    shown: RenderableType = Markdown(text, code_theme=CODE_THEME) if console.is_terminal else Text(text)
    console.print(shown, soft_wrap=not console.is_terminal)


def _rows(result: Result, narrator: Narrator) -> Iterator[Row]:
    verdict = result.record.verdict
    for name, text in coda_rows(verdict) if verdict else ():
        yield name, flat(text)
    yield "status", MEANING[result.status]
    stands = {"stalled": result.stalled, "stopped": result.stopped}
    if advice := advice_words(result.id, result.status, result.missing, **stands):
        yield "what to do", advice
    for step in result.waiting:
        yield "waiting", flat(f"{step.step} for {step.role}: {step.title}")
    if verdict:
        yield from _worth(verdict, narrator)
    panel = result.record.header.panel
    if len(panel) > 1:
        yield "panel", f"{len(panel)} seats, {len(panel.models)} distinct model{'s' if len(panel.models) > 1 else ''}"
    yield "took", cost_words(result.spent)


def _worth(verdict: Verdict, narrator: Narrator) -> Iterator[Row]:
    yield "stopped", flat(verdict.stop_reason)
    yield "confidence", flat(confidence_words(verdict.confidence))
    for other in verdict.dissent:
        yield "dissent", flat(f"{', '.join(other.held_by)}: {other.answer}")
    for caveat in other_caveats(verdict):
        yield "caveat", flat(caveat)
    if turnout := turnout_words(verdict):
        yield "answered", turnout
    for words in missing_rows(verdict, narrator):
        yield "missing", words
