"""When a debate ends (debate 2 P1, ruling D3): consensus, a plateau, or the cap. Pure figures in, a reason out."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from moot.core.canonical import rounded
from moot.protocols.debate.speech import Speech, Vote

ACCEPTANCE = 0.80
SURE = 0.70
PLATEAU = 0.10

Exit = Literal["consensus", "plateau", "cap"]


@dataclass(frozen=True, slots=True)
class Figures:
    """What one round measures to; a measure that cannot be taken is None."""

    round: int
    confidences: Mapping[str, float]
    votes: Mapping[str, Vote]
    voted_on: str
    """The proposal, or nothing in a round without one."""
    open_objections: int
    new_facts: int
    belief_change: float | None
    """Mean absolute change of confidence since the round before (ruling D3)."""
    votes_changed: float | None
    position_change: float | None
    leanings: tuple[float, ...] = ()
    clusters: int | None = None
    premise_overlap: float | None = None
    sources: int = 0

    @property
    def change(self) -> float | None:
        """The largest of the measures of change that could be taken (ruling D3)."""
        known = [item for item in (self.belief_change, self.votes_changed, self.position_change) if item is not None]
        return rounded(max(known)) if known else None

    @property
    def acceptance(self) -> float | None:
        """The share of those who spoke that vote ACCEPT or MINOR; None where there was nothing to vote on."""
        if not self.voted_on or not self.confidences:
            return None
        accepting = sum(vote in ("ACCEPT", "MINOR") for vote in self.votes.values())
        return rounded(accepting / len(self.confidences))


def is_accepted(figures: Figures) -> bool:
    """Return whether the proposal has its votes and no BLOCKER stands (debate 2 P1)."""
    return figures.acceptance is not None and figures.acceptance >= ACCEPTANCE and not figures.open_objections


def is_consensus(figures: Figures) -> bool:
    """Return whether the consensus threshold is met: votes, no BLOCKER, everybody sure enough (debate 2 P1)."""
    return is_accepted(figures) and all(rounded(value) >= SURE for value in figures.confidences.values())


def is_plateau(rounds: Sequence[Figures]) -> bool:
    """Return whether two consecutive rounds changed less than a tenth and brought no new FACT (debate 2 P1, D3)."""
    return len(rounds) >= 2 and all(
        item.change is not None and item.change < PLATEAU and not item.new_facts for item in rounds[-2:]
    )


def exit_of(rounds: Sequence[Figures], cap: int) -> Exit | None:
    """Return which trigger fires first, or none (debate 2 P1)."""
    if not rounds:
        return None
    if is_consensus(rounds[-1]):
        return "consensus"
    if is_plateau(rounds):
        return "plateau"
    return "cap" if rounds[-1].round >= cap else None


def belief_change(now: Mapping[str, Speech], before: Mapping[str, Speech]) -> float | None:
    """Return the mean absolute change of confidence of those who spoke in both rounds."""
    moved = [abs(now[name].said.confidence - before[name].said.confidence) for name in now if name in before]
    return rounded(sum(moved) / len(moved)) if moved else None


def votes_changed(now: Mapping[str, Vote], before: Mapping[str, Vote]) -> float | None:
    """Return the share of those who voted in both rounds that voted otherwise."""
    both = [name for name in now if name in before]
    return rounded(sum(now[name] != before[name] for name in both) / len(both)) if both else None


Vector = Sequence[float]


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors; a vector of nothing is like nothing."""
    length = math.hypot(*one) * math.hypot(*other)
    return rounded(sum(a * b for a, b in zip(one, other, strict=True)) / length) if length else 0.0


def position_change(now: Mapping[str, Vector], before: Mapping[str, Vector]) -> float | None:
    """Return the mean of 1 - cosine over those who spoke in both rounds (ruling D3)."""
    moved = [1 - cosine(now[name], before[name]) for name in now if name in before]
    return rounded(max(0.0, sum(moved) / len(moved))) if moved else None
