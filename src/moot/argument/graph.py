"""The values of an argument graph and its compact columns (interrogation 3.1, ruling A17).

`Node` and `Edge` are what a reader sees after merging. `Columns` is the same graph as flat lists and arrays, made once
after a write and read by every check. Nothing here decides what merges.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from moot.argument.sources import Sentence, Source

NODE_TYPES = ("conclusion", "given", "inference", "assumption")
RELATIONS = ("supports", "attacks", "assumes")
SUPER_SOURCE = "__S__"
UNNAMED_RUN = "r0"
"""What a claim without any run id belongs to (A8)."""
DEFAULT_CONFIDENCE = 0.8
MILLIONTHS = 1_000_000
# Below this many nodes a round of array operations costs more than going through them one by one.
FEW = 48

NaturalOrder = tuple[tuple[int, int, str], ...]

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Node:
    """One claim of the merged graph (interrogation 3.1); `stated`: a document states this conclusion (A7)."""

    id: str
    claim: str
    type: str
    confidence: float
    run_ids: frozenset[str]
    refuted: bool = False
    refute_reason: str | None = None
    aliases: tuple[str, ...] = ()
    stated: bool = False
    ungrounded: bool = False
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """One relation between two claims of the merged graph (interrogation 3.1); `group`: it holds only jointly (A21)."""

    src: str
    dst: str
    relation: str
    confidence: float
    run_ids: frozenset[str]
    group: str | None = None


@dataclass(frozen=True)
class Adjacency:
    """Who follows whom, as one flat array with the place where each node's part begins."""

    starts: NDArray[np.int64]
    ends_of_edges: NDArray[np.int64]

    @classmethod
    def of(cls, size: int, src: NDArray[np.int64], dst: NDArray[np.int64]) -> "Adjacency":
        """Return the adjacency of these edges; a node's followers keep the order of the edges."""
        order = np.argsort(src, kind="stable")
        starts = np.concatenate(([0], np.cumsum(np.bincount(src, minlength=size))))
        return cls(starts, dst[order])

    def lists(self) -> list[list[int]]:
        """Return the followers of each node as plain lists."""
        flat, starts = self.ends_of_edges.tolist(), self.starts.tolist()
        return [flat[begin:end] for begin, end in pairwise(starts)]

    def followers(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the followers of several nodes, one after the other."""
        starts = self.starts[nodes]
        lengths = self.starts[nodes + 1] - starts
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        return self.ends_of_edges[np.arange(total) + np.repeat(starts - ends + lengths, lengths)]

    def reachable(self, sources: Sequence[int], closed: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Return which nodes can be reached, open sources included, without entering a closed one."""
        reached = np.zeros(len(self.starts) - 1, bool) if closed is None else closed.copy()
        frontier = np.asarray(sources, np.int64)
        while len(frontier):
            frontier = np.unique(frontier[~reached[frontier]])
            reached[frontier] = True
            if len(frontier) < FEW:
                frontier = self._one_by_one(reached, frontier.tolist())
            frontier = self.followers(frontier)
        return reached if closed is None else reached & ~closed

    def distances(self, source: int) -> NDArray[np.int64]:
        """Return how many steps each node is from the source, -1 where it cannot be reached."""
        distance = np.full(len(self.starts) - 1, -1)
        distance[source] = 0
        last_seen = np.empty_like(distance)
        frontier, steps = np.array([source]), 0
        while len(frontier):
            steps += 1
            fresh = self.followers(frontier)
            fresh = fresh[distance[fresh] < 0]
            distance[fresh] = steps
            last_seen[fresh] = np.arange(len(fresh))
            frontier = fresh[last_seen[fresh] == np.arange(len(fresh))]
        return distance

    def _one_by_one(self, reached: NDArray[np.bool_], frontier: list[int]) -> NDArray[np.int64]:
        """Go on from a few nodes until nothing is left, or until there are many again."""
        starts, flat = self.starts, self.ends_of_edges
        while frontier and len(frontier) < FEW:
            node = frontier.pop()
            for other in flat[starts[node] : starts[node + 1]].tolist():
                if not reached[other]:
                    reached[other] = True
                    frontier.append(other)
        return np.array(frontier, np.int64)


@dataclass(frozen=True)
class Columns:
    """The merged graph in flat form: nodes are numbers in order of assertion, parallel supports are one edge."""

    nodes: Sequence[Node]
    support_src: NDArray[np.int64]
    support_dst: NDArray[np.int64]
    support_confidence: list[float]
    support_doubt: NDArray[np.float64]
    assumes: Sequence[tuple[int, int]]
    attack_src: NDArray[np.int64]
    attack_dst: NDArray[np.int64]
    joint: Sequence[tuple[int, frozenset[int]]] = ()
    """Claims with those that support them only together (A21)."""
    only_joint: frozenset[tuple[int, int]] = frozenset()
    """The support edges that stand in groups alone."""
    sentences: Sequence[Sentence] = ()
    """The sentences beneath givens (A22), numbered after the claims."""

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each node by its id."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def is_flat(self) -> bool:
        """Whether the graph is the paper's own: no claim needs others together, and no given names its source."""
        return not self.joint and not self.sentences

    @cached_property
    def sentence_number(self) -> dict[str, int]:
        """The number of each sentence by its id."""
        return {sentence.id: number for number, sentence in enumerate(self.sentences, len(self.nodes))}

    @cached_property
    def givens(self) -> list[int]:
        """The nodes that a document states: givens all of whose sources have a refuted sentence are none (A22)."""
        return [number for number, node in enumerate(self.nodes) if is_given(node) and self._is_sourced(node)]

    @cached_property
    def _struck(self) -> frozenset[str]:
        return frozenset(sentence.id for sentence in self.sentences if sentence.refuted)

    def _is_sourced(self, node: Node) -> bool:
        return not node.sources or any(self._struck.isdisjoint(source.ids) for source in node.sources)

    @cached_property
    def refuted(self) -> list[bool]:
        """Whether each node is refuted."""
        return [node.refuted for node in self.nodes]

    @cached_property
    def forward(self) -> Adjacency:
        """What each node supports, refuted nodes included."""
        return Adjacency.of(len(self), self.support_src, self.support_dst)

    @cached_property
    def backward(self) -> Adjacency:
        """What supports each node, refuted nodes included."""
        return Adjacency.of(len(self), self.support_dst, self.support_src)

    @cached_property
    def successors(self) -> list[list[int]]:
        """What each node supports, as lists."""
        return self.forward.lists()

    @cached_property
    def live(self) -> NDArray[np.bool_]:
        """Which support edges are in the augmented graph: refuted nodes are outside it (A9)."""
        refuted = np.array(self.refuted, bool)
        return ~(refuted[self.support_src] | refuted[self.support_dst])

    @cached_property
    def live_backward(self) -> Adjacency:
        """What supports each node in the augmented graph."""
        return Adjacency.of(len(self), self.support_dst[self.live], self.support_src[self.live])

    @cached_property
    def live_predecessors(self) -> list[list[int]]:
        """What supports each node in the augmented graph, as lists."""
        return self.live_backward.lists()

    @cached_property
    def nearest_predecessors(self) -> list[list[int]]:
        """The predecessors that a live given reaches, in the augmented graph, the one nearest to a given last."""
        distance = dict.fromkeys(self.live_givens, 0)
        queue = list(distance)
        for node in queue:
            for other in self.live_successors[node]:
                if other not in distance:
                    distance[other] = distance[node] + 1
                    queue.append(other)
        return [
            sorted((other for other in reversed(row) if other in distance), key=distance.__getitem__, reverse=True)
            for row in self.live_predecessors
        ]

    @cached_property
    def live_successors(self) -> list[list[int]]:
        """What each node supports in the augmented graph, as lists."""
        return Adjacency.of(len(self), self.support_src[self.live], self.support_dst[self.live]).lists()

    @cached_property
    def live_givens(self) -> list[int]:
        """The sources of the augmented graph."""
        return [given for given in self.givens if not self.refuted[given]]

    @cached_property
    def is_source(self) -> list[bool]:
        """Whether each node is a source of the augmented graph."""
        sources = [False] * len(self)
        for given in self.live_givens:
            sources[given] = True
        return sources

    @cached_property
    def node_capacity(self) -> list[int]:
        """What each node lets through, in millionths."""
        return [round(node.confidence * MILLIONTHS) for node in self.nodes]

    @cached_property
    def edge_capacity(self) -> dict[tuple[int, int], int]:
        """What each support edge lets through, in millionths."""
        amounts = (round(confidence * MILLIONTHS) for confidence in self.support_confidence)
        return dict(zip(zip(self.support_src.tolist(), self.support_dst.tolist(), strict=True), amounts, strict=True))

    @cached_property
    def natural_rank(self) -> NDArray[np.int64]:
        """The place of each node when the ids are in natural order."""
        order = sorted(range(len(self)), key=lambda number: natural_order(self.names[number]))
        ranks = np.empty(len(self), np.int64)
        ranks[order] = np.arange(len(self))
        return ranks

    @cached_property
    def names(self) -> list[str]:
        """The id of each node."""
        return [node.id for node in self.nodes]

    @cached_property
    def all_names(self) -> list[str]:
        """The id of each node, then of each sentence."""
        return [*self.names, *(sentence.id for sentence in self.sentences)]

    def ids(self, numbers: Iterable[int]) -> list[str]:
        """Return the ids of nodes and sentences."""
        names = self.all_names
        return [names[number] for number in numbers]


def is_given(node: Node) -> bool:
    """Return whether a document states the claim: a given, or a conclusion with the `stated` mark (A7)."""
    return node.type == "given" or node.stated


def natural_order(text: str) -> NaturalOrder:
    """Return a sort key under which r2 comes before r10 (A7)."""
    key: list[tuple[int, int, str]] = []
    for part in _DIGITS.split(text):
        is_number = part.isascii() and part.isdigit() and len(part) < 1000
        key.append((1, int(part), "") if is_number else (0, 0, part))
    # The text itself comes last, so that r1 and r01 differ.
    return (*key, (-1, 0, text))
