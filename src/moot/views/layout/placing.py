"""From boxes and lines to their places in a drawing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from moot.views.layout.heights import settled_heights
from moot.views.layout.layers import LayeredGraph, Pair, layered_graph
from moot.views.layout.orders import ordered_layers

COLUMN_GAP, ROW_GAP, PART_GAP, EDGE = 58.0, 12.0, 30.0, 20.0
WAYPOINT = 4.0
"""How much height a line takes that passes between boxes."""
ACROSS = 4
"""Boxes that nothing is linked to stand below the others, so many in a row."""

Passage = tuple[float, float, float]
"""A line's way between boxes of a column: from where to where, and at which height."""


@dataclass(frozen=True, slots=True)
class LayoutBox:
    """The size of a box, and whether it belongs to the left edge."""

    width: float
    height: float
    first: bool = False


@dataclass(frozen=True, slots=True)
class PlacedBox:
    """Where a box stands: its upper left corner, and the number of its layer."""

    x: float
    y: float
    layer: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A graph that has been laid out, boxes and lines in the order given."""

    boxes: tuple[PlacedBox, ...]
    passages: tuple[tuple[Passage, ...], ...]
    """For each line the columns that it crosses, from the left to the right."""
    width: float
    height: float


def laid_out(boxes: Sequence[LayoutBox], lines: Sequence[Pair], across: int = ACROSS) -> Layout:
    """Return where boxes stand, of which each line's first supports its second: what is supported stands further left.

    A line from a box to itself, and one between two boxes of the left edge, has no part in it.
    """
    kept = [(src, dst) for src, dst in lines if src != dst and not (boxes[src].first and boxes[dst].first)]
    graph = layered_graph(len(boxes), [box.first for box in boxes], kept)
    sizes = [box.height for box in boxes] + [WAYPOINT] * (len(graph.layers) - len(boxes))
    parts, alone = _parts(graph, boxes)
    middles, bottom = _stacked_parts(graph, parts, sizes)
    columns = _columns(graph, boxes, parts)
    placed = {
        box: PlacedBox(columns[graph.layers[box]][0], middle - sizes[box] / 2, graph.layers[box])
        for box, middle in middles.items()
        if box < len(boxes)
    }
    placed.update(_rows(boxes, alone, bottom, across))
    passages = tuple(tuple(_passages(graph, line, middles, columns)) for line in lines)
    right = max((place.x + boxes[box].width for box, place in placed.items()), default=0.0)
    low = max((place.y + boxes[box].height for box, place in placed.items()), default=0.0)
    return Layout(tuple(placed[box] for box in range(len(boxes))), passages, right + EDGE, low + EDGE)


def _parts(graph: LayeredGraph, boxes: Sequence[LayoutBox]) -> tuple[list[list[int]], list[int]]:
    """What hangs together, parts with a box of the left edge first and then the larger ones; and who is linked to none.

    Without a single line, boxes of the left edge are parts all the same.
    """
    seen = [False] * len(graph.layers)
    parts: list[list[int]] = []
    for box in range(len(graph.layers)):
        if seen[box]:
            continue
        seen[box] = True
        part = [box]
        for one in part:
            for other in (*graph.left[one], *graph.right[one]):
                if not seen[other]:
                    seen[other] = True
                    part.append(other)
        parts.append(part)
    alone = [part[0] for part in parts if len(part) == 1 and not boxes[part[0]].first]
    linked = [sorted(part) for part in parts if len(part) > 1 or boxes[part[0]].first]
    firsts = {box for box, size in enumerate(boxes) if size.first}
    return sorted(linked, key=lambda part: (firsts.isdisjoint(part), -len(part), part[0])), alone


def _stacked_parts(
    graph: LayeredGraph, parts: Sequence[Sequence[int]], sizes: Sequence[float]
) -> tuple[dict[int, float], float]:
    """The middles of all that hangs together, part below part, and where the next would begin."""
    middles: dict[int, float] = {}
    top = EDGE
    for part in parts:
        own = settled_heights(ordered_layers(graph, part), graph.left, graph.right, sizes, ROW_GAP)
        down = top - min(middle - sizes[box] / 2 for box, middle in own.items())
        middles.update((box, middle + down) for box, middle in own.items())
        top = max(middles[box] + sizes[box] / 2 for box in part) + PART_GAP
    return middles, top


def _columns(
    graph: LayeredGraph, boxes: Sequence[LayoutBox], parts: Sequence[Sequence[int]]
) -> list[tuple[float, float]]:
    """Where the column of each layer begins and ends."""
    widths = [0.0] * (max(graph.layers, default=-1) + 1)
    for part in parts:
        for box in part:
            if box < len(boxes):
                widths[graph.layers[box]] = max(widths[graph.layers[box]], boxes[box].width)
    columns, x = [], EDGE
    for width in widths:
        columns.append((x, x + width))
        x += width + (COLUMN_GAP if width else 0.0)
    return columns


def _rows(boxes: Sequence[LayoutBox], alone: Sequence[int], top: float, across: int) -> Iterator[tuple[int, PlacedBox]]:
    """The places of boxes that are linked to none, row by row."""
    for begin in range(0, len(alone), across):
        row, x = alone[begin : begin + across], EDGE
        for layer, box in enumerate(row):
            yield box, PlacedBox(x, top, layer)
            x += boxes[box].width + ROW_GAP
        top += max(boxes[box].height for box in row) + ROW_GAP


def _passages(
    graph: LayeredGraph, line: Pair, middles: dict[int, float], columns: Sequence[tuple[float, float]]
) -> Iterator[Passage]:
    src, dst = line
    for waypoint in graph.chains.get((dst, src)) or graph.chains.get((src, dst)) or ():
        begin, end = columns[graph.layers[waypoint]]
        yield begin, end, middles[waypoint]
