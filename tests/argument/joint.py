"""Width and resilience by their definitions (rulings A21, A22): every set of claims is tried."""

import random
from itertools import combinations
from typing import Any


class LiteralWays:
    """The ways of a merged graph, read from its values, as bit masks over claims and sentences."""

    def __init__(self, store, graph_id="g", *, standing):
        nodes, sentences = store.nodes(graph_id), store.sentences(graph_id)
        out = set(store.surviving_claims(graph_id)["out"]) if standing else set()
        gone = out | {item.id for item in (*nodes, *sentences) if item.refuted}
        self.names = [item.id for item in (*nodes, *sentences)]
        self.bit = {name: 1 << place for place, name in enumerate(self.names)}
        self.live = sum(bit for name, bit in self.bit.items() if name not in gone)
        self.assumed = self.mask(node.id for node in nodes if node.type == "assumption")
        is_given = {node.id: node.type == "given" or node.stated for node in nodes}
        self.starts = self.mask(node.id for node in nodes if is_given[node.id] and not node.sources)
        self.starts |= self.mask(sentence.id for sentence in sentences)
        ways = {}
        for number, edge in enumerate(store.edges(graph_id)):
            if edge.relation != "attacks":
                key = (edge.dst, number if edge.group is None else edge.group)
                ways.setdefault(key, set()).add(edge.src)
        self.ways = [(self.bit[dst], self.mask(members)) for (dst, _), members in ways.items()]
        for node in nodes:
            if is_given[node.id]:
                self.ways += [(self.bit[node.id], self.mask(source.ids)) for source in node.sources]

    def mask(self, names):
        return sum(self.bit[name] for name in set(names))

    def carried(self, inside, conclusion):
        """Whether the conclusion is in line within these; it is no start of its own."""
        goal = self.bit[conclusion]
        inside &= self.live
        in_line = self.starts & inside & ~goal
        held = in_line | (self.assumed & inside & ~goal)
        ways = [(dst, way) for dst, way in self.ways if dst & inside and not way & goal and not way & dst]
        changed = True
        while changed:
            before = (held, in_line)
            for dst, way in ways:
                if way & held == way:
                    held |= dst
                    if way & in_line:
                        in_line |= dst
            changed = (held, in_line) != before
        return bool(in_line & goal)

    def without(self, names, conclusion):
        return self.carried(~self.mask(names), conclusion)

    def resilience(self, conclusion):
        others = [name for name in self.names if name != conclusion and self.bit[name] & self.live]
        for size in range(len(others) + 1):
            for names in combinations(others, size):
                if not self.without(names, conclusion):
                    return size
        raise AssertionError("nothing takes the conclusion away")

    def width(self, conclusion):
        others = [self.bit[name] for name in self.names if name != conclusion and self.bit[name] & self.live]
        carrying = []
        for size in range(1, len(others) + 1):
            for bits in combinations(others, size):
                inside = sum(bits)
                smaller = any(inside & line == line for line in carrying)
                if not smaller and self.carried(inside | self.bit[conclusion], conclusion):
                    carrying.append(inside)
        return _most_disjoint(carrying)


def _most_disjoint(lines):
    if not lines:
        return 0
    first, *rest = lines
    return max(_most_disjoint(rest), 1 + _most_disjoint([line for line in rest if not line & first]))


def random_joint_graph(seed, *, sources=False, attacks=False, groups=True):
    """Up to twelve claims and sentences: groups of one to three, assumptions, circles, some claims refuted."""
    rng = random.Random(seed)
    size = rng.randint(3, 8 if sources else 12)
    names = [f"n{number}" for number in range(size)]
    types = rng.choices(["given", "inference", "assumption"], [5, 5, 1], k=size - 1)
    nodes: list[dict[str, Any]] = [
        {"id": name, "claim": f"{name} {name * 3}", "type": kind}
        for name, kind in zip(names, [*types, "conclusion"], strict=True)
    ]
    if sources:
        for node in nodes:
            if node["type"] == "given" and rng.random() < 0.8:
                node["source"] = {"document": "d", "sentences": rng.sample(range(4), rng.choice([1, 1, 2]))}
    edges = []
    for number in range(rng.randint(size, 2 * size)):
        at = size - 1 if rng.random() < 0.4 else rng.randrange(1, size)
        # Most premises stand before what they support; some make circles.
        pool = names[:at] if rng.random() < 0.85 else names[:at] + names[at + 1 :]
        group = f"s{number}" if groups and rng.random() < 0.8 else None
        for src in rng.sample(pool, min(len(pool), rng.choice([1, 2, 2, 3]) if group else 1)):
            relation = rng.choice(["supports", "supports", "supports", "assumes"])
            edges.append({"src": src, "dst": names[at], "relation": relation, **({"group": group} if group else {})})
    if attacks:
        edges += [{"src": a, "dst": b, "relation": "attacks"} for a, b in [rng.sample(names, 2)] * 2]
    return nodes, edges, [name for name in names[:-1] if rng.random() < 0.05], names[-1]
