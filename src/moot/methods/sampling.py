"""When enough samples were drawn: the votes so far decide whether to stop or to draw the next wave (ruling I17).

Pure. A wave is judged only when all of it is in. `lead` stops where the leader is ahead of the second with at least
0.95 by Beta(v1 + 1, v2 + 1); `sure` where no further answers could make another one win; `all` at the fixed size.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Literal

from moot.methods.sameness import AnswerGroups

Stop = Literal["lead", "sure", "all"]

WAVE = 4
"""Samples in one ask of the door: half in each form where there are two."""

MOST = 8
LEAD = Fraction(95, 100)
IN_ONE_SPELLING = ("first", "equal")


@dataclass(frozen=True, slots=True)
class Sampling:
    """The rule by which samples are drawn, and how many there are at most."""

    stop: Stop = "lead"
    most: int = MOST

    @property
    def wave(self) -> int:
        """How many are drawn together: a fixed size needs no waiting."""
        return self.most if self.stop == "all" else WAVE


@dataclass(frozen=True, slots=True)
class Tally:
    """The votes so far: those of the leader and of the second, of so many usable answers from so many runs asked."""

    asked: int = 0
    answered: int = 0
    leader: int = 0
    second: int = 0
    firm: int = 0
    """Votes of the leader in one spelling: no later answer can part them, as it might part what merely contains."""


def sampling_of(stop: Stop, most: int, n: int | None) -> Sampling:
    """Return the rule that settings ask for: a number given by hand is a fixed size."""
    return Sampling("all", n) if n else Sampling(stop, most)


def tally_of(groups: AnswerGroups, asked: int) -> Tally:
    """Return how the votes stand."""
    sizes = [len(group.places) for group in groups.groups]
    leader, second, *_ = [*sizes, 0, 0]
    firm = sum(reason in IN_ONE_SPELLING for reason in groups.groups[0].reasons) if sizes else 0
    return Tally(asked, sum(sizes), leader, second, firm)


def next_wave(sampling: Sampling, tally: Tally, calls_left: int | None = None) -> int:
    """Return how many samples to draw next; 0 where it is decided, or where all are drawn that may be.

    The first wave has at least one, so that a budget that allows none is refused by the door and named.
    """
    if is_decided(sampling, tally):
        return 0
    size = min(sampling.wave, sampling.most - tally.asked)
    affordable = size if calls_left is None else min(size, calls_left)
    return affordable if tally.asked else max(1, affordable)


def is_decided(sampling: Sampling, tally: Tally) -> bool:
    """Return whether the votes so far are enough by the rule."""
    if tally.asked >= sampling.most:
        return True
    match sampling.stop:
        case "lead":
            return chance_ahead(tally.leader, tally.second) >= LEAD
        case "sure":
            return tally.firm > tally.answered - tally.firm + sampling.most - tally.asked
        case "all":
            return False


def chance_ahead(leader: int, second: int) -> Fraction:
    """Return the chance that the leader is ahead: that Beta(v1 + 1, v2 + 1) is above one half, exactly."""
    drawn = leader + second + 1
    return Fraction(sum(comb(drawn, count) for count in range(leader + 1)), 2**drawn)


def laplace(votes: int, asked: int) -> Fraction:
    """Return the confidence in an answer by its share of the runs asked: (v + 1) / (n + 2) (ruling I19)."""
    return Fraction(votes + 1, asked + 2)


def stop_words(sampling: Sampling, tally: Tally) -> str:
    """Return where the drawing ended and how the votes stood: `stopped after 4 of at most 8: 4 to 0`."""
    stand = f"{tally.leader} to {tally.second}"
    if tally.asked >= sampling.most:
        return f"all {tally.asked} asked: {stand}" if tally.asked > 1 else f"1 asked: {stand}"
    after = f"after {tally.asked} of at most {sampling.most}: {stand}"
    return f"stopped {after}" if is_decided(sampling, tally) else f"the budget of calls ended it {after}"
