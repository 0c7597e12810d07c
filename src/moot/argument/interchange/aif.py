"""A graph as AIF (the argument interchange format) in the JSON of AIFdb, and back.

A claim is an I-node, a support an RA-node between claims, an attack a CA-node; premises of one group enter one RA-node,
as AIF has it for linked arguments. What AIF has no field for stands under the key `moot`, which other tools pass over.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from moot.argument.graph import Edge, Node
from moot.argument.interchange.carried import (
    EDGE_FIELDS,
    NODE_FIELDS,
    Carried,
    FileProblem,
    Item,
    carried,
    edge_fields,
    is_relation,
    known_fields,
    node_fields,
)
from moot.argument.interchange.numbered import numbered

OURS = "moot"
_SCHEMES = {
    "supports": ("RA", "Default Inference"),
    "assumes": ("RA", "Assumption"),
    "attacks": ("CA", "Default Conflict"),
}
_RELATION_OF = {"RA": "supports", "CA": "attacks"}
EXPECTED = "an AIF file is an object with `nodes` (nodeID, text, type) and `edges` (fromID, toID)"


def to_aif(nodes: Sequence[Node], edges: Sequence[Edge]) -> str:
    """Return the graph as AIF JSON, from which `read_aif` makes the same graph."""
    numbers = {node.id: str(number) for number, node in enumerate(nodes, start=1)}
    told: list[Item] = [
        {"nodeID": numbers[node.id], "text": node.claim, "type": "I", OURS: {"id": node.id, **node_fields(node)}}
        for node in nodes
    ]
    arrows: list[tuple[str, str]] = []
    for together in _joined(edges):
        kind, scheme = _SCHEMES[together[0].relation]
        number = str(len(told) + 1)
        own = {
            **({} if together[0].group is None else {"group": together[0].group}),
            "premises": [{"from": edge.src, **edge_fields(edge)} for edge in together],
        }
        told.append({"nodeID": number, "text": scheme, "type": kind, "scheme": scheme, OURS: own})
        arrows += [(premise, number) for premise in dict.fromkeys(numbers[edge.src] for edge in together)]
        arrows.append((number, numbers[together[0].dst]))
    drawn = [{"edgeID": str(n), "fromID": src, "toID": dst} for n, (src, dst) in enumerate(arrows, start=1)]
    text = json.dumps({"nodes": told, "edges": drawn, "locutions": []}, ensure_ascii=False, indent=2)
    return numbered(text, "\\u{:04x}") + "\n"


def _joined(edges: Sequence[Edge]) -> list[list[Edge]]:
    """Edges of one group into one claim together, every other edge alone."""
    groups: dict[object, list[Edge]] = {}
    for place, edge in enumerate(edges):
        groups.setdefault(place if edge.group is None else (edge.dst, edge.group), []).append(edge)
    return list(groups.values())


def is_aif(data: object) -> bool:
    """Whether JSON looks like AIF rather than a graph of Moot's own."""
    nodes = data.get("nodes") if isinstance(data, Mapping) else None
    return isinstance(nodes, list) and bool(nodes) and isinstance(nodes[0], Mapping) and "nodeID" in nodes[0]


def read_aif(data: Any) -> Carried:
    """Return the graph of an AIF file.

    Nodes of other kinds than I, RA and CA (locutions, rephrasings, preferences) have no place in a graph of claims;
    nor has a conflict with an inference. They are passed over and told.

    Raises:
        FileProblem: it is no AIF, or names a node that is not there.
    """
    nodes, arrows = _nodes(data), _arrows(data)
    for place, (src, dst) in enumerate(arrows, start=1):
        for end in (src, dst):
            if end not in nodes:
                raise FileProblem(f"edge {place} names the node {end!r}, which is not there; add it or drop the edge")
    claims = {number: node for number, node in nodes.items() if node["type"] == "I"}
    names = {number: _name(number, node) for number, node in claims.items()}
    items = [
        {"id": names[n], "claim": node.get("text"), **known_fields(node.get(OURS), NODE_FIELDS)}
        for n, node in claims.items()
    ]
    edges: list[Item] = []
    unheard = Counter(node["type"] for node in nodes.values() if node["type"] not in ("I", *_RELATION_OF))
    for number, node in nodes.items():
        if node["type"] in _RELATION_OF:
            made = _edges(number, node, arrows, names)
            edges += made
            unheard.update([] if made else [f"{node['type']} that joins no two claims"])
    direct = [(src, dst) for src, dst in arrows if src in names and dst in names]
    unheard.update(["edge from claim to claim"] * len(direct))
    passed_over = (f"{count} of the kind {kind}" for kind, count in sorted(unheard.items()))
    return carried(((item, None) for item in items), ((edge, None) for edge in edges), passed_over)


def _edges(number: str, node: Item, arrows: Sequence[tuple[str, str]], names: Mapping[str, str]) -> list[Item]:
    """The relations that an RA- or CA-node stands for: each of its premises with each of its ends."""
    premises = [names[src] for src, dst in arrows if dst == number and src in names]
    ends = [names[dst] for src, dst in arrows if src == number and dst in names]
    own = known_fields(node.get(OURS), ("group", "premises"))
    told = [one for one in own.get("premises", ()) if isinstance(one, Mapping)]
    relation = _RELATION_OF[node["type"]]
    linked = relation == "supports" and len(premises) > 1
    group = own.get("group", f"RA {number}" if linked else None)
    made: list[Item] = []
    for end in ends:
        for premise in premises:
            known = [known_fields(one, EDGE_FIELDS) for one in told if one.get("from") == premise]
            for fields in [one for one in known if is_relation(one.get("relation"))] or [{"relation": relation}]:
                held = {"group": group} if group is not None and fields["relation"] != "attacks" else {}
                made.append({"src": premise, "dst": end, **fields, **held})
    return made


def _nodes(data: Any) -> dict[str, Item]:
    items = data.get("nodes") if isinstance(data, Mapping) else None
    if not isinstance(items, list):
        raise FileProblem(EXPECTED)
    nodes: dict[str, Item] = {}
    for place, item in enumerate(items, start=1):
        if not isinstance(item, Mapping) or "nodeID" not in item or not isinstance(item.get("type"), str):
            raise FileProblem(f"node {place} has no nodeID or no type; {EXPECTED}")
        if str(item["nodeID"]) in nodes:
            raise FileProblem(f"node {place} has the nodeID of another ({item['nodeID']}); give it one of its own")
        nodes[str(item["nodeID"])] = dict(item)
    return nodes


def _arrows(data: Any) -> list[tuple[str, str]]:
    items = data.get("edges", [])
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        raise FileProblem(EXPECTED)
    return [(str(item.get("fromID")), str(item.get("toID"))) for item in items]


def _name(number: str, node: Item) -> str:
    own = node.get(OURS)
    name = own.get("id") if isinstance(own, Mapping) else None
    return name if isinstance(name, str) else number
