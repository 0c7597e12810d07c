"""The ways between boxes: what is needed together is joined on its way, and each arrives at a place of its own."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from moot.views.drawn_graph import RELATIONS, DrawnEdge
from moot.views.layout import Passage
from moot.views.svg import figure

HEAD = 7.0
JOINT = 24.0
"""How far from the box the premises meet that are needed together."""
INSET = 9.0
"""No way arrives nearer to a corner of a box."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A box in its place."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width

    @property
    def middle(self) -> float:
        """Half its height."""
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class DrawnWay:
    """A line of the drawing: from one box, or from a joint, to another. `together` says that it is one of several."""

    src: str
    dst: str
    relation: str
    path: str
    head: str = ""
    together: bool = False
    backward: bool = False
    span: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """The rectangle that it stays in."""


@dataclass(frozen=True, slots=True)
class DrawnJoint:
    """Where premises meet that are needed together; what goes on from there to the box, and from whom it comes."""

    srcs: tuple[str, ...]
    dst: str
    x: float
    y: float
    path: str
    head: str


@dataclass(frozen=True, slots=True)
class _Arrival:
    """What arrives at a box in one place: a single line, or several that are needed together."""

    dst: str
    srcs: tuple[str, ...]
    relations: tuple[str, ...]


def routed(
    edges: Sequence[DrawnEdge],
    frames: Mapping[str, Frame],
    passages: Mapping[tuple[str, str], tuple[Passage, ...]],
) -> tuple[tuple[DrawnWay, ...], tuple[DrawnJoint, ...]]:
    """Return the ways and the joints of these edges; edges between the same two boxes that say the same are one."""
    by_target: dict[str, list[_Arrival]] = defaultdict(list)
    for arrival in _arrivals(edges):
        by_target[arrival.dst].append(arrival)
    ways: list[DrawnWay] = []
    joints: list[DrawnJoint] = []
    for dst, arrivals in by_target.items():
        for arrival, port in _ports(frames[dst], arrivals, frames):
            if len(arrival.srcs) == 1:
                ways.append(_single(arrival, port, frames, passages))
            else:
                joint = _joint(arrival, port, frames[dst])
                joints.append(joint)
                ways += _joined(arrival, joint, frames, passages)
    return tuple(ways), tuple(joints)


def _arrivals(edges: Iterable[DrawnEdge]) -> Iterator[_Arrival]:
    groups: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    singles: dict[tuple[str, str, str], None] = {}
    for edge in edges:
        if edge.group and edge.src != edge.dst:
            groups[edge.dst, edge.group][edge.src] = edge.relation
        else:
            singles[edge.src, edge.dst, edge.relation] = None
    joint: dict[tuple[str, frozenset[str]], dict[str, str]] = {}
    for (dst, _), members in groups.items():
        if len(members) == 1:
            [(src, relation)] = members.items()
            singles[src, dst, relation] = None
        else:
            joint.setdefault((dst, frozenset(members)), members)
    for (dst, _), members in joint.items():
        yield _Arrival(dst, tuple(members), tuple(map(relation_class, members.values())))
    for src, dst, relation in singles:
        yield _Arrival(dst, (src,), (relation_class(relation),))


def relation_class(relation: str) -> str:
    """Return the class of a relation; one that nobody knows looks as support."""
    return relation if relation in RELATIONS else RELATIONS[0]


def _ports(
    target: Frame, arrivals: Sequence[_Arrival], frames: Mapping[str, Frame]
) -> Iterator[tuple[_Arrival, float]]:
    """The heights at which ways arrive, in the order of where they come from."""

    def comes_from(arrival: _Arrival) -> float:
        return sum(frames[src].middle for src in arrival.srcs) / len(arrival.srcs)

    room = target.height - 2 * INSET
    for number, arrival in enumerate(sorted(arrivals, key=comes_from)):
        yield arrival, target.y + INSET + room * (number + 0.5) / len(arrivals)


def _single(
    arrival: _Arrival,
    port: float,
    frames: Mapping[str, Frame],
    passages: Mapping[tuple[str, str], tuple[Passage, ...]],
) -> DrawnWay:
    [src], [relation], dst = arrival.srcs, arrival.relations, arrival.dst
    one, other = frames[src], frames[dst]
    if src == dst:
        path = f"M{figure(one.right)} {figure(one.y + INSET)}{_loop(one)}"
        span = (one.right, one.y, one.right + JOINT, one.y + one.height)
        return DrawnWay(src, dst, relation, path, _head(one.right, one.middle + INSET, relation, -1), span=span)
    if one.x > other.x:
        path = leftward(one, passages.get((src, dst), ()), (other.right + HEAD, port))
        return DrawnWay(src, dst, relation, path, _head(other.right, port, relation, -1), span=_span(one, other))
    if one.x == other.x:
        path = f"M{figure(one.x)} {figure(one.middle)}{_beside(one, other)}"
    else:
        path = rightward(one, passages.get((src, dst), ()), (other.x - HEAD, other.middle))
    head = _head(other.x, other.middle, relation, 1)
    return DrawnWay(src, dst, relation, path, head, backward=True, span=_span(one, other))


def _joint(arrival: _Arrival, port: float, target: Frame) -> DrawnJoint:
    x = target.right + JOINT
    path = f"M{figure(x)} {figure(port)}H{figure(target.right + HEAD)}"
    return DrawnJoint(arrival.srcs, arrival.dst, x, port, path, _head(target.right, port, "supports", -1))


def _joined(
    arrival: _Arrival,
    joint: DrawnJoint,
    frames: Mapping[str, Frame],
    passages: Mapping[tuple[str, str], tuple[Passage, ...]],
) -> Iterator[DrawnWay]:
    target = frames[arrival.dst]
    for src, relation in zip(arrival.srcs, arrival.relations, strict=True):
        one = frames[src]
        between = passages.get((src, arrival.dst), ())
        if one.x > target.x:
            path = leftward(one, between, (joint.x, joint.y))
        else:
            path = f"M{figure(one.right)} {figure(one.middle)}{_curve(one.right, one.middle, joint.x, joint.y)}"
        backward = one.x <= target.x
        yield DrawnWay(src, arrival.dst, relation, path, together=True, backward=backward, span=_span(one, target))


def leftward(source: Frame, between: Sequence[Passage], end: tuple[float, float]) -> str:
    """Return the way from the left side of a box, through passages, to a point further left."""
    x, y = source.x, source.middle
    path = f"M{figure(x)} {figure(y)}"
    for begin, finish, height in reversed(between):
        path += f"{_curve(x, y, finish, height)}H{figure(begin)}"
        x, y = begin, height
    return path + _curve(x, y, *end)


def rightward(source: Frame, between: Sequence[Passage], end: tuple[float, float]) -> str:
    """Return the way from the right side of a box, through passages, to a point further right."""
    x, y = source.right, source.middle
    path = f"M{figure(x)} {figure(y)}"
    for begin, finish, height in between:
        path += f"{_curve(x, y, begin, height)}H{figure(finish)}"
        x, y = finish, height
    return path + _curve(x, y, *end)


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    half = (x1 + x2) / 2
    return f"C{figure(half)} {figure(y1)} {figure(half)} {figure(y2)} {figure(x2)} {figure(y2)}"


def _beside(one: Frame, other: Frame) -> str:
    """The bow at the left edge, between two boxes of one column."""
    return _bow(one.x - HEAD - 9, one.middle, other.x - HEAD, other.middle)


def _loop(frame: Frame) -> str:
    return _bow(frame.right + JOINT, frame.y + INSET, frame.right + HEAD, frame.middle + INSET)


def _bow(out: float, begin: float, x: float, end: float) -> str:
    return f"C{figure(out)} {figure(begin)} {figure(out)} {figure(end)} {figure(x)} {figure(end)}"


def _head(x: float, y: float, relation: str, towards: int) -> str:
    """The head of an arrow at the edge of a box; that of an attack is barbed twice."""
    back = -towards * HEAD
    if relation == "attacks":
        return f"{_barb(x, y, back)}{_barb(x + back * 0.7, y, back)}"
    return f"M{figure(x)} {figure(y)}l{figure(back)} -3.5v7z"


def _barb(x: float, y: float, back: float) -> str:
    return f"M{figure(x + back)} {figure(y - 5)}L{figure(x)} {figure(y)}l{figure(back)} 5"


def _span(one: Frame, other: Frame) -> tuple[float, float, float, float]:
    low, high = min(one.y, other.y), max(one.y + one.height, other.y + other.height)
    return min(one.x, other.x), low, max(one.right, other.right), high
