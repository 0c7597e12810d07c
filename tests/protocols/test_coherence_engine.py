"""The engine of coherence: from scores to paths (coherence 4)."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.protocols.coherence.graph_files import Graph, make_graph
from moot.protocols.coherence.rules import paths_in, trace_paths
from tests.protocols.coherence_literal import Adjacency, LiteralEngine, random_graph


def graph_from(*adjacencies: str, name: str = "g", also: tuple[str, ...] = ()) -> Graph:
    """Return the graph of adjacencies such as `K1 M2 K7`."""
    triples = [(first, between, second) for first, between, second in (text.split() for text in adjacencies)]
    ids = {id_ for first, _, second in triples for id_ in (first, second)} | set(also)
    return make_graph(name, {id_: f"what {id_} says" for id_ in ids}, triples)


def paths(graph: Graph, **scores: float) -> list[list[str]]:
    return list(paths_in(graph, [scores.get(id_, 0.0) for id_ in graph.ids]))


@pytest.mark.clause("coherence:4.4.1")
def test_a_relation_is_active_from_six_on() -> None:
    graph = graph_from("K1 M1 K2", "K2 M1 K3")

    assert paths(graph, K1=6, K2=5.999999, K3=10) == [["K3"], ["K1"]]


@pytest.mark.clause("coherence:4.4.2")
def test_a_path_begins_at_the_highest_score() -> None:
    graph = graph_from("K1 M1 K2", "K2 M1 K3")

    assert paths(graph, K1=7, K2=9, K3=8) == [["K2", "M1", "K3"], ["K1"]]
    assert paths(graph, K1=9, K2=7, K3=8) == [["K1", "M1", "K2", "M1", "K3"]]


@pytest.mark.clause("coherence:4.4.3", "ruling:K3")
def test_a_tie_goes_to_the_relation_with_more_untraversed_neighbours() -> None:
    graph = graph_from("K1 M1 K2", "K9 M1 K3", "K9 M1 K4")

    assert paths(graph, K1=8, K9=8, K2=6, K3=6, K4=6)[0][0] == "K9"


@pytest.mark.clause("coherence:4.4.3")
def test_a_second_tie_goes_to_the_lower_id_and_two_is_lower_than_ten() -> None:
    graph = graph_from(also=("K10", "K2"))

    assert paths(graph, K10=8, K2=8) == [["K2"], ["K10"]]


@pytest.mark.clause("coherence:4.4.3", "ruling:K3")
def test_neighbours_are_counted_at_the_moment_of_the_choice() -> None:
    # K1 has two active neighbours at first, more than K5; both are walked before the second path begins.
    graph = graph_from("K1 M1 K2", "K1 M1 K3", "K2 M1 K3", "K3 M1 K4", "K5 M1 K6")
    scores = {"K2": 9, "K3": 8.9, "K4": 8.8, "K1": 7, "K5": 7, "K6": 6}

    assert paths(graph, **scores) == [["K2", "M1", "K3", "M1", "K4"], ["K5", "M1", "K6"], ["K1"]]


@pytest.mark.clause("coherence:4.4.4")
def test_a_path_goes_on_by_the_same_order_and_never_turns_back() -> None:
    graph = graph_from("K1 M1 K2", "K1 M2 K3", "K3 M3 K4", "K2 M1 K5")

    assert paths(graph, K1=10, K2=6, K3=7, K4=6, K5=6) == [["K1", "M2", "K3", "M3", "K4"], ["K2", "M1", "K5"]]


@pytest.mark.clause("coherence:4.4.5", "coherence:4.4.6")
def test_new_entries_open_until_every_active_relation_is_on_a_path() -> None:
    graph = graph_from(also=("K1", "K2", "K3"))

    assert paths(graph, K1=6, K2=7, K3=8) == [["K3"], ["K2"], ["K1"]]


@pytest.mark.clause("ruling:K2")
def test_walked_backwards_distribution_reads_concentration() -> None:
    assert paths(graph_from("K1 M3 K2"), K1=6, K2=7) == [["K2", "M4", "K1"]]
    assert paths(graph_from("K1 M4 K2"), K1=6, K2=7) == [["K2", "M3", "K1"]]
    assert paths(graph_from("K1 M1 K2"), K1=6, K2=7) == [["K2", "M1", "K1"]]


@pytest.mark.clause("ruling:K2")
def test_two_labels_between_one_pair_print_the_lowest_and_count_once() -> None:
    graph = graph_from("K1 M3 K2", "K2 M1 K1", "K1 M2 K2", "K4 M1 K5", "K4 M1 K6")

    assert paths(graph, K1=8, K2=7, K4=8, K5=6, K6=6)[0][0] == "K4"
    assert ["K1", "M1", "K2"] in paths(graph, K1=8, K2=7, K4=8, K5=6, K6=6)


@pytest.mark.clause("coherence:4.3")
def test_each_column_has_the_paths_of_its_own_scores() -> None:
    graph = graph_from("K1 M2 K2", name="knowledge")
    values = {("knowledge", "K1"): (8, 1), ("knowledge", "K2"): (2, 7)}

    assert trace_paths(["cost", "trust"], values, [graph])["paths"] == {
        "cost": [{"graph": "knowledge", "path": ["K1"]}],
        "trust": [{"graph": "knowledge", "path": ["K2"]}],
    }


@pytest.mark.clause("coherence:4.3", "coherence:4.5", "ruling:K4")
def test_columns_and_graphs_are_traced_apart_and_a_column_may_be_empty() -> None:
    first, second = graph_from("K1 M2 K2", name="knowledge"), graph_from("E1 M1 E2", name="ethics")
    values = {
        ("knowledge", "K1"): (8, 1),
        ("knowledge", "K2"): (7, 1),
        ("ethics", "E2"): (6, 0),
    }

    assert trace_paths(["cost", "trust"], values, [first, second]) == {
        "paths": {
            "cost": [
                {"graph": "knowledge", "path": ["K1", "M2", "K2"]},
                {"graph": "ethics", "path": ["E2"]},
            ],
            "trust": [],
        }
    }


def test_the_engine_equals_a_literal_scan_on_a_thousand_random_graphs() -> None:
    rng = random.Random(527)
    for _ in range(1000):
        ids, adjacencies = random_graph(rng, rng.randint(1, 40), degree=rng.choice([0, 1, 3, 8]))
        scores = {id_: rng.choice([0, 5, 6, 6, 7, 7, 8, 10, 6.5]) for id_ in ids}
        graph = make_graph("g", dict.fromkeys(ids, "x"), adjacencies)

        fast = list(paths_in(graph, [scores[id_] for id_ in graph.ids]))

        assert fast == list(LiteralEngine(ids, adjacencies).paths(scores))


@st.composite
def scored_graphs(draw: st.DrawFn) -> tuple[list[str], list[Adjacency], dict[str, float]]:
    ids = [f"K{number}" for number in draw(st.lists(st.integers(1, 60), min_size=1, max_size=20, unique=True))]
    pair = st.tuples(st.sampled_from(ids), st.sampled_from(["M1", "M2", "M3", "M4"]), st.sampled_from(ids))
    adjacencies = [item for item in draw(st.lists(pair, max_size=40)) if item[0] != item[2]]
    return ids, adjacencies, {id_: draw(st.floats(0, 10, allow_nan=False)) for id_ in ids}


@given(scored_graphs())
@settings(deadline=None)
def test_every_active_relation_is_on_one_path_once_and_its_steps_are_adjacent(scored) -> None:
    ids, adjacencies, scores = scored
    graph = make_graph("g", dict.fromkeys(ids, "x"), adjacencies)

    found = list(paths_in(graph, [scores[id_] for id_ in graph.ids]))

    walked = [id_ for path in found for id_ in path[::2]]
    assert sorted(walked) == sorted(id_ for id_ in ids if scores[id_] >= 6)
    for path in found:
        for first, label, second in zip(path[::2], path[1::2], path[2::2], strict=False):
            assert graph.labels[graph.ranks[first], graph.ranks[second]] == label
