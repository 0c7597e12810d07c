"""Which claims of a graph are one, by what, and which are kept apart: as it is told, nothing is compared (A6, A7)."""

from dataclasses import dataclass

from moot.argument.graph import NaturalOrder

Rank = tuple[NaturalOrder, NaturalOrder]

MEASURES = ("equal", "jaccard", "ratio")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which likeness on two claims are one; both tunable (interrogation 3.3)."""

    jaccard: float = 0.7
    ratio: float = 0.85


@dataclass(frozen=True, slots=True)
class Merge:
    """Why two claims are one: the two places that matched, by what, and how alike they are.

    `by` is `equal`, `jaccard`, `ratio`, or `stored` where a graph was loaded that did not say.
    """

    earlier: int
    later: int
    by: str
    score: float | None


class Clusters:
    """The claims of one graph in assertion order, which of them are one, and which contradict each other.

    Nothing is compared here: what is one, and what contradicts what, is told.
    """

    def __init__(self, *, identifiers: bool = False, thresholds: Thresholds | None = None) -> None:
        self.identifiers = identifiers
        self.thresholds = thresholds or Thresholds()
        self.contradictions: list[tuple[int, int]] = []
        self.merges: dict[int, Merge] = {}
        self._parent: list[int] = []
        self._ranks: list[Rank] = []
        self._first: list[int] = []
        self._enemies: dict[int, set[int]] = {}

    def __len__(self) -> int:
        return len(self._parent)

    def admit(self, claim: str, rank: Rank) -> int | None:
        """Return the place of one more claim, by itself until it is joined; of a cluster the least rank is first."""
        place = len(self._parent)
        self._parent.append(place)
        self._ranks.append(rank)
        self._first.append(place)
        return place

    def forbid(self, a: int, b: int) -> bool:
        """Return whether the two claims are now kept apart for good; False if they are one already (A6)."""
        if self.root(a) == self.root(b):
            return False
        self._enemies.setdefault(self.root(a), set()).add(b)
        self._enemies.setdefault(self.root(b), set()).add(a)
        return True

    def union(self, merge: Merge) -> None:
        """Join two claims that are known to be one, unless they are kept apart."""
        a, b = self.root(merge.earlier), self.root(merge.later)
        if a != b and not self._forbidden(a, b):
            self._unite(a, b, [], merge)

    def rerank(self, place: int, rank: Rank) -> int | None:
        """Give a claim another rank; return the claim that lost its first place by it."""
        self._ranks[place] = rank
        root = self.root(place)
        first = self._first[root]
        if first != place and rank < self._ranks[first]:
            self._first[root] = place
            self.merges[first] = self.merges.pop(place)
            return first
        return None

    def root(self, place: int) -> int:
        """Return the mark that all claims of one cluster share."""
        parent = self._parent
        if parent[place] == place:
            return place
        path = [place]
        while parent[path[-1]] != path[-1]:
            path.append(parent[path[-1]])
        for passed in path:
            parent[passed] = path[-1]
        return path[-1]

    def first(self, place: int) -> int:
        """Return the earliest claim of this claim's cluster (A7)."""
        return self._first[self.root(place)]

    def _forbidden(self, a: int, b: int) -> bool:
        hated_by_a, hated_by_b = self._enemies.get(a, ()), self._enemies.get(b, ())
        fewer, other = (hated_by_a, b) if len(hated_by_a) <= len(hated_by_b) else (hated_by_b, a)
        return any(self.root(enemy) == other for enemy in fewer)

    def _unite(self, a: int, b: int, lost: list[int], merge: Merge) -> None:
        first, second = sorted((self._first[a], self._first[b]), key=self._ranks.__getitem__)
        lost.append(second)
        # Each claim that is not its cluster's first has lost that place once: its merge says why.
        self.merges[second] = merge
        # The smaller place becomes the root, so that the trees do not depend on the order of asserts.
        root, child = (a, b) if a < b else (b, a)
        self._parent[child] = root
        self._first[root] = first
        if child in self._enemies:
            self._enemies.setdefault(root, set()).update(self._enemies.pop(child))
