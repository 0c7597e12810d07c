"""The fast graph equals the slow literal one (interrogation 3.3 to 3.6)."""

from itertools import pairwise

import pytest

from moot.argument import GraphStore
from moot.argument.wording.normal_form import normal_form
from tests.argument.literal import LiteralGraph, literal_clusters
from tests.argument.random_inputs import random_claims, random_graph


def asserted(claims, store=None, **options):
    store = store or GraphStore()
    nodes = [{"id": f"r{place}:n", "claim": claim, "type": "inference"} for place, claim in enumerate(claims)]
    return store, store.assert_graph("g", nodes, [], **options)


@pytest.mark.clause("argument:3.3.clusters")
@pytest.mark.parametrize("seed", range(130))
def test_clusters_attacks_and_reports_equal_the_pairwise_definition(seed):
    claims = random_claims(seed)
    identifiers = seed % 3 == 0
    apart = [(0, seed % 7 + 1), (2, 9)] if seed % 2 else []
    cluster, contradictions = literal_clusters(claims, apart, identifiers=identifiers)

    store, report = asserted(
        claims, GraphStore(identifiers=identifiers), cannot_link=[[f"r{a}:n", f"r{b}:n"] for a, b in apart]
    )

    names = [f"r{place}:n" for place in range(len(claims))]
    first = {mark: names[cluster.index(mark)] for mark in cluster}
    assert [store.resolve("g", name) for name in names] == [first[mark] for mark in cluster]
    assert report["auto_merged"] == [
        [first[mark], name] for name, mark in zip(names, cluster, strict=True) if name != first[mark]
    ]
    pairs = {tuple(sorted((first[cluster[a]], first[cluster[b]]))) for a, b in contradictions}
    attacks = {(edge.src, edge.dst) for edge in store.edges("g")}
    assert attacks == pairs | {(b, a) for a, b in pairs}
    created = store.merge_duplicates("g")["contradictions_created"]
    assert {tuple(sorted(pair)) for pair in created} == pairs and len(created) == len(pairs)


@pytest.mark.clause("argument:3.2.2")
@pytest.mark.parametrize("seed", range(200, 230))
def test_a_second_pass_with_other_thresholds_equals_the_pairwise_definition(seed):
    # One claim for each set of tokens, so that the strict thresholds merge nothing on the way in.
    claims = list({normal_form(claim).tokens: claim for claim in random_claims(seed)}.values())
    cluster, _ = literal_clusters(claims, jaccard=0.5, ratio=0.6)
    store = GraphStore(jaccard_threshold=1.0, ratio_threshold=1.0)
    _, report = asserted(claims, store)

    store.merge_duplicates("g", 0.5, 0.6)

    names = [f"r{place}:n" for place in range(len(claims))]
    assert report["auto_merged"] == []
    assert [store.resolve("g", name) for name in names] == [names[cluster.index(mark)] for mark in cluster]


@pytest.mark.clause("argument:3.4.oracle")
@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("part", range(20))
def test_a_thousand_random_graphs_give_what_the_recipes_give(part, cyclic):
    for seed in range(part * 25, part * 25 + 25):
        nodes, edges, refuted = random_graph(seed + 10_000 * cyclic, cyclic=cyclic)
        store = GraphStore()
        report = store.assert_graph("g", nodes, edges, run_id="r1")
        assert report["rejected"] == report["auto_merged"] == []
        for name in refuted:
            store.mark_refuted("g", name, "drawn by lot")
        literal = LiteralGraph(store.nodes("g"), store.edges("g"))

        assert_surviving_equal(store, literal)
        for conclusion in {nodes[-1]["id"], nodes[len(nodes) // 2]["id"]}:
            assert_structure_equal(store, literal, conclusion)
            assert_support_equal(store, literal, conclusion)
            assert_links_equal(store, literal, conclusion)
            assert_disputes_equal(store, literal, conclusion)


def assert_structure_equal(store, literal, conclusion):
    payload = store.check_structure("g", conclusion)
    payload.pop("assumes_into_assumption")
    assert payload == literal.check_structure(conclusion)


def assert_support_equal(store, literal, conclusion):
    payload = store.support_width("g", conclusion)
    assert payload["disjoint_paths"] == len(payload["paths"]) == literal.width(conclusion)
    assert payload["max_flow"] == pytest.approx(literal.max_flow(conclusion), abs=1e-5)
    live, givens, seen = literal.live(), literal.live_givens(), set()
    for path in payload["paths"]:
        assert path[0] in givens and path[-1] == conclusion
        assert all(live.has_edge(src, dst) for src, dst in pairwise(path))
        assert not seen & set(path[:-1]) and len(set(path)) == len(path)
        seen |= set(path[:-1])


def assert_links_equal(store, literal, conclusion):
    payload = store.critical_links("g", conclusion)
    assert {tuple(edge) for edge in payload["bridge_edges"]} == literal.bridges(conclusion)
    ranked = {tuple(link["edge"]): link["betweenness"] for link in payload["ranked"]}
    assert ranked == pytest.approx(literal.betweenness(conclusion), abs=1e-6)
    doubts = [link["min_confidence_on_edge"] for link in payload["ranked"]]
    assert doubts == sorted(doubts)
    assert doubts == [literal.support.edges[link["edge"]]["least"] for link in payload["ranked"]]
    assert_cut_is_minimal(payload, literal, conclusion)


def assert_cut_is_minimal(payload, literal, conclusion):
    is_given = conclusion in literal.live_givens()
    assert payload["uncuttable"] == is_given
    if is_given:
        assert payload["min_cut_nodes"] == []
        return
    assert len(payload["min_cut_nodes"]) == literal.width(conclusion)
    graph = literal.augmented()
    graph.remove_nodes_from(payload["min_cut_nodes"])
    assert not literal.reaches(graph, conclusion)


def assert_surviving_equal(store, literal):
    payload = store.surviving_claims("g")
    labels = literal.labels()
    for name in ("in", "out", "undecided"):
        assert payload[name] == [node for node in literal.order if labels[node] == name]
    assert payload["surviving"] == literal.surviving()


def assert_disputes_equal(store, literal, conclusion):
    payload = store.disputed_nodes("g", conclusion)
    on_path = literal.on_path(conclusion)
    attackers = {src for src, dst in literal.attacks.edges if dst in on_path and not literal.nodes[src].refuted}
    bearing = [name for name in literal.order if name in on_path | attackers]
    assert payload["exact"] is True
    assert payload["isolated_load_bearing"] == [
        {"id": name, "run_count": 1, "on_path": name in on_path} for name in bearing
    ]
    mutual = {frozenset(edge) for edge in literal.attacks.edges if literal.attacks.has_edge(*edge[::-1])}
    assert {frozenset(pair) for pair in payload["contradiction_pairs"]} == {pair for pair in mutual if len(pair) == 2}
