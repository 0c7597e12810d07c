"""`moot show --step`: what a step asked, what came back, and what it took."""

import json
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from moot.cli.terminal.transcript import HANG, print_hung
from moot.core.calls import Attempt
from moot.core.events import Answered, Embedded, Event, Filled, Opened, Unanswered, call_facts
from moot.core.record import spent_on
from moot.core.telling import Narrator
from moot.views.step_records import StepRecord
from moot.views.words import cost_words, flat, harmless

STATES = {
    "intent": "under way",
    "reply": "a reply came",
    "bad": "the reply could not be read",
    "failed": "no reply came",
    "lost": "lost: the process ended before its reply was written",
}


def print_steps(records: Sequence[StepRecord], narrator: Narrator, console: Console) -> None:
    """Print steps with their requests and replies, all of it, and with tokens, dollars and seconds."""
    for number, record in enumerate(records):
        if number:
            console.print()
        print_hung(console, Text.assemble((flat(record.step), "bold cyan"), f"  {flat(narrator.phase(record.step))}"))
        for attempt in record.attempts:
            _print_rows(_attempt_rows(attempt, len(record.attempts)), console)
        for event in record.events:
            _print_rows(_event_rows(event, narrator), console)


def _print_rows(rows: Iterator[tuple[str, str]], console: Console) -> None:
    for name, words in rows:
        text = harmless(words).strip("\n")
        label = (f"{flat(name)}: ", "dim")
        if "\n" not in text:
            print_hung(console, Text.assemble(label, text), HANG)
            continue
        print_hung(console, Text.assemble(label), HANG)
        for line in text.split("\n"):
            print_hung(console, Text(line), 2 * HANG)


def _attempt_rows(attempt: Attempt, of: int) -> Iterator[tuple[str, str]]:
    """Yield the request and what became of it, by name; vectors are figures, and only counted."""
    request = json.loads(attempt.request)
    yield "attempt", f"{attempt.attempt} of {of}: {STATES[attempt.state]}"
    for message in request.get("messages", ()):
        yield f"request, {message['role']}", message["content"]
    for text in request.get("texts", ()):
        yield "request, text", text
    asked = {name: value for name, value in request.items() if name not in ("messages", "texts")}
    if asked:
        yield "asked of", ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in sorted(asked.items()))
    if attempt.reasoning:
        yield "reasoning", attempt.reasoning
    if attempt.text and "texts" not in request:
        yield "reply", attempt.text
    if attempt.problem:
        yield "problem", attempt.problem
    yield "took", cost_words(spent_on(call_facts([attempt])))


def _event_rows(event: Event, narrator: Narrator) -> Iterator[tuple[str, str]]:
    match event:
        case Answered() | Filled():
            told = narrator.reply(event.step, event.reply)
            yield f"{event.seat if isinstance(event, Answered) else event.agent} says", told.gist
            yield from ((name or "in full", words) for name, words in told.rows)
        case Unanswered():
            yield f"{event.seat}, no answer", f"{event.missing.reason}: {event.missing.detail}"
        case Opened():
            yield f"open to {event.role}", event.title
        case Embedded():
            yield "vectors", f"{event.texts} of {event.dimensions} figures, by {event.backend or 'nobody'}"
