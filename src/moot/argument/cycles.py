"""Circular reasoning: the first simple cycles in natural order, found lazily (interrogation 3.4, ruling A10).

Johnson's search, inside one strongly connected component at a time, with the smallest node as root and followers in
order: cycles come out sorted, so the first ten are the ten smallest however many there are.
"""

import heapq
from collections.abc import Iterator, Mapping
from itertools import islice

from moot.argument.graph import Columns


def first_cycles(columns: Columns, limit: int) -> list[list[int]]:
    """Return at most `limit` simple cycles of the support graph, each from its smallest id on, sorted."""
    looping = [
        component for component in strong_components(columns.successors) if _loops(component, columns.successors)
    ]
    rank = {node: int(columns.natural_rank[node]) for component in looping for node in component}
    node_of = {place: node for node, place in rank.items()}
    followers = {
        place: sorted(rank[other] for other in columns.successors[node] if other in rank)
        for node, place in rank.items()
    }
    ranked = [[rank[node] for node in component] for component in looping]
    return [[node_of[step] for step in cycle] for cycle in islice(_cycles(ranked, followers), limit)]


def strong_components(followers: list[list[int]]) -> list[list[int]]:
    """Return the strongly connected components of a graph (Tarjan, without recursion)."""
    return _components(dict(enumerate(followers)))


def _loops(component: list[int], followers: list[list[int]]) -> bool:
    return len(component) > 1 or component[0] in followers[component[0]]


def _cycles(components: list[list[int]], followers: Mapping[int, list[int]]) -> Iterator[list[int]]:
    waiting = [(min(component), component) for component in components]
    heapq.heapify(waiting)
    while waiting:
        root, component = heapq.heappop(waiting)
        inside = set(component)
        within = {node: [other for other in followers[node] if other in inside] for node in component}
        yield from _cycles_through(root, within)
        rest = {node: [other for other in within[node] if other != root] for node in component if node != root}
        for smaller in _components(rest):
            if len(smaller) > 1 or smaller[0] in rest[smaller[0]]:
                heapq.heappush(waiting, (min(smaller), smaller))


def _cycles_through(root: int, followers: Mapping[int, list[int]]) -> Iterator[list[int]]:
    path = [root]
    open_ways = [iter(followers[root])]
    blocked = {root}
    closes = [False]
    waits_for: dict[int, set[int]] = {}
    while path:
        for node in open_ways[-1]:
            if node == root:
                closes[-1] = True
                yield list(path)
            elif node not in blocked:
                path.append(node)
                open_ways.append(iter(followers[node]))
                closes.append(False)
                blocked.add(node)
                break
        else:
            done, closed = path.pop(), closes.pop()
            open_ways.pop()
            if closed:
                _unblock(done, blocked, waits_for)
            else:
                for node in followers[done]:
                    waits_for.setdefault(node, set()).add(done)
            if closes:
                closes[-1] = closes[-1] or closed


def _unblock(node: int, blocked: set[int], waits_for: dict[int, set[int]]) -> None:
    stack = [node]
    while stack:
        current = stack.pop()
        if current in blocked:
            blocked.discard(current)
            stack.extend(waits_for.pop(current, ()))


def _components(followers: Mapping[int, list[int]]) -> list[list[int]]:
    found: list[list[int]] = []
    low: dict[int, int] = {}
    entered: dict[int, int] = {}
    open_nodes: list[int] = []
    for start in followers:
        if start in entered:
            continue
        work = [(start, iter(followers[start]))]
        entered[start] = low[start] = len(entered)
        open_nodes.append(start)
        while work:
            node, ways = work[-1]
            for other in ways:
                if other not in entered:
                    entered[other] = low[other] = len(entered)
                    open_nodes.append(other)
                    work.append((other, iter(followers[other])))
                    break
                if other in low:
                    low[node] = min(low[node], entered[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == entered[node]:
                    found.append(_close(node, open_nodes, low))
    return found


def _close(root: int, open_nodes: list[int], low: dict[int, int]) -> list[int]:
    component = []
    while True:
        node = open_nodes.pop()
        del low[node]
        component.append(node)
        if node == root:
            return component
