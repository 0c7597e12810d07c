"""One step of a deliberation: what was asked, every attempt at it, and what came of it."""

import json
from dataclasses import dataclass
from typing import Any

from moot.core.calls import Attempt, AttemptState, Message, Outcome, Usage
from moot.core.errors import NotFound
from moot.core.events import Answered, Embedded, Filled, Opened, Unanswered, event_from
from moot.service.reading.blindness import check_journal_open
from moot.service.reading.records import find_events
from moot.service.service import Service

StepEvent = Answered | Unanswered | Filled | Embedded | Opened


@dataclass(frozen=True, slots=True)
class AttemptReading:
    """One attempt at a step: the prompt as it was sent, and what became of it."""

    attempt: int
    state: AttemptState
    messages: tuple[Message, ...]
    """The prompt; a further attempt's also holds what was wrong with the one before."""
    model: str
    reply_type: str
    temperature: float | None
    max_tokens: int | None
    text: str
    """What the model sent, as it came."""
    reasoning: str
    problem: str
    usage: Usage
    started: float
    seconds: float
    tries: int


@dataclass(frozen=True, slots=True)
class StepReading:
    """A step with all that is known of it."""

    deliberation: str
    step: str
    seat: str | None
    attempts: tuple[AttemptReading, ...]
    outcome: Outcome | None
    """What it came to; None while it is being asked, and for a step that a person or an outside agent fills."""
    seq: int | None
    event: StepEvent | None
    """The run event that tells of it, with its seq; None until its round is over."""


async def read_step(service: Service, prefix: str, step: str, *, reviewer: bool, seq: int | None = None) -> StepReading:
    """Return a step; `seq`, where it is known to be that of its run event, spares looking for it.

    Raises:
        NotFound: where there is no step of this name.
        NotYours: while only a reviewer may read it.
    """
    deliberation = await service.store.deliberations.resolve(prefix)
    attempts, outcome = await service.store.journals.step(deliberation, step)
    told = await _event(service, deliberation, step, seq)
    if not attempts and told is None:
        see = f"GET /api/v1/deliberations/{deliberation}/record lists those that are over"
        raise NotFound(what="step that was asked", name=step, see=see)
    await check_journal_open(service, deliberation, reviewer=reviewer, is_told=told is not None)
    at, event = told or (None, None)
    return StepReading(
        deliberation, step, _seat(event), tuple(_attempt(attempt) for attempt in attempts), outcome, at, event
    )


async def _event(service: Service, deliberation: str, step: str, hint: int | None) -> tuple[int, StepEvent] | None:
    """The last run event about a step: an open one is opened, and later filled."""
    seqs = await find_events(service, deliberation, step=step) if hint is None else (hint,)
    texts = await service.store.deliberations.events_at(deliberation, seqs)
    for seq, text in reversed(texts):
        event = event_from(text)
        if isinstance(event, StepEvent) and event.step == step:
            return seq, event
    return None if hint is None else await _event(service, deliberation, step, None)


def _seat(event: StepEvent | None) -> str | None:
    if isinstance(event, Filled):
        return event.agent
    return event.seat if isinstance(event, Answered | Unanswered) else None


def _attempt(row: Attempt) -> AttemptReading:
    asked: dict[str, Any] = json.loads(row.request)
    return AttemptReading(
        attempt=row.attempt,
        state=row.state,
        messages=tuple(Message(one["role"], one["content"]) for one in asked.get("messages", ())),
        model=asked.get("model", ""),
        reply_type=asked.get("reply", ""),
        temperature=asked.get("temperature"),
        max_tokens=asked.get("max_tokens"),
        text=row.text,
        reasoning=row.reasoning,
        problem=row.problem,
        usage=row.usage,
        started=row.started,
        seconds=row.seconds,
        tries=row.tries,
    )
