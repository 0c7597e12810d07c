"""What is read of a deliberation: its events, a step, its argument, its acts."""

import json
from typing import Any, Literal

from pydantic import BaseModel, Field

from moot.core.canonical import plain
from moot.core.moments import event_with_iso_moments, iso_moment
from moot.methods.argued import ArgumentReading
from moot.service.reading.acts import ActReading
from moot.service.reading.arguments import DeliberationArgument
from moot.service.reading.records import RecordPage
from moot.service.reading.steps import AttemptReading, StepReading
from moot.web.api.bodies.common import Moment

MOST_HITS = 10_000


class EventLine(BaseModel):
    """A run event with its number."""

    seq: int
    event: dict[str, Any] = Field(description="as the stream has it", examples=[{"kind": "noted", "name": "forms"}])


class RecordView(BaseModel):
    """A window of the run events of a deliberation."""

    events: list[EventLine]
    total: int = Field(description="how many fit; without a filter, how many there are")
    first: int | None = Field(description="the seq of the first that fits")
    last: int | None = Field(description="the seq of the last that fits")
    hits: list[int] = Field(description=f"with a filter, the seqs of those that fit, {MOST_HITS:,} at most")

    @classmethod
    def of(cls, page: RecordPage) -> "RecordView":
        """Return a window as callers see it."""
        lines = [EventLine(seq=seq, event=event_with_iso_moments(json.loads(text))) for seq, text in page.texts]
        return cls(events=lines, total=page.total, first=page.first, last=page.last, hits=list(page.hits[:MOST_HITS]))


class MessageView(BaseModel):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


class AttemptView(BaseModel):
    """One attempt at a step: the prompt as it was sent, and what became of it."""

    attempt: int
    state: Literal["intent", "reply", "bad", "failed", "lost"]
    messages: list[MessageView]
    model: str
    reply_type: str
    temperature: float | None
    max_tokens: int | None
    text: str = Field(description="what the model sent, as it came")
    reasoning: str
    problem: str
    tokens_in: int | None
    tokens_out: int | None
    usd: float | None
    started: Moment
    seconds: float
    tries: int

    @classmethod
    def of(cls, attempt: AttemptReading) -> "AttemptView":
        """Return an attempt as callers see it."""
        facts = plain(attempt)
        usage = facts.pop("usage")
        return cls.model_validate({**facts, **usage, "started": iso_moment(attempt.started)})


class StepView(BaseModel):
    """A step: what was asked, every attempt, and what came of it."""

    deliberation_id: str
    step: str
    seat: str | None
    attempts: list[AttemptView]
    outcome: dict[str, Any] | None = Field(description="kind, reason, detail, salvaged; null while it is being asked")
    seq: int | None = Field(description="of the run event that tells of it; null until its round is over")
    event: dict[str, Any] | None

    @classmethod
    def of(cls, step: StepReading) -> "StepView":
        """Return a step as callers see it."""
        outcome = plain(step.outcome) if step.outcome else None
        return cls(
            deliberation_id=step.deliberation,
            step=step.step,
            seat=step.seat,
            attempts=[AttemptView.of(attempt) for attempt in step.attempts],
            outcome={name: outcome[name] for name in ("kind", "reason", "detail", "salvaged")} if outcome else None,
            seq=step.seq,
            event=event_with_iso_moments(plain(step.event)) if step.event else None,
        )


class ActView(BaseModel):
    """What somebody did to a deliberation afterwards."""

    seq: int
    kind: str = Field(examples=["contest"])
    author: str
    made: Moment
    data: dict[str, Any] = Field(description="of a contest: the claim's id (`node`) and words, and the reason")
    at: int | None = Field(description="the run event that it is about")
    undoes: int | None = Field(description="the act that it takes back")
    undone_by: int | None = Field(description="the act that takes it back")
    counts: bool = Field(description="a contest that nobody has taken back")

    @classmethod
    def of(cls, reading: ActReading) -> "ActView":
        """Return an act as callers see it."""
        act = reading.act
        return cls(
            seq=act.seq, kind=act.kind, author=act.author, made=iso_moment(act.made), data=reading.data, at=act.at,
            undoes=act.undoes, undone_by=reading.undone_by, counts=reading.counts,
        )  # fmt: skip


class ArgumentView(BaseModel):
    """The argument of a deliberation as it stands, or as it would stand if some claims were wrong."""

    deliberation_id: str
    is_final: bool = Field(description="whether the deliberation has ended")
    absence: str = Field(description="why there is no argument; empty where there is one")
    argument: ArgumentReading | None = Field(
        description="claims, relations, sentences and lines by their ids; `before` and `has_fallen` tell of a what-if"
    )
    acts: list[ActView]

    @classmethod
    def of(cls, read: DeliberationArgument) -> "ArgumentView":
        """Return an argument as callers see it."""
        return cls(
            deliberation_id=read.deliberation,
            is_final=read.is_final,
            absence=read.absence,
            argument=read.argument,
            acts=[ActView.of(act) for act in read.acts],
        )
