"""The slow literal version of the paper's section 3: every pair, every edge, networkx and difflib."""

from difflib import SequenceMatcher
from itertools import pairwise

import networkx as nx

from moot.argument.graph import natural_order
from moot.argument.guards import opposing_guard, separating_guard
from moot.argument.wording.normal_form import normal_form


def literal_clusters(claims, cannot_link=(), jaccard=0.7, ratio=0.85, identifiers=False):
    """Every pair in assertion order: guards first, then similarity; returns clusters and contradicting pairs."""
    forms, first_said = [], {}
    for claim in claims:
        form = normal_form(claim, identifiers=identifiers)
        # Claims of one normal form are read as the first of them was written.
        forms.append(first_said.setdefault(form.text, form))
    cluster = list(range(len(claims)))
    apart = {frozenset(pair) for pair in cannot_link}
    contradictions = []
    for later in range(len(claims)):
        for earlier in range(later):
            if guarded(forms[earlier], forms[later]):
                contradictions.append((earlier, later))
                apart.add(frozenset((earlier, later)))
        for earlier in range(later):
            if cluster[earlier] == cluster[later] or not alike(forms[earlier], forms[later], jaccard, ratio):
                continue
            left = [place for place in range(len(claims)) if cluster[place] == cluster[earlier]]
            right = [place for place in range(len(claims)) if cluster[place] == cluster[later]]
            if not any(frozenset((a, b)) in apart for a in left for b in right):
                for place in right:
                    cluster[place] = cluster[earlier]
    return cluster, contradictions


def guarded(a, b):
    return bool(a.text and b.text and opposing_guard(a, b))


def alike(earlier, later, jaccard, ratio):
    if not earlier.text or not later.text or guarded(earlier, later):
        return False
    if earlier.text == later.text:
        return True
    overlap = len(earlier.tokens & later.tokens) / len(earlier.tokens | later.tokens)
    if overlap < jaccard and SequenceMatcher(None, earlier.text, later.text).ratio() < ratio:
        return False
    return not separating_guard(earlier, later)


class LiteralGraph:
    """A merged graph read by the paper's recipes, one function a check."""

    def __init__(self, nodes, edges):
        self.nodes = {node.id: node for node in nodes}
        self.order = [node.id for node in nodes]
        self.attacks = nx.DiGraph()
        self.attacks.add_nodes_from(self.order)
        self.support = nx.DiGraph()
        self.support.add_nodes_from(self.order)
        for edge in edges:
            if edge.relation == "attacks":
                self.attacks.add_edge(edge.src, edge.dst)
                continue
            known = self.support.get_edge_data(edge.src, edge.dst) or {"most": 0.0, "least": 1.0}
            most, least = max(known["most"], edge.confidence), min(known["least"], edge.confidence)
            self.support.add_edge(edge.src, edge.dst, most=most, least=least)

    def givens(self):
        return [name for name in self.order if self.nodes[name].type == "given" or self.nodes[name].stated]

    def live(self):
        return self.support.subgraph(name for name in self.order if not self.nodes[name].refuted).copy()

    def live_givens(self):
        return [name for name in self.givens() if not self.nodes[name].refuted]

    def augmented(self):
        graph = self.live()
        graph.add_node("__S__")
        graph.add_edges_from(("__S__", given) for given in self.live_givens())
        return graph

    def check_structure(self, conclusion):
        orphans = [
            name
            for name in self.order
            if self.support.in_degree(name) == 0
            and self.nodes[name].type not in ("given", "assumption")
            and not self.nodes[name].stated
        ]
        cycles = []
        for cycle in nx.simple_cycles(self.support):
            least = min(range(len(cycle)), key=lambda place: natural_order(cycle[place]))
            cycles.append(cycle[least:] + cycle[:least])
        cycles.sort(key=lambda cycle: [natural_order(name) for name in cycle])
        reachable = set().union(*({given} | nx.descendants(self.support, given) for given in self.givens()))
        feeding = nx.ancestors(self.support, conclusion)
        return {
            "orphans": orphans,
            "cycles": cycles[:10],
            "cycles_truncated": len(cycles) > 10,
            "unreachable_conclusion": conclusion not in reachable,
            "refuted_but_feeding": [name for name in self.order if self.nodes[name].refuted and name in feeding],
            "assumptions": [name for name in self.order if self.nodes[name].type == "assumption"],
        }

    def width(self, conclusion):
        graph = self.augmented()
        if conclusion not in graph:
            return 0
        direct = 1 if graph.has_edge("__S__", conclusion) else 0
        if direct:
            graph.remove_edge("__S__", conclusion)
        try:
            return direct + len(list(nx.node_disjoint_paths(graph, "__S__", conclusion)))
        except nx.NetworkXNoPath:
            return direct

    def cut_size(self, conclusion):
        graph = self.augmented()
        if not self.reaches(graph, conclusion):
            return 0
        return len(nx.minimum_node_cut(graph, "__S__", conclusion))

    def max_flow(self, conclusion):
        if self.nodes[conclusion].refuted:
            return 0.0
        split = nx.DiGraph()
        givens = set(self.live_givens())
        for name in self.live():
            split.add_edge((name, "in"), (name, "out"), capacity=1e9 if name in givens else self.nodes[name].confidence)
        for src, dst, data in self.live().edges(data=True):
            split.add_edge((src, "out"), (dst, "in"), capacity=data["most"])
        split.add_node("__S__")
        for given in givens:
            split.add_edge("__S__", (given, "in"), capacity=1e9)
        return nx.maximum_flow_value(split, "__S__", (conclusion, "in"))

    def reaches(self, graph, conclusion):
        return "__S__" in graph and conclusion in graph and nx.has_path(graph, "__S__", conclusion)

    def bridges(self, conclusion):
        graph = self.augmented()
        if not self.reaches(graph, conclusion):
            return set()
        found = set()
        for src, dst in list(graph.edges):
            graph.remove_edge(src, dst)
            if src != "__S__" and not self.reaches(graph, conclusion):
                found.add((src, dst))
            graph.add_edge(src, dst)
        return found

    def betweenness(self, conclusion):
        graph, found = self.live(), {}
        for given in self.live_givens():
            if conclusion in graph and nx.has_path(graph, given, conclusion):
                paths = list(nx.all_shortest_paths(graph, given, conclusion))
                for path in paths:
                    for edge in pairwise(path):
                        found[edge] = found.get(edge, 0) + 1 / len(paths)
        return found

    def labels(self):
        label = {name: "out" if self.nodes[name].refuted else "undecided" for name in self.order}
        changed = True
        while changed:
            changed = False
            for name in self.order:
                if label[name] != "undecided":
                    continue
                attackers = [label[other] for other in self.attacks.predecessors(name)]
                if all(other == "out" for other in attackers):
                    label[name], changed = "in", True
                elif "in" in attackers:
                    label[name], changed = "out", True
        return label

    def surviving(self):
        label = self.labels()
        standing = self.support.subgraph(name for name in self.order if label[name] != "out")
        reachable = set()
        for given in self.givens():
            if label[given] != "out":
                reachable |= {given} | nx.descendants(standing, given)
        return [
            name
            for name in self.order
            if label[name] != "out"
            and (name in reachable or (label[name] == "in" and self.attacks.out_degree(name) > 0))
        ]

    def on_path(self, conclusion):
        graph, found = self.augmented(), set()
        if conclusion in graph:
            for path in nx.all_simple_paths(graph, "__S__", conclusion):
                found.update(path[1:])
            if conclusion in self.live_givens():
                found.add(conclusion)
        return found
