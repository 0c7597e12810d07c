"""Deliberation graphs, and the text files they are written in (coherence 2, rulings K1 and K2).

    # a comment
    K12: text of the observed relation
    K1 M2 K7

Relations are numbered by the natural order of their ids, so that the engine compares whole numbers.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from moot.core.errors import BadDataFile

MODULATIONS: Mapping[str, str] = {
    "M1": "divergence",
    "M2": "convergence",
    "M3": "distribution, to lesser aggregation",
    "M4": "concentration, to greater aggregation",
}
WALKED_BACK = {"M1": "M1", "M2": "M2", "M3": "M4", "M4": "M3"}

SHIPPED = ("knowledge.txt", "ethics.txt", "integration.txt")
"""The paper's graphs, in its order."""

ID = re.compile(r"[A-Za-z]{1,8}[0-9]{1,9}")
RELATION = re.compile(r"([^\s:]+)\s*:\s*(.*)")
LONGEST_TEXT = 1_000


@dataclass(frozen=True)
class Graph:
    """Observed relations in natural order of their ids; `links` are the ranks that are next to each."""

    name: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    links: tuple[tuple[int, ...], ...]
    labels: Mapping[tuple[int, int], str]
    """How an adjacency reads when it is walked from the first rank to the second."""

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        """The rank of each id."""
        return {id_: rank for rank, id_ in enumerate(self.ids)}

    def text(self, id_: str) -> str:
        """Return what a relation says."""
        return self.texts[self.ranks[id_]]

    @cached_property
    def parts(self) -> int:
        """How many pieces the graph falls into; a connected one is one piece."""
        unseen, pieces = set(range(len(self.ids))), 0
        while unseen:
            pieces += 1
            edge = [unseen.pop()]
            while edge:
                reached = [rank for rank in self.links[edge.pop()] if rank in unseen]
                unseen.difference_update(reached)
                edge.extend(reached)
        return pieces


@dataclass(frozen=True, slots=True)
class GraphProblem:
    """What is wrong with a line of a graph file; line 0 is the file as a whole."""

    line: int
    problem: str


def natural_order(id_: str) -> tuple[str, int, str]:
    """Return the key by which K2 comes before K10 (ruling K3)."""
    letters = id_.rstrip("0123456789")
    return letters, int(id_[len(letters) :] or 0), id_


def read_graph(file: str, text: str) -> Graph:
    """Return the graph that a file describes, named by the file's stem.

    Raises:
        BadDataFile: with the first line that is wrong.
    """
    graph, problems = examined(file, text)
    if problems:
        raise BadDataFile(file=file, line=problems[0].line or None, problem=problems[0].problem)
    return graph


def examined(file: str, text: str) -> tuple[Graph, list[GraphProblem]]:
    """Return the graph made of the good lines of a file, and every line that is wrong."""
    relations: dict[str, str] = {}
    adjacencies: list[tuple[int, str, str, str]] = []
    problems: list[GraphProblem] = []
    for number, line in _lines(text):
        if found := RELATION.fullmatch(line):
            id_, said = found.groups()
            if problem := _wrong_relation(id_, said, relations):
                problems.append(GraphProblem(number, problem))
            else:
                relations[id_] = said
        elif len(words := line.split()) == 3:
            adjacencies.append((number, words[0], words[1], words[2]))
        else:
            problems.append(GraphProblem(number, f"{line[:60]!r} is neither `K12: text` nor `K1 M2 K7`"))
    good: list[tuple[str, str, str]] = []
    for number, *adjacency in adjacencies:
        first, modulation, second = adjacency
        if problem := _wrong_adjacency(first, modulation, second, relations):
            problems.append(GraphProblem(number, problem))
        else:
            good.append((first, modulation, second))
    if not relations and not problems:
        problems.append(GraphProblem(0, "it has no observed relation; write one as `K1: text`"))
    return make_graph(stem(file), relations, good), sorted(problems, key=lambda item: item.line)


def make_graph(name: str, relations: Mapping[str, str], adjacencies: list[tuple[str, str, str]]) -> Graph:
    """Return the graph of these relations and adjacencies, each walkable both ways (ruling K2)."""
    ids = tuple(sorted(relations, key=natural_order))
    ranks = {id_: rank for rank, id_ in enumerate(ids)}
    links: list[set[int]] = [set() for _ in ids]
    labels: dict[tuple[int, int], str] = {}
    for first, modulation, second in adjacencies:
        here, there = ranks[first], ranks[second]
        links[here].add(there)
        links[there].add(here)
        for pair, label in (((here, there), modulation), ((there, here), WALKED_BACK[modulation])):
            labels[pair] = min(label, labels.get(pair, label))
    return Graph(name, ids, tuple(relations[id_] for id_ in ids), tuple(tuple(sorted(near)) for near in links), labels)


def graphs_from(texts: Mapping[str, str]) -> tuple[Graph, ...]:
    """Return the graphs of these files: the paper's names in the paper's order, then others by name.

    Raises:
        BadDataFile: with the first file and line that is wrong.
    """
    return tuple(read_graph(file, texts[file]) for file in in_order(texts))


def in_order(names: Mapping[str, str]) -> list[str]:
    """Return file names in the order in which their graphs are given."""
    return sorted(names, key=lambda name: (SHIPPED.index(name) if name in SHIPPED else len(SHIPPED), name))


def stem(file: str) -> str:
    """Return a graph's name: its file's, without folders and suffix."""
    name = re.split(r"[/\\]", file)[-1]
    return name.rsplit(".", 1)[0] or name


@cache
def shipped_texts() -> Mapping[str, str]:
    """Return the graph files that come with Moot, by name."""
    folder = files("moot.protocols.coherence") / "graphs"
    return {name: (folder / name).read_text(encoding="utf-8") for name in SHIPPED}


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if (stripped := line.strip()) and not stripped.startswith("#"):
            yield number, stripped


def _wrong_relation(id_: str, text: str, known: Mapping[str, str]) -> str:
    if not ID.fullmatch(id_):
        return f"{id_[:40]!r} is no id; an id is letters and a number, such as K12"
    if id_ in MODULATIONS:
        return f"{id_} is a modulation and cannot be the id of a relation"
    if id_ in known:
        return f"{id_} is there twice; give every relation an id of its own"
    if not text:
        return f"{id_} says nothing; write the relation after the colon"
    if len(text) > LONGEST_TEXT:
        return f"{id_} has {len(text)} characters; a relation has at most {LONGEST_TEXT}"
    return ""


def _wrong_adjacency(first: str, modulation: str, second: str, known: Mapping[str, str]) -> str:
    if modulation not in MODULATIONS:
        return f"{modulation[:40]!r} is no modulation; there are {', '.join(MODULATIONS)}"
    if strange := next((id_ for id_ in (first, second) if id_ not in known), ""):
        return f"{strange[:40]!r} is no relation of this graph; an adjacency never leaves its graph"
    if first == second:
        return f"{first} is said to be next to itself"
    return ""
