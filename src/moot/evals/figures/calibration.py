"""Do answers held with more confidence come out right more often?

Each basis of confidence is judged by itself, never averaged with another (ruling G1). Brier: the mean squared distance
of the confidence from 1 (right) or 0 (wrong). ECE: over ten bins of equal width, the mean distance between a bin's mean
confidence and its share of right answers, weighted by its size. `structure` is an order and no probability; its figures
say how far it is from being one.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from typing_extensions import override

from moot.evals.figures.metrics import Proportion, proportion
from moot.evals.items.items import ArmRow

BINS = 10
WIDEST = 3
"""Support widths from here on are one stratum: wide ones are few."""

Held = tuple[float, bool]
"""A confidence in [0, 1], and whether the answer was right."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers whose confidence lies in [low, high), the last bin also at 1."""

    low: float
    high: float
    mean_confidence: float | None
    right: Proportion


@dataclass(frozen=True, slots=True)
class Calibration:
    """How one basis of confidence fared."""

    basis: str
    held: int
    brier: float
    ece: float
    bins: tuple[Bin, ...]


def calibrations(rows: Iterable[ArmRow]) -> tuple[Calibration, ...]:
    """Return the calibration of each basis that the rows have, by name.

    Rows without a confidence have nothing to be judged by and are in none. A confidence outside [0, 1] is an error of
    the arm, and raises.
    """
    by_basis: dict[str, list[Held]] = {}
    for row in rows:
        if row.confidence is not None and row.basis is not None:
            by_basis.setdefault(row.basis, []).append((row.confidence, row.correct))
    return tuple(
        Calibration(basis, len(held), brier(held), expected_calibration_error(held), reliability(held))
        for basis, held in sorted(by_basis.items())
    )


def brier(held: Sequence[Held]) -> float:
    """Return the mean squared distance of confidence and outcome: 0 is perfect, 0.25 is what always saying 0.5 gets.

    Raises:
        ValueError: there is nothing to judge.
    """
    if not held:
        raise ValueError("there is no confidence to judge")
    return math.fsum((confidence - right) ** 2 for confidence, right in held) / len(held)


def expected_calibration_error(held: Sequence[Held], bins: int = BINS) -> float:
    """Return the weighted mean distance between confidence and accuracy over bins of equal width."""
    gaps = [
        part.right.of * abs(part.mean_confidence - part.right.right / part.right.of)
        for part in reliability(held, bins)
        if part.mean_confidence is not None
    ]
    return math.fsum(gaps) / len(held)


def reliability(held: Sequence[Held], bins: int = BINS) -> tuple[Bin, ...]:
    """Return every bin, the empty ones too, from low confidence to high.

    Raises:
        ValueError: a confidence lies outside [0, 1].
    """
    parts: list[list[Held]] = [[] for _ in range(bins)]
    for confidence, right in held:
        if not 0 <= confidence <= 1:
            raise ValueError(f"{confidence} is no confidence in [0, 1]")
        parts[bin_of(confidence, bins)].append((confidence, right))
    return tuple(_bin(number, bins, part) for number, part in enumerate(parts))


def bin_of(confidence: float, bins: int = BINS) -> int:
    """Return the number of the bin; a confidence on an edge belongs to the bin above it, 1 to the last."""
    # Rounded as the record rounds: 0.3 * 10 must not fall short of 3 for want of a bit.
    return min(bins - 1, math.floor(round(confidence * bins, 6)))


def _bin(number: int, bins: int, part: Sequence[Held]) -> Bin:
    mean = math.fsum(confidence for confidence, _ in part) / len(part) if part else None
    return Bin(number / bins, (number + 1) / bins, mean, proportion(sum(right for _, right in part), len(part)))


@dataclass(frozen=True, slots=True)
class Stratum:
    """The answers of one support width or resilience, or of all from `width` on."""

    width: int
    open_ended: bool
    right: Proportion

    @override
    def __str__(self) -> str:
        return f"{self.width} or more" if self.open_ended else str(self.width)


def by_support_width(rows: Iterable[ArmRow], widest: int = WIDEST) -> tuple[Stratum, ...]:
    """Return accuracy by support width, narrow to wide, for the widths that occur (goal G4)."""
    return _strata(((row.support_width, row.correct) for row in rows if row.support_width is not None), widest)


def by_resilience(rows: Iterable[ArmRow], widest: int = WIDEST) -> tuple[Stratum, ...]:
    """Return accuracy by how many claims must be wrong before the answer falls, for what occurs (ruling A21).

    What is itself given falls with no other claim, and stands with the most resilient.
    """
    told = ((row.detail.get("resilience", ""), row.correct) for row in rows)
    known = ((widest if claims is None else claims, right) for claims, right in told)
    return _strata(((claims, right) for claims, right in known if isinstance(claims, int)), widest)


def _strata(told: Iterable[tuple[int, bool]], widest: int) -> tuple[Stratum, ...]:
    found: dict[int, list[bool]] = {}
    for width, is_right in told:
        found.setdefault(min(width, widest), []).append(is_right)
    return tuple(
        Stratum(width, width == widest, proportion(sum(right), len(right))) for width, right in sorted(found.items())
    )


def is_monotone(strata: Sequence[Stratum]) -> bool | None:
    """Return whether accuracy never falls as width grows and rises at least once; None with fewer than two widths."""
    shares = [stratum.right.right / stratum.right.of for stratum in strata if stratum.right.of]
    if len(shares) < 2:
        return None
    return all(a <= b for a, b in itertools.pairwise(shares)) and shares[0] < shares[-1]
