"""A debate as its events tell it, round by round, also while it is held: what its panes are made of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from moot.core.events import Answered, Event, Filled, Header, Noted, Opened, Unanswered
from moot.core.record import Record
from moot.methods.tellings import step_parts
from moot.protocols.debate.modes import MODES
from moot.protocols.debate.state.context import seat_names

Item = Mapping[str, Any]

THE_EVALUATOR = "the evaluator"
"""The seat that only judges safety, where nobody's name is told."""


@dataclass(frozen=True, slots=True)
class SpokenReply:
    """What an agent replied in a round, as it last worded it, and the seq of that event."""

    seq: int
    reply: Item


@dataclass(frozen=True, slots=True)
class CourseRound:
    """One round as far as its events tell of it."""

    number: int
    replies: Mapping[str, SpokenReply] = field(default_factory=dict)
    silent: Mapping[str, str] = field(default_factory=dict)
    withheld: tuple[Item, ...] = ()
    note: Item | None = None
    """What the round came to; None while it is held."""
    groupthink: Item | None = None
    turn: Item | None = None
    """What a person said after it."""
    ruling: Item | None = None

    @property
    def rows(self) -> Mapping[str, Item]:
        """The rows of the note by agent; none while the round is held."""
        return {row["agent"]: row for row in self.note["agents"]} if self.note else {}


@dataclass(frozen=True, slots=True)
class DebateCourse:
    """A debate so far."""

    names: Mapping[str, str]
    """The names by which the others know the seats that debate."""
    mode: str
    aliases: Mapping[str, str]
    """Every seat with the name to show for it, where the mode hides who is who; else none."""
    participants: Mapping[str, Item]
    """Role, stance and anchor by name."""
    rounds: tuple[CourseRound, ...]
    lookups: tuple[Item, ...]
    waits: str
    """The step that waits for a person."""
    detail: Item
    """What the verdict says; nothing while there is none."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Those who debate, in the order of their seats."""
        return tuple(self.names.values())

    @property
    def notes(self) -> tuple[Item, ...]:
        """What the rounds came to that are over."""
        return tuple(item.note for item in self.rounds if item.note)

    def shown(self, seat: str) -> str:
        """Return the name to show for a seat."""
        return self.aliases.get(seat, seat)


def course_of(record: Record) -> DebateCourse:
    """Return the debate that a record tells of, in one pass over its events."""
    header, verdict = record.header, record.verdict
    seating = next((note.data for note in record.notes if note.name == "seating"), {})
    seated: Item = seating.get("participants", {})
    names = {who["seat"]: name for name, who in seated.items()} or _names(header)
    rounds: dict[int, CourseRound] = {}
    waiting: dict[str, None] = {}
    for seq, event in enumerate(record.events):
        number = round_of(event) or max(rounds, default=0)
        if number:
            rounds[number] = _with_event(rounds.get(number, CourseRound(number)), seq, event, names)
        if isinstance(event, Opened):
            waiting[event.step] = None
        elif isinstance(event, Filled | Unanswered):
            waiting.pop(event.step, None)
    mode = seating.get("mode") or header.settings.get("mode", "")
    return DebateCourse(
        names=names,
        mode=mode,
        aliases=_aliases(header, names) if _is_anonymous(mode) else {},
        participants=seated,
        rounds=tuple(rounds[number] for number in sorted(rounds)),
        lookups=tuple(event.data for event in record.notes if event.name == "tool"),
        waits="" if verdict else next(iter(waiting), ""),
        detail=verdict.detail if verdict else {},
    )


def round_of(event: Event) -> int:
    """Return the number of the round that an event is part of; 0 where it does not say."""
    if isinstance(event, Noted):
        number = event.data.get("round") if isinstance(event.data, Mapping) else None
        return number if isinstance(number, int) else 0
    step = getattr(event, "step", "")
    return next((int(part) for part in step_parts(step)[1:2] if part.isdigit()), 0)


def _with_event(told: CourseRound, seq: int, event: Event, names: Mapping[str, str]) -> CourseRound:
    match event:
        case Answered(reply=reply) if "position" in reply:
            spoken = {names.get(event.seat, event.seat): SpokenReply(seq, reply)}
            return replace(told, replies={**told.replies, **spoken})
        case Unanswered() if step_parts(event.step)[2:] == [event.seat]:
            return replace(told, silent={**told.silent, names.get(event.seat, event.seat): event.missing.reason})
        case Filled() if event.step.startswith("turn/"):
            return replace(told, turn={"agent": event.agent, **event.reply})
        case Filled() if event.step.startswith("escalation/"):
            return replace(told, ruling={"agent": event.agent, **event.reply})
        case Noted(name="round"):
            return replace(told, note=event.data)
        case Noted(name="groupthink"):
            return replace(told, groupthink=event.data)
        case Noted(name="withheld"):
            return replace(told, withheld=(*told.withheld, event.data))
    return told


def _is_anonymous(mode: str) -> bool:
    return mode in MODES and MODES[mode].anonymous


def _names(header: Header) -> dict[str, str]:
    """The names of the seats, where no note has seated them yet."""
    mode = header.settings.get("mode", "")
    seats = [name for name in _seats(header) if name != header.settings.get("evaluator")]
    return seat_names(seats, MODES[mode]) if mode in MODES else {seat: seat for seat in seats}


def _aliases(header: Header, names: Mapping[str, str]) -> dict[str, str]:
    return {seat: names.get(seat, THE_EVALUATOR) for seat in _seats(header)}


def _seats(header: Header) -> Sequence[str]:
    return [member.name for member in header.panel]


def claims_of(course: DebateCourse) -> Mapping[str, Item] | None:
    """Return the claims of the ledger by id, as far as they are told; None where the record does not tell them yet."""
    return _ledger_of(course, "claims")


def evidence_of(course: DebateCourse) -> Mapping[str, Item]:
    """Return the evidence of the ledger by id, as far as it is told."""
    told = _ledger_of(course, "evidence")
    return told if told is not None else _folded(course, "references")


def _ledger_of(course: DebateCourse, part: str) -> Mapping[str, Item] | None:
    whole = course.detail.get("debateState", {}).get(part)
    if whole is not None:
        return {row["id"]: row for row in whole}
    return _folded(course, part) if all(part in note for note in course.notes) else None


def _folded(course: DebateCourse, part: str) -> Mapping[str, Item]:
    """The rows of every round's note, the latest of each id."""
    return {row["id"]: row for note in course.notes for row in note.get(part, ())}


def touches_of(course: DebateCourse, kind: str) -> Iterator[tuple[str, int, str]]:
    """Yield which claim was reinforced, challenged or retracted (`kind`) in which round by whom."""
    for note in course.notes:
        for row in note["agents"]:
            yield from ((name, note["round"], row["agent"]) for name in row.get(kind, ()))
