"""Columns, the heat of their scores, and their paths drawn on the graphs."""

from collections.abc import Iterator, Sequence
from typing import Any

from moot.core.panes import (
    ItemList,
    MatrixChart,
    Pane,
    PaneBlock,
    PaneCell,
    PaneChoice,
    PaneItem,
    PaneOption,
    PaneRow,
    PaneTable,
    PathPicture,
)
from moot.protocols.coherence.graph_files import MODULATIONS, Graph
from moot.protocols.coherence.in_words import paths_in_words
from moot.protocols.coherence.progress import TraceProgress
from moot.protocols.coherence.rules import THRESHOLD
from moot.protocols.coherence.scores import HIGHEST
from moot.views.words import counted, one_line

MOST_LABELLED = 12
"""Relations of a graph whose heat has a label for each: of more it is a strip."""
MOST_ROWS = 120
"""Relations of one graph whose scores are drawn: of more, those with the highest."""
MOST_DRAWN = 60
"""Relations of one large graph that a picture shows: the first of those that lie on its paths."""
LONGEST_PLACE = 60
"""Letters of a relation in a picture; the paths below it have all of them."""


def columns_pane(progress: TraceProgress) -> Pane:
    """Return the columns with what is active in each."""
    rows = tuple(_column(progress, place, column) for place, column in enumerate(progress.columns))
    table = PaneTable(
        ("column", "active relations", "paths", "strongest"), rows, empty="The prompt has no columns yet."
    )
    scored, total = len(progress.scores), sum(len(graph.ids) for graph in progress.graphs)
    return Pane("columns", "Columns", (table,), f"{scored} of {counted(total, 'relation')} scored")


def scores_pane(progress: TraceProgress) -> Pane:
    """Return the heat of the scores, relation by column, graph by graph."""
    blocks = tuple(_strip(progress, graph) if _is_large(graph) else _heat(progress, graph) for graph in progress.graphs)
    return Pane("scores", "Scores", blocks, f"10 is 1.00; a relation is active from {THRESHOLD:g}")


def relations_pane(progress: TraceProgress) -> Pane | None:
    """Return what the relations of large graphs say and how they were scored; of others their heat tells it."""
    options = tuple(
        PaneOption(graph.name, graph.name, (_score_table(progress, graph),))
        for graph in progress.graphs
        if _is_large(graph)
    )
    if not options:
        return None
    return Pane("relations", "Relations", (PaneChoice("graph", "Graph", options, options[0].value),), "✓ is active")


def paths_pane(progress: TraceProgress) -> Pane:
    """Return the paths of each column, drawn on the graphs and told step by step."""
    walked = list(paths_in_words(progress.columns, progress.paths or {}, progress.graphs))
    options = tuple(
        PaneOption(str(place), column, tuple(_walked(progress, column, steps)))
        for place, (column, steps) in enumerate(walked, 1)
    )
    return Pane("paths", "Paths", (PaneChoice("column", "Column", options, "1"),), "computed, not written by a model")


def _column(progress: TraceProgress, place: int, column: str) -> PaneRow:
    scores = {named: row[place] for named, row in progress.scores.items()}
    active = sum(score >= THRESHOLD for score in scores.values())
    paths = len((progress.paths or {}).get(column, ()))
    strongest = max(scores, key=lambda named: scores[named], default=None)
    told = f"{strongest[0]} {strongest[1]}, {scores[strongest]:g} of {HIGHEST:g}" if strongest else ""
    text = _text(progress, *strongest) if strongest else ""
    return PaneRow(
        (
            PaneCell(column),
            PaneCell(str(active), active),
            PaneCell("", None) if progress.paths is None else PaneCell(str(paths), paths),
            PaneCell(told, aside=text),
        )
    )


def _text(progress: TraceProgress, name: str, id_: str) -> str:
    return next((graph.text(id_) for graph in progress.graphs if graph.name == name and id_ in graph.ranks), "")


def _is_large(graph: Graph) -> bool:
    return len(graph.ids) > MOST_LABELLED


def _heat(progress: TraceProgress, graph: Graph) -> MatrixChart:
    rows = [progress.scores.get((graph.name, id_)) for id_ in graph.ids]
    return MatrixChart(
        _heat_finding(progress, graph),
        graph.ids,
        progress.columns,
        tuple(_shares(row, len(progress.columns)) for row in rows),
        tuple(_parts(progress, graph, id_, row) for id_, row in zip(graph.ids, rows, strict=True)),
        caption=graph.name,
    )


def _strip(progress: TraceProgress, graph: Graph) -> MatrixChart:
    """The heat of a large graph without labels, lying down: a line for each column."""
    ids = _hottest(progress, graph)
    rows = [progress.scores.get((graph.name, id_)) for id_ in ids]
    parts = [_parts(progress, graph, id_, row) for id_, row in zip(ids, rows, strict=True)]
    shown = (
        f"the {len(ids)} relations with the highest scores" if len(ids) < len(graph.ids) else f"{ids[0]} to {ids[-1]}"
    )
    return MatrixChart(
        _heat_finding(progress, graph),
        progress.columns,
        tuple(ids),
        tuple(zip(*(_shares(row, len(progress.columns)) for row in rows), strict=True)),
        tuple(zip(*parts, strict=True)),
        small=True,
        caption=f"{graph.name}, {shown}; a line for each column",
    )


def _heat_finding(progress: TraceProgress, graph: Graph) -> str:
    rows = [row for id_ in graph.ids if (row := progress.scores.get((graph.name, id_)))]
    active = sum(max(row) >= THRESHOLD for row in rows)
    return (
        f"Of {counted(len(graph.ids), 'relation')} of {graph.name} {len(rows)} have scores; active in some column: "
        f"{active}."
    )


def _shares(row: Sequence[float] | None, width: int) -> tuple[float | None, ...]:
    return tuple(value / HIGHEST for value in row) if row else (None,) * width


def _score_table(progress: TraceProgress, graph: Graph) -> PaneTable:
    rows = tuple(
        PaneRow((PaneCell(id_), PaneCell(graph.text(id_)), *_score_cells(progress, graph, id_)))
        for id_ in _hottest(progress, graph)
    )
    return PaneTable(("relation", "what it says", *progress.columns), rows)


def _score_cells(progress: TraceProgress, graph: Graph, id_: str) -> Iterator[PaneCell]:
    row = progress.scores.get((graph.name, id_))
    for score in row or [None] * len(progress.columns):
        is_active = score is not None and score >= THRESHOLD
        yield PaneCell("" if score is None else f"{score:g}", score, mark="✓" if is_active else "")


def _hottest(progress: TraceProgress, graph: Graph) -> list[str]:
    if len(graph.ids) <= MOST_ROWS:
        return list(graph.ids)
    highest = {id_: max(progress.scores.get((graph.name, id_), (0.0,)), default=0.0) for id_ in graph.ids}
    hottest = set(sorted(graph.ids, key=lambda id_: -highest[id_])[:MOST_ROWS])
    return [id_ for id_ in graph.ids if id_ in hottest]


def _parts(progress: TraceProgress, graph: Graph, id_: str, row: Sequence[float] | None) -> tuple[str, ...]:
    said = f"{graph.name} {id_}: {graph.text(id_)}"
    if row is None:
        return tuple(f"no score in “{column}”; {said}" for column in progress.columns)
    return tuple(
        f"{score:g} of {HIGHEST:g} in “{column}”{', active' if score >= THRESHOLD else ''}; {said}"
        for score, column in zip(row, progress.columns, strict=True)
    )


def _walked(progress: TraceProgress, column: str, steps: Sequence[Sequence[str]]) -> Iterator[PaneBlock]:
    paths = (progress.paths or {}).get(column, ())
    for graph in progress.graphs:
        own = [path["path"] for path in paths if path["graph"] == graph.name]
        if own:
            yield _picture(graph, column, own)
    items = tuple(PaneItem(first, under=tuple(map(PaneItem, others))) for first, *others in steps)
    yield ItemList(items, empty="No relation is active in this column.")


def _picture(graph: Graph, column: str, paths: Sequence[Sequence[Any]]) -> PathPicture:
    """One graph with the ways through it, each in the direction in which it is walked."""
    drawn = _drawn(graph, paths)
    ways = [[id_ for id_ in path[::2] if id_ in drawn] for path in paths]
    walked = {(one, other): path[2 * place + 1] for path in paths for place, (one, other) in enumerate(_pairs(path))}
    edges = {pair: label for pair, label in walked.items() if set(pair) <= drawn}
    for (here, there), label in graph.labels.items():
        pair = graph.ids[here], graph.ids[there]
        if here < there and set(pair) <= drawn and pair not in edges and pair[::-1] not in edges:
            edges[pair] = label
    return PathPicture(
        f"“{column}” goes through {graph.name} on {counted(len(paths), 'path')}, "
        f"over {counted(sum(len(path[::2]) for path in paths), 'relation')}.",
        tuple((id_, one_line(f"{id_} {graph.text(id_)}", LONGEST_PLACE)) for id_ in graph.ids if id_ in drawn),
        tuple((one, other, MODULATIONS[label]) for (one, other), label in edges.items()),
        tuple((f"{graph.name} {number}", tuple(way)) for number, way in enumerate(ways, 1) if way),
    )


def _pairs(path: Sequence[Any]) -> Iterator[tuple[str, str]]:
    return zip(path[::2], path[2::2], strict=False)


def _drawn(graph: Graph, paths: Sequence[Sequence[Any]]) -> set[str]:
    """All relations of a small graph; of a large one only those that are walked, so that the ways can be seen."""
    if not _is_large(graph):
        return set(graph.ids)
    return set([id_ for path in paths for id_ in path[::2]][:MOST_DRAWN])
