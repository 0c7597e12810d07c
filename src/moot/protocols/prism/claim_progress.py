"""A claim on its way: slots as they were filled, layers as they went, and what each slot gets to see (ruling P8)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeVar

from moot.core.calls import Missing
from moot.core.canonical import plain
from moot.core.question import Question
from moot.methods.sameness import strict_form
from moot.protocols.prism.layers import Layer, LayerTable, SlotType
from moot.protocols.prism.rules import CALIBRATING
from moot.protocols.prism.schemas import CritiqueOutput, FlagReview, Output, SynthesisOutput

Shaped = TypeVar("Shaped", bound=Output)


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot, filled."""

    step: str
    type: SlotType
    role: str
    agent: str
    output: Output
    filled: int
    digest: str
    model: str = ""
    """The model behind an agent of the house."""


@dataclass(frozen=True, slots=True)
class Flag:
    """Why a layer did not pass."""

    layer: int
    attempt: int
    reasons: tuple[str, ...]
    average: float | None
    threshold: float


@dataclass(frozen=True, slots=True)
class Review:
    """How a person cleared a flag."""

    reviewer: str
    decision: FlagReview
    slot: tuple[str, str]
    """The step and the digest of the review."""


@dataclass(frozen=True, slots=True)
class LayerAttempt:
    """One attempt at one layer: what came in, and what the gate made of it."""

    layer: Layer
    attempt: int
    work: tuple[Slot, ...] = ()
    consensus: tuple[Slot, ...] = ()
    unfilled: tuple[Missing, ...] = ()
    average: Fraction | None = None
    flag: Flag | None = None
    review: Review | None = None

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Every slot that was filled, in order."""
        return (*self.work, *self.consensus)

    @property
    def asked(self) -> int:
        """How many slots were opened, filled or not."""
        return len(self.slots) + len(self.unfilled)

    @property
    def is_cleared_by_its_own(self) -> bool:
        """Whether somebody cleared the flag who filled a slot of the attempt (ruling P12)."""
        return self.review is not None and self.review.reviewer in {slot.agent for slot in self.slots}

    def outputs(self, shape: type[Shaped], *, consensus_only: bool = False) -> list[tuple[Slot, Shaped]]:
        """Return the outputs of this shape with their slots."""
        slots = self.consensus if consensus_only else self.slots
        return [(slot, slot.output) for slot in slots if isinstance(slot.output, shape)]


@dataclass(frozen=True, slots=True)
class Arc:
    """A claim and its way so far."""

    question: Question
    shown: Question
    """The question over what the house is shown; everybody else reads all documents (ruling I20)."""
    table: LayerTable
    domain: str = CALIBRATING
    passages: tuple[LayerAttempt, ...] = ()
    """Every attempt at every layer, in order, those that were redone included."""
    consensus: Mapping[str, Any] = field(default_factory=dict)
    """The record that the last layer leaves when it passes, or is let pass (ruling P13)."""

    @property
    def passed(self) -> tuple[LayerAttempt, ...]:
        """The attempt by which each earlier layer was passed."""
        return tuple(passage for passage in self.passages if not _is_redone(passage))

    @property
    def flags(self) -> tuple[LayerAttempt, ...]:
        """The attempts that were flagged."""
        return tuple(passage for passage in self.passages if passage.flag)

    @property
    def syntheses(self) -> list[tuple[Slot, SynthesisOutput]]:
        """What the last layer's agents vote for, as far as the claim has come to them."""
        return self.passages[-1].outputs(SynthesisOutput)

    def with_passage(self, passage: LayerAttempt) -> "Arc":
        """Return the arc with one attempt more."""
        return replace(self, passages=(*self.passages, passage))

    def of_shape(self, shape: type[Shaped], *, work_only: bool = False) -> list[tuple[Slot, Shaped]]:
        """Return the outputs of this shape in the layers passed, in order."""
        found = [item for passage in self.passed for item in passage.outputs(shape)]
        return [item for item in found if item[0].type == "work"] if work_only else found


def _is_redone(passage: LayerAttempt) -> bool:
    return passage.review is not None and passage.review.decision.decision == "redo"


@dataclass(frozen=True, slots=True)
class Weakness:
    """A weakness, whoever found it first, and how severe the severest of those who name it thinks it is."""

    text: str
    agent: str
    confidence: float
    severe: bool


def weaknesses(arc: Arc) -> list[Weakness]:
    """Return the weaknesses that the critics found, in order, each once: the first is W1."""
    found: dict[str, Weakness] = {}
    for slot, output in arc.of_shape(CritiqueOutput, work_only=True):
        for text in output.weaknesses:
            severe = output.severity == "high"
            known = found.setdefault(strict_form(text), Weakness(text, slot.agent, output.confidence, severe))
            found[strict_form(text)] = replace(known, severe=known.severe or severe)
    return list(found.values())


def questions(arc: Arc) -> list[str]:
    """Return the questions that were raised, in order, each once: the first is Q1."""
    raised = [text for _, output in arc.of_shape(CritiqueOutput, work_only=True) for text in output.questions]
    return list({strict_form(text): text for text in reversed(raised)}.values())[::-1]


def earlier_outputs(arc: Arc) -> list[dict[str, Any]]:
    """Return what the layers passed so far came to, without the names of those who said it."""
    return [item for passage in arc.passed for item in passage_outputs(passage, passage.slots)]


def passage_outputs(passage: LayerAttempt, slots: Sequence[Slot]) -> list[dict[str, Any]]:
    """Return the outputs of one layer as others get to see them."""
    return [
        {
            "layer": passage.layer.number,
            "name": passage.layer.name,
            "phase": slot.type,
            "role": label,
            "output": plain(slot.output),
        }
        for slot, label in zip(slots, _labels(slots), strict=True)
    ]


def _labels(slots: Sequence[Slot]) -> Iterator[str]:
    """Peers are known by role and number: whoever knows the speaker hears the name and not the words."""
    seen: dict[str, int] = {}
    for slot in slots:
        seen[slot.role] = seen.get(slot.role, 0) + 1
        yield f"{slot.role} {seen[slot.role]}"
