"""The engine of coherence 4.4 read word by word: every choice looks at every relation that is left."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence

Adjacency = tuple[str, str, str]

BACK = {"M1": "M1", "M2": "M2", "M3": "M4", "M4": "M3"}


class LiteralEngine:
    """One graph, as its file lists it."""

    def __init__(self, relations: Sequence[str], adjacencies: Sequence[Adjacency]) -> None:
        self.relations = list(relations)
        self.near: dict[str, set[str]] = {id_: set() for id_ in relations}
        self.labels: dict[tuple[str, str], set[str]] = {}
        for first, modulation, second in adjacencies:
            self.near[first].add(second)
            self.near[second].add(first)
            self.labels.setdefault((first, second), set()).add(modulation)
            self.labels.setdefault((second, first), set()).add(BACK[modulation])

    def paths(self, scores: Mapping[str, float]) -> Iterator[list[str]]:
        """Yield one column's paths."""
        left = {id_ for id_ in self.relations if scores[id_] >= 6}

        def order(id_: str) -> tuple[float, int, str, int]:
            parts = re.fullmatch(r"(\D+)(\d+)", id_)
            assert parts
            letters, digits = parts.groups()
            return -scores[id_], -sum(other in left for other in self.near[id_]), letters, int(digits)

        while left:
            here = min(left, key=order)
            left.remove(here)
            path = [here]
            while following := [id_ for id_ in self.near[here] if id_ in left]:
                there = min(following, key=order)
                left.remove(there)
                path += [min(self.labels[here, there]), there]
                here = there
            yield path


def random_graph(
    rng: random.Random, relations: int, *, degree: float = 4.0, letters: str = "K"
) -> tuple[list[str], list[Adjacency]]:
    """Return ids in a shuffled order with gaps between them, and adjacencies, some pairs with two labels."""
    ids = [f"{letters}{number}" for number in rng.sample(range(1, 3 * relations + 1), relations)]
    adjacencies: list[Adjacency] = []
    for _ in range(int(relations * degree / 2)):
        if relations > 1:
            first, second = rng.sample(ids, 2)
            adjacencies.append((first, rng.choice(["M1", "M2", "M3", "M4"]), second))
    return ids, adjacencies
