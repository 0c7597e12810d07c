"""Graph files: what they say, what is wrong with them, and those that come with Moot (coherence 2, ruling K1)."""

import pytest

from moot.core.errors import BadDataFile
from moot.protocols.coherence.graph_files import (
    MODULATIONS,
    SHIPPED,
    examined,
    graphs_from,
    in_order,
    natural_order,
    read_graph,
    shipped_texts,
)

GOOD = "# how it is known\nK1: one thing\nK2: another: with a colon\n\nK1 M2 K2\n"


@pytest.mark.clause("ruling:K1")
def test_a_file_gives_relations_and_adjacencies_under_its_own_name() -> None:
    graph = read_graph("graphs/knowledge.txt", GOOD)

    assert graph.name == "knowledge"
    assert graph.text("K2") == "another: with a colon"
    assert graph.labels == {(0, 1): "M2", (1, 0): "M2"}


def test_a_mark_and_windows_line_ends_change_nothing() -> None:
    odd = "\ufeff" + GOOD.replace("\n", "\r\n")

    assert read_graph("a.txt", odd) == read_graph("a.txt", GOOD)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("K1: one\nK1 M1 K7", 2, "'K7' is no relation of this graph"),
        ("K1: one\nK1: two", 2, "K1 is there twice"),
        ("K1: one\nK1 M1 K1", 2, "next to itself"),
        ("K1: one\nK2: two\nK1 M5 K2", 3, "'M5' is no modulation"),
        ("K1: one\nK1 is near K2", 2, "neither"),
        ("K1:", 1, "K1 says nothing"),
        ("M1: one", 1, "M1 is a modulation"),
        ("one: two", 1, "'one' is no id"),
        (f"K1: {'x' * 1001}", 1, "1001 characters"),
        ("# nothing", None, "no observed relation"),
        ("", None, "no observed relation"),
    ],
)
@pytest.mark.clause("ruling:K1")
def test_a_wrong_line_is_named_with_its_file(text: str, line: int | None, problem: str) -> None:
    with pytest.raises(BadDataFile, match=problem) as raised:
        read_graph("mine.txt", text)

    assert raised.value.line == line
    assert str(raised.value).startswith("mine.txt")


def test_all_that_is_wrong_is_found_at_once_and_the_rest_is_kept() -> None:
    graph, problems = examined("a.txt", "K1: one\nK1: two\nK2: three\nK1 M1 K2\nK1 M1 K9\nM4: x\n")

    assert [item.line for item in problems] == [2, 5, 6]
    assert graph.ids == ("K1", "K2")
    assert graph.parts == 1


def test_the_papers_graphs_come_in_its_order_and_others_by_name() -> None:
    assert in_order(dict.fromkeys(["zeta.txt", "integration.txt", "alpha.txt", "knowledge.txt"], "")) == [
        "knowledge.txt",
        "integration.txt",
        "alpha.txt",
        "zeta.txt",
    ]


def test_natural_order_counts_numbers_as_numbers() -> None:
    assert sorted(["K10", "E3", "K2", "K1"], key=natural_order) == ["E3", "K1", "K2", "K10"]


@pytest.mark.clause("coherence:2", "ruling:K1")
@pytest.mark.parametrize("file", SHIPPED)
def test_a_shipped_graph_is_whole_connected_and_uses_every_modulation(file: str) -> None:
    graph = read_graph(file, shipped_texts()[file])

    assert len(graph.ids) >= 25
    assert graph.parts == 1
    assert set(graph.labels.values()) == set(MODULATIONS)
    assert len(set(graph.texts)) == len(graph.texts)
    assert all(near for near in graph.links)


@pytest.mark.clause("coherence:2")
def test_knowledge_ethics_and_integration_come_with_moot() -> None:
    assert [graph.name for graph in graphs_from(shipped_texts())] == ["knowledge", "ethics", "integration"]


def test_no_id_stands_in_two_shipped_graphs() -> None:
    ids = [id_ for graph in graphs_from(shipped_texts()) for id_ in graph.ids]

    assert len(ids) == len(set(ids))
