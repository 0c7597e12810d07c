"""Which arms do the items of a run tell apart? Every two arms are compared, so chance gets as many throws.

Exact McNemar for each pair, and Holm's correction over all of them: where all arms are equally good, fewer than one run
in twenty tells any two apart. The sentence is the first thing that is said of a run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from moot.evals.figures.metrics import Paired, compare
from moot.evals.items.items import ArmRow
from moot.views.words import counted

LEVEL = 0.05
SHOWN_PAIRS = 3


@dataclass(frozen=True, slots=True)
class ArmPair:
    """Two arms on the items that both were asked: the one that is right more often comes first."""

    better: str
    worse: str
    paired: Paired
    corrected: float
    """The p of the pair by Holm's correction over all pairs of the run."""

    @property
    def is_apart(self) -> bool:
        """Whether chance is an unlikely reason for the difference."""
        return self.corrected < LEVEL


def arm_pairs(rows: Mapping[str, Sequence[ArmRow]]) -> tuple[ArmPair, ...]:
    """Return every two arms that have rows, the least likely by chance first."""
    pairs = []
    for one, other in combinations([arm for arm, its_rows in rows.items() if its_rows], 2):
        paired = compare(rows[one], rows[other])
        if paired.only_first < paired.only_second:
            one, other, paired = other, one, compare(rows[other], rows[one])
        pairs.append((one, other, paired))
    pairs.sort(key=lambda pair: pair[2].p_value)
    corrected = holm([paired.p_value for _, _, paired in pairs])
    return tuple(ArmPair(*pair, p) for pair, p in zip(pairs, corrected, strict=True))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values, which come from the smallest to the largest, corrected for how many there are (Holm)."""
    corrected: list[float] = []
    for number, p in enumerate(p_values):
        corrected.append(max([min(1.0, (len(p_values) - number) * p), *corrected[-1:]]))
    return corrected


def apart_words(pairs: Sequence[ArmPair], arms: int) -> str:
    """Return what the figures of a run can tell, in a sentence; `arms` have answers."""
    if not arms:
        return "Nothing has been answered yet."
    if not pairs:
        return "Only one arm has answers: there is nothing to compare it with."
    apart = [pair for pair in pairs if pair.is_apart]
    items = max(pair.paired.items for pair in pairs)
    tell = "does" if items == 1 else "do"
    if not apart:
        return f"{counted(items, 'item')} {tell} not tell any two arms apart: {_smallest(pairs)}."
    shown = [f"{pair.better} is right more often than {pair.worse} (p = {pair.corrected:.2g})" for pair in apart]
    more = f", and {len(shown) - SHOWN_PAIRS} more" if len(shown) > SHOWN_PAIRS else ""
    told = f"{counted(items, 'item')} tell {len(apart)} of {counted(len(pairs), 'pair')} of arms apart"
    return f"{told}: {', '.join(shown[:SHOWN_PAIRS])}{more}. p is exact McNemar's, by Holm's correction."


def _smallest(pairs: Sequence[ArmPair]) -> str:
    first = pairs[0]
    words = f"the smallest exact McNemar p is {first.paired.p_value:.2g}"
    if first.paired.p_value >= LEVEL:
        return words
    return f"{words}, which among {counted(len(pairs), 'pair')} is no more than chance ({first.corrected:.2g} by Holm)"
