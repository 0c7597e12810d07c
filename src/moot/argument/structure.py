"""The shape of an argument: orphans, reachability, bridges, betweenness (interrogation 3.4)."""

import numpy as np
from numpy.typing import NDArray

from moot.argument.cycles import first_cycles
from moot.argument.graph import Columns, is_given

MAX_CYCLES = 10
BETWEENNESS_PLACES = 9


def check_structure(columns: Columns, conclusion: int) -> dict[str, object]:
    """Return the payload of `check_structure`; refuted nodes take part (interrogation 3.4, A9, A10)."""
    nodes = columns.nodes
    exempt = ("given", "assumption")
    orphans = [
        number
        for number, supporters in enumerate(np.diff(columns.backward.starts).tolist())
        if not supporters and nodes[number].type not in exempt and not is_given(nodes[number])
    ]
    cycles = first_cycles(columns, MAX_CYCLES + 1)
    feeding = columns.backward.reachable([conclusion]).tolist()
    refuted = [number for number, is_refuted in enumerate(columns.refuted) if is_refuted and number != conclusion]
    fed = {name for number, node in enumerate(nodes) if feeding[number] for one in node.sources for name in one.ids}
    struck = [sentence.id for sentence in columns.sentences if sentence.refuted and sentence.id in fed]
    return {
        "orphans": columns.ids(orphans),
        "cycles": [columns.ids(cycle) for cycle in cycles[:MAX_CYCLES]],
        "cycles_truncated": len(cycles) > MAX_CYCLES,
        "unreachable_conclusion": not any(feeding[given] for given in columns.givens),
        "refuted_but_feeding": columns.ids([number for number in refuted if feeding[number]]) + struck,
        "assumptions": [node.id for node in nodes if node.type == "assumption"],
        "assumes_into_assumption": [
            columns.ids(edge) for edge in columns.assumes if nodes[edge[1]].type == "assumption"
        ],
        # Whoever names no sources gets the paper's fields and no other.
        **({"broad": _broad(columns)} if columns.sentences else {}),
    }


def _broad(columns: Columns) -> list[str]:
    """The givens whose source touches more sentences than a claim should need (A22)."""
    return [node.id for node in columns.nodes if any(source.is_broad for source in node.sources)]


def bridge_edges(columns: Columns, conclusion: int) -> list[tuple[int, int]]:
    """Return the edges without which no live given reaches the conclusion (interrogation 3.4), in linear time.

    Walk one path and keep, as a frontier, the furthest place on it that can be reached by leaving it: where the
    frontier stands at the walker's own place, the next edge has no way round. `ahead` marks what is still to be seen.
    """
    if columns.refuted[conclusion] or columns.is_source[conclusion]:
        return []
    ahead = columns.live_backward.reachable([conclusion]).tolist()
    sources = [given for given in columns.live_givens if ahead[given]]
    if not sources:
        return []
    followers = columns.live_successors
    path = _one_path(sources[0], conclusion, followers, ahead)
    place = {node: index for index, node in enumerate(path)}
    furthest = max(place.get(source, 0) for source in sources)
    stack = [source for source in sources if source not in place]
    for source in stack:
        ahead[source] = False
    bridges = []
    for index, node in enumerate(path[:-1]):
        stack.append(node)
        while stack:
            current = stack.pop()
            for other in followers[current]:
                if not ahead[other] or (current == node and other == path[index + 1]):
                    continue
                if other in place:
                    furthest = max(furthest, place[other])
                else:
                    ahead[other] = False
                    stack.append(other)
        if furthest <= index:
            bridges.append((node, path[index + 1]))
    return bridges


def edge_betweenness(columns: Columns, conclusion: int) -> NDArray[np.float64]:
    """Return for each support edge the sum over live givens of its share of their shortest ways (A12)."""
    betweenness = np.zeros(len(columns.support_src))
    if columns.refuted[conclusion]:
        return betweenness
    distance = columns.live_backward.distances(conclusion)
    src, dst = columns.support_src, columns.support_dst
    closer = np.flatnonzero(columns.live & (distance[dst] >= 0) & (distance[src] == distance[dst] + 1))
    closer = closer[np.argsort(distance[src[closer]], kind="stable")]
    ends = np.searchsorted(distance[src[closer]], np.arange(1, distance.max() + 2))
    levels = [closer[begin:end] for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]
    share = _shares_of_ways(columns, conclusion, levels)
    arriving = np.zeros(len(columns))
    arriving[columns.live_givens] = 1
    for edges in reversed(levels):
        betweenness[edges] = arriving[src[edges]] * share[edges]
        np.add.at(arriving, dst[edges], betweenness[edges])
    return betweenness


def ranked_links(columns: Columns, conclusion: int) -> list[dict[str, object]]:
    """Return the edges on shortest paths, least confident first (interrogation 3.2, A12)."""
    betweenness = np.round(edge_betweenness(columns, conclusion), BETWEENNESS_PLACES)
    edges = np.flatnonzero(betweenness)
    src, dst = columns.support_src[edges], columns.support_dst[edges]
    rank, doubt = columns.natural_rank, columns.support_doubt[edges]
    order = np.lexsort((rank[src] * len(columns) + rank[dst], -betweenness[edges], doubt))
    rows = (columns.ids(src[order].tolist()), columns.ids(dst[order].tolist()))
    numbers = (betweenness[edges][order].tolist(), doubt[order].tolist())
    return [
        {"edge": [a, b], "betweenness": share, "min_confidence_on_edge": least}
        for a, b, share, least in zip(*rows, *numbers, strict=True)
    ]


def _shares_of_ways(columns: Columns, conclusion: int, levels: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    """For each edge its share of the shortest ways from its source; levels hold the edges, nearest first."""
    src, dst = columns.support_src, columns.support_dst
    share = np.zeros(len(src))
    ways = np.zeros(len(columns))
    ways[conclusion] = 1
    for edges in levels:
        np.add.at(ways, src[edges], ways[dst[edges]])
        share[edges] = ways[dst[edges]] / ways[src[edges]]
        # Only shares matter, and the number of ways may double at every step: keep it within what a float holds.
        found = ways[src[edges]]
        ways[src[edges]] = found / found.max()
    return share


def _one_path(start: int, conclusion: int, followers: list[list[int]], ahead: list[bool]) -> list[int]:
    """A path to the conclusion through nodes that reach it."""
    came_from = {start: start}
    stack = [start]
    while conclusion not in came_from:
        node = stack.pop()
        for other in followers[node]:
            if ahead[other] and other not in came_from:
                came_from[other] = node
                stack.append(other)
    path = [conclusion]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return path[::-1]
