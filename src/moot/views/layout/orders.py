"""The order within layers under which few lines cross: medians of the neighbours, in sweeps to and fro."""

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from itertools import pairwise

from moot.views.layout.layers import LayeredGraph

SWEEPS = 8
"""Every second one goes back to the left."""

Layers = list[list[int]]


def ordered_layers(graph: LayeredGraph, members: Sequence[int]) -> Layers:
    """Return the members layer by layer, each in the best order that the sweeps came upon."""
    layers = _first_order(graph, members)
    best, fewest = layers, crossings(graph, layers)
    for _ in range(SWEEPS // 2):
        if not fewest:
            break
        layers = _swept(graph.left, layers)
        layers = _swept(graph.right, layers[::-1])[::-1]
        count = crossings(graph, layers)
        if count < fewest:
            best, fewest = layers, count
    return best


def crossings(graph: LayeredGraph, layers: Layers) -> int:
    """Return how many pairs of lines cross between neighbouring layers."""
    total = 0
    place = [0] * len(graph.layers)
    for layer, beside in pairwise(layers):
        _number(place, beside)
        seen: list[int] = []
        for box in layer:
            ends = graph.right[box]
            for end in sorted([place[other] for other in ends]) if len(ends) > 1 else map(place.__getitem__, ends):
                if seen and end < seen[-1]:
                    total += len(seen) - bisect_right(seen, end)
                    insort(seen, end)
                else:
                    seen.append(end)
    return total


def _first_order(graph: LayeredGraph, members: Sequence[int]) -> Layers:
    """The order in which a walk from the left meets them, so that a tree has no crossing at all."""
    layers: Layers = [[] for _ in range(max((graph.layers[box] for box in members), default=-1) + 1)]
    seen: set[int] = set()
    for root in sorted(members, key=lambda box: (bool(graph.left[box]), graph.layers[box], box)):
        way = [root]
        while way:
            box = way.pop()
            if box not in seen:
                seen.add(box)
                layers[graph.layers[box]].append(box)
                way += reversed(graph.right[box])
    return layers


def _swept(beside: Sequence[Sequence[int]], layers: Layers) -> Layers:
    """The layers with all but the first in the order of the medians of those beside."""
    place = [0] * len(beside)
    swept = layers[:1]
    for layer in layers[1:]:
        _number(place, swept[-1])
        middles = [_median([place[other] for other in beside[box]], number) for number, box in enumerate(layer)]
        swept.append([layer[number] for number in sorted(range(len(layer)), key=middles.__getitem__)])
    return swept


def _number(place: list[int], layer: Iterable[int]) -> None:
    """Write down the place of each box in its layer."""
    for number, box in enumerate(layer):
        place[box] = number


def _median(places: list[int], otherwise: int) -> float:
    if len(places) <= 1:
        return places[0] if places else otherwise
    places.sort()
    half = len(places) // 2
    return places[half] if len(places) % 2 else (places[half - 1] + places[half]) / 2
