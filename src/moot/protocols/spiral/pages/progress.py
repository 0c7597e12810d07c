"""How far a spiral has come, loop by loop, as its events tell; loop 0 is the exposition."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from moot.core.events import Answered, Event, Noted, Unanswered
from moot.core.record import Record
from moot.methods.tellings import step_parts
from moot.protocols.spiral.agreement.measures import LOOPS, STRETTO_FROM
from moot.protocols.spiral.evidence import ORACLE_LEVEL

Decided = Mapping[tuple[str, str], Mapping[str, Any]]
"""For every pair, who judged it and what was decided of it."""

NO_POSITION = ("judge", "self", "oracles", "accept")
"""The steps of members that bring no position of their own."""


@dataclass(frozen=True, slots=True)
class HeldPosition:
    """What a member holds since a loop, and the event that says so."""

    seat: str
    answer: str
    claims: tuple[str, ...]
    loop: int
    event: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class LoopNote:
    """A finding of a loop, with the seq of its event."""

    event: int
    name: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LoopProgress:
    """One loop so far: what was found, who replied or did not, the last measurement, the positions after it."""

    loop: int
    notes: tuple[LoopNote, ...]
    replies: tuple[HeldPosition, ...]
    absent: Mapping[str, int]
    """Who gave no position, with the seq of the event that says so."""
    positions: Mapping[str, HeldPosition]
    measured: Mapping[str, Any] | None
    decided: Decided

    def note(self, *names: str) -> LoopNote | None:
        """Return the first finding of one of these names."""
        return next((note for note in self.notes if note.name in names), None)

    @property
    def is_open(self) -> bool:
        """Whether something is contradicted after it."""
        return any(map(_is_contradicted, self.decided.values()))

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes in it: it was measured and told of, and its stretto too where it has one."""
        if self.measured is None or (self.loop and not self.note("loop", "draft")):
            return False
        return self.loop < STRETTO_FROM or not self.is_open or self.note("stretto") is not None


@dataclass(frozen=True, slots=True)
class SpiralProgress:
    """All loops that have begun, the exposition first."""

    loops: tuple[LoopProgress, ...]

    @property
    def measured(self) -> tuple[LoopProgress, ...]:
        """The loops that were measured."""
        return tuple(loop for loop in self.loops if loop.measured)

    @property
    def positions(self) -> Mapping[str, HeldPosition]:
        """What each member holds as of the last event."""
        return self.loops[-1].positions

    @property
    def under_way(self) -> int:
        """The loop that a run is in: the last that has begun, or the next where that is over."""
        last = self.loops[-1]
        return min(last.loop + 1, LOOPS) if last.is_over else last.loop


def progress_of(record: Record) -> SpiralProgress:
    """Return how far a spiral has come."""
    loops = [_Loop(0)]
    for seq, event in enumerate(record.events):
        here = _begun(loops, loop_of(event))
        match event:
            case Answered():
                here.take_reply(event, seq)
            case Unanswered() if step_parts(event.step)[0] not in NO_POSITION:
                here.absent[event.seat] = seq
            case Noted(name="measured"):
                here.take_measurement(event.data)
            case Noted() if isinstance(event.data, Mapping):
                here.notes.append(LoopNote(seq, event.name, event.data))
    return SpiralProgress(tuple(loop.as_it_is for loop in loops))


def loop_of(event: Event) -> int | None:
    """Return the loop that an event belongs to; None where it is that of the event before."""
    if isinstance(event, Noted):
        data = event.data if isinstance(event.data, Mapping) else {}
        loop = data.get("loop", data.get("level"))
        return min(loop, LOOPS) if isinstance(loop, int) else None
    match step_parts(getattr(event, "step", "")):
        case ["exposition", *_]:
            return 0
        case ["oracles", *_]:
            return ORACLE_LEVEL
        case [_, tag, *_] if (number := tag.removesuffix("s")).isdecimal():
            return min(int(number), LOOPS)
    return None


@dataclass(slots=True)
class _Loop:
    """A loop while its events are read."""

    loop: int
    positions: dict[str, HeldPosition] = field(default_factory=dict)
    decided: Decided = field(default_factory=dict)
    notes: list[LoopNote] = field(default_factory=list)
    replies: list[HeldPosition] = field(default_factory=list)
    absent: dict[str, int] = field(default_factory=dict)
    measured: Mapping[str, Any] | None = None

    def take_reply(self, event: Answered, seq: int) -> None:
        kind, reply = step_parts(event.step)[0], event.reply
        why = str(reply.get("why", reply.get("reasoning", "")))
        if kind == "accept" and reply.get("accepts") and self.replies:
            # A draft is in the words of the last who worked on it (ruling S10).
            draft = self.replies[-1]
            self._hold(HeldPosition(event.seat, draft.answer, draft.claims, self.loop, seq, why))
        elif kind not in NO_POSITION and "answer" in reply:
            said = HeldPosition(event.seat, reply["answer"], tuple(reply.get("claims", ())), self.loop, seq, why)
            self.replies.append(said)
            self._hold(said)

    def take_measurement(self, data: Mapping[str, Any]) -> None:
        self.measured = data
        if "decided" in data:
            self.decided = {tuple(item["pair"]): item for item in data["decided"]}

    @property
    def as_it_is(self) -> LoopProgress:
        found = tuple(self.notes), tuple(self.replies), self.absent
        return LoopProgress(self.loop, *found, self.positions, self.measured, self.decided)

    def _hold(self, position: HeldPosition) -> None:
        known = self.positions.get(position.seat)
        if known is None or (known.answer, known.claims) != (position.answer, position.claims):
            self.positions[position.seat] = position


def _begun(loops: list[_Loop], loop: int | None) -> _Loop:
    while loop is not None and loops[-1].loop < loop:
        last = loops[-1]
        loops.append(_Loop(last.loop + 1, dict(last.positions), last.decided))
    return loops[-1 if loop is None else loop]


def _is_contradicted(item: Mapping[str, Any]) -> bool:
    answers = item["answers"]
    opposed = "contradicts" in (answers["forward"], answers["backward"])
    return opposed or any(claim["are"] == "contradicting" for claim in item["claims"])
