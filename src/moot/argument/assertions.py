"""Everything asserted about one graph, and the merged graph that follows from it (interrogation 3.3, A6 and A7).

A claim that is merged away keeps its own record, so that later claims still match it and its id resolves for ever.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moot.argument.clusters import Clusters, Rank, Thresholds
from moot.argument.dedup import ClaimIndex
from moot.argument.graph import DEFAULT_CONFIDENCE, NODE_TYPES, Columns, Edge, Node, natural_order
from moot.argument.ingest import (
    EDGE_FIELDS,
    NODE_FIELDS,
    AssertedEdge,
    AssertedNode,
    Rejection,
    echo,
    read_edge,
    read_node,
    unknown_fields,
)
from moot.argument.semantics import IN, OUT, grounded_labels
from moot.argument.sources import Sentence, Source, distinct_sources
from moot.argument.support import Support, support_of

EdgeKey = tuple[int, int, str, str | None]
Attributes = tuple[float, frozenset[str]]


class Assertions:
    """One graph: the asserted nodes in order, the asserted edges, and the index that merges claims.

    With `told`, claims are one as `told` says; they are compared once something is added.
    """

    def __init__(
        self, *, identifiers: bool = False, thresholds: Thresholds | None = None, told: Clusters | None = None
    ) -> None:
        comparing = ClaimIndex(identifiers=identifiers, thresholds=thresholds)
        self.index: Clusters = comparing if told is None else told
        self.asserted: list[AssertedNode] = []
        self.edges: dict[EdgeKey, Attributes] = {}
        self.cannot_link: list[tuple[int, int]] = []
        self.sentences: dict[str, Sentence] = {}
        self._place: dict[str, int] = {}
        self.reported = 0
        self._merged: tuple[Columns, Mapping[EdgeKey, Attributes]] | None = None
        self._support: dict[tuple[int, bool], Support] = {}

    # ---- reading

    def columns(self) -> Columns:
        """Return the merged graph, made anew only after a write."""
        return self._merging()[0]

    def merged_edges(self) -> Mapping[EdgeKey, Attributes]:
        """Return the edges of the merged graph between the numbers of its nodes, in order of assertion."""
        return self._merging()[1]

    def _merging(self) -> tuple[Columns, Mapping[EdgeKey, Attributes]]:
        if self._merged is None:
            self._support = {}
            self._merged = _merged_graph(self)
        return self._merged

    def support(self, conclusion: int, *, standing: bool = False) -> Support:
        """Return the support of a conclusion, kept until the next write: width, paths and cut are one computation.

        With `standing`, claims that are OUT are outside the graph, as refuted ones are (A21).
        """
        columns = self.columns()
        defeated = self.defeated() if standing else ()
        key = (conclusion, bool(defeated))
        if key not in self._support:
            self._support[key] = support_of(columns, conclusion, defeated)
        return self._support[key]

    def defeated(self) -> frozenset[int]:
        """Return the claims that are OUT and not refuted."""
        columns = self.columns()
        refuted = np.flatnonzero(columns.refuted)
        labels = grounded_labels(len(columns), columns.attack_src, columns.attack_dst, refuted)
        labels[refuted] = IN
        return frozenset(np.flatnonzero(labels == OUT).tolist())

    def resolve(self, node_id: object) -> str | None:
        """Return the id of the node that an id stands for now, merged ids included (A7); None for an unknown one."""
        place = self._place.get(node_id) if isinstance(node_id, str) else None
        return None if place is None else self.asserted[self.index.first(place)].id

    def members(self, node_id: str) -> list[int]:
        """Return the places of all asserted nodes that are one with this one."""
        root = self.index.root(self._place[node_id])
        return [place for place in range(len(self.asserted)) if self.index.root(place) == root]

    def place(self, node_id: str) -> int:
        """Return where in assertion order an id stands."""
        return self._place[node_id]

    # ---- writing

    def touch(self) -> None:
        """Forget the merged graph: something it was made of has changed."""
        self._merged = None

    def change(self, place: int, **fields: Any) -> None:
        """Replace fields of one asserted node."""
        self.asserted[place] = replace(self.asserted[place], **fields)
        self.touch()

    def ingest(
        self, nodes: Sequence[Any], edges: Sequence[Any], run_id: str | None, pairs: Sequence[Any]
    ) -> dict[str, object]:
        """Take in what is valid and return the report of `assert_graph` (interrogation 3.2)."""
        rejected: list[dict[str, object]] = []
        lost: list[int] = []
        self.touch()
        self.comparing()
        accepted_nodes = sum(self._take_node(item, run_id, rejected, lost) for item in nodes)
        accepted_edges = sum(self._take_edge(item, run_id, rejected) for item in edges)
        merged_before = set(self.index.merges)
        self.forbid(pairs, rejected)
        lost.extend(place for place in self.comparing().link() if place not in merged_before)
        return {
            "accepted_nodes": accepted_nodes,
            "accepted_edges": accepted_edges,
            "rejected": rejected,
            "auto_merged": self._pairs(lost),
            **self._why(lost),
            **_passed_over(nodes, edges),
        }

    def merge(self, thresholds: Thresholds) -> dict[str, object]:
        """Compare all claims again and return the report of `merge_duplicates` (interrogation 3.2)."""
        lost = self.comparing().relink(thresholds)
        self.touch()
        fresh = self.index.contradictions[self.reported :]
        self.reported = len(self.index.contradictions)
        pairs = {frozenset((self.index.first(a), self.index.first(b))): None for a, b in fresh}
        return {
            "merges": self._pairs(lost),
            **self._why(lost),
            "contradictions_created": [[self.asserted[place].id for place in sorted(pair)] for pair in pairs],
        }

    def keep_apart(self, pairs: Iterable[Any]) -> dict[str, object]:
        """Keep pairs from merging for good, take back merges that joined them, and return the report (A6)."""
        rejected: list[dict[str, object]] = []
        known = len(self.cannot_link)
        self.comparing()
        parted = self.forbid(pairs, rejected)
        self.comparing().link()
        self.touch()
        return {"kept_apart": len(self.cannot_link) - known, "parted": parted, "rejected": rejected}

    def merges(self) -> list[dict[str, object]]:
        """Return for each merged claim what it was merged into, by what measure, and how alike the two were."""
        return self._reasons(self.index.merges)

    def forbid(self, pairs: Iterable[Any], rejected: list[dict[str, object]]) -> list[list[str]]:
        """Enter cannot-link pairs; return those that were one. The claims then wait for `index.link` again."""
        parted: list[tuple[int, int]] = []
        for pair in pairs:
            try:
                a, b = self._two_places(pair)
            except Rejection as reason:
                rejected.append({"item": echo(pair), "reason": str(reason)})
                continue
            self.cannot_link.append((a, b))
            if not self.index.forbid(a, b):
                parted.append((a, b))
        if parted:
            self._index_anew()
        return [[self.asserted[place].id for place in pair] for pair in parted]

    def comparing(self) -> ClaimIndex:
        """Return the index that compares claims; of a graph that was told what is one, it is made now."""
        return self.index if isinstance(self.index, ClaimIndex) else self._index_anew()

    def _index_anew(self) -> ClaimIndex:
        """Make the clusters again as if every cannot-link pair had been named from the start.

        What other thresholds had merged is merged again in order of assertion, where no pair forbids it.
        """
        old, told = self.index, set(self.index.contradictions[: self.reported])
        index = ClaimIndex(identifiers=old.identifiers, thresholds=old.thresholds)
        for node in self.asserted:
            index.admit(node.claim, _rank(node))
        for a, b in self.cannot_link:
            index.forbid(a, b)
        index.link()
        for place in sorted(old.merges):
            index.union(old.merges[place])
        index.contradictions.sort(key=lambda pair: pair not in told)
        self.reported = sum(pair in told for pair in index.contradictions)
        self.index = index
        return index

    def _two_places(self, pair: Any) -> tuple[int, int]:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise Rejection("a cannot-link pair is a list of two node ids")
        a, b = (self._place.get(end) if isinstance(end, str) else None for end in pair)
        if a is None or b is None:
            raise Rejection("a cannot-link pair names a node that is not in the graph")
        if a == b:
            raise Rejection("a cannot-link pair names one node twice")
        return a, b

    def _take_node(self, item: Any, run_id: str | None, rejected: list[dict[str, object]], lost: list[int]) -> bool:
        try:
            node = read_node(item, run_id)
            lost.extend(self._add_or_repeat(node))
        except Rejection as reason:
            rejected.append({"item": echo(item), "reason": str(reason)})
            return False
        return True

    def _add_or_repeat(self, node: AssertedNode) -> list[int]:
        known = self._place.get(node.id)
        if known is None:
            self.add(node)
            return []
        if self.asserted[known].claim != node.claim:
            raise Rejection(f"the id {node.id!r} already stands for another claim")
        if node.sources and self.asserted[known].type == "given":
            self.reinstate(known, node.sources)
        return self.add_runs(known, node.run_ids)

    def _take_edge(self, item: Any, run_id: str | None, rejected: list[dict[str, object]]) -> bool:
        try:
            self.add_edge(read_edge(item, run_id, self._place))
        except Rejection as reason:
            rejected.append({"item": echo(item), "reason": str(reason)})
            return False
        return True

    def add(self, node: AssertedNode) -> None:
        """Enter a new node; `index.link` joins it with its like.

        Raises:
            Rejection: it is one more of a template that contradicts itself without end.
        """
        sentences = self._sentences_of(node)
        place = self.index.admit(node.claim, _rank(node))
        if place is None:
            raise Rejection(
                "the claim differs from over a thousand others in a number, a negation or an opposite alone"
            )
        self.asserted.append(node)
        self._place[node.id] = place
        self.sentences.update(sentences)

    def _sentences_of(self, node: AssertedNode) -> dict[str, Sentence]:
        """The sentences that a node's sources name, as the graph then knows them.

        Raises:
            Rejection: a sentence would have the id of a claim, or a claim that of a sentence.
        """
        named = {sentence.id: sentence for source in node.sources for sentence in source.sentences}
        taken = next((name for name in named if name in self._place or name == node.id), None)
        if taken is not None:
            raise Rejection(f"the sentence {taken!r} has the id of a claim; give the document another name")
        if node.id in self.sentences:
            raise Rejection(f"the id {node.id!r} already stands for a sentence")
        known = {name: self.sentences.get(name, sentence) for name, sentence in named.items()}
        return {name: replace(one, text=one.text or named[name].text) for name, one in known.items()}

    def reinstate(self, place: int, sources: tuple[Source, ...]) -> None:
        """Make a node a given that rests on these sources besides those it has.

        Raises:
            Rejection: a sentence has the id of a claim.
        """
        node = self.asserted[place]
        given = replace(node, type="given", ungrounded=False, sources=distinct_sources([*node.sources, *sources]))
        self.sentences.update(self._sentences_of(given))
        self.asserted[place] = given
        self.touch()

    def refute_sentence(self, name: str, reason: str | None) -> None:
        """Refute a sentence, or without a reason take that back."""
        self.sentences[name] = replace(self.sentences[name], refuted=reason is not None, refute_reason=reason)
        self.touch()

    def add_edge(self, edge: AssertedEdge) -> None:
        """Enter an edge; the same edge again keeps the greater confidence and all runs."""
        key = (self._place[edge.src], self._place[edge.dst], edge.relation, edge.group)
        self.edges[key] = stronger(self.edges.get(key), (edge.confidence, edge.run_ids))

    def add_runs(self, place: int, run_ids: frozenset[str]) -> list[int]:
        """Add runs to a node; return the claim that thereby is no longer its cluster's earliest."""
        node = self.asserted[place]
        self.change(place, run_ids=node.run_ids | run_ids)
        lost = self.index.rerank(place, _rank(self.asserted[place]))
        return [] if lost is None else [lost]

    def _pairs(self, lost: Iterable[int]) -> list[list[str]]:
        return [[self._kept(place), self.asserted[place].id] for place in sorted(set(lost))]

    def _why(self, lost: Collection[int]) -> dict[str, object]:
        """The reasons of a report; one without merges has the paper's fields and no other."""
        return {"reasons": self._reasons(lost)} if lost else {}

    def _reasons(self, lost: Iterable[int]) -> list[dict[str, object]]:
        merges = ((place, self.index.merges[place]) for place in sorted(set(lost)))
        return [
            {
                "kept": self._kept(place),
                "merged": self.asserted[place].id,
                "by": merge.by,
                "score": merge.score,
                "between": [self.asserted[merge.earlier].id, self.asserted[merge.later].id],
            }
            for place, merge in merges
        ]

    def _kept(self, place: int) -> str:
        return self.asserted[self.index.first(place)].id


def _passed_over(nodes: Sequence[Any], edges: Sequence[Any]) -> dict[str, object]:
    """The fields that a graph has no place for; a report without any has the paper's fields and no other."""
    strange = unknown_fields(nodes, NODE_FIELDS) | unknown_fields(edges, EDGE_FIELDS)
    return {"passed_over": list(strange)} if strange else {}


def _merged_graph(ledger: Assertions) -> tuple[Columns, Mapping[EdgeKey, Attributes]]:
    """Return the graph after merging: one node a cluster, edges re-pointed and collapsed (interrogation 3.3)."""
    number_of, clusters = _clusters(ledger.index)
    nodes = [_merged_node(ledger, places) for places in clusters]
    edges = _merged_edges(ledger, number_of, nodes)
    supports: dict[tuple[int, int], tuple[float, float]] = {}
    for (src, dst, relation, _), (confidence, _) in edges.items():
        if relation != "attacks":
            most, least = supports.get((src, dst), (confidence, confidence))
            supports[src, dst] = (max(most, confidence), min(least, confidence))
    attacks = [(src, dst) for src, dst, relation, _ in edges if relation == "attacks"]
    joint, only_joint = _joint(ledger, number_of)
    support_src, support_dst = _ends(supports)
    attack_src, attack_dst = _ends(attacks)
    columns = Columns(
        nodes,
        support_src,
        support_dst,
        [most for most, _ in supports.values()],
        np.array([least for _, least in supports.values()], np.float64),
        list(dict.fromkeys((src, dst) for src, dst, relation, _ in edges if relation == "assumes")),
        attack_src,
        attack_dst,
        joint,
        only_joint,
        list(ledger.sentences.values()),
    )
    return columns, edges


def _joint(
    ledger: Assertions, number_of: Sequence[int]
) -> tuple[list[tuple[int, frozenset[int]]], frozenset[tuple[int, int]]]:
    """The groups of two claims and more, and the edges that stand in such groups alone (A21).

    A group belongs to the claim as it was asserted: two runs may use one name for two groups. A claim that merging
    made a premise of its own leaves a group that can never hold.
    """
    groups: dict[tuple[int, str], set[int]] = defaultdict(set)
    alone: set[tuple[int, int]] = set()
    for src, dst, relation, group in ledger.edges:
        if relation != "attacks" and group is None:
            alone.add((number_of[src], number_of[dst]))
        elif relation != "attacks" and group is not None:
            groups[dst, group].add(number_of[src])
    joint: dict[tuple[int, frozenset[int]], None] = {}
    for (dst, _), members in groups.items():
        if len(members) > 1:
            joint[number_of[dst], frozenset(members)] = None
        else:
            alone.update((member, number_of[dst]) for member in members)
    edges = {(member, dst) for dst, members in joint for member in members}
    return list(joint), frozenset(edges - alone)


def _merged_edges(ledger: Assertions, number_of: Sequence[int], nodes: Sequence[Node]) -> Mapping[EdgeKey, Attributes]:
    """Return the edges between merged nodes, the mutual attacks of the guards included."""
    edges: dict[EdgeKey, Attributes] = {}
    for (src, dst, relation, group), attributes in ledger.edges.items():
        key = (number_of[src], number_of[dst], relation, _group_name(ledger, dst, group))
        # A loop that merging made says nothing; one that was asserted does.
        if key[0] != key[1] or src == dst:
            edges[key] = stronger(edges.get(key), attributes)
    for a, b in ledger.index.contradictions:
        src, dst = number_of[a], number_of[b]
        both = (DEFAULT_CONFIDENCE, nodes[src].run_ids | nodes[dst].run_ids)
        for key in ((src, dst, "attacks", None), (dst, src, "attacks", None)):
            edges[key] = stronger(edges.get(key), both)
    return edges


def _group_name(ledger: Assertions, dst: int, group: str | None) -> str | None:
    """The group's name at the merged claim: that of a claim merged away is told apart by its id."""
    if group is None or ledger.index.first(dst) == dst:
        return group
    return f"{ledger.asserted[dst].id}/{group}"


def edge_values(ledger: Assertions) -> list[Edge]:
    """Return the edges of the merged graph as values, in order of assertion."""
    ids = [node.id for node in ledger.columns().nodes]
    return [
        Edge(ids[src], ids[dst], relation, *attributes, group)
        for (src, dst, relation, group), attributes in ledger.merged_edges().items()
    ]


def _clusters(index: Clusters) -> tuple[list[int], list[list[int]]]:
    """The merged node's number for each asserted one, and the asserted ones of each, both in order of assertion."""
    numbers: dict[int, int] = {}
    number_of = [numbers.setdefault(index.root(place), len(numbers)) for place in range(len(index))]
    clusters: dict[int, list[int]] = defaultdict(list)
    for place, number in enumerate(number_of):
        clusters[number].append(place)
    return number_of, list(clusters.values())


def _merged_node(ledger: Assertions, places: list[int]) -> Node:
    first = ledger.index.first(places[0])
    kept = ledger.asserted[first]
    members = [ledger.asserted[place] for place in places]
    if len(members) == 1:
        return Node(
            kept.id,
            kept.claim,
            kept.type,
            kept.confidence,
            kept.run_ids,
            kept.refuted,
            kept.refute_reason,
            ungrounded=kept.ungrounded,
            sources=kept.sources,
        )
    types = {member.type for member in members}
    node_type = next(name for name in NODE_TYPES if name in types)
    aliases = dict.fromkeys(member.claim for place, member in zip(places, members, strict=True) if place != first)
    return Node(
        kept.id,
        kept.claim,
        node_type,
        max(member.confidence for member in members),
        frozenset().union(*(member.run_ids for member in members)),
        any(member.refuted for member in members),
        next((member.refute_reason for member in members if member.refuted), None),
        tuple(aliases),
        stated=node_type == "conclusion" and "given" in types,
        ungrounded=node_type == "assumption" and any(member.ungrounded for member in members),
        sources=distinct_sources(source for member in members for source in member.sources),
    )


def _ends(pairs: Iterable[tuple[int, int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    flat = np.array(list(pairs), np.int64).reshape(-1, 2)
    return np.ascontiguousarray(flat[:, 0]), np.ascontiguousarray(flat[:, 1])


def _rank(node: AssertedNode) -> Rank:
    return min(natural_order(run) for run in node.run_ids), natural_order(node.id)


def stronger(known: Attributes | None, new: Attributes) -> Attributes:
    """Return what two assertions of one edge come to: the greater confidence, and all runs."""
    return new if known is None else (max(known[0], new[0]), known[1] | new[1])
