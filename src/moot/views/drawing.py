"""An argument graph as a drawing: conclusions on top, what supports them below, as one self-contained SVG."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Any

from moot.views.words import harmless

WIDTH, LINE, PADDING, GAP_X, GAP_Y = 230, 16, 10, 26, 64
LETTERS, LINES = 30, 5
ARC = 28.0
"""How far a line within a row is bent; it rises three quarters of that, less than the edge above the first row."""
MOST_NODES = 120
"""A larger graph is not drawn whole: what leads to a conclusion comes first."""

SWEEPS = 4

_NOT_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")

STYLE = """<style>
.box{stroke-width:1.5;fill:var(--paper,#fff)}.given{stroke:#2563a8}.inference{stroke:#5b6678}.assumption{stroke:#b7791f;
stroke-dasharray:5 3}.conclusion{stroke:#1b7f4b;stroke-width:3}.refuted{stroke:#b3261e;opacity:.55}
.claim{font:12px/1.2 system-ui,sans-serif;fill:var(--ink,#1c2330)}.kind{font:10px system-ui,sans-serif;
fill:var(--soft,#5b6678)}.struck{text-decoration:line-through}
.edge{fill:none;stroke-width:1.4}.supports{stroke:#5b6678}.assumes{stroke:#b7791f;stroke-dasharray:5 3}
.attacks{stroke:#b3261e;stroke-width:1.8}</style>"""

MARKERS = "".join(
    f'<marker id="to-{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    f'<path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
    for name, colour in (("supports", "#5b6678"), ("assumes", "#b7791f"), ("attacks", "#b3261e"))
)


@dataclass(frozen=True, slots=True)
class Box:
    """A claim and its place in the drawing."""

    node: Mapping[str, Any]
    lines: tuple[str, ...]
    x: float
    y: float

    @property
    def height(self) -> int:
        """How tall the box is."""
        return LINE * (len(self.lines) + 1) + 2 * PADDING


def drawing(graph: Mapping[str, Any]) -> str:
    """Return the SVG of a graph as `GraphStore.to_json` gives it."""
    nodes = {node["id"]: node for node in graph["nodes"]}
    edges = [edge for edge in graph["edges"] if edge["src"] in nodes and edge["dst"] in nodes]
    layers = _cut(_ordered(_layers(nodes, edges), edges))
    boxes = _placed(layers, nodes)
    width = max((box.x + WIDTH for box in boxes.values()), default=0) + GAP_X
    height = max((box.y + box.height for box in boxes.values()), default=0) + GAP_X
    drawn = [edge for edge in edges if edge["src"] in boxes and edge["dst"] in boxes]
    left_out = len(nodes) - len(boxes)
    note = (
        f'<text class="kind" x="{GAP_X}" y="{height - 6}">{left_out} more claims are not drawn</text>'
        if left_out
        else ""
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'role="img" aria-label="argument graph">{STYLE}<defs>{MARKERS}</defs>'
        f"{''.join(_edge(edge, boxes) for edge in drawn)}{''.join(map(_box, boxes.values()))}{note}</svg>"
    )


def _layers(nodes: Mapping[str, Any], edges: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Conclusions on top; every other claim just below the lowest claim it speaks to, as far as cycles allow."""
    depth = {name: 0 for name, node in nodes.items() if node["type"] == "conclusion"}
    for _ in range(len(nodes)):
        deeper = {
            edge["src"]: depth[edge["dst"]] + 1 for edge in edges if edge["dst"] in depth and edge["src"] not in depth
        }
        if not deeper:
            break
        depth |= deeper
    bottom = max(depth.values(), default=-1) + 1
    rows: dict[int, list[str]] = {}
    for name in nodes:
        rows.setdefault(depth.get(name, bottom), []).append(name)
    return [rows[number] for number in sorted(rows)]


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


def _placed(layers: list[list[str]], nodes: Mapping[str, Any]) -> dict[str, Box]:
    widest = max((len(layer) for layer in layers), default=0) * (WIDTH + GAP_X)
    boxes: dict[str, Box] = {}
    y = float(GAP_X)
    for layer in layers:
        x = GAP_X + (widest - len(layer) * (WIDTH + GAP_X)) / 2
        row = [
            Box(nodes[name], _lines(nodes[name]["claim"]), x + at * (WIDTH + GAP_X), y) for at, name in enumerate(layer)
        ]
        boxes |= {box.node["id"]: box for box in row}
        y += max(box.height for box in row) + GAP_Y
    return boxes


def _harmless(text: str) -> str:
    """The text without what no XML may hold."""
    return _NOT_XML.sub("\ufffd", harmless(text))


def _lines(claim: str) -> tuple[str, ...]:
    lines = wrap(" ".join(_harmless(claim).split()), LETTERS) or [""]
    return tuple(lines) if len(lines) <= LINES else (*lines[: LINES - 1], f"{lines[LINES - 1][: LETTERS - 1]}…")


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
    title = f"<title>{escape(_harmless(str(node['id'])))}: {escape(_harmless(node['claim']))}</title>"
    rect = f'<rect class="box {look}" x="{box.x:.0f}" y="{box.y:.0f}" width="{WIDTH}" height="{box.height}" rx="8"/>'
    return f"<g>{title}{rect}{text}{kind}</g>"


def _text_lines(box: Box, struck: str) -> Iterator[str]:
    for number, line in enumerate(box.lines):
        y = box.y + PADDING + LINE * (number + 0.8)
        yield f'<text class="claim{struck}" x="{box.x + PADDING:.0f}" y="{y:.0f}">{escape(line)}</text>'


def _edge(edge: Mapping[str, Any], boxes: Mapping[str, Box]) -> str:
    source, target = boxes[edge["src"]], boxes[edge["dst"]]
    x1, x2 = source.x + WIDTH / 2, target.x + WIDTH / 2
    if source.y > target.y:
        y1, y2, bend = source.y, target.y + target.height, (source.y - target.y - target.height) / 2
    elif source.y < target.y:
        y1, y2, bend = source.y + source.height, target.y, (source.y + source.height - target.y) / 2
    else:
        y1, y2, bend = source.y, target.y, ARC
    relation = escape(edge["relation"])
    second = y2 + bend if y1 != y2 else y2 - bend
    path = f"M{x1:.0f} {y1:.0f}C{x1:.0f} {y1 - bend:.0f} {x2:.0f} {second:.0f} {x2:.0f} {y2:.0f}"
    return f'<path class="edge {relation}" d="{path}" marker-end="url(#to-{relation})"/>'
