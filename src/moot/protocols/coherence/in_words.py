"""Graphs, scores and paths as text, for the members and for people (coherence 3.1, 5.1, ruling K10)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from moot.core.tokens import estimated_tokens
from moot.protocols.coherence.graph_files import MODULATIONS, Graph
from moot.protocols.coherence.rules import Values

Relation = tuple[Graph, str]
Relations = Sequence[Relation]


def relations_of(graphs: Sequence[Graph]) -> list[Relation]:
    """Return all relations, graph by graph."""
    return [(graph, id_) for graph in graphs for id_ in graph.ids]


def parts_of(relations: Relations, most_tokens: int) -> list[list[Relation]]:
    """Return the relations in one part, or where they are longer in parts of at most so many tokens (ruling K10)."""
    parts: list[list[Relation]] = [[]]
    room = most_tokens
    for graph, id_ in relations:
        tokens = estimated_tokens(_relation_line(graph, id_, graph.ranks))
        if tokens > room and parts[-1]:
            parts.append([])
            room = most_tokens
        parts[-1].append((graph, id_))
        room -= tokens
    return parts


def graphs_in_words(shown: Relations) -> str:
    """Return relations with their adjacencies, one line each; an adjacency stands at the first of its two."""
    by_graph = _by_graph(shown)
    known = {graph.name: graph for graph, _ in shown}
    return "\n".join(
        "\n".join([f"{name}:", *(_relation_line(known[name], id_, set(ids)) for id_ in ids)])
        for name, ids in by_graph.items()
    )


def ids_in_words(relations: Relations) -> str:
    """Return the ids of relations, graph by graph, on one line."""
    return "; ".join(f"{name} {' '.join(ids)}" for name, ids in _by_graph(relations).items())


def score_table(values: Values, graphs: Sequence[Graph]) -> str:
    """Return a line for each relation that has any score but 0, graph by graph (coherence 5.1)."""
    return "\n".join("\n".join([f"{graph.name}:", *_score_lines(values, graph)]) for graph in graphs)


def paths_in_words(
    columns: Sequence[str], paths: Mapping[str, Any], graphs: Sequence[Graph]
) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield each column with its paths, step by step; what a relation says stands where it first comes."""
    known = {graph.name: graph for graph in graphs}
    said: set[tuple[str, str]] = set()
    for column in columns:
        yield column, [_steps(known[path["graph"]], path["path"], said) for path in paths.get(column, ())]


def _steps(graph: Graph, path: Sequence[str], said: set[tuple[str, str]]) -> list[str]:
    steps: list[str] = []
    for place in range(0, len(path), 2):
        id_ = path[place]
        lead = f"{graph.name} " if place == 0 else f"{MODULATIONS[path[place - 1]]} -> "
        steps.append(f"{lead}{id_}" if (graph.name, id_) in said else f"{lead}{id_}: {graph.text(id_)}")
        said.add((graph.name, id_))
    return steps


def _score_lines(values: Values, graph: Graph) -> Iterator[str]:
    for id_ in graph.ids:
        if any(row := values.get((graph.name, id_), ())):
            yield f"{id_} {' '.join(f'{value:g}' for value in row)}"


def _relation_line(graph: Graph, id_: str, shown: Collection[str]) -> str:
    near = "; ".join(f"{label} {' '.join(ids)}" for label, ids in _adjacent(graph, id_, shown).items())
    return f"{id_}: {graph.text(id_)}{f' [{near}]' if near else ''}"


def _adjacent(graph: Graph, id_: str, shown: Collection[str]) -> dict[str, list[str]]:
    """Return what a relation leads to, by modulation: once for each pair, at both where only one of them is shown."""
    here = graph.ranks[id_]
    near: dict[str, list[str]] = {}
    for there in graph.links[here]:
        if there > here or graph.ids[there] not in shown:
            near.setdefault(graph.labels[here, there], []).append(graph.ids[there])
    return dict(sorted(near.items()))


def _by_graph(relations: Relations) -> dict[str, list[str]]:
    ids: dict[str, list[str]] = {}
    for graph, id_ in relations:
        ids.setdefault(graph.name, []).append(id_)
    return ids
