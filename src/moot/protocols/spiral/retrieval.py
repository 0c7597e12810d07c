"""Which axioms bear on a disagreement: the nearest of one level, above a floor (spiral 5.1 step 3, ruling S5)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from moot.protocols.spiral.registry import Axiom, natural_order

RELEVANCE_FLOOR = 0.3
"""Cosine below which an axiom is not relevant.

Measured with the default static vectors over the shipped axioms: of 35 sentences about other matters, put to 7 levels
each, 2 of 245 find anything at 0.30, against 5 at 0.25; a question and its axiom come to 0.64 at least, and to 0.30
where the axiom's text leaves the question out; of 64 everyday claims 42 find the axiom that bears on them among their
first three, 44 at 0.25 and 34 at 0.40.
"""

MOST_RELEVANT = 3

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class Relevant:
    """An axiom and how near it is to what was searched for."""

    axiom: Axiom
    similarity: float


def relevant(
    axioms: Iterable[Axiom],
    level: int,
    vectors: Mapping[str, Vector],
    query: Vector,
    *,
    floor: float = RELEVANCE_FLOOR,
    most: int = MOST_RELEVANT,
) -> tuple[Relevant, ...]:
    """Return the axioms of the level that are relevant to a query, nearest first; none where nothing is.

    `vectors` holds the vector of each axiom's `search_text` under its id.
    """
    near = [found for found in by_similarity(axioms, level, vectors, query) if found.similarity >= floor]
    return tuple(near[:most])


def by_similarity(
    axioms: Iterable[Axiom], level: int, vectors: Mapping[str, Vector], query: Vector
) -> tuple[Relevant, ...]:
    """Return every axiom of the level with its similarity, nearest first, then in natural order."""
    found = [Relevant(axiom, similarity(vectors[axiom.id], query)) for axiom in axioms if axiom.level == level]
    return tuple(sorted(found, key=lambda one: (-one.similarity, natural_order(one.axiom))))


def similarity(first: Vector, second: Vector) -> float:
    """Return the cosine of two vectors to six places, 0 where one has no direction or they point apart."""
    lengths = math.hypot(*first) * math.hypot(*second)
    if lengths == 0:
        return 0.0
    product = math.fsum(a * b for a, b in zip(first, second, strict=True))
    return round(min(max(product / lengths, 0.0), 1.0), 6)
