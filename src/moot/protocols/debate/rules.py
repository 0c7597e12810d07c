"""The figures of a round and the decisions on them: exits (debate 2 P1) and groupthink (decision 3). Pure.

Figures in, a reason out: rulings D2 to D4 and D12.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, pstdev
from typing import Literal

from moot.core.canonical import rounded
from moot.protocols.debate.state.speech import Speech, Vote
from moot.protocols.debate.state.state import DebateState

ACCEPTANCE = 0.80
SURE = 0.70
PLATEAU = 0.10

Exit = Literal["consensus", "plateau", "cap"]
Vector = Sequence[float]

Trigger = Literal["stagnation", "early convergence"]

FACTS_AN_AGENT = 1
STILL = 0.10
NARROW = 0.15
EARLY, EARLY_SHARE, EARLY_SURE = 2, 0.75, 0.85
SOURCES = 3
OVERLAP = 0.70
CLUSTERS = 2
ALIKE = 0.80
UNMOVED_CONFIDENCE, UNMOVED = 0.80, 0.05


@dataclass(frozen=True, slots=True)
class Figures:
    """What one round measures to; a measure that cannot be taken is None."""

    round: int
    asked: int
    """How many seats debate: every share is of these (rulings G8 and D12)."""
    confidences: Mapping[str, float]
    """What those state who were heard."""
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
        """The share of those who debate that vote ACCEPT or MINOR; None where there was nothing to vote on."""
        return rounded(self.accepting / self.asked) if self.voted_on and self.asked else None

    @property
    def accepting(self) -> int:
        """How many vote ACCEPT or MINOR; who refused, was silent or withheld has not accepted."""
        return sum(vote in ("ACCEPT", "MINOR") for vote in self.votes.values())

    @property
    def unheard(self) -> int:
        """How many of those who debate were not heard."""
        return self.asked - len(self.confidences)


def measured(
    state: DebateState,
    number: int,
    now: Mapping[str, Speech],
    before: Mapping[str, Speech],
    vectors: Mapping[str, Vector] | None,
    earlier_vectors: Mapping[str, Vector],
    earlier: "Figures | None",
) -> Figures:
    """Return the figures of a round that has just been spoken; a measure that cannot be taken is None."""
    votes = {name: speech.vote for name, speech in now.items() if speech.vote and state.proposal}
    return Figures(
        round=number,
        asked=len(state.participants),
        confidences={name: speech.said.confidence for name, speech in now.items()},
        votes=votes,
        voted_on=state.proposal.id if state.proposal else "",
        open_objections=len(state.open_objections),
        new_facts=len(state.new_facts(number)),
        belief_change=belief_change(now, before),
        votes_changed=votes_changed(votes, earlier.votes if earlier else {}),
        position_change=position_change(vectors, earlier_vectors) if vectors else None,
        leanings=tuple(speech.leaning for speech in now.values() if speech.leaning is not None),
        clusters=semantic_clusters(vectors) if vectors else None,
        premise_overlap=premise_overlap([state.premises(name) for name in now]),
        sources=sum(bool(item.supports) for item in state.evidence),
    )


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


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors; a vector of nothing is like nothing."""
    length = math.hypot(*one) * math.hypot(*other)
    return rounded(sum(a * b for a, b in zip(one, other, strict=True)) / length) if length else 0.0


def position_change(now: Mapping[str, Vector], before: Mapping[str, Vector]) -> float | None:
    """Return the mean of 1 - cosine over those who spoke in both rounds (ruling D3)."""
    moved = [1 - cosine(now[name], before[name]) for name in now if name in before]
    return rounded(max(0.0, sum(moved) / len(moved))) if moved else None


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A trigger that fired, and on what; `skipped` are conditions that nobody gave figures for (ruling D2)."""

    trigger: Trigger
    why: tuple[str, ...]
    skipped: tuple[str, ...] = ()


def suspicion(rounds: Sequence[Figures]) -> Suspicion | None:
    """Return the trigger that the rounds so far fire, the stagnation first (decision 3)."""
    return _stagnation(rounds[-2:]) or (_early_convergence(rounds[-1]) if rounds else None)


def _stagnation(last: Sequence[Figures]) -> Suspicion | None:
    if len(last) < 2 or not all(map(_is_stagnant, last)):
        return None
    skipped = () if all(len(item.leanings) > 1 for item in last) else ("spread of stances: too few state one",)
    why = ["for two rounds there were fewer new FACTs than agents", "nobody grew much surer or less sure"]
    return Suspicion("stagnation", (*why, *(() if skipped else ("their stances are close",))), skipped)


def _is_stagnant(figures: Figures) -> bool:
    few = figures.new_facts / max(1, len(figures.confidences)) < FACTS_AN_AGENT
    still = figures.belief_change is not None and figures.belief_change <= STILL
    close = len(figures.leanings) < 2 or rounded(pstdev(figures.leanings)) <= NARROW
    return few and still and close


def _early_convergence(figures: Figures) -> Suspicion | None:
    """Fire at the end of round 2: agreement in a blind first round is no groupthink."""
    if figures.round != EARLY or not figures.confidences:
        return None
    sure = sum(rounded(value) >= EARLY_SURE for value in figures.confidences.values()) / figures.asked
    if rounded(sure) < EARLY_SHARE:
        return None
    failed = [f"their sources are {figures.sources}, and {SOURCES} are wanted"] if figures.sources < SOURCES else []
    if figures.premise_overlap is not None and figures.premise_overlap >= OVERLAP:
        failed.append(f"{100 * figures.premise_overlap:.0f}% of their premises are the same")
    if figures.clusters is not None and figures.clusters < CLUSTERS:
        failed.append("all their positions are alike")
    skipped = ("clusters of positions: no vectors",) if figures.clusters is None else ()
    early = f"{100 * sure:.0f}% of the agents are sure by round {EARLY}"
    return Suspicion("early convergence", (early, *failed), skipped) if failed else None


def objection_round_failed(figures: Figures) -> bool:
    """Return whether the critical objection round changed nothing, by the paper's three tests (decision 3)."""
    mean = rounded(fmean(figures.confidences.values())) if figures.confidences else 0.0
    unmoved = figures.belief_change is None or figures.belief_change < UNMOVED
    return not figures.new_facts and mean >= UNMOVED_CONFIDENCE and unmoved


def premise_overlap(premises: Collection[Collection[str]]) -> float | None:
    """Return the mean pairwise intersection over union of the agents' claims (ruling D3); None for fewer than two."""
    pairs = list(combinations([frozenset(items) for items in premises], 2))
    shares = [len(one & other) / len(one | other) for one, other in pairs if one | other]
    return rounded(fmean(shares)) if shares else None


def semantic_clusters(vectors: Mapping[str, Vector]) -> int:
    """Return the number of connected groups of positions whose cosine is at least 0.8 (ruling D3)."""
    unseen, groups = set(vectors), 0
    while unseen:
        groups += 1
        reached = [min(unseen)]
        unseen.discard(reached[0])
        for name in reached:
            near = sorted(other for other in unseen if cosine(vectors[name], vectors[other]) >= ALIKE)
            unseen.difference_update(near)
            reached.extend(near)
    return groups
