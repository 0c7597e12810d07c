"""Does confidence tell right answers from wrong ones, whatever its scale? And does one kind of item come out better?

AUROC: the chance that a right answer is held with more confidence than a wrong one, equal ones counted half.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from moot.evals.figures.calibration import Held


@dataclass(frozen=True, slots=True)
class Half:
    """The half of the answers that is held with most confidence, and how many of it are right."""

    right: float
    """Where equally confident answers straddle the edge, their share of right ones counts, so it may be a fraction."""
    of: int


def auroc(held: Sequence[Held]) -> float | None:
    """Return the area under the curve; None where all answers are right, or all wrong."""
    right = [confidence for confidence, is_right in held if is_right]
    wrong = [confidence for confidence, is_right in held if not is_right]
    if not right or not wrong:
        return None
    ahead = sum((one > other) + (one == other) / 2 for one, other in product(right, wrong))
    return ahead / (len(right) * len(wrong))


def most_confident_half(held: Sequence[Held]) -> Half | None:
    """Return the more confident half, rounded down; None where there are fewer than two answers."""
    size = len(held) // 2
    if not size:
        return None
    edge = sorted((confidence for confidence, _ in held), reverse=True)[size - 1]
    above = [is_right for confidence, is_right in held if confidence > edge]
    at_edge = [is_right for confidence, is_right in held if confidence == edge]
    share = sum(at_edge) / len(at_edge)
    return Half(sum(above) + share * (size - len(above)), size)


def fisher(right: int, of: int, other_right: int, other_of: int) -> float:
    """Return the one-sided exact p-value that the first kind is right no more often than the other.

    Raises:
        ValueError: more right than there are, or a negative number.
    """
    if not (0 <= right <= of and 0 <= other_right <= other_of):
        raise ValueError(f"{right} of {of} and {other_right} of {other_of} are no proportions")
    total, all_right = of + other_of, right + other_right
    tail = sum(math.comb(of, k) * math.comb(other_of, all_right - k) for k in range(right, min(of, all_right) + 1))
    return tail / math.comb(total, all_right)
