"""How often an arm is right, how sure that figure is, and what it cost.

Every figure is over all items of the arm: an item whose arm failed is wrong, never absent. Items that their documents
do not settle are counted apart; there an abstention is right. Covers no plots and no calibration.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from moot.evals.items.items import ArmRow

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Proportion:
    """So many of so many, with Wilson's interval."""

    right: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float | None:
        """The share; None where there is nothing to share."""
        return self.right / self.of if self.of else None


def proportion(right: int, of: int, *, confidence: float = CONFIDENCE) -> Proportion:
    """Return the share with Wilson's score interval, which stays within 0 and 1 and does not shrink to a point.

    Raises:
        ValueError: more right than there are, or a negative number.
    """
    if not 0 <= right <= of:
        raise ValueError(f"{right} of {of} is no proportion")
    if of == 0:
        return Proportion(0, 0, 0.0, 1.0)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, spread = right / of, z * z / of
    centre = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / of + spread / (4 * of))
    low = 0.0 if right == 0 else max(0.0, centre - half)
    high = 1.0 if right == of else min(1.0, centre + half)
    return Proportion(right, of, low, high)


def accuracy(rows: Iterable[ArmRow]) -> Proportion:
    """Return how many of the items with an answer were answered rightly."""
    settled = [row for row in rows if not row.abstain_item]
    return proportion(sum(row.correct for row in settled), len(settled))


def abstention(rows: Iterable[ArmRow]) -> Proportion:
    """Return on how many of the items that their documents do not settle the arm said so."""
    unsettled = [row for row in rows if row.abstain_item]
    return proportion(sum(row.correct for row in unsettled), len(unsettled))


def overall(rows: Sequence[ArmRow]) -> Proportion:
    """Return how many of all items came out right, by an answer or by an abstention in its place."""
    return proportion(sum(row.correct for row in rows), len(rows))


@dataclass(frozen=True, slots=True)
class Paired:
    """Two arms on the same items: the fourfold table, and the exact McNemar test of its two off cells."""

    both: int
    only_first: int
    only_second: int
    neither: int
    unpaired: int
    """Items that only one of the two arms has a row for: in no cell, and named."""
    p_value: float

    @property
    def items(self) -> int:
        """How many items both arms have."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def difference(self) -> float | None:
        """The first arm's share of right items less the second's; None without common items."""
        return (self.only_first - self.only_second) / self.items if self.items else None


def compare(first: Iterable[ArmRow], second: Iterable[ArmRow]) -> Paired:
    """Return the paired comparison over all items that both arms have, those counted apart included."""
    left = {(row.dataset, row.item): row.correct for row in first}
    right = {(row.dataset, row.item): row.correct for row in second}
    common = left.keys() & right.keys()
    cells = [(left[key], right[key]) for key in common]
    only_first, only_second = cells.count((True, False)), cells.count((False, True))
    return Paired(
        both=cells.count((True, True)),
        only_first=only_first,
        only_second=only_second,
        neither=cells.count((False, False)),
        unpaired=len(left.keys() ^ right.keys()),
        p_value=mcnemar(only_first, only_second),
    )


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the two-sided exact p-value that the off cells of a fourfold table split as a fair coin would."""
    discordant = only_first + only_second
    tail = sum(math.comb(discordant, k) for k in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / 2**discordant)


@dataclass(frozen=True, slots=True)
class Known:
    """A sum over items as far as it is known, and of how many items it is not (ruling G10)."""

    total: float
    unknown: int = 0

    @property
    def whole(self) -> float | None:
        """The sum where all of it is known: ratios are made of nothing else."""
        return None if self.unknown else self.total


def known(parts: Iterable[float | None]) -> Known:
    """Return the sum of what is known, and how many parts are not."""
    listed = list(parts)
    return Known(math.fsum(part for part in listed if part is not None), sum(part is None for part in listed))


@dataclass(frozen=True, slots=True)
class Expense:
    """What an arm took for all its items; of what is not known of every item there is no ratio."""

    items: int
    correct: int
    calls: int
    known_tokens: Known
    known_usd: Known
    seconds: float
    """The items' own seconds added up; items that ran side by side took less by the clock."""

    @property
    def tokens(self) -> int | None:
        """Tokens in and out together, where they are known of every item."""
        return None if self.known_tokens.whole is None else int(self.known_tokens.whole)

    @property
    def usd(self) -> float | None:
        """Dollars, where they are known of every item."""
        return self.known_usd.whole

    @property
    def usd_per_correct(self) -> float | None:
        """The headline: dollars for all items over the right ones; None if unknown or if nothing was right."""
        return None if self.usd is None or not self.correct else self.usd / self.correct

    @property
    def seconds_per_correct(self) -> float | None:
        """Seconds for all items over the right ones; None if nothing was right."""
        return self.seconds / self.correct if self.correct else None

    @property
    def tokens_per_correct(self) -> float | None:
        """Tokens for all items over the right ones; None if unknown or if nothing was right."""
        return None if self.tokens is None or not self.correct else self.tokens / self.correct

    @property
    def mean_seconds(self) -> float | None:
        """Seconds an item, as the paper's mean wall-clock (interrogation 5)."""
        return self.seconds / self.items if self.items else None


def expense(rows: Sequence[ArmRow]) -> Expense:
    """Return what the rows took together; failed items are paid for like any other."""
    return Expense(
        items=len(rows),
        correct=sum(row.correct for row in rows),
        calls=sum(row.calls for row in rows),
        known_tokens=known(
            None if row.tokens_in is None or row.tokens_out is None else row.tokens_in + row.tokens_out for row in rows
        ),
        known_usd=known(row.usd for row in rows),
        seconds=math.fsum(row.seconds for row in rows),
    )
