"""What each seat has done so far, added up event by event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from moot.core.budget import Spent
from moot.core.canonical import rounded
from moot.core.events import Answered, Event, Filled, Unanswered
from moot.core.record import covered_seconds, taken_by

PROSE = "Prose"
"""The reply that has no shape to keep to."""

Span = tuple[float, float]
"""When a call began and ended."""


@dataclass(frozen=True, slots=True)
class SeatTally:
    """A seat, or whoever filled an open step, with what it took and how its last step ended."""

    seat: str
    model: str = ""
    steps: int = 0
    retries: int = 0
    """Attempts and tries beyond the first of each step."""
    spent: Spent = field(default_factory=Spent)
    """Without its seconds, which `timed` puts in."""
    asked: int = 0
    first_time: int = 0
    """Of the steps that wanted a shape, those that were answered in it at once."""
    last_step: str = ""
    last_missing: str = ""
    """Why its last step has no answer; empty where it has one."""

    @property
    def tokens(self) -> int | None:
        """Tokens in and out, as far as they are known."""
        known = [count for count in (self.spent.tokens_in, self.spent.tokens_out) if count is not None]
        return sum(known) if known else None

    @property
    def compliance(self) -> float | None:
        """The share of the shapes wanted that were kept to at once."""
        return rounded(self.first_time / self.asked) if self.asked else None


def tallied(tallies: Mapping[str, SeatTally], event: Event) -> Mapping[str, SeatTally]:
    """Return the tallies with one event more."""
    match event:
        case Answered() | Unanswered():
            so_far = tallies.get(event.seat, SeatTally(event.seat))
            return {**tallies, event.seat: _with_step(so_far, event)}
        case Filled():
            so_far = tallies.get(event.agent, SeatTally(event.agent))
            counted = replace(so_far, steps=so_far.steps + 1, last_step=event.step, last_missing="")
            return {**tallies, event.agent: counted}
    return tallies


def _with_step(so_far: SeatTally, event: Answered | Unanswered) -> SeatTally:
    typed = not (isinstance(event, Answered) and event.reply_type == PROSE)
    texts = [call for call in event.calls if call.state in ("reply", "bad")] if typed else []
    return SeatTally(
        seat=event.seat,
        model=event.model,
        steps=so_far.steps + 1,
        retries=so_far.retries + max(0, sum(call.tries for call in event.calls) - 1),
        spent=sum(map(taken_by, event.calls), so_far.spent),
        asked=so_far.asked + bool(texts),
        first_time=so_far.first_time + bool(texts and texts[0].state == "reply"),
        last_step=event.step,
        last_missing=event.missing.reason if isinstance(event, Unanswered) else "",
    )


def timed(tallies: Mapping[str, SeatTally], spans: Mapping[str, Sequence[Span]]) -> Mapping[str, SeatTally]:
    """Return the tallies with the seconds in which at least one call to each seat was in flight."""
    return {
        seat: replace(tally, spent=replace(tally.spent, seconds=covered_seconds(spans.get(seat, ()))))
        for seat, tally in tallies.items()
    }
