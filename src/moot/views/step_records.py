"""One step whole: what the record says of it, and every request and reply of it in the journal."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.calls import Attempt
from moot.core.canonical import plain
from moot.core.errors import NotFound
from moot.core.events import Event, event_text
from moot.core.moments import event_with_iso_moments, with_iso_moments
from moot.core.near_names import did_you_mean
from moot.core.record import Record


@dataclass(frozen=True, slots=True)
class StepRecord:
    """A step with its events and its attempts; one that is under way has no event yet."""

    step: str
    events: tuple[Event, ...]
    attempts: tuple[Attempt, ...]

    def json(self) -> dict[str, Any]:
        """Return it for programs."""
        return {
            "step": self.step,
            "events": [event_with_iso_moments(json.loads(event_text(event))) for event in self.events],
            "attempts": [
                {**with_iso_moments(plain(row), "started"), "request": json.loads(row.request)} for row in self.attempts
            ],
        }


def step_records(names: Iterable[str], record: Record, attempts: Sequence[Attempt]) -> tuple[StepRecord, ...]:
    """Return the steps of these names, each once.

    Raises:
        NotFound: for a name that no step has.
    """
    events = [(step, event) for event in record.events if (step := getattr(event, "step", ""))]
    known = dict.fromkeys((*(step for step, _ in events), *(row.step for row in attempts)))
    for name in names:
        if name not in known:
            see = f"{did_you_mean(name, known)}it has these: {', '.join(known) or 'none yet'}"
            raise NotFound(what="step", name=name, see=see)
    return tuple(
        StepRecord(
            name,
            tuple(event for step, event in events if step == name),
            tuple(row for row in attempts if row.step == name),
        )
        for name in dict.fromkeys(names)
    )
