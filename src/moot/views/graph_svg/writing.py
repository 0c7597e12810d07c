"""A picture of an argument as SVG: classes and attributes alone, so that a page may forbid styles within it."""

from collections.abc import Iterator
from urllib.parse import quote

from moot.views.drawn_graph import DrawnGraph
from moot.views.graph_svg.boxes import LABEL_LETTERS, ClaimBox, kind_class
from moot.views.graph_svg.picture import Picture, pictured
from moot.views.graph_svg.routes import DrawnJoint, DrawnWay, Frame
from moot.views.style import GRAPH_CSS, by_day
from moot.views.svg import figure, safe_id, safe_text, text_element, words_element
from moot.views.words import counted, one_line

LINE_HUES = 8
STRIPE, ROUND, RING = 4.0, 6.0, 3.5
WIDEST = 1_250.0
"""A drawing that is no wider is made to fit a page; a wider one scrolls, else nobody could read it."""


def graph_svg(graph: DrawnGraph | Picture, link: str | None = None) -> str:
    """Return the drawing; with `link` each claim leads to that address with its id at the end, such as `?claim=`."""
    picture = graph if isinstance(graph, Picture) else pictured(graph)
    return f"{_opening(picture)}{_body(picture, link)}</svg>"


def downloaded_svg(graph: DrawnGraph | Picture) -> str:
    """Return the drawing as a file of its own, with its colours in it."""
    picture = graph if isinstance(graph, Picture) else pictured(graph)
    paper = f'<rect class="paper" width="{figure(picture.width)}" height="{figure(picture.height)}"/>'
    return f"{_opening(picture)}<style>{by_day(GRAPH_CSS)}</style>{paper}{_body(picture, None)}</svg>"


def way_class(picture: Picture, way: DrawnWay) -> str:
    """Return the classes of a way."""
    line = picture.line(way.src, way.dst) if way.relation != "attacks" else 0
    ends = {way.src, way.dst}
    circle = way.backward and way.relation != "attacks" and ends <= picture.graph.circling
    return " ".join(["edge", way.relation, *_line_class(line), *(["together"] * way.together), *(["circle"] * circle)])


def joint_class(picture: Picture, joint: DrawnJoint) -> str:
    """Return the classes of a joint."""
    line = max(picture.line(src, joint.dst) for src in joint.srcs)
    return " ".join(["edge", "supports", "joint", *_line_class(line)])


def node_class(box: ClaimBox) -> str:
    """Return the classes of a claim."""
    node = box.node
    return " ".join(
        ["node", kind_class(node.kind), node.fate, *_line_class(node.line), *(["cut"] * node.cut), *node.looks]
    )


def _line_class(line: int) -> list[str]:
    return ["on-line", f"line-{(line - 1) % LINE_HUES + 1}"] if line else []


def _opening(picture: Picture) -> str:
    width, height = figure(picture.width), figure(picture.height)
    label = f"argument of {counted(len(picture.boxes), 'claim')}, conclusions at the left"
    look = "graph fitting" if picture.width <= WIDEST else "graph"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{look}" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="group" aria-label="{label}">'
    )


def _body(picture: Picture, link: str | None) -> str:
    ways = sorted(picture.ways, key=lambda way: bool(picture.line(way.src, way.dst)))
    role = ' role="list"' if link is None else ""
    return (
        f'<g class="edges" aria-hidden="true">{"".join(_way(picture, way) for way in ways)}'
        f"{''.join(_joint(picture, joint) for joint in picture.joints)}</g>"
        f'<g class="nodes"{role}>{"".join(_nodes(picture, link))}</g>'
    )


def _way(picture: Picture, way: DrawnWay) -> str:
    head = f'<path class="head" d="{way.head}"/>' if way.head else ""
    ends = f'data-src="{safe_id("n", way.src)}" data-dst="{safe_id("n", way.dst)}"'
    return f'<g class="{way_class(picture, way)}" {ends}><path d="{way.path}"/>{head}</g>'


def _joint(picture: Picture, joint: DrawnJoint) -> str:
    look = joint_class(picture, joint)
    dot = f'<circle class="dot" cx="{figure(joint.x)}" cy="{figure(joint.y)}" r="4"/>'
    return (
        f'<g class="{look}" data-dst="{safe_id("n", joint.dst)}"><title>needed together</title>'
        f'<path d="{joint.path}"/><path class="head" d="{joint.head}"/>{dot}</g>'
    )


def _nodes(picture: Picture, link: str | None) -> Iterator[str]:
    first = min(range(len(picture.boxes)), key=lambda place: picture.frames[place].x, default=0)
    if picture.graph.conclusion:
        names = [box.node.id for box in picture.boxes]
        first = names.index(picture.graph.conclusion) if picture.graph.conclusion in names else first
    for place, (box, frame, layer) in enumerate(zip(picture.boxes, picture.frames, picture.layers, strict=True)):
        tag, role = ("g", ' role="listitem"') if link is None else ("a", "")
        href = "" if link is None else f' href="{safe_text(link)}{quote(box.node.id, safe="", errors="replace")}"'
        focus = "" if link is None else f' tabindex="{0 if place == first else -1}"'
        yield (
            f'<{tag} id="{safe_id("n", box.node.id)}" class="{node_class(box)}"{role}{href}{focus} '
            f'aria-label="{safe_text(box.label)}" {_data(box, frame, layer)}>{_title(box)}{_box(box, frame)}</{tag}>'
        )


def _data(box: ClaimBox, frame: Frame, layer: int) -> str:
    values = {
        "id": safe_text(box.node.id),
        "layer": str(layer),
        "x": figure(frame.x),
        "y": figure(frame.y),
        "w": figure(frame.width),
        "h": figure(frame.height),
        "runs": safe_text(" ".join(box.node.runs)),
    }
    return " ".join(f'data-{name}="{value}"' for name, value in values.items())


def _title(box: ClaimBox) -> str:
    return f"<title>{safe_text(f'{box.node.id}: {one_line(box.node.claim, LABEL_LETTERS)}')}</title>"


def _box(box: ClaimBox, frame: Frame) -> str:
    ring = _rect("ring", frame, RING) if box.node.cut else ""
    texts = "".join(text_element(frame.x + text.x, frame.y + text.y, text.line, text.look) for text in box.texts)
    stripe = (
        f'<path class="stripe" d="M{figure(frame.x + STRIPE)} {figure(frame.y)}h-1a3 6 0 0 0 -3 6v'
        f'{figure(frame.height - 2 * ROUND)}a3 6 0 0 0 3 6h1z"/>'
    )
    return f"{_rect('box', frame)}{ring}{stripe}{texts}{_disc(box, frame)}{_more(box, frame)}"


def _rect(look: str, frame: Frame, around: float = 0.0) -> str:
    return (
        f'<rect class="{look}" x="{figure(frame.x - around)}" y="{figure(frame.y - around)}" '
        f'width="{figure(frame.width + 2 * around)}" height="{figure(frame.height + 2 * around)}" '
        f'rx="{figure(ROUND + around)}"/>'
    )


def _disc(box: ClaimBox, frame: Frame) -> str:
    """The number of the line of support, where the line leaves the box."""
    if not box.node.line:
        return ""
    circle = f'<circle class="disc" cx="{figure(frame.x)}" cy="{figure(frame.middle)}" r="8"/>'
    return circle + words_element(frame.x, frame.middle + 3.5, str(box.node.line), "number", "middle")


def _more(box: ClaimBox, frame: Frame) -> str:
    return (
        words_element(frame.right, frame.y + frame.height + 10, f"+{box.node.more}", "more", "end")
        if box.node.more
        else ""
    )
