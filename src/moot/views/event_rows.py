"""An event in one row, by itself: what a list of a hundred thousand of them shows without reading the others."""

from collections.abc import Sequence
from dataclasses import dataclass

from moot.core.absence import absences
from moot.core.events import (
    Answered,
    CallFacts,
    Embedded,
    Ended,
    Event,
    Filled,
    Noted,
    Opened,
    Started,
    Unanswered,
)
from moot.core.panes import Tone
from moot.core.telling import Narrator
from moot.views.words import counted, one_line

GIST = 240
"""Characters of what was said; the whole is where the row leads to."""

BEGINNING, END = "start", "end"


@dataclass(frozen=True, slots=True)
class EventRow:
    """What one event says in short, and what it took."""

    seq: int
    kind: str
    seat: str
    """Whose it is: a seat, or whoever filled an open step; empty where it is the program's."""
    step: str
    phase: str
    gist: str
    tone: Tone = ""
    retries: int = 0
    seconds: float | None = None
    tokens: int | None = None


def event_row(seq: int, event: Event, narrator: Narrator) -> EventRow:
    """Return an event in one row; the phase of what belongs to no step is left empty."""
    step = getattr(event, "step", "")
    phase = narrator.phase(step) if step else ""
    match event:
        case Started():
            return EventRow(seq, event.kind, "", "", BEGINNING, one_line(event.header.question.text, GIST))
        case Answered() | Unanswered():
            return _asked(seq, event, narrator, phase)
        case Filled():
            gist = one_line(narrator.reply(step, event.reply).gist, GIST)
            return EventRow(seq, event.kind, event.agent, step, phase, gist)
        case Opened():
            return EventRow(seq, event.kind, "", step, phase, one_line(f"open to {event.role}: {event.title}", GIST))
        case Embedded():
            gist = f"{counted(event.texts, 'text')} turned into vectors by {event.backend}"
            return EventRow(seq, event.kind, "", step, phase, gist, "soft", *_took(event.calls))
        case Noted():
            words = narrator.note(event.name, event.data) or event.name
            return EventRow(seq, event.kind, "", event.name, "", one_line(words, GIST))
        case Ended():
            verdict = event.verdict
            gist = f"{verdict.status}: {verdict.answer or verdict.stop_reason}"
            return EventRow(seq, event.kind, "", "", END, one_line(gist, GIST))


def _asked(seq: int, event: Answered | Unanswered, narrator: Narrator, phase: str) -> EventRow:
    if isinstance(event, Answered):
        gist, tone = narrator.reply(event.step, event.reply).gist, ""
    else:
        [absence] = absences((event.missing,))
        gist, tone = f"no answer ({absence.cause})", "bad"
    took = _took(event.calls)
    return EventRow(seq, event.kind, event.seat, event.step, phase, one_line(gist, GIST), tone, *took)


def _took(calls: Sequence[CallFacts]) -> tuple[int, float | None, int | None]:
    """How many further attempts and tries there were, the seconds, and the tokens as far as they are known."""
    retries = sum(call.tries for call in calls) - 1
    known = [tokens for call in calls for tokens in (call.tokens_in, call.tokens_out) if tokens is not None]
    seconds = sum(call.seconds for call in calls) if calls else None
    return max(0, retries), seconds, sum(known) if known else None
