"""Where the panel stands: every pair compared, by guards, a judge and vectors, and measured (rulings S1 to S3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from moot.core.calls import Ask, Missing
from moot.core.canonical import plain
from moot.core.deliberation import Deliberation
from moot.methods.entailment import Comparison, Standing, by_program, is_settled, judging_messages
from moot.methods.entailment import with_judgement as judged
from moot.protocols.spiral.measures import Measured, Pair, Weights, all_pairs, measured, pair_of
from moot.protocols.spiral.positions import Position, Positions, Standings
from moot.protocols.spiral.retrieval import similarity as cosine

JUDGE_TOKENS = 220
Vectors = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Stand:
    """Positions, how each pair of them stands, and what that comes to."""

    positions: Positions
    standings: Standings
    measured: Measured
    unjudged: int = 0
    """Pairs whose entailment nobody judged."""
    backend: str = ""

    @property
    def agreements(self) -> dict[tuple[str, str], float]:
        """C of every pair."""
        return {(pair.first, pair.second): pair.agreement for pair in self.measured.pairs}


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
    before: Stand | None = None,
    initial_divergence: float | None = None,
) -> Stand | Unmeasured:
    """Return where the panel stands; pairs of which nobody has moved are not judged again."""
    standings = await _standings(question, deliberation, positions, tag, before)
    vectors = await deliberation.embed([position.text for position in positions.values()], step=f"embed/{tag}")
    known: Vectors = {} if isinstance(vectors, Missing) else dict(zip(positions, vectors.rows, strict=True))
    pairs: list[Pair] = []
    for pair, standing in standings.items():
        similarity = _similarity(positions[pair[0]], positions[pair[1]], standing, known)
        if similarity is None:
            detail = vectors.detail if isinstance(vectors, Missing) else ""
            return Unmeasured(f"positions cannot be compared without vectors: {detail or 'embeddings unavailable'}")
        claims = (len(positions[pair[0]].claims), len(positions[pair[1]].claims))
        pairs.append(pair_of(*pair, similarity=similarity, standing=standing, claims=claims, weights=weights))
    result = measured(loop, pairs, initial_divergence)
    unjudged = sum(pair.entailment is None for pair in pairs)
    await deliberation.note("measured", {"after": tag, "unjudged": unjudged, **plain(result)})
    backend = "" if isinstance(vectors, Missing) else vectors.backend
    return Stand(positions, standings, result, unjudged, backend)


async def _standings(
    question: str, deliberation: Deliberation, positions: Positions, tag: str, before: Stand | None
) -> dict[tuple[str, str], Standing]:
    """Return how each pair stands: kept where nobody moved, else by guards, then by a judge."""
    found: dict[tuple[str, str], Standing] = {}
    asks: dict[tuple[str, str], Ask[Comparison]] = {}
    for first, second in all_pairs(list(positions)):
        one, other = positions[first], positions[second]
        if before and all(before.positions.get(seat) == positions[seat] for seat in (first, second)):
            found[first, second] = before.standings[first, second]
            continue
        found[first, second] = by_program(one.stated, other.stated)
        if not is_settled(found[first, second], one.stated, other.stated):
            messages = judging_messages(question, one.stated, other.stated)
            judge = judge_of(first, second, [member.name for member in deliberation.panel])
            asks[first, second] = Ask(f"judge/{tag}/{first}-{second}", judge, messages, Comparison, 0.0, JUDGE_TOKENS)
    for pair, reply in zip(asks, await deliberation.ask_all(list(asks.values())), strict=True):
        if not isinstance(reply, Missing):
            one, other = (positions[seat].stated for seat in pair)
            found[pair] = judged(found[pair], reply, one, other, judge=asks[pair].seat)
    return found


def judge_of(first: str, second: str, seats: Sequence[str]) -> str:
    """Return who judges a pair: the first member who is not of it, where there is one."""
    return next((seat for seat in seats if seat not in (first, second)), first)


def _similarity(one: Position, other: Position, standing: Standing, vectors: Vectors) -> float | None:
    """Return 1 for answers that are equal or entail each other, else the cosine, if there are vectors (S1)."""
    if standing.equivalent:
        return 1.0
    if one.seat not in vectors or other.seat not in vectors:
        return None
    return cosine(vectors[one.seat], vectors[other.seat])
