"""The last of what happened, phase by phase, and every call as a bar."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from markupsafe import Markup

from moot.core.events import Answered, Embedded, Unanswered
from moot.service.reading.folds import FoldedRecord
from moot.views.charts import CallBar, calls_chart
from moot.views.event_rows import EventRow, event_row
from moot.web.pages.figures import added, seat_hue
from moot.web.pages.shown.panes import drawn

LAST_EVENTS = 16
MOST_EARLIER = 200
MOST_BARS = 200
"""Calls that are drawn; of more, the last."""
VECTORS = "vectors"


@dataclass(frozen=True, slots=True)
class PhaseRows:
    """A phase with the last of its events."""

    phase: str
    rows: tuple[EventRow, ...]


@dataclass(frozen=True, slots=True)
class CallsDrawn:
    """The calls as a chart, and how many of them are in it."""

    svg: Markup
    shown: int
    total: int


def last_phases(folded: FoldedRecord) -> tuple[PhaseRows, ...]:
    """Return the last events in the order of the record; what belongs to no step stands with what was before it."""
    narrator, first = folded.part.narrator, max(0, len(folded.record.events) - LAST_EVENTS)
    phases: list[tuple[str, list[EventRow]]] = []
    before = _phase_before(folded, first)
    for seq, event in enumerate(folded.record.events[first:], first):
        row = event_row(seq, event, narrator)
        if phases and row.phase in ("", phases[-1][0]):
            phases[-1][1].append(row)
        else:
            phases.append((row.phase or before, [row]))
    return tuple(PhaseRows(phase, tuple(rows)) for phase, rows in phases)


def _phase_before(folded: FoldedRecord, first: int) -> str:
    """The phase that goes on where the last events begin; it is looked for in some of those before alone."""
    earlier = range(first - 1, max(-1, first - MOST_EARLIER), -1)
    rows = (event_row(seq, folded.record.events[seq], folded.part.narrator) for seq in earlier)
    return next((row.phase for row in rows if row.phase), "")


def calls_drawn(folded: FoldedRecord) -> CallsDrawn | None:
    """Return the calls as bars; None where nobody was called."""
    bars = sorted(_bars(folded), key=lambda bar: bar.start)[-MOST_BARS:]
    if not bars:
        return None
    began = bars[0].start
    since = [replace(bar, start=bar.start - began) for bar in bars]
    seats = {member.name: seat_hue(member.name) for member in folded.record.header.panel}
    return CallsDrawn(drawn(calls_chart(since, seats)), len(bars), max(folded.attempts, len(bars)))


def _bars(folded: FoldedRecord) -> Iterator[CallBar]:
    for event in folded.record.events[-MOST_BARS * 4 :]:
        if isinstance(event, Answered | Unanswered | Embedded):
            seat = VECTORS if isinstance(event, Embedded) else event.seat
            for call in event.calls:
                tokens = added((call.tokens_in, call.tokens_out))
                problem = call.problem or ("" if call.state == "reply" else call.state)
                whole = None if tokens is None else int(tokens)
                yield CallBar(seat, event.step, call.started, call.seconds, whole, call.usd, problem)
