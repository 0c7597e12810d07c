"""Who said what, event by event: a window of rows on a record of any length, and one event whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from moot.core.events import Answered, Event, Filled, Started
from moot.core.record import Record
from moot.core.telling import Narrator
from moot.service.protocol_part import protocol_part
from moot.service.reading.records import find_events, record_page
from moot.service.reading.steps import read_step
from moot.service.service import Service
from moot.views.event_rows import EventRow, event_row
from moot.views.pretty import pretty_event
from moot.web.pages.heading import DeliberationHeading, Heading
from moot.web.pages.rendering import render
from moot.web.serving import Here

ROWS = 100
"""Rows that are sent together."""

LONGEST = 200

router = APIRouter(include_in_schema=False)

Kind = Literal["started", "answered", "unanswered", "opened", "filled", "embedded", "noted", "ended"]


@dataclass(frozen=True, slots=True)
class Filters:
    """Which events are shown, as the address says it."""

    kind: str = ""
    seat: str = ""
    step: str = ""
    failures: bool = False

    @property
    def chosen(self) -> dict[str, Any]:
        """What is chosen, by the names of the address."""
        told = {"kind": self.kind, "seat": self.seat, "step": self.step, "failures": "1" if self.failures else ""}
        return {name: value for name, value in told.items() if value}

    @property
    def asked(self) -> dict[str, Any]:
        """What the record is asked for."""
        return {
            "kind": self.kind or None,
            "seat": self.seat or None,
            "step": self.step or None,
            "failures": self.failures,
        }


@dataclass(frozen=True, slots=True)
class Window:
    """Some of the rows that fit, and their place among them."""

    start: int
    total: int
    rows: tuple[EventRow, ...]

    @property
    def end(self) -> int:
        """The place after the last row."""
        return self.start + len(self.rows)


Word = Annotated[str, Query(max_length=LONGEST)]
Place = Annotated[int | None, Query(ge=0, le=2**62)]


@router.get("/d/{id}/transcript")
async def transcript(
    request: Request,
    heading: DeliberationHeading,
    serving: Here,
    kind: Annotated[Kind | Literal[""], Query()] = "",
    seat: Word = "",
    step: Word = "",
    failures: Annotated[bool, Query()] = False,
    q: Word = "",
    at: Place = None,
    start: Place = None,
    event: Place = None,
    fragment: Annotated[Literal["", "rows", "event"], Query()] = "",
) -> HTMLResponse:
    """Show the events that fit around a place; `fragment` asks for the rows or for one event alone."""
    filters, service = Filters(kind, seat, step, failures), serving.service
    narrator = _narrator(service, heading)
    whole = await _event(service, heading, event, narrator) if event is not None else None
    if fragment == "event":
        return render(request, "transcript/event.html", **heading.context("transcript", whole=whole))
    hits = await find_events(service, heading.head.id, **filters.asked, q=q) if q else ()
    if at is None and hits:
        at = hits[0]
    window = await _window(service, heading, filters, narrator, start=start, at=event if at is None else at)
    address = f"{heading.path}/transcript"
    chosen = {**filters.chosen, **({"q": q} if q else {})}
    context = heading.context(
        "transcript",
        window=window,
        filters=filters,
        q=q,
        hits=frozenset(hits),
        hit=_hit(hits, at, lambda to: f"{address}?{urlencode({**chosen, 'at': to})}#e{to}"),
        whole=whole,
        address=address,
        query=urlencode(chosen),
        size=ROWS,
    )
    return render(request, "transcript/rows.html" if fragment == "rows" else "transcript/page.html", **context)


@dataclass(frozen=True, slots=True)
class Hit:
    """Where one is among what was searched for, with the ways on."""

    number: int
    total: int
    before: str
    after: str


def _hit(hits: Sequence[int], at: int | None, address: Any) -> Hit | None:
    if not hits:
        return None
    place = next((number for number, seq in enumerate(hits) if at is not None and seq >= at), len(hits) - 1)
    before = address(hits[place - 1]) if place else ""
    return Hit(place + 1, len(hits), before, address(hits[place + 1]) if place + 1 < len(hits) else "")


async def _window(
    service: Service,
    heading: Heading,
    filters: Filters,
    narrator: Narrator,
    *,
    start: int | None,
    at: int | None,
) -> Window:
    id_ = heading.head.id
    seqs: Sequence[int] = (
        await find_events(service, id_, **filters.asked) if filters.chosen else range(heading.head.events)
    )
    if start is None:
        place = next((number for number, seq in enumerate(seqs) if seq >= at), 0) if at is not None else 0
        place = min(at, max(0, len(seqs) - 1)) if at is not None and isinstance(seqs, range) else place
        start = place - place % ROWS
    if start >= len(seqs):
        return Window(start, len(seqs), ())
    page = await record_page(service, id_, after=seqs[start] - 1, limit=ROWS, **filters.asked)
    return Window(start, len(seqs), tuple(event_row(seq, event, narrator) for seq, event in page.events))


@dataclass(frozen=True, slots=True)
class WholeEvent:
    """One event with all that it says."""

    row: EventRow
    rows: tuple[tuple[str, str], ...]
    reasoning: str
    json: str
    model: str


async def _event(service: Service, heading: Heading, seq: int, narrator: Narrator) -> WholeEvent | None:
    page = await record_page(service, heading.head.id, after=seq - 1, limit=1)
    if not page.events or page.events[0][0] != seq:
        return None
    event = page.events[0][1]
    told = narrator.reply(event.step, event.reply).rows if isinstance(event, Answered | Filled) else ()
    return WholeEvent(
        event_row(seq, event, narrator),
        told,
        getattr(event, "reasoning", ""),
        pretty_event(event),
        getattr(event, "model", ""),
    )


@router.get("/d/{id}/steps/{step:path}")
async def one_step(request: Request, heading: DeliberationHeading, serving: Here, step: str) -> HTMLResponse:
    """Show one step: its prompt, its attempts, what came of it."""
    reading = await read_step(serving.service, heading.head.id, step, reviewer=heading.may_contest)
    return render(
        request,
        "step.html",
        **heading.context("transcript", reading=reading, told=_told(serving, heading, reading.event)),
    )


def _told(serving: Any, heading: Heading, event: Event | None) -> tuple[tuple[str, str], ...]:
    narrator = _narrator(serving.service, heading)
    return narrator.reply(event.step, event.reply).rows if isinstance(event, Answered | Filled) else ()


def _narrator(service: Service, heading: Heading) -> Narrator:
    return protocol_part(Record((Started(heading.head.header),)), service.find_protocol).narrator
