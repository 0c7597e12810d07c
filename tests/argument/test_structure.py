"""Shapes that a random graph rarely has: many cycles, long chains, a search that gives up."""

from itertools import pairwise

import networkx as nx
import pytest

from moot.argument import GraphStore
from moot.argument.disputes import on_simple_path


def store_of(edges, givens=()):
    names = sorted({name for edge in edges for name in edge}, key=lambda name: (len(name), name))
    nodes = [
        {"id": name, "claim": f"{name} {name * 4}", "type": "given" if name in givens else "inference"}
        for name in names
    ]
    store = GraphStore()
    report = store.assert_graph("g", nodes, [{"src": a, "dst": b, "relation": "supports"} for a, b in edges])
    assert report["rejected"] == report["auto_merged"] == []
    return store


@pytest.mark.clause("argument:3.4.structure")
def test_of_many_cycles_the_ten_smallest_are_listed():
    names = ["n2", "n10", "n1", "n3", "n4", "n5"]
    store = store_of([(a, b) for a in names for b in names if a != b])

    structure = store.check_structure("g", "n1")

    assert structure["cycles_truncated"] is True
    assert structure["cycles"][:2] == [["n1", "n2"], ["n1", "n2", "n3"]]
    assert len(structure["cycles"]) == 10


@pytest.mark.clause("argument:3.4.links")
def test_every_edge_of_a_single_road_is_a_bridge_but_not_those_with_a_way_round():
    store = store_of([("a", "b"), ("b", "c"), ("b", "d"), ("c", "e"), ("d", "e"), ("e", "f")], givens=["a"])

    links = store.critical_links("g", "f")

    assert links["bridge_edges"] == [["a", "b"], ["e", "f"]]
    assert links["min_cut_nodes"] == ["e"]


@pytest.mark.clause("argument:3.4.links")
def test_shares_of_shortest_paths_are_unequal_where_path_counts_are():
    edges = [("g", "a"), ("g", "b"), ("a", "c"), ("a", "d"), ("b", "d"), ("c", "z"), ("d", "z")]

    ranked = store_of(edges, givens=["g"]).critical_links("g", "z")["ranked"]

    shares = {tuple(link["edge"]): link["betweenness"] for link in ranked}
    assert shares["g", "a"] == pytest.approx(2 / 3) and shares["d", "z"] == pytest.approx(2 / 3)


@pytest.mark.clause("argument:3.4.links")
def test_links_are_ranked_by_doubt_then_by_how_much_passes_then_by_id():
    nodes = [
        {"id": name, "claim": f"{name} {name * 4}", "type": "given" if name[0] == "g" else "inference"}
        for name in ("g1", "g2", "g10", "m", "z")
    ]
    sure = [("g10", "m", 0.9), ("g2", "m", 0.9), ("m", "z", 0.9), ("g1", "z", 0.4)]
    store = GraphStore()
    edges = [{"src": a, "dst": b, "relation": "supports", "confidence": confidence} for a, b, confidence in sure]
    store.assert_graph("g", nodes, edges)

    ranked = store.critical_links("g", "z")["ranked"]

    assert [link["edge"] for link in ranked] == [["g1", "z"], ["m", "z"], ["g2", "m"], ["g10", "m"]]


@pytest.mark.clause("argument:3.5.width")
def test_a_given_lets_all_through_and_an_inference_no_more_than_its_confidence():
    nodes = [
        {"id": name, "claim": f"{name} {name * 4}", "type": kind, "confidence": confidence}
        for name, kind, confidence in (("g", "given", 0.1), ("m", "inference", 0.3), ("z", "inference", 0.2))
    ]
    ways = [("g", "m", 0.9), ("m", "z", 0.9), ("g", "z", 0.8)]
    store = GraphStore()
    edges = [{"src": a, "dst": b, "relation": "supports", "confidence": confidence} for a, b, confidence in ways]
    store.assert_graph("g", nodes, edges)

    assert store.support_width("g", "z")["max_flow"] == pytest.approx(1.1)


@pytest.mark.clause("argument:3.6")
def test_a_search_past_its_budget_says_that_it_is_not_exact():
    names = [f"n{number}" for number in range(9)]
    edges = [(a, b) for a in names for b in names if a != b]
    store = store_of([*edges, ("s", "n0"), ("n1", "t")], givens=["s"])
    columns = store._graphs["g"].columns()

    found = on_simple_path(columns, columns.number["t"], steps=5)

    assert found.exact is False
    assert found.nodes == set(range(len(columns)))


@pytest.mark.clause("argument:3.5.width")
def test_a_long_chain_has_width_one():
    names = ["n" + "abcdefghij"[n // 100] + "abcdefghij"[n // 10 % 10] + "abcdefghij"[n % 10] for n in range(400)]
    store = store_of(list(pairwise(names)), givens=[names[0]])

    width = store.support_width("g", names[-1])

    assert width["disjoint_paths"] == 1 and len(width["paths"][0]) == 400
    assert len(store.critical_links("g", names[-1])["bridge_edges"]) == 399


@pytest.mark.clause("argument:3.4.oracle")
def test_the_cut_is_the_one_nearest_the_conclusion():
    store = store_of([("a", "b"), ("b", "c"), ("c", "z")], givens=["a"])

    assert store.critical_links("g", "z")["min_cut_nodes"] == ["c"]


def test_the_networkx_export_is_a_multigraph_with_all_fields():
    graph = store_of([("a", "b")], givens=["a"]).to_networkx("g")

    assert isinstance(graph, nx.MultiDiGraph)
    assert graph.nodes["a"]["type"] == "given" and graph.edges["a", "b", "supports"]["confidence"] == 0.8
