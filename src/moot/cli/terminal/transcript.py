"""`moot show`: the verdict, the protocol's report, then who said what; in words, or every event as JSON."""

import json
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from moot.cli.terminal.results import print_report, print_result, print_rows
from moot.core.events import event_text
from moot.core.moments import event_with_iso_moments
from moot.core.record import Record
from moot.core.telling import Narrator
from moot.service.protocol_part import ProtocolPart
from moot.service.results import Result
from moot.views.transcript import Utterance, transcript
from moot.views.words import flat, harmless

ROW, NOTE = 6, 4
HANG = 2
"""Columns by which the further lines of a row stand behind its first."""

_STYLE = {"said": "", "missing": "yellow", "waiting": "yellow", "noted": "dim"}


def print_deliberation(
    result: Result, own: ProtocolPart, console: Console, *, contests: Sequence[str] = (), full: bool = False
) -> None:
    """Print the question, the verdict, the report, and then the transcript or, with `full`, every event."""
    question = result.record.header.question
    print_hung(console, Text(flat(question.text), style="bold"))
    for document in question.documents:
        print_hung(console, Text(f"{flat(document.name)}, {len(document.text)} characters", style="dim"), 2)
    console.print()
    print_result(result, own.narrator, console, further=False)
    print_rows([("contested", flat(line)) for line in contests], console)
    if own.report:
        console.print()
        print_report(own, console)
    console.print()
    if full:
        _print_events(result.record, console)
    else:
        _print_transcript(result.record, own.narrator, console)


def print_hung(console: Console, text: Text, indent: int = 0) -> None:
    """Print a text behind an indent, its further lines a little more; wrapped on a terminal, and nowhere cut."""
    if console.is_terminal:
        lines = text.wrap(console, max(console.width - indent - HANG, 1))
    else:
        lines = text.split(allow_blank=True)
    for number, line in enumerate(lines):
        line.rstrip()
        behind = Text(" " * (indent + (HANG if number else 0))) if line else Text()
        console.print(behind + line, soft_wrap=True)


def _print_transcript(record: Record, narrator: Narrator, console: Console) -> None:
    panel, phases = record.header.panel, transcript(record, narrator)
    console.print(Text("Who said what", style="bold"))
    for model in panel.models:
        seats = ", ".join(member.name for member in panel if member.model == model)
        print_hung(console, Text(f"{seats}: {flat(model)}", style="dim"), HANG)
    for phase in phases:
        console.print()
        print_hung(console, Text(flat(phase.title), style="bold cyan"))
        for said in phase.utterances:
            _print_utterance(said, console)
    if not phases:
        console.print(Text("  Nothing has been said.", style="dim"))


def _print_utterance(said: Utterance, console: Console) -> None:
    who = (f"{flat(said.who)}: ", "bold") if said.who else ""
    print_hung(console, Text.assemble(who, (flat(said.gist), _STYLE[said.kind])), NOTE if said.kind == "noted" else 2)
    for name, words in said.rows:
        label = (f"{flat(name)}: ", "dim") if name else ""
        print_hung(console, Text.assemble(label, harmless(words).strip("\n")), ROW)


def _print_events(record: Record, console: Console) -> None:
    for event in record.events:
        told = event_with_iso_moments(json.loads(event_text(event)))
        console.print(Text(harmless(json.dumps(told, ensure_ascii=False, indent=2))), soft_wrap=True)
