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


@dataclass(frozen=True, slots=True)
class Confidence:
    """A value with its basis; or no value, with the reason why there is none."""

    value: float | None
    basis: Basis | None
    reason: str = ""


def no_confidence(reason: str) -> Confidence:
    """Return the confidence of an answer that has none to show."""
    return Confidence(value=None, basis=None, reason=reason)
