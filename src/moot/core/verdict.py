"""What a deliberation came to, and with how much authority it may be shown (ruling G2)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from moot.core.calls import Missing
from moot.core.confidence import Confidence


class Status(StrEnum):
    """Where a deliberation stands."""

    RUNNING = "running"
    PAUSED = "paused"
    """An open step waits for somebody."""
    COMPLETE = "complete"
    PARTIAL = "partial"
    FORCED = "forced"
    FLAGGED = "flagged"
    EXHAUSTED = "exhausted"
    CANCELLED = "cancelled"
    FAILED = "failed"
    CLOSED = "closed"

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self not in (Status.RUNNING, Status.PAUSED)


@dataclass(frozen=True, slots=True)
class Dissent:
    """An answer that did not win, and who holds it."""

    answer: str
    held_by: tuple[str, ...]
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer with its status. What it cost is read from the record, never stated by a protocol."""

    answer: str | None
    status: Status
    stop_reason: str
    confidence: Confidence
    dissent: tuple[Dissent, ...] = ()
    caveats: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()
    asked: int | None = None
    """How many were asked for what decides; where a protocol does not say it, the runtime counts seats (ruling G8)."""
    answered: int | None = None
    """How many of those brought something that could be used."""
    counted: str = "seats"
    """What is counted: seats, runs, slots."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """What the protocol's paper says its output is, under the paper's names."""
