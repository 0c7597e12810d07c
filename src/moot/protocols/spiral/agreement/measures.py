"""Agreement, harmony and divergence, and the test for consensus (spiral 5.1 and 5.2, rulings S1 to S3 and S11).

`measured_divergence` is measured. `scheduled_divergence` follows the paper's schedule and measures nothing: it is part
of the paper's test, and no surface shows it as agreement.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from moot.core.canonical import rounded
from moot.methods.entailment import Direction, Entailment

PHI = (1 + math.sqrt(5)) / 2
LOOPS = 7
STRETTO_FROM = 5
"""The first loop after which members look for what they can hold together (spiral 5.1 step 4)."""
LEAST_HARMONY = 0.90
LEAST_AGREEMENT = 0.70
MOST_DIVERGENCE = 0.05

ENTAILS = {"entails": 1.0, "neutral": 0.5, "contradicts": 0.0}


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts in the agreement of a pair."""

    similarity: float = 0.30
    entailment: float = 0.40
    facts: float = 0.30


@dataclass(frozen=True, slots=True)
class Pair:
    """The agreement C of two members and its three parts.

    An entailment of None was judged by nobody; facts of None: neither position has any.
    """

    first: str
    second: str
    similarity: float
    entailment: float | None
    facts: float | None
    agreement: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Where the panel stands after a loop: every pair, H, and both divergences."""

    loop: int
    pairs: tuple[Pair, ...]
    harmony: float
    measured_divergence: float
    scheduled_divergence: float

    @property
    def is_agreed(self) -> bool:
        """Whether the members agree: the two conditions that are measured (spiral 5.2).

        Answers that are merely alike, and that nobody has judged, agree with nothing (ruling G11).
        """
        is_judged = all(pair.entailment is not None for pair in self.pairs)
        is_close = all(pair.agreement > LEAST_AGREEMENT for pair in self.pairs)
        return is_judged and is_close and self.harmony > LEAST_HARMONY

    @property
    def is_consensus(self) -> bool:
        """Whether all three conditions hold, the schedule's with them (spiral 5.2)."""
        return self.is_agreed and self.scheduled_divergence < MOST_DIVERGENCE


def pair_of(
    first: str, second: str, *, similarity: float, standing: Entailment, claims: tuple[int, int], weights: Weights
) -> Pair:
    """Return the agreement of two members, whose positions have so many claims."""
    entailment = entailment_of(standing.forward, standing.backward)
    facts = fact_overlap(len(standing.same), *claims)
    value = agreement(similarity, entailment, facts, weights)
    return Pair(first, second, rounded(similarity), entailment, facts, value)


def agreement(similarity: float, entailment: float | None, facts: float | None, weights: Weights) -> float:
    """Return C of a pair: the weighted mean of the parts there are; a missing one's weight is spread (S1, S11)."""
    all_parts = ((weights.similarity, similarity), (weights.entailment, entailment), (weights.facts, facts))
    parts = [(weight, value) for weight, value in all_parts if value is not None]
    total = math.fsum(weight for weight, _ in parts)
    return rounded(math.fsum(weight * value for weight, value in parts) / total) if total else 0.0


def entailment_of(forward: Direction | None, backward: Direction | None) -> float | None:
    """Return the mean of both directions, each 1, 0.5 or 0; None where nobody judged them."""
    if forward is None or backward is None:
        return None
    return (ENTAILS[forward] + ENTAILS[backward]) / 2


def fact_overlap(shared: int, first: int, second: int) -> float | None:
    """Return shared claims over all claims of two positions; None where there are none to share (S1, S11)."""
    union = first + second - shared
    return rounded(shared / union) if union else None


def measured(loop: int, pairs: Sequence[Pair], initial_divergence: float | None = None) -> Measured:
    """Return H and both divergences of these pairs; without an initial divergence, this is the exposition."""
    harmony = rounded(_mean([pair.agreement for pair in pairs]))
    divergence = rounded(1 - _mean([pair.similarity for pair in pairs]))
    start = divergence if initial_divergence is None else initial_divergence
    return Measured(loop, tuple(pairs), harmony, divergence, scheduled_divergence(start, loop))


def scheduled_divergence(initial: float, loop: int) -> float:
    """Return D(n) = D(0) / phi^n, the paper's schedule (spiral 5.1 step 3, ruling S2)."""
    return rounded(initial / PHI**loop)


def agreed_since(history: Sequence[Measured]) -> int | None:
    """Return the loop from which on the members agree to the end; None where they do not (ruling S10)."""
    loop = None
    for item in reversed(history):
        if not item.is_agreed:
            break
        loop = item.loop
    return loop


def mean_agreements(seats: Sequence[str], pairs: Sequence[Pair]) -> dict[str, float]:
    """Return each member's mean agreement with the others."""
    return {seat: _mean([pair.agreement for pair in pairs if seat in (pair.first, pair.second)]) for seat in seats}


def all_pairs(seats: Sequence[str]) -> list[tuple[str, str]]:
    """Return every pair of members once, in the panel's order."""
    return list(combinations(seats, 2))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
