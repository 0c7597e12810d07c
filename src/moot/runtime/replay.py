"""Going through a run again with no network, and showing that its record is the same to the byte."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from moot.core.budget import Budget
from moot.core.calls import Attempt, Outcome, Request
from moot.core.deliberation import Invitation
from moot.core.errors import RecordDiffers, ReplyMissing
from moot.core.events import Header, event_from
from moot.core.ports import BeforeRetry, Clock, Journaled, Model, OnTokens, OpenStep, ProgressEvent
from moot.core.protocol import ProtocolSpec
from moot.runtime.dispatch import World
from moot.runtime.house import Paused
from moot.runtime.run import deliberate


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record that came out the same."""

    events: int
    bytes: int
    sha256: str
    paused: bool


class KeptJournal:
    """A journal that is only read. A write means that a reply is missing; an event is compared, not written."""

    def __init__(self, journaled: Journaled, events: Sequence[str]) -> None:
        self._journaled = journaled
        self._events = events
        self.compared = 0

    async def load(self) -> Journaled:
        """Return the stored rows."""
        return self._journaled

    async def intend(self, attempts: Sequence[Attempt], refused: Sequence[Outcome], *, active: float) -> None:
        """Refuse: a step of this wave was never answered."""
        _refuse([row.step for row in attempts] or [outcome.step for outcome in refused])

    async def count_try(self, step: str, attempt: int, tries: int) -> None:
        """Refuse."""
        _refuse([step])

    async def settle(self, attempt: Attempt, outcome: Outcome | None, *, active: float) -> None:
        """Refuse: the stored row is an intent without a reply."""
        _refuse([attempt.step])

    async def conclude(self, outcome: Outcome) -> None:
        """Refuse."""
        _refuse([outcome.step])

    async def emit(self, events: Sequence[tuple[int, str]]) -> None:
        """Compare the events with the stored ones."""
        for seq, made in events:
            stored = self._events[seq] if seq < len(self._events) else None
            if stored != made:
                raise RecordDiffers(seq=seq, stored=_kind(stored), made=_kind(made))
            self.compared = seq + 1


class KeptSteps:
    """Open steps that are only read."""

    def __init__(self, steps: Mapping[str, OpenStep]) -> None:
        self._steps = steps

    async def open(self, invitations: Sequence[tuple[int, Invitation[Any]]]) -> None:
        """Do nothing: they were opened then."""

    async def read(self, steps: Sequence[str]) -> list[OpenStep]:
        """Return the steps as they are stored."""
        absent = [step for step in steps if step not in self._steps]
        if absent:
            _refuse(absent)
        return [self._steps[step] for step in steps]

    async def take(self, step: str, agent: str) -> bool:
        """Refuse quietly: nobody is asked in a replay."""
        return False

    async def submit(self, step: str, agent: str, reply: Mapping[str, Any]) -> bool:
        """Refuse: the house has answered, and its answer was never handed in."""
        _refuse([step])

    async def release(self, step: str, agent: str) -> None:
        """Do nothing."""

    async def leave(self, outcome: Outcome) -> bool:
        """Refuse: the run has not gone on without it."""
        _refuse([outcome.step])


async def replay(
    row: ProtocolSpec,
    header: Header,
    *,
    journaled: Journaled,
    steps: Sequence[OpenStep],
    events: Sequence[str],
    clock: Clock,
) -> Replayed:
    """Return proof that the run, gone through again from its journal, gives the stored events.

    Raises:
        ReplyMissing: where a step was never answered.
        RecordDiffers: at the first event that is not the same to the byte.
    """
    journal = KeptJournal(journaled, events)
    filled = _filled(events)
    kept = KeptSteps({step.step: _as_recorded(step, filled) for step in steps})
    world = World(models=_nobody, embedder=_NoEmbedder(), clock=clock, progress=_silence)
    paused = False
    try:
        await deliberate(row, header, journal=journal, steps=kept, world=world, budget=Budget())
    except Paused:
        paused = True
    if journal.compared != len(events):
        raise RecordDiffers(seq=journal.compared, stored=_kind(events[journal.compared]), made="nothing")
    text = "\n".join(events).encode()
    return Replayed(len(events), len(text), hashlib.sha256(text).hexdigest(), paused)


class _NoEmbedder:
    name = "none"
    local = True

    async def embed(self, texts: Sequence[str], *, before_retry: BeforeRetry) -> NoReturn:
        raise AssertionError("a replay embeds nothing")


class _NoModel:
    context: int | None = None
    price: tuple[float, float] | None = None

    def at_once(self, request: Request) -> int:
        return 1

    async def complete(
        self, request: Request, *, before_retry: BeforeRetry, on_tokens: OnTokens | None = None
    ) -> NoReturn:
        raise AssertionError(f"a replay asks nobody, not even {request.model}")


def _filled(events: Sequence[str]) -> set[str]:
    told = (json.loads(text) for text in events)
    return {event["step"] for event in told if event["kind"] == "filled"}


def _as_recorded(step: OpenStep, filled: set[str]) -> OpenStep:
    """Return the step as the run has seen it: what was submitted since it stopped is not in its record yet."""
    if step.state != "done" or step.step in filled:
        return step
    return replace(step, state="open", agent=None, reply=None)


def _nobody(model: str) -> Model:
    return _NoModel()


def _silence(event: ProgressEvent) -> None:
    return None


def _refuse(steps: Sequence[str]) -> NoReturn:
    raise ReplyMissing(step=steps[0])


def _kind(event: str | None) -> str:
    return event_from(event).kind if event else "nothing"
