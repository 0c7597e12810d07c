"""One run of a spiral: what it was given, what it has gathered so far, and how it asks."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from moot.core.calls import Ask, Message, R
from moot.core.deliberation import Deliberation
from moot.core.question import Question
from moot.methods.entailment import Stated
from moot.oracles import Oracle
from moot.protocols.spiral.agreement.measures import Measured, Weights
from moot.protocols.spiral.axioms.registry import Axiom
from moot.protocols.spiral.evidence import Evidence
from moot.protocols.spiral.positions import Draft
from moot.protocols.spiral.schemas import SpiralSettings
from moot.protocols.spiral.structure.structures import Initialization


@dataclass(slots=True)
class Spiral:
    """One run: what it was given, and what it has gathered so far."""

    question: Question
    deliberation: Deliberation
    settings: SpiralSettings
    axioms: tuple[Axiom, ...]
    start: Initialization
    further: Mapping[str, Oracle] = field(default_factory=dict)
    """The oracles that the settings name beside Moot's own."""
    gathered: list[Evidence] = field(default_factory=list)
    history: list[Measured] = field(default_factory=list)
    has_played: bool = False
    """Whether the structure's turn without a contradiction has been played (ruling S10)."""
    draft: Draft | None = None
    examined: dict[str, Stated] = field(default_factory=dict)
    """By seat, the position that was last examined for self-reference (ruling S14)."""

    @property
    def weights(self) -> Weights:
        """How the parts of an agreement count."""
        chosen = self.settings
        return Weights(chosen.similarity_weight, chosen.entailment_weight, chosen.facts_weight)

    def asked_of(self, seat: str, step: str, messages: tuple[Message, ...], reply: type[R]) -> Ask[R]:
        """Return a question for a position or a revision, with the temperature and the length of the settings."""
        return Ask(f"{step}/{seat}", seat, messages, reply, self.settings.temperature, self.settings.max_tokens)
