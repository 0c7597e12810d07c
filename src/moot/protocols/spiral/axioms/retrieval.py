"""Which axioms bear on a disagreement: the nearest of a level, above a floor (spiral 5.1 step 3, rulings S5 and S9)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from moot.protocols.spiral.axioms.registry import LEVELS, Axiom, at_level, natural_order

MEASURED_FLOORS: Mapping[str, float] = {"wordllama (256)": 0.38}
"""Cosine below which an axiom is not relevant, by the backend's name without its version.

Chosen on the odd rows of the first 101 shipped disputes: of 28 with an axiom that bears on them 23 find it among the
first three of its level, as at 0.36, and of 23 without one 1 finds anything, 4 at 0.36. The even rows, which had no
part in the choice, give 22 of 28 and 0 of 22; 36 rows that were written later give 13 of 21 and 2 of 15.
"""

BACKGROUND_SHARE = 0.95
"""Where a backend has not been measured: the share of pairs of axioms that are less alike than what is relevant."""

MOST_COMPARED = 64
"""Axioms of a level by which the scale of a backend is told; their pairs grow with the square of their number."""

MOST_RELEVANT = 3

LONGEST_PART = 2_000
"""Characters of the question, of a side or of a claim that a search asks with."""

MOST_CLAIMS = 12

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class Relevant:
    """An axiom and how near it is to what was searched for."""

    axiom: Axiom
    similarity: float


def search_query(question: str, first: str, second: str, claims: Sequence[str]) -> str:
    """Return the text that axioms are searched by: the question, both sides, and what their holders claim (S9)."""
    parts = (question, first, second, *claims[:MOST_CLAIMS])
    return " ".join(dict.fromkeys(part for part in map(_clipped, parts) if part))


def floor_for(backend: str, axioms: Sequence[Vector]) -> float:
    """Return the similarity from which an axiom of a level is relevant, given the vectors of the level's axioms (S9).

    A backend that was measured has its own floor. The scale of another is told by the axioms themselves: relevant is
    what is nearer than nearly all of them are to one another.
    """
    name, _, rest = backend.partition(" ")
    measured = MEASURED_FLOORS.get(f"{name} {rest.rpartition(' ')[2]}")
    if measured is not None:
        return measured
    alike = sorted(similarity(one, other) for one, other in combinations(axioms[:MOST_COMPARED], 2))
    return alike[math.ceil(BACKGROUND_SHARE * len(alike)) - 1] if alike else 1.0


def floors_for(backend: str, axioms: Sequence[Axiom], vectors: Mapping[str, Vector]) -> dict[int, float]:
    """Return the floor of each level."""
    return {level: floor_for(backend, [vectors[one.id] for one in at_level(axioms, level)]) for level in LEVELS}


def relevant(
    axioms: Iterable[Axiom],
    level: int,
    vectors: Mapping[str, Vector],
    query: Vector,
    *,
    floor: float,
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


def _clipped(text: str) -> str:
    """A text at its full length, or its beginning and its end: a long question mostly asks at one of the two."""
    text = text.strip()
    if len(text) <= LONGEST_PART:
        return text
    return f"{text[: LONGEST_PART // 2]} {text[-LONGEST_PART // 2 :]}"
