"""Simulated members with known accuracy and correlation: no model, no measurement of one.

The common-cause model. For each item one common answer is drawn, right with the members' accuracy. Each member gives
the common answer with a chance of the square root of the correlation, and else draws one of its own. Two members are
then right or wrong together with exactly the given correlation. Wrong answers are spread evenly over `wrong_answers` of
them: with one, errors always agree; with many, they seldom do. The panel's answer is the one with most votes; a tie is
settled by lot. Every result says that it is a simulation.
"""

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import override

from moot.evals.figures.metrics import Proportion, proportion
from moot.evals.items.items import ArmRow

RIGHT = "right"


@dataclass(frozen=True, slots=True)
class SimulatedPanel:
    """Members that are equally good and err together to a known degree."""

    size: int
    accuracy: float
    correlation: float = 0.0
    wrong_answers: int = 1

    def __post_init__(self) -> None:
        if self.size < 1 or self.wrong_answers < 1:
            raise ValueError("a panel has at least one member, and a question at least one wrong answer")
        if not (0 <= self.accuracy <= 1 and 0 <= self.correlation <= 1):
            raise ValueError("accuracy and correlation lie in [0, 1]")

    @override
    def __str__(self) -> str:
        wrong = "one wrong answer" if self.wrong_answers == 1 else f"{self.wrong_answers} wrong answers"
        return f"{self.size} members, accuracy {self.accuracy:g}, correlation {self.correlation:g}, {wrong}"


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a simulated panel came to. Printed, it says what it is."""

    panel: SimulatedPanel
    seed: int
    right: Proportion

    @override
    def __str__(self) -> str:
        share = f"{self.right.right / self.right.of:.1%} [{self.right.low:.1%}, {self.right.high:.1%}]"
        return f"simulation: {share} of {self.right.of} items right ({self.panel}; seed {self.seed})"


def simulated_votes(panel: SimulatedPanel, items: int, *, seed: int) -> tuple[tuple[str, ...], ...]:
    """Return the answers of the panel's members on each item: `right`, or `wrong 1`, `wrong 2`, …"""
    chance = random.Random(seed)
    copying = math.sqrt(panel.correlation)
    votes: list[tuple[str, ...]] = []
    for _ in range(items):
        common = _drawn(panel, chance)
        votes.append(tuple(common if chance.random() < copying else _drawn(panel, chance) for _ in range(panel.size)))
    return tuple(votes)


def simulate(panel: SimulatedPanel, items: int, *, seed: int) -> Simulated:
    """Return how often the answer with most votes is right; the same seed gives the same figure."""
    lots = random.Random(f"lots {seed}")
    right = sum(plurality(answers, lots) == RIGHT for answers in simulated_votes(panel, items, seed=seed))
    return Simulated(panel, seed, proportion(right, items))


def plurality(answers: Sequence[str], lots: random.Random) -> str:
    """Return the answer with most votes; among several such, one by lot."""
    counts = Counter(answers)
    most = max(counts.values())
    return lots.choice(sorted(answer for answer, count in counts.items() if count == most))


def majority_of_independent(accuracies: Sequence[float]) -> float:
    """Return exactly how often a majority of independent voters is right (Condorcet); a tie counts half.

    There is one wrong answer, and each voter has an accuracy of its own.
    """
    chances = _right_counts(accuracies)
    half = len(accuracies) / 2
    return math.fsum(chance * (1.0 if right > half else 0.5 if right == half else 0.0) for right, chance in chances)


def majority_of(panel: SimulatedPanel) -> float:
    """Return exactly how often a majority of this panel is right, correlation included; a tie counts half.

    Raises:
        ValueError: there are several wrong answers; then only `simulate` will do.
    """
    if panel.wrong_answers != 1:
        raise ValueError("the closed form is for one wrong answer; use simulate")
    copying, total = math.sqrt(panel.correlation), 0.0
    for copies in range(panel.size + 1):
        chance = math.comb(panel.size, copies) * copying**copies * (1 - copying) ** (panel.size - copies)
        own = [panel.accuracy] * (panel.size - copies)
        right_common = majority_of_independent([1.0] * copies + own)
        wrong_common = majority_of_independent([0.0] * copies + own)
        total += chance * (panel.accuracy * right_common + (1 - panel.accuracy) * wrong_common)
    return total


def simulated_rows(panel: SimulatedPanel, items: int, *, seed: int) -> tuple[ArmRow, ...]:
    """Return the simulated panel as rows of an arm whose name says that it is a simulation."""
    lots = random.Random(f"lots {seed}")
    return tuple(
        _row(panel, number, answers, plurality(answers, lots))
        for number, answers in enumerate(simulated_votes(panel, items, seed=seed), 1)
    )


def _row(panel: SimulatedPanel, number: int, answers: tuple[str, ...], chosen: str) -> ArmRow:
    return ArmRow(
        arm=f"simulation ({panel})",
        item=f"simulated-{number:04d}",
        dataset="simulation",
        answer=chosen,
        correct=chosen == RIGHT,
        abstained=False,
        abstain_item=False,
        status="simulated",
        confidence=answers.count(chosen) / panel.size,
        basis="agreement",
        support_width=None,
        calls=0,
        tokens_in=0,
        tokens_out=0,
        usd=0.0,
        seconds=0.0,
        votes=answers,
        detail={"right_votes": [answer == RIGHT for answer in answers]},
    )


def _drawn(panel: SimulatedPanel, chance: random.Random) -> str:
    if chance.random() < panel.accuracy:
        return RIGHT
    return f"wrong {chance.randint(1, panel.wrong_answers)}"


def _right_counts(accuracies: Sequence[float]) -> list[tuple[int, float]]:
    """Return how likely each number of right voters is, one voter added at a time."""
    chances = [1.0]
    for accuracy in accuracies:
        grown = [*(chance * (1 - accuracy) for chance in chances), 0.0]
        for right, chance in enumerate(chances, 1):
            grown[right] += chance * accuracy
        chances = grown
    return list(enumerate(chances))
