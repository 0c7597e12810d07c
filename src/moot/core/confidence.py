"""How sure an answer is, and by what measure. Values of different bases are never averaged (ruling G1)."""

from dataclasses import dataclass
from enum import StrEnum


class Basis(StrEnum):
    """What a confidence was measured by."""

    STATED = "stated"
    """A model said so."""
    AGREEMENT = "agreement"
    """Members agreed, pair by pair."""
    VOTES = "votes"
    """The share of the runs asked that give the answer."""
    STRUCTURE = "structure"
    """Independent lines of support reach the conclusion."""
    PANEL = "panel"
    """The mean over those who judged."""

    @property
    def meaning(self) -> str:
        """What was measured, and how far that goes, in a sentence for whoever reads the value."""
        return _MEANINGS[self]


_MEANINGS = {
    Basis.STATED: "how sure models say they are, which nobody checked; models are often sure of their errors",
    Basis.AGREEMENT: "how far the members agree, pair by pair; that is agreement, and not truth",
    Basis.VOTES: "the share of the runs asked that give this answer; it is worth more, the more the runs differ",
    Basis.STRUCTURE: "how many independent lines of support reach the conclusion, if what they start from is true",
    Basis.PANEL: "the mean of what those stated who judged; a jury's opinion of itself",
}


@dataclass(frozen=True, slots=True)
class Confidence:
    """A value with its basis; or no value, with the reason why there is none."""

    value: float | None
    basis: Basis | None
    reason: str = ""


def no_confidence(reason: str) -> Confidence:
    """Return the confidence of an answer that has none to show."""
    return Confidence(value=None, basis=None, reason=reason)
