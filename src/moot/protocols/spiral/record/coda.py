"""Step 6: the common part, the nuances and the caveats, computed from claims that are one (spiral 5.1, S8 and S15).

Their lines are put together from these lists by the program, so that they cannot add to them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from moot.protocols.spiral.positions import Positions, Standings
from moot.views.words import one_line

Place = tuple[str, int]
"""A claim, by its holder and its place in the holder's list; place -1 is the answer."""

ANSWER = -1
LONGEST_LINE = 600


@dataclass(frozen=True, slots=True)
class HeldClaim:
    """A claim, in the words of the first who states it, and everybody who holds it."""

    claim: str
    held_by: tuple[str, ...]
    against: tuple[str, ...] = ()
    """Who holds what contradicts it."""
    contradicts: tuple[str, ...] = ()
    """The claims that it contradicts, in their words (ruling S13)."""
    refuted: str = ""
    """What an oracle computed against it."""
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class Coda:
    """What all hold; what some hold and nobody contradicts; what is contradicted or refuted."""

    common: tuple[HeldClaim, ...] = ()
    nuances: tuple[HeldClaim, ...] = ()
    caveats: tuple[HeldClaim, ...] = ()


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
    parts: dict[str, list[HeldClaim]] = {"common": [], "nuances": [], "caveats": []}
    for root in dict.fromkeys(clusters.root(place) for place in clusters.parent):
        held = _held(positions, clusters, root, against.get(root, []), refuted or {})
        is_caveat = held.against or held.refuted
        part = "caveats" if is_caveat else "common" if set(held.held_by) == everybody else "nuances"
        parts[part].append(held)
    return Coda(tuple(parts["common"]), tuple(parts["nuances"]), tuple(parts["caveats"]))


def coda_lines(found: Coda) -> Iterator[str]:
    """Yield the answer's three parts line by line: what all hold, what some add, what is disputed (ruling S15)."""
    for held in found.common:
        yield f"all hold: {_shown(held)}"
    for held in found.nuances:
        yield f"some add: {_shown(held)} ({', '.join(held.held_by)})"
    yield from caveat_lines(found)


def caveat_lines(found: Coda) -> Iterator[str]:
    """Yield what is disputed, with who is against whom, and what nobody disputes but a computation refutes."""
    for held in found.caveats:
        holders = ", ".join(held.held_by)
        if held.against:
            wrong = f"; a computation refutes it: {held.refuted}" if held.refuted else ""
            yield f"disputed: {_shown(held)} ({holders}, against {', '.join(held.against)}{wrong})"
        else:
            yield f"refuted by a computation: {_shown(held)} ({holders}): {held.refuted}"


def _held(
    positions: Positions, clusters: _Clusters, root: Place, others: list[Place], refuted: Mapping[str, str]
) -> HeldClaim:
    places = clusters.members(root)
    wordings = [_words(positions, place) for place in places]
    return HeldClaim(
        _words(positions, root),
        tuple(dict.fromkeys(seat for seat, _ in places)),
        tuple(dict.fromkeys(seat for other in others for seat, _ in clusters.members(other))),
        tuple(_words(positions, other) for other in others),
        next((refuted[words] for words in wordings if words in refuted), ""),
        is_answer=any(place == ANSWER for _, place in places),
    )


def _shown(held: HeldClaim) -> str:
    return one_line(held.claim, LONGEST_LINE)


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
