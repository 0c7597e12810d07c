"""What happened in a run, in the order of the program: a closed set of events, versioned.

A run event is a pure function of the question, the resolved settings, the code's version and the journal.
Its identity is (deliberation, seq). Clocks, prices and latencies enter an event only as read from the journal.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from moot.core.budget import Budget
from moot.core.calls import Attempt, AttemptState, Missing
from moot.core.canonical import canonical, plain
from moot.core.panel import Member, Panel
from moot.core.question import Question
from moot.core.verdict import Verdict

EVENT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Era:
    """The panel that answered the steps before a position: a fork keeps its parent's."""

    until: int
    panel: Panel


@dataclass(frozen=True, slots=True)
class Parent:
    """Where a fork comes from."""

    id: str
    at: str


@dataclass(frozen=True, slots=True)
class Header:
    """All that is settled before the first step."""

    question: Question
    protocol: str
    protocol_version: int
    moot_version: str
    settings: Mapping[str, Any]
    panel: Panel
    budget: Budget
    seed: int
    backends: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    """What the run is made from beside Moot: data files by their SHA-256, plugins by package and version."""
    parent: Parent | None = None
    history: tuple[Era, ...] = ()

    def member(self, seat: str, position: int) -> Member:
        """Return who sat under this name when the step at this position was asked."""
        panel = next((era.panel for era in self.history if position < era.until), self.panel)
        return panel.seat(seat)

    @property
    def forked_at(self) -> int:
        """The position from which steps are this run's own."""
        return max((era.until for era in self.history), default=0)


@dataclass(frozen=True, slots=True)
class CallFacts:
    """What one attempt took, as the journal has it."""

    attempt: int
    state: AttemptState
    tries: int
    started: float
    seconds: float
    tokens_in: int | None
    tokens_out: int | None
    usd: float | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Started:
    """The run began."""

    header: Header
    kind: Literal["started"] = "started"


@dataclass(frozen=True, slots=True)
class Answered:
    """A member answered."""

    step: str
    seat: str
    model: str
    reply_type: str
    reply: Mapping[str, Any]
    calls: tuple[CallFacts, ...]
    reasoning: str = ""
    salvaged: bool = False
    kind: Literal["answered"] = "answered"


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A member did not answer."""

    step: str
    seat: str
    model: str
    missing: Missing
    calls: tuple[CallFacts, ...]
    kind: Literal["unanswered"] = "unanswered"


@dataclass(frozen=True, slots=True)
class Opened:
    """A step was opened to whoever is entitled to it."""

    step: str
    group: str
    role: str
    title: str
    kind: Literal["opened"] = "opened"


@dataclass(frozen=True, slots=True)
class Filled:
    """Somebody filled an open step."""

    step: str
    agent: str
    reply_type: str
    reply: Mapping[str, Any]
    kind: Literal["filled"] = "filled"


@dataclass(frozen=True, slots=True)
class Embedded:
    """Texts were turned into vectors."""

    step: str
    backend: str
    texts: int
    dimensions: int
    calls: tuple[CallFacts, ...]
    kind: Literal["embedded"] = "embedded"


@dataclass(frozen=True, slots=True)
class Noted:
    """The protocol found something out."""

    name: str
    data: Any
    kind: Literal["noted"] = "noted"


@dataclass(frozen=True, slots=True)
class Ended:
    """The run came to a verdict."""

    verdict: Verdict
    kind: Literal["ended"] = "ended"


Event = Started | Answered | Unanswered | Opened | Filled | Embedded | Noted | Ended


def event_text(event: Event) -> str:
    """Return the bytes by which two events are the same."""
    return canonical({"v": EVENT_VERSION, **plain(event)})


def event_from(text: str) -> Event:
    """Return the event that a stored text stands for."""
    return _reader().validate_json(text)


def call_facts(attempts: Iterable[Attempt]) -> tuple[CallFacts, ...]:
    """Return what the journal's attempts at one step took."""
    return tuple(
        CallFacts(
            attempt=row.attempt,
            state=row.state,
            tries=row.tries,
            started=float(row.started),
            seconds=float(row.seconds),
            tokens_in=row.usage.tokens_in,
            tokens_out=row.usage.tokens_out,
            # A price of 0 comes back from a database as 0.0, and the bytes must be the same.
            usd=None if row.usage.usd is None else float(row.usage.usd),
            problem=row.problem,
        )
        for row in attempts
    )


@cache
def _reader() -> TypeAdapter[Event]:
    return TypeAdapter(Annotated[Event, Field(discriminator="kind")])


@cache
def header_reader() -> TypeAdapter[Header]:
    """Return what reads a stored header back."""
    return TypeAdapter(Header)
