"""An argument with everything in its place."""

from dataclasses import dataclass

from moot.views.drawn_graph import DrawnGraph
from moot.views.graph_svg.boxes import WIDTH, ClaimBox, claim_box
from moot.views.graph_svg.routes import DrawnJoint, DrawnWay, Frame, routed
from moot.views.layout import LayoutBox, laid_out


@dataclass(frozen=True, slots=True)
class Picture:
    """Boxes with their frames and layers, ways and joints, and the size of it all."""

    graph: DrawnGraph
    boxes: tuple[ClaimBox, ...]
    frames: tuple[Frame, ...]
    layers: tuple[int, ...]
    ways: tuple[DrawnWay, ...]
    joints: tuple[DrawnJoint, ...]
    width: float
    height: float

    def line(self, src: str, dst: str) -> int:
        """Return the number of the line of support that a way is part of, 0 where it is of none."""
        number = self.graph.by_id[src].line
        leads_on = src != dst and (dst == self.graph.conclusion or self.graph.by_id[dst].line == number)
        return number if leads_on else 0


def pictured(graph: DrawnGraph) -> Picture:
    """Return where everything of an argument stands; an edge to a claim that is not there is left out."""
    places = {node.id: place for place, node in enumerate(graph.nodes)}
    # Of two claims with one id the later one is drawn.
    nodes = [node for place, node in enumerate(graph.nodes) if places[node.id] == place]
    places = {node.id: place for place, node in enumerate(nodes)}
    edges = [edge for edge in graph.edges if edge.src in places and edge.dst in places]
    boxes = tuple(claim_box(node, node.id in graph.circling) for node in nodes)
    pairs = list(dict.fromkeys((edge.src, edge.dst) for edge in edges))
    layout = laid_out(
        [LayoutBox(WIDTH, box.height, first=box.node.kind == "conclusion") for box in boxes],
        [(places[src], places[dst]) for src, dst in pairs],
    )
    frames = tuple(
        Frame(round(place.x, 1), round(place.y, 1), WIDTH, box.height)
        for place, box in zip(layout.boxes, boxes, strict=True)
    )
    by_id = {box.node.id: frame for box, frame in zip(boxes, frames, strict=True)}
    ways, joints = routed(edges, by_id, dict(zip(pairs, layout.passages, strict=True)))
    return Picture(
        graph,
        boxes,
        frames,
        tuple(place.layer for place in layout.boxes),
        ways,
        joints,
        round(layout.width, 1),
        round(layout.height, 1),
    )
