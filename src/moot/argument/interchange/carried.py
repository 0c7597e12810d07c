"""What is carried from one tool to another: a node's and an edge's own fields, and a graph that was read."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from moot.argument.graph import DEFAULT_CONFIDENCE, NODE_TYPES, RELATIONS, Edge, Node
from moot.argument.ingest import Rejection, read_edge, read_node

Item = dict[str, Any]

HEADED = ("supports", "assumes")
NODE_FIELDS = ("type", "confidence", "run_ids", "refuted", "refute_reason", "ungrounded", "sources")
EDGE_FIELDS = ("relation", "confidence", "run_ids")


class FileProblem(Exception):
    """A file does not say what its format asks for; the message names the way out, `line` the place where known."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem)
        self.line = line


@dataclass(frozen=True, slots=True)
class Carried:
    """A graph that was read, as `GraphStore.from_json` takes it, and what of the file it has no place for."""

    graph: Item
    passed_over: tuple[str, ...] = ()


def node_fields(node: Node) -> Item:
    """Return what a claim has beside its id and its words; what nobody has set is left out."""
    return {
        "type": node.type,
        "confidence": node.confidence,
        "run_ids": sorted(node.run_ids),
        **({"refuted": True, "refute_reason": node.refute_reason} if node.refuted else {}),
        **({"ungrounded": True} if node.ungrounded else {}),
        **({"sources": [source.json() for source in node.sources]} if node.sources else {}),
    }


def edge_fields(edge: Edge) -> Item:
    """Return what a relation has beside its ends and its group."""
    return {"relation": edge.relation, "confidence": edge.confidence, "run_ids": sorted(edge.run_ids)}


def known_fields(data: Any, names: Collection[str]) -> Item:
    """Return the fields of these names that a file's data has."""
    return {name: data[name] for name in names if name in data} if isinstance(data, Mapping) else {}


def carried(
    nodes: Iterable[tuple[Item, int | None]], edges: Iterable[tuple[Item, int | None]], passed_over: Iterable[str] = ()
) -> Carried:
    """Return a graph of items, each with its line, where all of them may enter one; types nobody told are worked out.

    Raises:
        FileProblem: an item may not enter a graph; at its line.
    """
    placed_nodes, placed_edges = list(nodes), list(edges)
    _fill_in([item for item, _ in placed_nodes], [item for item, _ in placed_edges])
    known: set[str] = set()
    for item, line in placed_nodes:
        _check(lambda item=item: read_node(item, None), line)
        if item["id"] in known:
            raise FileProblem(f"the id {item['id']!r} is given to two claims; give one of them another", line)
        known.add(item["id"])
    for item, line in placed_edges:
        _check(lambda item=item: read_edge(item, None, known), line)
    asserted = {"nodes": [item for item, _ in placed_nodes], "edges": [item for item, _ in placed_edges]}
    return Carried({"asserted": asserted}, tuple(passed_over))


def _check(read: Any, line: int | None) -> None:
    try:
        read()
    except Rejection as rejection:
        raise FileProblem(f"{rejection}; mend that and read it again", line) from None


def _fill_in(nodes: list[Item], edges: list[Item]) -> None:
    """Fill in what is not told: what rests on something is an inference, or a conclusion if nothing rests on it.

    What rests on nothing is given, or an assumption where it is assumed.
    """
    held_up = {edge["dst"] for edge in edges if edge["relation"] in HEADED}
    holding = {edge["src"] for edge in edges if edge["relation"] in HEADED}
    assumed = {edge["src"] for edge in edges if edge["relation"] == "assumes"}
    for item in (*nodes, *edges):
        item.setdefault("confidence", DEFAULT_CONFIDENCE)
    for node in nodes:
        name = node["id"]
        resting = "inference" if name in holding else "conclusion"
        node.setdefault("type", resting if name in held_up else "assumption" if name in assumed else "given")


def is_type(word: str) -> bool:
    """Whether a word names a type of claims."""
    return word in NODE_TYPES


def is_relation(word: object) -> bool:
    """Whether a word names a relation."""
    return word in RELATIONS
