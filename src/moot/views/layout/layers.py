"""The layers of a graph: which lines are turned around so that none closes a circle, and where long ones pass."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

WAYPOINTS, WAYPOINTS_A_PART = 1_000, 2
"""A graph has at most so many waypoints, and so many for each box and line; the longest lines go without."""

Pair = tuple[int, int]
"""Two boxes, the one at the left first."""


@dataclass(frozen=True, slots=True)
class LayeredGraph:
    """Boxes and waypoints by number, waypoints after the boxes, each linked to the layer beside it alone."""

    layers: list[int]
    left: list[list[int]]
    """Who stands one layer to the left and is linked to it."""
    right: list[list[int]]
    chains: dict[Pair, tuple[int, ...]]
    """The waypoints between two boxes, from the left to the right."""


def layered_graph(size: int, firsts: Sequence[bool], lines: Iterable[Pair]) -> LayeredGraph:
    """Return the layers of boxes of which each line's first supports its second."""
    # A box of the left edge stays there, whatever it attacks itself.
    outward = dict.fromkeys((src, dst) if firsts[src] else (dst, src) for src, dst in lines)
    onward: list[list[int]] = [[] for _ in range(size)]
    for left, right in outward:
        onward[left].append(right)
    order, pairs = _without_circles(onward, _roots(onward, firsts))
    layers = _longest_paths(size, order, pairs, firsts)
    return _with_waypoints(layers, pairs)


def _roots(onward: Sequence[Sequence[int]], firsts: Sequence[bool]) -> list[int]:
    """Where to begin: at the left edge, then at what supports nothing, then anywhere in a circle."""
    supported_by_none = set(range(len(onward))).difference(*onward)
    return sorted(range(len(onward)), key=lambda box: (not firsts[box], box not in supported_by_none, box))


def _without_circles(onward: Sequence[Sequence[int]], roots: Iterable[int]) -> tuple[list[int], list[Pair]]:
    """All boxes, each before those right of it, and the pairs with those turned around that closed a circle."""
    unseen, open_, done = 0, 1, 2
    state = [unseen] * len(onward)
    left_last: list[int] = []
    pairs: dict[Pair, None] = {}
    for root in roots:
        if state[root] != unseen:
            continue
        state[root] = open_
        way = [(root, iter(onward[root]))]
        while way:
            box, rest = way[-1]
            for other in rest:
                pairs[(other, box) if state[other] == open_ else (box, other)] = None
                if state[other] == unseen:
                    state[other] = open_
                    way.append((other, iter(onward[other])))
                    break
            else:
                state[box] = done
                left_last.append(box)
                way.pop()
    return left_last[::-1], list(pairs)


def _longest_paths(size: int, order: Iterable[int], pairs: Sequence[Pair], firsts: Sequence[bool]) -> list[int]:
    """The layer of each box; what supports nothing and is not of the left edge stands beside what supports it."""
    after: list[list[int]] = [[] for _ in range(size)]
    roots = [True] * size
    for left, right in pairs:
        after[left].append(right)
        roots[right] = False
    begin = 1 if any(firsts) else 0
    layers = [0 if first else begin for first in firsts]
    for box in order:
        for other in after[box]:
            layers[other] = max(layers[other], layers[box] + 1)
    for box in range(size):
        if roots[box] and after[box] and not firsts[box]:
            layers[box] = max(begin, min(layers[other] for other in after[box]) - 1)
    return layers


def _with_waypoints(layers: list[int], pairs: Sequence[Pair]) -> LayeredGraph:
    layers = list(layers)
    left: list[list[int]] = [[] for _ in layers]
    right: list[list[int]] = [[] for _ in layers]
    chains: dict[Pair, tuple[int, ...]] = {}
    room = WAYPOINTS + WAYPOINTS_A_PART * (len(layers) + len(pairs))
    # sorted() is stable: of two lines across equally many layers the one that was given first has the room.
    for near, far in sorted(pairs, key=lambda pair: layers[pair[1]] - layers[pair[0]]):
        between = range(layers[near] + 1, layers[far])
        room -= len(between)
        if room < 0:
            break
        chain = tuple(range(len(layers), len(layers) + len(between)))
        layers += between
        left += ([] for _ in between)
        right += ([] for _ in between)
        for one, other in pairwise((near, *chain, far)):
            right[one].append(other)
            left[other].append(one)
        chains[near, far] = chain
    return LayeredGraph(layers, left, right, chains)
