"""The merged graph in the formats of other tools: networkx, Argdown, AIF, DOT, Mermaid, GraphML (ruling A17)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from moot.argument.graph import Edge, Node
from moot.argument.interchange import numbered, to_aif, to_argdown

Exporter = Callable[[Sequence[Node], Sequence[Edge]], str]

_COLOURS = {"conclusion": "#2f6f4f", "given": "#2b5c8a", "inference": "#555555", "assumption": "#9a6700"}
_DASHES = {"supports": "solid", "attacks": "dashed", "assumes": "dotted"}
_ARROWS = {"supports": "-->", "attacks": "-- attacks -->", "assumes": "-.->"}
_NODE_FIELDS = ("claim", "type", "confidence", "run_ids", "refuted", "refute_reason", "aliases", "stated", "ungrounded")
_EDGE_FIELDS = ("relation", "confidence", "run_ids", "group")


def to_networkx(nodes: Sequence[Node], edges: Sequence[Edge]) -> Any:
    """Return the graph as a MultiDiGraph with the fields of 3.1; an edge's key is its relation and its group."""
    import networkx as nx

    graph = nx.MultiDiGraph()
    for node in nodes:
        graph.add_node(node.id, **{name: getattr(node, name) for name in _NODE_FIELDS})
    for edge in edges:
        key = edge.relation if edge.group is None else f"{edge.relation} {edge.group}"
        graph.add_edge(edge.src, edge.dst, key=key, **{name: getattr(edge, name) for name in _EDGE_FIELDS})
    return graph


def to_dot(nodes: Sequence[Node], edges: Sequence[Edge]) -> str:
    """Return the graph in Graphviz DOT; attacks are dashed, assumptions dotted, refuted claims grey."""
    lines = ["digraph argument {", "  rankdir=BT;", "  node [shape=box, style=rounded];"]
    for node in nodes:
        colour = "#bbbbbb" if node.refuted else _COLOURS[node.type]
        lines.append(f'  {_dot_text(node.id)} [label={_dot_text(f"{node.id}: {node.claim}")}, color="{colour}"];')
    for edge in edges:
        label = " ".join(filter(None, (edge.relation, f"{edge.confidence:g}", edge.group)))
        style = f"label={_dot_text(label)}, style={_DASHES[edge.relation]}"
        lines.append(f"  {_dot_text(edge.src)} -> {_dot_text(edge.dst)} [{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def to_mermaid(nodes: Sequence[Node], edges: Sequence[Edge]) -> str:
    """Return the graph as a Mermaid flowchart."""
    names = {node.id: f"n{number}" for number, node in enumerate(nodes)}
    lines = ["flowchart BT"]
    lines += [f'  {names[node.id]}["{_mermaid_text(f"{node.id}: {node.claim}")}"]:::{node.type}' for node in nodes]
    lines += [f"  {names[edge.src]} {_ARROWS[edge.relation]} {names[edge.dst]}" for edge in edges]
    lines += [f"  classDef {name} stroke:{colour}" for name, colour in _COLOURS.items()]
    return "\n".join(lines) + "\n"


def to_graphml(nodes: Sequence[Node], edges: Sequence[Edge]) -> str:
    """Return the graph as GraphML, lists of runs and aliases joined by a bar."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    for owner, names in (("node", _NODE_FIELDS), ("edge", _EDGE_FIELDS)):
        lines += [
            f'  <key id="{owner}_{name}" for="{owner}" attr.name="{name}" attr.type="{_graphml_type(name)}"/>'
            for name in names
        ]
    lines.append('  <graph edgedefault="directed">')
    for node in nodes:
        lines += [f"    <node id={_graphml_name(node.id)}>", *_graphml_data(node, "node", _NODE_FIELDS), "    </node>"]
    for edge in edges:
        ends = f"source={_graphml_name(edge.src)} target={_graphml_name(edge.dst)}"
        lines += [f"    <edge {ends}>", *_graphml_data(edge, "edge", _EDGE_FIELDS), "    </edge>"]
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


FORMATS: Mapping[str, Exporter] = {
    "argdown": to_argdown,
    "aif": to_aif,
    "dot": to_dot,
    "mermaid": to_mermaid,
    "graphml": to_graphml,
}


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _dot_text(text: str) -> str:
    escaped = _one_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{numbered(escaped, "&#{};")}"'


def _mermaid_text(text: str) -> str:
    marks = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;"}
    return numbered("".join(marks.get(letter, letter) for letter in _one_line(text)), "#{};")


def _graphml_name(name: str) -> str:
    return numbered(quoteattr(name), "&#{};")


def _graphml_type(name: str) -> str:
    if name in ("refuted", "stated", "ungrounded"):
        return "boolean"
    return "double" if name == "confidence" else "string"


def _graphml_data(value: Node | Edge, owner: str, names: Sequence[str]) -> list[str]:
    return [
        f'      <data key="{owner}_{name}">{_graphml_text(getattr(value, name))}</data>'
        for name in names
        if getattr(value, name) is not None
    ]


def _graphml_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (frozenset, tuple)):
        value = " | ".join(sorted(value))
    return escape("".join(letter for letter in str(value) if letter.isprintable() or letter in "\t\n"))
