"""An argument graph as a drawing, one self-contained SVG that fits a column of text."""

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from moot.views.graph_layout import (
    BELOW_A_ROW,
    GAP,
    LINE,
    PADDING,
    WIDTH,
    Box,
    Graph,
    edges_of,
    gutters,
    placed_boxes,
)
from moot.views.words import harmless

ARC = 28.0
"""How far a line within a row is bent; it rises three quarters of that, less than the edge above the first row."""
LANE, LANES = 4, 5
"""Lines in one gutter stand so many pixels apart, in so many lanes."""

_NOT_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")

STYLE = """<style>
.box{stroke-width:1.5;fill:var(--paper,#fff)}.given{stroke:#2563a8}.inference{stroke:#5b6678}.assumption{stroke:#b7791f;
stroke-dasharray:5 3}.conclusion{stroke:#1b7f4b;stroke-width:3}.refuted{stroke:#b3261e;opacity:.55}
.claim{font:12px system-ui,sans-serif;fill:var(--ink,#1c2330)}.kind{font:10px system-ui,sans-serif;
fill:var(--soft,#5b6678)}.struck{text-decoration:line-through}
.edge{fill:none;stroke-width:1.4}.supports{stroke:#5b6678}.assumes{stroke:#b7791f;stroke-dasharray:5 3}
.attacks{stroke:#b3261e;stroke-width:1.8}</style>"""

MARKERS = "".join(
    f'<marker id="to-{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    f'<path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
    for name, colour in (("supports", "#5b6678"), ("assumes", "#b7791f"), ("attacks", "#b3261e"))
)


def drawing(graph: Graph) -> str:
    """Return the SVG of a graph as `GraphStore.to_json` gives it."""
    boxes = placed_boxes({**graph, "nodes": [{**node, "claim": _harmless(node["claim"])} for node in graph["nodes"]]})
    width = max((box.x + WIDTH for box in boxes.values()), default=0) + GAP
    height = max((box.y + box.height for box in boxes.values()), default=0) + GAP
    there = [edge for edge in edges_of(graph) if edge["src"] in boxes and edge["dst"] in boxes]
    # What several runs say of two claims is one line.
    drawn = {(edge["src"], edge["dst"], edge["relation"]): edge for edge in there}.values()
    left_out = len(graph["nodes"]) - len(boxes)
    note = (
        f'<text class="kind" x="{GAP}" y="{height - 6}">{left_out} more claims are not drawn</text>' if left_out else ""
    )
    lines = "".join(_edge(edge, boxes, number % LANES) for number, edge in enumerate(drawn))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'role="img" aria-label="argument graph">{STYLE}<defs>{MARKERS}</defs>'
        f"{lines}{''.join(map(_box, boxes.values()))}{note}</svg>"
    )


def _harmless(text: str) -> str:
    """The text without what no XML may hold."""
    return _NOT_XML.sub("\ufffd", harmless(text))


def _box(box: Box) -> str:
    node = box.node
    struck = " struck" if node["refuted"] else ""
    look = f"{escape(node['type'])}{' refuted' if node['refuted'] else ''}"
    text = "".join(_text_lines(box, struck))
    runs = len(node["run_ids"])
    marks = [node["type"], f"{runs} run{'' if runs == 1 else 's'}", f"{node['confidence']:g}"]
    marks += ["refuted"] * node["refuted"] + ["ungrounded"] * node.get("ungrounded", False)
    below = box.y + box.height - 8
    kind = f'<text class="kind" x="{box.x + PADDING:.0f}" y="{below:.0f}">{escape(" · ".join(marks))}</text>'
    title = f"<title>{escape(_harmless(str(node['id'])))}: {escape(node['claim'])}</title>"
    rect = f'<rect class="box {look}" x="{box.x:.0f}" y="{box.y:.0f}" width="{WIDTH}" height="{box.height}" rx="8"/>'
    return f"<g>{title}{rect}{text}{kind}</g>"


def _text_lines(box: Box, struck: str) -> Iterator[str]:
    for number, line in enumerate(box.lines):
        y = box.y + PADDING + LINE * (number + 0.8)
        yield f'<text class="claim{struck}" x="{box.x + PADDING:.0f}" y="{y:.0f}">{escape(line)}</text>'


def _edge(edge: Mapping[str, Any], boxes: Mapping[str, Box], lane: int) -> str:
    source, target = boxes[edge["src"]], boxes[edge["dst"]]
    relation = escape(edge["relation"])
    if abs(source.row - target.row) > 1:
        path = _around(source, target, gutters(boxes), lane)
    else:
        path = _beside(source, target)
    return f'<path class="edge {relation}" d="{path}" marker-end="url(#to-{relation})"/>'


def _beside(source: Box, target: Box) -> str:
    """The line between two boxes of one row, or of rows that follow each other."""
    x1, x2 = source.middle, target.middle
    if source.row == target.row:
        return _curve(x1, source.y, x2, target.y, ARC, -ARC)
    y1, y2 = _ends(source, target)
    return _curve(x1, y1, x2, y2, (y1 - y2) / 2, (y1 - y2) / 2)


def _around(source: Box, target: Box, free: list[float], lane: int) -> str:
    """The line that leaves by the gap beside its row, goes through a gutter, and comes in by the gap beside its end."""
    y1, y2 = _ends(source, target)
    towards = BELOW_A_ROW if y1 > y2 else -BELOW_A_ROW
    aim = (source.middle + target.middle) / 2
    gutter = min(free, key=lambda x: abs(x - aim)) + (lane - LANES // 2) * LANE
    out, back = y1 - towards, y2 + towards
    first = _curve(source.middle, y1, gutter, out, towards / 2, towards / 2)
    last = _curve(gutter, back, target.middle, y2, towards / 2, towards / 2)
    return f"{first}V{back:.0f}{last[last.index('C') :]}"


def _ends(source: Box, target: Box) -> tuple[float, float]:
    """The heights at which a line leaves one box and reaches the other."""
    return (source.y, target.y + target.height) if source.row > target.row else (source.y + source.height, target.y)


def _curve(x1: float, y1: float, x2: float, y2: float, rise: float, fall: float) -> str:
    return f"M{x1:.0f} {y1:.0f}C{x1:.0f} {y1 - rise:.0f} {x2:.0f} {y2 + fall:.0f} {x2:.0f} {y2:.0f}"
