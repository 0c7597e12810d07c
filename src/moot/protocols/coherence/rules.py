"""The engine: from columns and scores to paths through the graphs (coherence 4, rulings K2 to K4).

Every choice is made by one order: the higher score, then more adjacent relations that are active and untraversed at
that moment, then the lower id. A relation's count of such neighbours only ever falls, so a heap may hold old counts:
one that has fallen behind is put back with today's, and the first that is up to date is the best.
"""

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from moot.protocols.coherence.graph_files import Graph

THRESHOLD = 6.0

Values = Mapping[tuple[str, str], Sequence[float]]
"""The scores of each relation, named by graph and id, one for each column."""


def trace_paths(columns: Sequence[str], values: Values, graphs: Sequence[Graph]) -> dict[str, Any]:
    """Return the object of coherence 4.5: the paths of every column, graph by graph."""
    traced: dict[str, list[dict[str, Any]]] = {column: [] for column in columns}
    for graph in graphs:
        rows = [values.get((graph.name, id_)) for id_ in graph.ids]
        for place, column in enumerate(columns):
            scores = [row[place] if row else 0.0 for row in rows]
            traced[column] += [{"graph": graph.name, "path": path} for path in paths_in(graph, scores)]
    return {"paths": traced}


def paths_in(graph: Graph, scores: Sequence[float], threshold: float = THRESHOLD) -> Iterator[list[str]]:
    """Yield one column's paths through one graph, whose scores stand in the order of its ids (coherence 4.4)."""
    links, ids, labels = graph.links, graph.ids, graph.labels
    free = [score >= threshold for score in scores]
    left = [sum(free[near] for near in links[rank]) if free[rank] else 0 for rank in range(len(ids))]
    entries = [(-scores[rank], -left[rank], rank) for rank in range(len(ids)) if free[rank]]
    heapify(entries)
    while entries:
        score, count, here = heappop(entries)
        if not free[here]:
            continue
        if -count != left[here]:
            heappush(entries, (score, -left[here], here))
            continue
        path = [ids[here]]
        while (there := _next(here, links[here], free, left, scores)) is not None:
            path += (labels[here, there], ids[there])
            here = there
        yield path


def _next(here: int, near: Sequence[int], free: list[bool], left: list[int], scores: Sequence[float]) -> int | None:
    """Leave a relation for good, and return the best of those next to it that are still free (coherence 4.4.4)."""
    free[here] = False
    best, best_score, best_left = None, 0.0, 0
    for rank in near:
        left[rank] -= 1
    for rank in near:
        if not free[rank]:
            continue
        score, count = scores[rank], left[rank]
        if best is None or score > best_score or (score == best_score and count > best_left):
            best, best_score, best_left = rank, score, count
    return best
