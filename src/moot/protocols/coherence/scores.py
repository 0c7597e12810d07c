"""Columns and scores as they were sent, read strictly and with every repair noted (coherence 3.4, ruling K4)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moot.core.canonical import rounded
from moot.protocols.coherence.graph_files import Graph, stem
from moot.protocols.coherence.schemas import Named, ScoreRow
from moot.views.words import counted

LOWEST, HIGHEST = 0.0, 10.0
LONGEST_COLUMN = 200


@dataclass(frozen=True, slots=True)
class Scored:
    """What could be read: scores by relation, the rows that were refused, and what was repaired or dropped."""

    values: Mapping[Named, tuple[float, ...]] = field(default_factory=dict)
    refused: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()

    def with_more(self, other: "Scored") -> "Scored":
        """Return these scores with those of another reading, where there were none."""
        return Scored({**other.values, **self.values}, other.refused, self.noted + other.noted)


def read_columns(columns: Sequence[Any], graphs: Sequence[Graph]) -> tuple[tuple[str, ...], str]:
    """Return the columns' names, and why they are refused or nothing (ruling K4)."""
    names = tuple(" ".join(column.split())[:LONGEST_COLUMN] if isinstance(column, str) else "" for column in columns)
    if not names:
        return names, "there are no columns"
    if "" in names:
        return names, f"column {names.index('') + 1} has no name"
    if taken := next((name for name in names if _is_of_graphs(name, graphs)), None):
        return names, f"the column {taken!r} is a graph or the id of a relation; a column is a dimension of the prompt"
    folded = [name.casefold() for name in names]
    twice = next((name for place, name in enumerate(names) if folded[place] in folded[:place]), None)
    return names, f"the column {twice!r} is there twice" if twice else ""


def usable_columns(names: Sequence[str], graphs: Sequence[Graph]) -> tuple[list[int], tuple[str, ...]]:
    """Return the places of the columns that have a name of their own, and those names."""
    first: dict[str, int] = {}
    for place, name in enumerate(names):
        if name and not _is_of_graphs(name, graphs):
            first.setdefault(name.casefold(), place)
    places = sorted(first.values())
    return places, tuple(names[place] for place in places)


def read_scores(rows: Iterable[ScoreRow], width: int, graphs: Sequence[Graph]) -> Scored:
    """Return the scores that these rows give to relations of the graphs, `width` values each."""
    values: dict[Named, tuple[float, ...]] = {}
    refused: list[str] = []
    noted: list[str] = []
    for number, row in enumerate(rows, 1):
        relation, note = _relation(row.observed_relation, graphs)
        if note:
            noted.append(f"row {number}: {note}")
        if relation is None:
            continue
        name = f"row {number} ({relation[0]} {relation[1]})"
        if relation in values:
            noted.append(f"{name}: a second row for this relation was dropped")
            continue
        numbers, problem, repaired = _numbers(row.values, width)
        if problem:
            refused.append(f"{name}: {problem}")
            continue
        if repaired:
            noted.append(f"{name}: scores given as text were read as numbers")
        values[relation] = numbers
    return Scored(values, tuple(refused), tuple(noted))


def unscored(graphs: Sequence[Graph], scored: Scored) -> list[Named]:
    """Return the relations that have no scores, graph by graph."""
    return [(graph.name, id_) for graph in graphs for id_ in graph.ids if (graph.name, id_) not in scored.values]


def score_rows(values: Mapping[Named, Sequence[float]], graphs: Sequence[Graph]) -> list[dict[str, Any]]:
    """Return the rows of coherence 3.4 for every relation that has scores, in the graphs' order."""
    return [
        {"observed_relation": {"graph": graph.name, "id": id_}, "values": list(values[graph.name, id_])}
        for graph in graphs
        for id_ in graph.ids
        if (graph.name, id_) in values
    ]


def _is_of_graphs(name: str, graphs: Sequence[Graph]) -> bool:
    """Whether a column says nothing of the prompt: it is named by what it should be scored with."""
    return any(name in graph.ranks or name.casefold() == graph.name.casefold() for graph in graphs)


def _relation(named: Any, graphs: Sequence[Graph]) -> tuple[Named | None, str]:
    """Return which relation a row is about, and what had to be repaired or dropped."""
    if not isinstance(named, Mapping):
        return None, "it names no relation and was dropped"
    graph, id_ = stem(str(named.get("graph", ""))), str(named.get("id", "")).strip()
    homes = [known.name for known in graphs if id_ in known.ranks]
    if graph in homes:
        return (graph, id_), ""
    if len(homes) == 1:
        return (homes[0], id_), f"{id_} is of {homes[0]}, not of {graph[:40]!r}"
    return None, f"there is no relation {id_[:40]!r} in {graph[:40]!r}; the row was dropped"


def _numbers(values: Any, width: int) -> tuple[tuple[float, ...], str, bool]:
    """Return the scores of a row, why they are refused or nothing, and whether text was read as numbers."""
    if not isinstance(values, list | tuple):
        return (), "its values are no list", False
    if len(values) != width:
        return (), f"it has {counted(len(values), 'value')} for {counted(width, 'column')}", False
    numbers = [_number(value) for value in values]
    for value, number in zip(values, numbers, strict=True):
        if number is None:
            return (), f"{str(value)[:40]!r} is no number", False
        if not LOWEST <= number <= HIGHEST:
            return (), f"{number:g} is not from 0 to 10", False
    read = tuple(rounded(number) for number in numbers if number is not None)
    return read, "", any(isinstance(value, str) for value in values)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
