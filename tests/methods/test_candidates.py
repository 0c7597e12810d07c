"""Which conclusion of a graph is the answer (ruling I1)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.argument import GraphStore
from moot.methods.candidates import ranked_candidates

WORDS = [
    "amber",
    "birch",
    "cedar",
    "dune",
    "ember",
    "fjord",
    "grove",
    "heath",
    "islet",
    "jetty",
    "kiln",
    "ledge",
    "marsh",
    "night",
    "orbit",
    "plain",
]


def graph(nodes: dict[str, str], *edges: str, **more: Any) -> GraphStore:
    """Nodes by name with their type; an edge is `a>b`, or `a!b` for an attack."""
    store = GraphStore()
    items = [
        {"id": name, "claim": f"{WORDS[place]} {WORDS[-place - 1]} {name}", "type": kind, "run_ids": ["r1"]}
        | more.get(name, {})
        for place, (name, kind) in enumerate(nodes.items())
    ]
    links = [
        {"src": edge[0], "dst": edge[2], "relation": "attacks" if edge[1] == "!" else "supports"} for edge in edges
    ]
    report: Any = store.assert_graph("g", items, links)
    assert report["rejected"] == report["auto_merged"] == []
    return store


def ranked(store: GraphStore) -> list[str]:
    return [candidate.id for candidate in ranked_candidates(store, "g")]


TWO = {"c": "conclusion", "d": "conclusion", "x": "given", "y": "given", "z": "given", "w": "given"}


@pytest.mark.clause("ruling:I1")
def test_the_wider_conclusion_comes_first() -> None:
    assert ranked(graph(TWO, "x>c", "y>d", "z>d")) == ["d", "c"]


@pytest.mark.clause("ruling:I1")
def test_of_two_equally_wide_the_one_whose_support_survives_comes_first() -> None:
    store = graph(TWO, "x>c", "y>d", "z!x")

    first, second = ranked_candidates(store, "g")

    assert (first.id, first.width, first.surviving_width) == ("d", 1, 1)
    assert (second.id, second.width, second.surviving_width) == ("c", 1, 0)


@pytest.mark.clause("ruling:I1")
def test_then_the_greater_flow_and_then_the_number_of_runs_decide() -> None:
    chains = {"c": "conclusion", "d": "conclusion", "i": "inference", "j": "inference", "x": "given", "y": "given"}
    by_flow = graph(chains, "x>i", "i>c", "y>j", "j>d", i={"confidence": 0.3})
    by_runs = graph(TWO, "x>c", "y>d", d={"run_ids": ["r1", "r2"]})
    by_name = graph(TWO, "x>c", "y>d")

    assert [(item.id, item.max_flow) for item in ranked_candidates(by_flow, "g")] == [("d", 0.8), ("c", 0.3)]
    assert ranked(by_runs) == ["d", "c"]
    assert ranked(by_name) == ["c", "d"]


@pytest.mark.clause("ruling:I1")
def test_a_refuted_conclusion_and_one_that_is_out_come_last_and_say_so() -> None:
    refuted = graph(TWO, "x>c", "y>c", "z>d")
    refuted.mark_refuted("g", "c", "no")
    out = graph(TWO, "x>c", "y>c", "z>d", "w!c")

    for store in (refuted, out):
        candidates = ranked_candidates(store, "g")

        assert [(candidate.id, candidate.refuted) for candidate in candidates] == [("d", False), ("c", True)]


def test_an_undecided_conclusion_may_be_the_answer() -> None:
    store = graph(TWO, "x>c", "y>d", "c!d", "d!c")

    assert [candidate.refuted for candidate in ranked_candidates(store, "g")] == [False, False]


def test_a_graph_without_conclusions_has_no_candidates() -> None:
    assert ranked(graph({"x": "given"})) == []


def test_a_conclusion_that_a_document_states_counts_itself_as_a_line() -> None:
    store = GraphStore()
    nodes = [
        {"id": "c", "claim": "The mill stands by the river", "type": "conclusion"},
        {"id": "x", "claim": "The mill stands by the river", "type": "given"},
        {"id": "y", "claim": "Water drives the wheel", "type": "given"},
    ]
    store.assert_graph("g", nodes, [{"src": "y", "dst": "c", "relation": "supports"}])

    [candidate] = ranked_candidates(store, "g")

    assert (candidate.width, candidate.surviving_width) == (2, 2)


@settings(max_examples=80, deadline=None)
@given(
    kinds=st.lists(st.sampled_from(["given", "inference", "assumption", "conclusion"]), min_size=1, max_size=10),
    links=st.lists(st.tuples(st.integers(0, 9), st.sampled_from(">>!"), st.integers(0, 9)), max_size=25),
    refuted=st.sets(st.integers(0, 9), max_size=2),
)
def test_the_surviving_width_is_the_width_when_all_that_does_not_survive_is_refuted(kinds, links, refuted) -> None:
    names = "abcdefghij"[: len(kinds)]
    edges = {
        f"{names[a % len(names)]}{how}{names[b % len(names)]}"
        for a, how, b in links
        if a % len(names) != b % len(names)
    }
    store = graph(dict(zip(names, kinds, strict=True)), *sorted(edges))
    for number in refuted:
        store.mark_refuted("g", names[number % len(names)], "no")
    candidates = ranked_candidates(store, "g")
    survivors: Any = store.surviving_claims("g")

    for name in names:
        if name not in survivors["surviving"]:
            store.mark_refuted("g", name, "it does not survive")

    for candidate in candidates:
        support: Any = store.support_width("g", candidate.id)
        assert candidate.surviving_width == support["disjoint_paths"]


def test_ranking_changes_nothing_in_the_graph() -> None:
    store = graph(TWO, "x>c", "y>d", "z!x")
    before = store.to_json("g")

    ranked_candidates(store, "g")

    assert store.to_json("g") == before
