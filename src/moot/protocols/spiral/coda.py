"""Step 6: the common part, the nuances and the caveats, computed from merged claims (spiral 5.1, ruling S8).

The prose is put together from these lists by the program, so that it cannot add to them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from moot.protocols.spiral.positions import Positions, Standings

Place = tuple[str, int]
"""A claim, by its holder and its place in the holder's list; place -1 is the answer."""

ANSWER = -1


@dataclass(frozen=True, slots=True)
class Held:
    """A claim, in the words of the first who states it, and everybody who holds it."""

    claim: str
    held_by: tuple[str, ...]
    against: tuple[str, ...] = ()
    """Who holds what contradicts it."""
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class Coda:
    """What all hold; what some hold and nobody contradicts; what is contradicted."""

    common: tuple[Held, ...] = ()
    nuances: tuple[Held, ...] = ()
    caveats: tuple[Held, ...] = ()


@dataclass(slots=True)
class _Clusters:
    """Claims joined where they say the same, unless that would join two that contradict each other."""

    parent: dict[Place, Place]
    apart: set[frozenset[Place]] = field(default_factory=set)

    def root(self, place: Place) -> Place:
        while self.parent[place] != place:
            place = self.parent[place]
        return place

    def members(self, place: Place) -> list[Place]:
        return [other for other in self.parent if self.root(other) == self.root(place)]

    def join(self, first: Place, second: Place) -> None:
        if any(frozenset((a, b)) in self.apart for a in self.members(first) for b in self.members(second)):
            return
        later, earlier = sorted((self.root(first), self.root(second)), key=list(self.parent).index, reverse=True)
        self.parent[later] = earlier


def coda(positions: Positions, standings: Standings, refuted: Mapping[str, str] | None = None) -> Coda:
    """Return the three lists. A claim that an oracle refutes is a caveat, whoever holds it."""
    clusters = _merged(positions, standings)
    against = _against(clusters)
    everybody = set(positions)
    parts: dict[str, list[Held]] = {"common": [], "nuances": [], "caveats": []}
    for root in dict.fromkeys(clusters.root(place) for place in clusters.parent):
        places = clusters.members(root)
        claim = _words(positions, root)
        held = Held(
            claim,
            tuple(dict.fromkeys(seat for seat, _ in places)),
            tuple(dict.fromkeys(seat for other in against.get(root, ()) for seat, _ in clusters.members(other))),
            is_answer=any(place == ANSWER for _, place in places),
        )
        wrong = any(_words(positions, place) in (refuted or {}) for place in places)
        part = "caveats" if held.against or wrong else "common" if set(held.held_by) == everybody else "nuances"
        parts[part].append(held)
    return Coda(tuple(parts["common"]), tuple(parts["nuances"]), tuple(parts["caveats"]))


def prose(found: Coda, refuted: Mapping[str, str]) -> str:
    """Return the coda in sentences, from its lists and nothing else."""
    return "\n\n".join(_paragraphs(found, refuted))


def _paragraphs(found: Coda, refuted: Mapping[str, str]) -> Iterator[str]:
    if found.common:
        yield f"All members hold: {_listed([held.claim for held in found.common])}"
    if found.nuances:
        yield f"Some add, and nobody contradicts: {_listed([_by(held) for held in found.nuances])}"
    if found.caveats:
        yield f"Disputed: {_listed([_caveat(held, refuted) for held in found.caveats])}"


def _caveat(held: Held, refuted: Mapping[str, str]) -> str:
    against = f", against {', '.join(held.against)}" if held.against else ""
    computed = f"; computed: {refuted[held.claim]}" if held.claim in refuted else ""
    return f"{held.claim} ({', '.join(held.held_by)}{against}{computed})"


def _by(held: Held) -> str:
    return f"{held.claim} ({', '.join(held.held_by)})"


def _listed(items: Sequence[str]) -> str:
    return " ".join(item if item.endswith((".", "!", "?", ")")) else f"{item}." for item in items)


def _merged(positions: Positions, standings: Standings) -> _Clusters:
    places = [(seat, place) for seat in positions for place in (ANSWER, *range(len(positions[seat].claims)))]
    clusters = _Clusters({place: place for place in places})
    for (first, second), standing in standings.items():
        clusters.apart |= {frozenset(((first, a), (second, b))) for a, b in standing.contradicting}
        if standing.opposed:
            clusters.apart.add(frozenset(((first, ANSWER), (second, ANSWER))))
    for (first, second), standing in standings.items():
        if standing.equivalent:
            clusters.join((first, ANSWER), (second, ANSWER))
        for a, b in standing.same:
            clusters.join((first, a), (second, b))
    return clusters


def _against(clusters: _Clusters) -> dict[Place, list[Place]]:
    against: dict[Place, list[Place]] = {}
    for first, second in (sorted(pair, key=list(clusters.parent).index) for pair in clusters.apart):
        one, other = clusters.root(first), clusters.root(second)
        against.setdefault(one, []).append(other)
        against.setdefault(other, []).append(one)
    return {root: sorted(set(others), key=list(clusters.parent).index) for root, others in against.items()}


def _words(positions: Positions, place: Place) -> str:
    seat, number = place
    return positions[seat].answer if number == ANSWER else positions[seat].claims[number]
