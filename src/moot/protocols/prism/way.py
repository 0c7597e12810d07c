"""The way of a claim as its events tell it: attempts at layers, their phases and slots, also while it goes on.

What an unfinished phase has brought is not in it: who reads this reads nothing that a slot of that phase may not (P8).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from moot.core.deliberation import HOUSE, seat_of
from moot.core.events import Event, Filled, Header, Noted, Opened, Unanswered
from moot.core.record import Record
from moot.methods.tellings import step_parts
from moot.protocols.prism.layers import CONSENSUS, WORK, Layer, LayerTable, SlotType
from moot.protocols.prism.slots import REVIEW
from moot.protocols.prism.telling import table_in

Item = Mapping[str, Any]

_GROUP = re.compile(r"L(\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class WaySlot:
    """A slot of a phase: by whom it was filled, and with what where the phase is over."""

    step: str
    role: str
    state: str = "open"
    """`open`, `done` or `gone`."""
    agent: str = ""
    output: Item | None = None
    """What it says; None as long as its phase goes on."""
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class WayPhase:
    """The slots of a phase, of which there will be so many."""

    type: SlotType
    wanted: int
    slots: tuple[WaySlot, ...] = ()

    @property
    def closed_slots(self) -> int:
        """How many slots nobody can fill any more."""
        return sum(slot.state != "open" for slot in self.slots)

    @property
    def is_over(self) -> bool:
        """Whether all its slots were opened, and none is open any more."""
        return len(self.slots) >= self.wanted and self.closed_slots == len(self.slots)

    @property
    def outputs(self) -> tuple[tuple[WaySlot, Item], ...]:
        """The slots that say something, with what they say; none as long as the phase goes on."""
        return tuple((slot, slot.output) for slot in self.slots if slot.output is not None)


@dataclass(frozen=True, slots=True)
class WayAttempt:
    """One attempt at a layer: its phases, what its gate made of it, and how a person cleared its flag."""

    layer: Layer
    number: int
    work: WayPhase
    consensus: WayPhase
    gate: Item | None = None
    review: Item | None = None

    @property
    def name(self) -> str:
        """The name by which its steps begin."""
        return f"L{self.layer.number}.{self.number}"

    @property
    def phases(self) -> tuple[WayPhase, ...]:
        """Its phases; a layer may have no work."""
        return tuple(phase for phase in (self.work, self.consensus) if phase.wanted)

    @property
    def is_flagged(self) -> bool:
        """Whether it did not pass its gate."""
        return self.gate is not None and "reasons" in self.gate

    @property
    def is_passed(self) -> bool:
        """Whether the claim goes on to the next layer by it."""
        cleared = self.review is not None and self.review["decision"] == "advance"
        return self.gate is not None and (cleared or not self.is_flagged)


def way_table(header: Header) -> LayerTable:
    """Return the layers that a claim goes through."""
    return table_in(header.settings.get("table", "prism-v1"))


def way_of(record: Record) -> tuple[WayAttempt, ...]:
    """Return every attempt at every layer that the events tell of, in order."""
    layers = {layer.number: layer for layer in way_table(record.header).layers}
    attempts: dict[tuple[int, int], WayAttempt] = {}
    slots: dict[str, WaySlot] = {}
    for seq, event in enumerate(record.events):
        place = place_of(event)
        if place is None or place[0] not in layers:
            continue
        attempt = attempts.get(place) or _begun(layers[place[0]], place[1])
        attempts[place] = attempt
        if isinstance(event, Noted):
            attempts[place] = replace(attempt, gate=event.data)
        elif isinstance(event, Filled) and event.step.endswith(f"/{REVIEW}"):
            attempts[place] = replace(attempt, review={"by": event.agent, **event.reply})
        else:
            _place_slot(slots, seq, event)
    by_phase: dict[tuple[str, str], list[WaySlot]] = {}
    for slot in slots.values():
        group, phase, *_ = step_parts(slot.step)
        by_phase.setdefault((group, phase), []).append(slot)
    return tuple(_with_slots(attempt, by_phase) for attempt in attempts.values())


def place_of(event: Event) -> tuple[int, int] | None:
    """Return the layer and the attempt that an event is part of."""
    if isinstance(event, Noted):
        is_gate = event.name in ("gate", "flag")
        return (event.data["layer"], event.data["attempt"]) if is_gate else None
    named = _GROUP.match(getattr(event, "step", ""))
    return (int(named[1]), int(named[2])) if named else None


def _begun(layer: Layer, number: int) -> WayAttempt:
    return WayAttempt(layer, number, WayPhase(WORK, len(layer.roles)), WayPhase(CONSENSUS, layer.consensus))


def _place_slot(slots: dict[str, WaySlot], seq: int, event: Event) -> None:
    match event:
        case Opened(step=step, role=role) if not step.endswith(f"/{REVIEW}"):
            slots[step] = WaySlot(step, role, seq=seq)
        case Filled(step=step) if step in slots:
            slots[step] = replace(slots[step], state="done", agent=event.agent, output=event.reply, seq=seq)
        case Unanswered(step=step) if step in slots:
            slots[step] = replace(slots[step], state="gone", seq=seq)


def _with_slots(attempt: WayAttempt, slots: Mapping[tuple[str, str], list[WaySlot]]) -> WayAttempt:
    work, consensus = (
        _closed(replace(phase, slots=tuple(slots.get((attempt.name, phase.type), ()))))
        for phase in (attempt.work, attempt.consensus)
    )
    return replace(attempt, work=work, consensus=consensus)


def _closed(phase: WayPhase) -> WayPhase:
    """The phase without what its slots say, as long as it goes on."""
    if phase.is_over:
        return phase
    return replace(phase, slots=tuple(replace(slot, output=None) for slot in phase.slots))


def passed_layers(way: tuple[WayAttempt, ...]) -> frozenset[int]:
    """Return the layers that the claim has passed."""
    return frozenset(attempt.layer.number for attempt in way if attempt.is_passed)


def seat_of_agent(agent: str) -> str:
    """Return the seat behind an agent of the house; anybody else goes by name."""
    return seat_of(agent) if agent.startswith(HOUSE) else agent
