"""Where the claims of an argument stand in its drawing: conclusions on top, what supports them below, never too wide.

A column of text is 800 pixels wide, and a drawing is no wider: claims of one depth stand in several rows where they are
more than fit side by side. Boxes stand on a grid, so that the gutters between them are free for lines.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

WIDTH, LINE, PADDING, GAP = 230, 16, 10, 26
BELOW_A_ROW, BELOW_A_DEPTH = 34, 64
LETTERS, LINES = 30, 5
ACROSS = 3
"""Boxes side by side: with the gaps they are 794 pixels."""
MOST_NODES = 120
"""A larger graph is not drawn whole: what leads to a conclusion comes first."""

SWEEPS = 4

Graph = Mapping[str, Any]
"""A graph as `GraphStore.to_json` gives it."""


@dataclass(frozen=True, slots=True)
class Box:
    """A claim and its place in the drawing."""

    node: Mapping[str, Any]
    lines: tuple[str, ...]
    x: float
    y: float
    row: int

    @property
    def height(self) -> int:
        """How tall the box is."""
        return LINE * (len(self.lines) + 1) + 2 * PADDING

    @property
    def middle(self) -> float:
        """Where lines come in and go out."""
        return self.x + WIDTH / 2


def parts_of_graph(graph: Graph) -> tuple[Graph, Graph]:
    """Return the claims that lead to a conclusion or attack what does, and those that have no part in any.

    Where nothing is concluded, all are of the first kind.
    """
    depth = _depths(graph)
    named = depth or {node["id"]: 0 for node in graph["nodes"]}
    cone = [node for node in graph["nodes"] if node["id"] in named]
    rest = [node for node in graph["nodes"] if node["id"] not in named]
    return {"nodes": cone, "edges": graph["edges"]}, {"nodes": rest, "edges": graph["edges"]}


def edges_of(graph: Graph) -> list[Mapping[str, Any]]:
    """Return the edges between claims that are there."""
    names = {node["id"] for node in graph["nodes"]}
    return [edge for edge in graph["edges"] if edge["src"] in names and edge["dst"] in names]


def placed_boxes(graph: Graph) -> dict[str, Box]:
    """Return the boxes by the ids of their claims, from the top to the bottom."""
    nodes = {node["id"]: node for node in graph["nodes"]}
    layers = _cut(_ordered(_layers(graph), edges_of(graph)))
    columns = min(ACROSS, max(map(len, layers), default=0))
    boxes: dict[str, Box] = {}
    y, number = float(GAP), 0
    for layer in layers:
        for names in _rows(layer, columns):
            places = [GAP + place * (WIDTH + GAP) for place in _columns(len(names), columns)]
            row = [
                Box(nodes[name], box_lines(nodes[name]["claim"]), x, y, number)
                for name, x in zip(names, places, strict=True)
            ]
            boxes |= {box.node["id"]: box for box in row}
            y += max(box.height for box in row) + BELOW_A_ROW
            number += 1
        y += BELOW_A_DEPTH - BELOW_A_ROW
    return boxes


def gutters(boxes: Mapping[str, Box]) -> list[float]:
    """Return the places between and beside the columns, where no box stands."""
    right = max((box.x for box in boxes.values()), default=0) + WIDTH
    return [GAP / 2 + place * (WIDTH + GAP) for place in range(ACROSS + 1) if place * (WIDTH + GAP) <= right]


def box_lines(claim: str) -> tuple[str, ...]:
    """Return the lines of a claim in its box; one that is too long is cut, and its title has it whole."""
    lines = wrap(" ".join(claim.split()), LETTERS) or [""]
    return tuple(lines) if len(lines) <= LINES else (*lines[: LINES - 1], f"{lines[LINES - 1][: LETTERS - 1]}…")


def _depths(graph: Graph) -> dict[str, int]:
    """How far each claim is from a conclusion, as far as it leads to one; cycles do no harm."""
    edges = edges_of(graph)
    depth = {node["id"]: 0 for node in graph["nodes"] if node["type"] == "conclusion"}
    while deeper := {
        edge["src"]: depth[edge["dst"]] + 1 for edge in edges if edge["dst"] in depth and edge["src"] not in depth
    }:
        depth |= deeper
    return depth


def _layers(graph: Graph) -> list[list[str]]:
    """Conclusions on top; every other claim just below a claim it speaks to; what leads to nothing at the bottom."""
    depth = _depths(graph)
    bottom = max(depth.values(), default=-1) + 1
    layers: dict[int, list[str]] = {}
    for node in graph["nodes"]:
        layers.setdefault(depth.get(node["id"], bottom), []).append(node["id"])
    return [layers[number] for number in sorted(layers)]


def _ordered(layers: list[list[str]], edges: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Put each claim near those it is linked with, so that few lines cross."""
    for _ in range(SWEEPS):
        place = {name: at / max(len(layer), 1) for layer in layers for at, name in enumerate(layer)}
        near: dict[str, list[float]] = {}
        for edge in edges:
            near.setdefault(edge["src"], []).append(place[edge["dst"]])
            near.setdefault(edge["dst"], []).append(place[edge["src"]])
        means = {name: sum(values) / len(values) for name, values in near.items()}
        layers = [sorted(layer, key=lambda name: (means.get(name, place[name]), name)) for layer in layers]
    return layers


def _cut(layers: list[list[str]]) -> list[list[str]]:
    left, kept = MOST_NODES, []
    for layer in layers:
        kept.append(layer[:left])
        left -= len(kept[-1])
    return [layer for layer in kept if layer]


def _rows(layer: list[str], columns: int) -> list[list[str]]:
    """The claims of one depth row by row, so that what stands left in their order stands left in the drawing."""
    count = -(-len(layer) // columns)
    return [layer[row::count] for row in range(count)]


def _columns(boxes: int, columns: int) -> list[int]:
    """The columns of a row that is not full: one box in the middle, more from side to side."""
    if boxes == 1:
        return [(columns - 1) // 2]
    return [place * (columns - 1) // (boxes - 1) for place in range(boxes)]
