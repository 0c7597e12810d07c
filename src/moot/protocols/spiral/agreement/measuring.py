"""Where the panel stands: every pair judged, compared by vectors, and measured (rulings S1 to S3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.core.calls import Missing
from moot.core.canonical import plain
from moot.core.deliberation import Deliberation
from moot.methods.entailment import NOBODY, Entailment
from moot.protocols.spiral.agreement.judging import PairJudgement, Seats, judgements, who_decided
from moot.protocols.spiral.agreement.measures import Measured, Pair, Weights, measured, pair_of
from moot.protocols.spiral.axioms.retrieval import similarity as cosine
from moot.protocols.spiral.positions import Position, Positions

Vectors = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Positions, how each pair of them stands, and what that comes to."""

    positions: Positions
    judgements: Mapping[Seats, PairJudgement]
    measured: Measured
    backend: str = ""

    @property
    def standings(self) -> dict[Seats, Entailment]:
        """How every pair stands."""
        return {pair: judgement.standing for pair, judgement in self.judgements.items()}

    @property
    def agreements(self) -> dict[Seats, float]:
        """C of every pair."""
        return {(pair.first, pair.second): pair.agreement for pair in self.measured.pairs}

    @property
    def unjudged(self) -> tuple[Seats, ...]:
        """The pairs that needed a judge and had none."""
        return tuple(pair for pair, judgement in self.judgements.items() if judgement.judge == NOBODY)

    @property
    def judged_by_a_party(self) -> tuple[Seats, ...]:
        """The pairs that one of their own two judged."""
        return tuple(pair for pair, judgement in self.judgements.items() if judgement.judge in pair)


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """Why agreement cannot be measured."""

    reason: str


async def measure(
    question: str,
    deliberation: Deliberation,
    weights: Weights,
    positions: Positions,
    *,
    loop: int,
    tag: str,
    before: Agreement | None = None,
    initial_divergence: float | None = None,
) -> Agreement | Unmeasured:
    """Return where the panel stands; pairs of which nobody has moved are not judged again."""
    found = await judgements(question, deliberation, positions, tag, _unmoved(positions, before))
    vectors = await deliberation.embed([position.text for position in positions.values()], step=f"embed/{tag}")
    known: Vectors = {} if isinstance(vectors, Missing) else dict(zip(positions, vectors.rows, strict=True))
    pairs: list[Pair] = []
    for pair, judgement in found.items():
        standing = judgement.standing
        similarity = _similarity(positions[pair[0]], positions[pair[1]], standing, known)
        if similarity is None:
            detail = vectors.detail if isinstance(vectors, Missing) else ""
            return Unmeasured(f"positions cannot be compared without vectors: {detail or 'embeddings unavailable'}")
        claims = (len(positions[pair[0]].claims), len(positions[pair[1]].claims))
        pairs.append(pair_of(*pair, similarity=similarity, standing=standing, claims=claims, weights=weights))
    result = measured(loop, pairs, initial_divergence)
    await deliberation.note("measured", {"after": tag, "decided": who_decided(found, positions), **plain(result)})
    return Agreement(positions, found, result, "" if isinstance(vectors, Missing) else vectors.backend)


def _unmoved(positions: Positions, before: Agreement | None) -> dict[Seats, PairJudgement]:
    """Return the judgements of the pairs of which nobody has moved."""
    if before is None:
        return {}
    moved = {seat for seat, position in positions.items() if before.positions.get(seat) != position}
    return {pair: judgement for pair, judgement in before.judgements.items() if not moved & set(pair)}


def _similarity(one: Position, other: Position, standing: Entailment, vectors: Vectors) -> float | None:
    """Return 1 for answers that are equal or entail each other, else the cosine, if there are vectors (S1)."""
    if standing.equivalent:
        return 1.0
    if one.seat not in vectors or other.seat not in vectors:
        return None
    return cosine(vectors[one.seat], vectors[other.seat])
