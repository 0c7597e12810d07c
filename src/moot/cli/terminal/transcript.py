"""`moot show`: a deliberation on a terminal, told in order."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from moot.cli.terminal.results import print_report, print_result
from moot.core.events import Answered, Embedded, Event, Filled, Noted, Opened, Unanswered
from moot.service.protocol_part import ProtocolPart
from moot.service.results import Result
from moot.views.replies import reply_rows
from moot.views.words import harmless, missing_words, note_words, one_line


def print_transcript(result: Result, own: ProtocolPart, contests: Sequence[str] = ()) -> None:
    """Print the question, who said what, the protocol's own report, and the answer with what it is worth."""
    console = Console(highlight=False, soft_wrap=True)
    header = result.record.header
    console.print(Text(harmless(header.question.text), style="bold"))
    for document in header.question.documents:
        console.print(Text(f"  {harmless(document.name)}, {len(document.text)} characters", style="dim"))
    console.print()
    for event in result.record.events:
        _tell(console, event)
    print_report(own)
    print_result(result)
    for line in contests:
        console.print(Text.assemble((f"{'contested':>11}  ", "dim"), one_line(line, 300)))


def _tell(console: Console, event: Event) -> None:
    match event:
        case Answered():
            salvaged = ", salvaged" if event.salvaged else ""
            _heading(console, event.step, f"{event.seat}, {event.model}{salvaged}")
            _fields(console, event.reply)
        case Unanswered():
            _heading(console, event.step, "no answer")
            console.print(Text(f"  {missing_words(event.missing)}", style="yellow"))
        case Opened():
            _heading(console, event.step, f"open to {event.role}: {event.title}")
        case Filled():
            _heading(console, event.step, f"filled by {event.agent}")
            _fields(console, event.reply)
        case Embedded():
            _heading(console, event.step, f"{event.texts} texts by {event.backend or 'no backend'}")
        case Noted():
            _heading(console, event.name, note_words(event.data))
        case _:
            return
    console.print()


def _heading(console: Console, name: str, rest: str) -> None:
    console.print(Text.assemble((harmless(name), "cyan"), ("  " + one_line(rest, 300), "dim")))


def _fields(console: Console, reply: Mapping[str, Any]) -> None:
    for name, words in reply_rows(reply):
        console.print(Text.assemble((f"  {harmless(name)}: ", "dim"), harmless(words)))
