"""An argument as it is drawn: claims with their marks and fates, what supports and attacks them, and lines of support.

Whoever has an argument makes these values of it, and the writers of drawings and tables know no others.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from moot.core.panes import Tone

Fate = Literal["stands", "falls", "undecided"]
"""Whether a claim stands under all attacks and refutations."""

KINDS = {"conclusion": "conclusion", "given": "given", "inference": "inferred", "assumption": "assumed"}
"""The types of claims, and the word for each."""
_VERIFYING = re.compile(r"v\d+")
"""Verifications stand among the runs of a claim (ruling I2)."""
RELATIONS = ("supports", "attacks", "assumes")


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """What stands in the box beside the claim, such as `✓ quoted`."""

    words: str
    tone: Tone = ""


QUOTED = DrawnMark("✓ quoted", "good")
NOT_FOUND = DrawnMark("✗ not found", "warn")
VERIFIED = DrawnMark("verified", "good")
DISPUTED = DrawnMark("disputed", "warn")
CUT = DrawnMark("◆ cut", "warn")
IN_A_CIRCLE = DrawnMark("↺ in a circle", "bad")


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A claim. `line` is the number of the line of support that it is on, 0 where it is on none."""

    id: str
    claim: str
    kind: str
    runs: tuple[str, ...] = ()
    confidence: float | None = None
    fate: Fate = "stands"
    marks: tuple[DrawnMark, ...] = ()
    line: int = 0
    cut: bool = False
    """Whether it is among the claims that would have to be wrong."""
    more: int = 0
    """How many claims behind it are not drawn."""
    looks: tuple[str, ...] = ()
    """Further classes of its box, such as for what a reader has selected."""


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """What one claim does for another; those of one group hold only together (ruling A21)."""

    src: str
    dst: str
    relation: str = "supports"
    group: str = ""


@dataclass(frozen=True)
class DrawnGraph:
    """Claims and what is between them. `conclusion` is the claim that the lines of support lead to."""

    nodes: tuple[DrawnNode, ...] = ()
    edges: tuple[DrawnEdge, ...] = ()
    conclusion: str = ""

    @cached_property
    def by_id(self) -> Mapping[str, DrawnNode]:
        """The claims by their ids."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def circling(self) -> frozenset[str]:
        """Claims that in the end support themselves."""
        return _circling(self.nodes, [edge for edge in self.edges if edge.relation != "attacks"])

    def cone(self, ids: Iterable[str]) -> frozenset[str]:
        """Return these claims with all that leads to one of them, attackers too."""
        return frozenset(self.nearest_first(ids))

    def nearest_first(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return these claims and then, the nearest first, all that leads to one of them."""
        behind: dict[str, list[str]] = defaultdict(list)
        for edge in self.edges:
            behind[edge.dst].append(edge.src)
        way = [node for node in dict.fromkeys(ids) if node in self.by_id]
        reached = set(way)
        for node in way:
            for other in behind[node]:
                if other in self.by_id and other not in reached:
                    reached.add(other)
                    way.append(other)
        return tuple(way)

    def only(self, chosen: Iterable[str]) -> "DrawnGraph":
        """Return the graph of these claims alone; each says how many others lead to it."""
        ids = frozenset(chosen)
        hidden: dict[str, set[str]] = defaultdict(set)
        for edge in self.edges:
            if edge.dst in ids and edge.src not in ids:
                hidden[edge.dst].add(edge.src)
        return DrawnGraph(
            tuple(replace(node, more=len(hidden[node.id])) for node in self.nodes if node.id in ids),
            tuple(edge for edge in self.edges if edge.src in ids and edge.dst in ids),
            self.conclusion if self.conclusion in ids else "",
        )


def nearest_part(graph: DrawnGraph, most: int) -> DrawnGraph:
    """Return at most so many claims, those nearest to a conclusion; a graph that is no larger as it is."""
    if len(graph.nodes) <= most:
        return graph
    first = [graph.conclusion, *(node.id for node in graph.nodes if node.kind == "conclusion")]
    near = dict.fromkeys([*graph.nearest_first(first), *graph.by_id])
    return graph.only(list(near)[:most])


def leading_part(graph: DrawnGraph) -> tuple[DrawnGraph, DrawnGraph]:
    """Return the claims that lead to a conclusion or attack what does, and those that have no part in any.

    Where nothing is concluded, all are of the first kind.
    """
    conclusions = [node.id for node in graph.nodes if node.kind == "conclusion"]
    leading = graph.cone(conclusions) if conclusions else frozenset(graph.by_id)
    return graph.only(leading), graph.only(frozenset(graph.by_id) - leading)


def graph_of_detail(detail: Mapping[str, Any]) -> DrawnGraph:
    """Return the graph of a verdict's detail; empty where it has none."""
    graph = detail.get("graph") or {"nodes": (), "edges": ()}
    edges = tuple(
        DrawnEdge(edge["src"], edge["dst"], edge["relation"], edge.get("group") or "") for edge in graph["edges"]
    )
    fates = grounded_fates(graph["nodes"], edges)
    # Earlier versions wrote down the words of the claims alone.
    lines = _line_numbers(graph["nodes"], detail.get("disjoint_path_ids", detail.get("disjoint_paths", ())))
    cut = {item["id"] for item in detail.get("must_be_wrong", ())}
    disputed = {item["id"] for item in detail.get("disputed", ())}
    nodes = tuple(
        DrawnNode(
            node["id"],
            node["claim"],
            node["type"],
            tuple(run for run in node["run_ids"] if not _VERIFYING.fullmatch(run)),
            node["confidence"],
            fates[node["id"]],
            tuple(_marks(node, node["id"] in disputed)),
            lines.get(node["id"], 0),
            node["id"] in cut,
        )
        for node in graph["nodes"]
    )
    return DrawnGraph(nodes, edges, detail.get("conclusion_node") or "")


def grounded_fates(nodes: Sequence[Mapping[str, Any]], edges: Iterable[DrawnEdge]) -> dict[str, Fate]:
    """Return what becomes of each claim: refuted ones fall, and whatever is attacked by one that stands.

    A claim stands when all its attackers have fallen; what is then left attacks itself or each other, and is undecided.
    """
    attackers: dict[str, set[str]] = {node["id"]: set() for node in nodes}
    targets: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        if edge.relation == "attacks" and edge.src in attackers and edge.dst in attackers:
            attackers[edge.dst].add(edge.src)
            targets[edge.src].add(edge.dst)
    fates: dict[str, Fate] = {node["id"]: "falls" for node in nodes if node.get("refuted")}
    fallen = list(fates)
    standing = [node for node, against in attackers.items() if not against and node not in fates]
    while fallen or standing:
        for node in fallen:
            for target in targets[node]:
                attackers[target].discard(node)
                if not attackers[target] and target not in fates:
                    standing.append(target)
        fates.update((node, "stands") for node in standing)
        fallen = [target for node in standing for target in targets[node] if target not in fates]
        fates.update((node, "falls") for node in fallen)
        standing = []
    return {node: fates.get(node, "undecided") for node in attackers}


def _marks(node: Mapping[str, Any], disputed: bool) -> Iterable[DrawnMark]:
    if node.get("sources"):
        yield QUOTED
    if node.get("ungrounded"):
        yield NOT_FOUND
    if node.get("refuted"):
        yield DrawnMark("refuted", "bad")
    elif any(map(_VERIFYING.fullmatch, node["run_ids"])):
        yield VERIFIED
    if disputed:
        yield DISPUTED


def _line_numbers(nodes: Iterable[Mapping[str, Any]], paths: Iterable[Sequence[str]]) -> dict[str, int]:
    """The number of the line that each claim is on; a path names claims by their ids or by their words."""
    by_words: dict[str, str] = {}
    for node in nodes:
        by_words.setdefault(node["claim"], node["id"])
    known = {node: node for node in by_words.values()} | by_words
    return {known[step]: number for number, path in enumerate(paths, 1) for step in path[:-1] if step in known}


def _circling(nodes: Iterable[DrawnNode], edges: Iterable[DrawnEdge]) -> frozenset[str]:
    """Claims that can be reached from themselves (Kosaraju: who is met walking back is in a circle with the start)."""
    ahead: dict[str, list[str]] = {node.id: [] for node in nodes}
    behind: dict[str, list[str]] = {node: [] for node in ahead}
    circling = set()
    for edge in edges:
        if edge.src in ahead and edge.dst in ahead:
            ahead[edge.src].append(edge.dst)
            behind[edge.dst].append(edge.src)
            circling |= {edge.src} if edge.src == edge.dst else set()
    seen: set[str] = set()
    last_first = [node for start in ahead for node in _finished(start, ahead, seen)][::-1]
    seen = set()
    for start in last_first:
        circle = list(_finished(start, behind, seen))
        circling |= set(circle) if len(circle) > 1 else set()
    return frozenset(circling)


def _finished(start: str, onward: Mapping[str, Sequence[str]], seen: set[str]) -> Iterator[str]:
    """Yield what a walk depth first meets anew, each when all behind it is done."""
    way = [] if start in seen else [(start, iter(onward[start]))]
    seen.add(start)
    while way:
        node, rest = way[-1]
        for other in rest:
            if other not in seen:
                seen.add(other)
                way.append((other, iter(onward[other])))
                break
        else:
            yield node
            way.pop()
