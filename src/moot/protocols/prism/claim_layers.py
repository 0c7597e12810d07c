"""A claim layer by layer as the board shows it: every attempt, its phases and slots, its gate and its flag. Pure.

What the events tell decides how far a layer is; what the stored slots tell, who is at it. Both are blind to what an
unfinished phase has brought (ruling P8).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from moot.core.panes import Pane, Tone
from moot.core.record import Record
from moot.protocols.prism.board import BoardFlag, BoardSlot, Pipeline
from moot.protocols.prism.layer_panes import attempt_state, consensus_pane, domain_pane, gate_words
from moot.protocols.prism.layers import CONSENSUS, WORK, Layer
from moot.protocols.prism.way import WayAttempt, seat_of_agent, way_of


@dataclass(frozen=True, slots=True)
class BoardPhase:
    """The slots of a phase."""

    type: str
    slots: tuple[BoardSlot, ...]

    @property
    def is_over(self) -> bool:
        """Whether nobody can fill a slot of it any more, and what it brought is shown."""
        return not any(slot.status in ("open", "taken") for slot in self.slots)


@dataclass(frozen=True, slots=True)
class BoardAttempt:
    """One attempt at a layer."""

    number: int
    phases: tuple[BoardPhase, ...]
    state: str
    tone: Tone
    gate: str
    """The mean against the threshold in words, or what is needed."""
    mean: float | None
    flag: BoardFlag | None
    own_review: bool
    """Whether one of its own agents cleared the flag (ruling P12)."""

    @property
    def mean_words(self) -> str:
        """The mean as a percentage, as exactly as it takes to tell it from the threshold; empty where there is none."""
        return "" if self.mean is None else f"{self.gate.partition(' ')[0]} %"

    @property
    def current(self) -> str:
        """The phase that goes on; empty where none does."""
        return next((phase.type for phase in self.phases if not phase.is_over), "")


@dataclass(frozen=True, slots=True)
class BoardLayer:
    """A layer of a claim with its attempts, the latest last; none where the claim has not come to it."""

    layer: Layer
    needed: str
    attempts: tuple[BoardAttempt, ...] = ()

    @property
    def latest(self) -> BoardAttempt | None:
        """The attempt that counts."""
        return self.attempts[-1] if self.attempts else None

    @property
    def earlier(self) -> tuple[BoardAttempt, ...]:
        """The attempts that were redone."""
        return self.attempts[:-1]


def board_layers(record: Record, pipeline: Pipeline) -> tuple[BoardLayer, ...]:
    """Return every layer of a claim, those that it has not come to included."""
    way = {(attempt.layer.number, attempt.number): attempt for attempt in way_of(record)}
    flags = {(flag.layer, flag.attempt): flag for flag in pipeline.flags}
    ended = record.verdict is not None
    layers = []
    for layer in pipeline.table.layers:
        numbers = sorted(number for at, number in way if at == layer.number)
        attempts = tuple(
            _attempt(way[layer.number, number], pipeline.slots, flags.get((layer.number, number)), ended=ended)
            for number in numbers
        )
        layers.append(BoardLayer(layer, gate_words(layer.threshold, None), attempts))
    return tuple(layers)


def claim_panes(record: Record) -> tuple[Pane, ...]:
    """Return how the domain was voted for, and the consensus with the votes behind it, as far as there are any."""
    shown = (consensus_pane(record, way_of(record)), domain_pane(record))
    return tuple(pane for pane in shown if pane)


def agents_of(pipeline: Pipeline) -> tuple[str, ...]:
    """Return who has filled or holds a slot of a claim, each once, in the order of the slots."""
    return tuple(dict.fromkeys(seat_of_agent(slot.agent) for slot in pipeline.slots if slot.agent))


def _attempt(told: WayAttempt, slots: Sequence[BoardSlot], flag: BoardFlag | None, *, ended: bool) -> BoardAttempt:
    mine = [slot for slot in slots if (slot.layer, slot.attempt) == (told.layer.number, told.number)]
    if flag and flag.cleared and told.review is None:
        # A person has decided, and nothing has gone on with the claim yet.
        told = replace(told, review=flag.cleared)
    state, tone = attempt_state(told, ended=ended)
    mean = told.gate["average"] if told.gate else None
    phases = (BoardPhase(type_, tuple(slot for slot in mine if slot.phase == type_)) for type_ in (WORK, CONSENSUS))
    return BoardAttempt(
        told.number,
        tuple(phase for phase in phases if phase.slots),
        state,
        tone,
        gate_words(told.layer.threshold, mean),
        mean,
        flag,
        bool(flag and flag.cleared and flag.cleared["by"] in {slot.agent for slot in mine}),
    )
