"""The shape of an argument: orphans, reachability, bridges, betweenness (interrogation 3.4)."""

import numpy as np

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
    return {
        "orphans": columns.ids(orphans),
        "cycles": [columns.ids(cycle) for cycle in cycles[:MAX_CYCLES]],
        "cycles_truncated": len(cycles) > MAX_CYCLES,
        "unreachable_conclusion": not any(feeding[given] for given in columns.givens),
        "refuted_but_feeding": columns.ids([number for number in refuted if feeding[number]]),
        "assumptions": [node.id for node in nodes if node.type == "assumption"],
        "assumes_into_assumption": [
            columns.ids(edge) for edge in columns.assumes if nodes[edge[1]].type == "assumption"
        ],
    }


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


def edge_betweenness(columns: Columns, conclusion: int) -> dict[tuple[int, int], float]:
    """Return for each edge the sum over live givens of its share of their shortest paths to the conclusion (A12)."""
    if columns.refuted[conclusion]:
        return {}
    order, closer = _shortest_ways(columns.live_predecessors, conclusion)
    ways = {conclusion: 1}
    for node in order[1:]:
        ways[node] = sum(ways[other] for other in closer[node])
    arriving = dict.fromkeys(order, 0.0)
    betweenness: dict[tuple[int, int], float] = {}
    for node in reversed(order[1:]):
        mass = arriving[node] + columns.is_source[node]
        if mass:
            for other in closer[node]:
                share = mass * (ways[other] / ways[node])
                betweenness[node, other] = round(share, BETWEENNESS_PLACES)
                arriving[other] += share
    return betweenness


def ranked_links(columns: Columns, conclusion: int) -> list[dict[str, object]]:
    """Return the edges on shortest paths, least confident first (interrogation 3.2, A12)."""
    betweenness = edge_betweenness(columns, conclusion)
    doubts = [(columns.support_doubt[columns.support_number[edge]], edge) for edge in betweenness]
    order = columns.natural_rank(node for edge in betweenness for node in edge)
    doubts.sort(key=lambda doubt: (doubt[0], -betweenness[doubt[1]], order[doubt[1][0]], order[doubt[1][1]]))
    return [
        {"edge": columns.ids(edge), "betweenness": betweenness[edge], "min_confidence_on_edge": doubt}
        for doubt, edge in doubts
    ]


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


def _shortest_ways(predecessors: list[list[int]], conclusion: int) -> tuple[list[int], dict[int, list[int]]]:
    """The nodes that reach the conclusion, nearest first, and for each its followers one step closer."""
    distance = {conclusion: 0}
    closer: dict[int, list[int]] = {}
    order = [conclusion]
    for node in order:
        further = distance[node] + 1
        for other in predecessors[node]:
            if other not in distance:
                distance[other] = further
                closer[other] = [node]
                order.append(other)
            elif distance[other] == further:
                closer[other].append(node)
    return order, closer
