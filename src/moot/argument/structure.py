"""The shape of an argument: orphans, reachability, bridges, betweenness (interrogation 3.4)."""

from collections.abc import Iterable, Sequence

from moot.argument.cycles import first_cycles
from moot.argument.graph import Columns, is_given

MAX_CYCLES = 10
BETWEENNESS_PLACES = 9


def reachable_from(
    sources: Iterable[int], followers: Sequence[Sequence[int]], blocked: Sequence[bool] | None = None
) -> list[bool]:
    """Return which nodes can be reached, the sources included, without entering a blocked one."""
    reached = [False] * len(followers)
    stack = list(sources)
    for node in stack:
        reached[node] = True
    while stack:
        for node in followers[stack.pop()]:
            if not reached[node] and (blocked is None or not blocked[node]):
                reached[node] = True
                stack.append(node)
    return reached


def check_structure(columns: Columns, conclusion: int) -> dict[str, object]:
    """Return the payload of `check_structure`; refuted nodes take part (interrogation 3.4, A9, A10)."""
    nodes = columns.nodes
    exempt = ("given", "assumption")
    orphans = [
        number
        for number, before in enumerate(columns.predecessors)
        if not before and nodes[number].type not in exempt and not is_given(nodes[number])
    ]
    cycles = first_cycles(columns, MAX_CYCLES + 1)
    feeding = reachable_from([conclusion], columns.predecessors)
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
    frontier stands at the walker's own place, the next edge has no way round.
    """
    if columns.refuted[conclusion] or columns.is_source[conclusion]:
        return []
    path, followers = _one_path(columns, conclusion)
    if not path:
        return []
    place = {node: index for index, node in enumerate(path)}
    first_places = [place[given] for given in columns.live_givens if given in place]
    off_path = [given for given in columns.live_givens if given in followers and given not in place]
    furthest = max(first_places)
    bridges = []
    seen = set(off_path)
    stack = off_path
    for index, node in enumerate(path[:-1]):
        stack.append(node)
        while stack:
            current = stack.pop()
            for other in followers[current]:
                if current == node and other == path[index + 1]:
                    continue
                if other in place:
                    furthest = max(furthest, place[other])
                elif other not in seen:
                    seen.add(other)
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


def _one_path(columns: Columns, conclusion: int) -> tuple[list[int], dict[int, list[int]]]:
    """A path from a live given to the conclusion, and who follows whom among what reaches the conclusion."""
    followers: dict[int, list[int]] = {conclusion: []}
    stack = [conclusion]
    predecessors = columns.live_predecessors
    while stack:
        node = stack.pop()
        for other in predecessors[node]:
            if other == conclusion:
                continue
            if other not in followers:
                followers[other] = []
                stack.append(other)
            followers[other].append(node)
    start = next((given for given in columns.live_givens if given in followers), None)
    if start is None:
        return [], followers
    came_from = {start: start}
    stack = [start]
    while stack and conclusion not in came_from:
        node = stack.pop()
        for other in followers[node]:
            if other not in came_from:
                came_from[other] = node
                stack.append(other)
    path = [conclusion]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return path[::-1], followers


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
