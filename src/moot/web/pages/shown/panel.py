"""Who takes part, what each does at present, and what each has taken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.core.deliberation import HOUSE
from moot.core.events import Header
from moot.gateway.members import provider_and_model
from moot.service.reading.in_flight import BeingAsked, LastHeard
from moot.service.reading.seats import SeatTally


@dataclass(frozen=True, slots=True)
class SeatDoing:
    """What a seat does at present, in words."""

    seat: str
    doing: str
    words: str
    under_way: int = 0
    """Calls to it that the budget counts and that have not come back."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of the panel, or somebody who fills open steps."""

    seat: str
    model: str
    provider: str
    now: SeatDoing
    tally: SeatTally


def seat_rows(
    header: Header, tallies: Mapping[str, SeatTally], doing: Sequence[SeatDoing], *, ended: bool
) -> tuple[SeatRow, ...]:
    """Return the seats in the order of the panel, and after them whoever else took part."""
    now = {each.seat: each for each in doing}
    models = {member.name: member.model for member in header.panel}
    return tuple(
        _row(name, models.get(name, ""), tallies.get(name, SeatTally(name)), now.get(name), ended=ended)
        for name in dict.fromkeys((*models, *tallies))
        # A member of the house is a seat of the panel under another name, and its calls are the seat's.
        if name.removeprefix(HOUSE) not in models or name in models
    )


def seats_doing(asked: Sequence[BeingAsked], heard: Sequence[LastHeard], moment: float) -> tuple[SeatDoing, ...]:
    """Return what each seat does that this process knows of, in a line each."""
    busy: dict[str, list[BeingAsked]] = {}
    for one in asked:
        busy.setdefault(one.seat, []).append(one)
    resting = (_rest(one) for one in heard if one.seat not in busy)
    return (*(_busy(seat, several, moment) for seat, several in busy.items()), *resting)


def _busy(seat: str, several: Sequence[BeingAsked], moment: float) -> SeatDoing:
    # The one that speaks says most; of several, the one that was asked first.
    one = next((each for each in several if each.state == "speaking"), several[0])
    seconds = f"{max(0.0, moment - one.since):.0f} s"
    again = f", try {one.tries}" if one.tries > 1 else ""
    also = f" and {len(several) - 1} more" if len(several) > 1 else ""
    if one.state == "speaking":
        words = f"speaking {seconds}{again}" + (f", {one.tokens:,} tokens" if one.tokens else "")
    else:
        words = f"asked {'again ' if again else ''}{seconds} ago{again}"
    return SeatDoing(seat, one.state, f"{words} · {one.step}{also}", sum(each.tries for each in several))


def _rest(one: LastHeard) -> SeatDoing:
    if one.missing is None:
        return SeatDoing(one.seat, "answered", f"answered · {one.step}")
    return SeatDoing(
        one.seat, "missing", f"missing: {one.missing} · {one.step}" if one.missing else f"missing · {one.step}"
    )


def _row(seat: str, model: str, tally: SeatTally, now: SeatDoing | None, *, ended: bool) -> SeatRow:
    provider, name = provider_and_model(model or tally.model)
    return SeatRow(seat, name, provider, now or _last(tally, ended=ended), tally)


def _last(tally: SeatTally, *, ended: bool) -> SeatDoing:
    if tally.last_step:
        return _rest(LastHeard(tally.seat, tally.last_step, tally.last_missing or None))
    return SeatDoing(tally.seat, "", "was not asked" if ended else "not asked yet")
