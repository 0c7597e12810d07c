"""A picture of an argument as one JSON text, for whoever draws only what is in view, or boxes alone from afar."""

import json
from typing import Any

from moot.views.drawn_graph import DrawnGraph
from moot.views.graph_svg.boxes import ClaimBox
from moot.views.graph_svg.picture import Picture, pictured
from moot.views.graph_svg.routes import Frame
from moot.views.graph_svg.writing import joint_class, node_class, way_class
from moot.views.svg import safe_id
from moot.views.words import harmless


def graph_json(graph: DrawnGraph | Picture) -> str:
    """Return boxes and ways; texts are texts, to be set and never read as markup.

    A box: `id`, `dom` (its element's id), `look` (classes), `at` [x, y, width, height], `layer`, `label`, `line`,
    `more`, `texts` [[x, y, class, words, length or 0]]. A way: `ends` [from, to] by the number of the box, `look`,
    `path`, `head`, `span` [left, top, right, bottom]. A joint: `end`, `look`, `at` [x, y], `path`, `head`.
    """
    picture = graph if isinstance(graph, Picture) else pictured(graph)
    places = {box.node.id: place for place, box in enumerate(picture.boxes)}
    boxes = zip(picture.boxes, picture.frames, picture.layers, strict=True)
    value = {
        "width": picture.width,
        "height": picture.height,
        "boxes": [_box(box, frame, layer) for box, frame, layer in boxes],
        "ways": [
            {
                "ends": [places[way.src], places[way.dst]],
                "look": way_class(picture, way),
                "path": way.path,
                "head": way.head,
                "span": [round(side, 1) for side in way.span],
            }
            for way in picture.ways
        ],
        "joints": [
            {
                "end": places[joint.dst],
                "look": joint_class(picture, joint),
                "at": [round(joint.x, 1), round(joint.y, 1)],
                "path": joint.path,
                "head": joint.head,
            }
            for joint in picture.joints
        ],
    }
    # All of it is ASCII, and no text in it can end the element that it stands in.
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _box(box: ClaimBox, frame: Frame, layer: int) -> dict[str, Any]:
    return {
        "id": box.node.id,
        "dom": safe_id("n", box.node.id),
        "look": node_class(box),
        "at": [frame.x, frame.y, frame.width, frame.height],
        "layer": layer,
        "label": box.label,
        "line": box.node.line,
        "more": box.node.more,
        "runs": list(box.node.runs),
        "texts": [
            [
                round(frame.x + text.x, 1),
                round(frame.y + text.y, 1),
                text.look,
                harmless(text.line.text),
                round(text.line.length, 1) if text.line.stated else 0,
            ]
            for text in box.texts
        ],
    }
