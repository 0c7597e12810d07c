"""Who is being asked at this moment, in the memory of the process that asks: gone with it, and never stored."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from moot.core.ports import ProgressEvent


@dataclass(frozen=True, slots=True)
class BeingAsked:
    """A member whose answer is awaited."""

    seat: str
    step: str
    model: str
    state: Literal["asking", "speaking"]
    """`asking`: it is being sent, and may have to wait for its turn; `speaking`: its turn has come."""
    since: float
    tokens: int = 0
    tries: int = 1


@dataclass(frozen=True, slots=True)
class LastHeard:
    """How the last step of a member ended; what it said is told by the run event, once its round is over."""

    seat: str
    step: str
    missing: str | None = None
    """Why there is no answer; None where there is one."""


class InFlight:
    """The members that are being asked, by deliberation and step, in the order in which they were."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._asked: dict[str, dict[str, BeingAsked]] = {}
        self._last: dict[str, dict[str, LastHeard]] = {}

    def of(self, deliberation: str) -> tuple[BeingAsked, ...]:
        """Return whose answers a deliberation awaits, as far as this process asks."""
        return tuple(self._asked.get(deliberation, {}).values())

    def last_of(self, deliberation: str) -> tuple[LastHeard, ...]:
        """Return how the last step of each member ended that this process has asked."""
        return tuple(self._last.get(deliberation, {}).values())

    def hear(self, deliberation: str, event: ProgressEvent) -> None:
        """Take in what happens to a call."""
        match event.kind:
            case "asking":
                known = self._asked.setdefault(deliberation, {})
                # A reply that cannot be used is asked for again at the same step.
                tries = known[event.step].tries + 1 if event.step in known else 1
                known[event.step] = BeingAsked(event.seat, event.step, event.note, "asking", self._now(), tries=tries)
            case "speaking":
                self._change(deliberation, event.step, state="speaking", since=self._now())
            case "tokens":
                self._change(deliberation, event.step, tokens=number_in(event.note))
            case "retrying":
                self._change(deliberation, event.step, tries=number_in(event.note))
            case "answered" | "missing":
                self._asked.get(deliberation, {}).pop(event.step, None)
                why = event.note if event.kind == "missing" else None
                self._last.setdefault(deliberation, {})[event.seat] = LastHeard(event.seat, event.step, why)
            case "begun":
                self.forget(deliberation)

    def forget(self, deliberation: str) -> None:
        """Let go of a deliberation that this process no longer works on."""
        self._asked.pop(deliberation, None)
        self._last.pop(deliberation, None)

    def _change(self, deliberation: str, step: str, **changes: object) -> None:
        asked = self._asked.get(deliberation, {})
        if step in asked:
            asked[step] = replace(asked[step], **changes)


def number_in(note: str) -> int:
    """Return the number that a note of progress is, or ends in: `340`, `try 2`."""
    last = note.rpartition(" ")[2]
    return int(last) if last.isascii() and last.isdigit() else 0
