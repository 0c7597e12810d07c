"""Whether agents agree too easily (decision 3, rulings D2 to D4), and whether an objection round has helped."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, pstdev
from typing import Literal

from moot.core.canonical import rounded
from moot.protocols.debate.exits import Figures, Vector, cosine

Trigger = Literal["stagnation", "early convergence"]

FACTS_AN_AGENT = 1
STILL = 0.10
NARROW = 0.15
HIGH_SHARE, HIGH = 0.75, 0.85
EARLY = 2
SOURCES = 3
OVERLAP = 0.70
CLUSTERS = 2
ALIKE = 0.80
UNMOVED_CONFIDENCE, UNMOVED = 0.80, 0.05


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
    why = ("fewer than one new FACT an agent", "confidence nearly still", *(() if skipped else ("stances close",)))
    return Suspicion("stagnation", (*why, "in two consecutive rounds"), skipped)


def _is_stagnant(figures: Figures) -> bool:
    few = figures.new_facts / max(1, len(figures.confidences)) < FACTS_AN_AGENT
    still = figures.belief_change is not None and figures.belief_change <= STILL
    close = len(figures.leanings) < 2 or rounded(pstdev(figures.leanings)) <= NARROW
    return few and still and close


def _early_convergence(figures: Figures) -> Suspicion | None:
    """Fire at the end of round 2: agreement in a blind first round is no groupthink."""
    if figures.round != EARLY or not figures.confidences:
        return None
    sure = sum(rounded(value) >= HIGH for value in figures.confidences.values()) / len(figures.confidences)
    if rounded(sure) < HIGH_SHARE:
        return None
    failed = [f"{figures.sources} sources cited"] if figures.sources < SOURCES else []
    if figures.premise_overlap is not None and figures.premise_overlap >= OVERLAP:
        failed.append(f"premises overlap by {figures.premise_overlap:.2f}")
    if figures.clusters is not None and figures.clusters < CLUSTERS:
        failed.append("one cluster of positions")
    skipped = ("clusters of positions: no vectors",) if figures.clusters is None else ()
    return Suspicion("early convergence", ("high confidence by round 2", *failed), skipped) if failed else None


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
