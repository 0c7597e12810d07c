"""A graph that is read as it was stored, without a claim being compared, is the graph that was stored."""

import json
from random import Random
from typing import Any

import pytest

from moot.argument import GraphStore
from tests.argument.random_inputs import random_claims
from tests.protocols.record_golden import GOLDEN

LOADED = "loaded"


def random_graph(seed: int) -> GraphStore:
    """Claims of which many say the same or the contrary, relations of all kinds, some groups, pairs kept apart."""
    chance, store = Random(seed), GraphStore()
    kinds = ("given", "inference", "assumption", "conclusion")
    nodes = [
        {
            "id": f"r{number % 4}:n{number}",
            "claim": claim,
            "type": chance.choice(kinds),
            "confidence": chance.random(),
        }
        for number, claim in enumerate(random_claims(seed, 40))
    ]
    ids = [node["id"] for node in nodes]
    edges = [
        {
            "src": chance.choice(ids),
            "dst": chance.choice(ids),
            "relation": chance.choice(("supports", "attacks", "assumes")),
            "confidence": chance.choice((0.3, 0.8, 0.95)),
        }
        for _ in range(60)
    ]
    grouped = [{**edge, "group": "both"} for edge in edges[:12] if edge["relation"] != "attacks"]
    store.assert_graph("g", nodes, [*edges, *grouped], cannot_link=[chance.sample(ids, 2) for _ in range(3)])
    store.merge_duplicates("g", 0.5, 0.7)
    store.mark_refuted("g", str(chance.choice(ids)), "misread")
    return store


def stored_graphs() -> list[tuple[str, dict[str, Any]]]:
    texts = [(path.stem, text) for path in sorted(GOLDEN.glob("*.jsonl")) for text in path.read_text().splitlines()]
    events = [(name, json.loads(text)) for name, text in texts if '"kind":"ended"' in text]
    details = [(name, event["verdict"]["detail"]) for name, event in events]
    return [(name, detail["graph"]) for name, detail in details if "asserted" in detail.get("graph", {})]


def test_there_are_stored_graphs_to_read() -> None:
    assert len(stored_graphs()) >= 4


@pytest.mark.parametrize("graph", [pytest.param(graph, id=name) for name, graph in stored_graphs()])
def test_the_graph_of_a_record_reads_as_it_was_written(graph: dict[str, Any]) -> None:
    store = GraphStore()

    store.from_json(LOADED, graph, as_stored=True)
    store.from_json("compared", graph)

    loaded = store.to_json(LOADED)
    assert loaded == store.to_json("compared")
    # Sentences stand in the order of the claims that name them first.
    assert all(loaded[part] == graph[part] for part in graph if part != "sentences")


@pytest.mark.parametrize("seed", range(12))
def test_any_graph_reads_as_it_was_written_and_as_when_all_claims_are_compared(seed: int) -> None:
    saved, store = random_graph(seed).to_json("g"), GraphStore()

    store.from_json(LOADED, saved, as_stored=True)
    store.from_json("compared", saved)

    assert store.to_json(LOADED) == saved == store.to_json("compared")
    assert any(edge["relation"] == "attacks" for edge in saved["edges"])


@pytest.mark.parametrize("seed", range(6))
def test_what_is_added_to_a_graph_that_was_read_so_is_compared_with_all_of_it(seed: int) -> None:
    store = random_graph(seed)
    saved = store.to_json("g")
    more = [{"id": f"s{n}:n", "claim": claim, "type": "given"} for n, claim in enumerate(random_claims(seed, 60)[30:])]
    store.from_json(LOADED, saved, as_stored=True)
    store.from_json("compared", saved)

    told, known = store.assert_graph(LOADED, more), store.assert_graph("compared", more)

    assert told == known
    assert store.to_json(LOADED) == store.to_json("compared")
    assert store.merge_duplicates(LOADED, 0.4, 0.6) == store.merge_duplicates("compared", 0.4, 0.6)


def test_keeping_two_claims_apart_parts_them_in_a_graph_that_was_read_so() -> None:
    store = GraphStore()
    same = [{"id": name, "claim": "Server x9 runs Linux.", "type": "given"} for name in ("r1:a", "r2:a")]
    store.assert_graph("g", same)
    store.from_json(LOADED, store.to_json("g"), as_stored=True)

    report = store.keep_apart(LOADED, [["r1:a", "r2:a"]])

    assert report["parted"] == [["r1:a", "r2:a"]]
    assert [node.id for node in store.nodes(LOADED)] == ["r1:a", "r2:a"]


def test_nothing_is_believed_of_a_file_that_does_not_say_what_each_claim_is_one_with() -> None:
    store = GraphStore()
    store.assert_graph("g", [{"id": f"r{n}:a", "claim": "Server x9 runs Linux.", "type": "given"} for n in (1, 2)])
    saved = store.to_json("g")
    asserted = [{name: value for name, value in node.items() if name != "node"} for node in saved["asserted"]["nodes"]]
    untold = {**saved, "nodes": [], "merges": [], "asserted": {**saved["asserted"], "nodes": asserted}}

    store.from_json(LOADED, untold, as_stored=True)

    assert [node.id for node in store.nodes(LOADED)] == ["r1:a"]


def test_an_attack_that_was_asserted_both_ways_keeps_its_own_confidence() -> None:
    store = GraphStore()
    nodes = [{"id": "r1:a", "claim": "The valve is red.", "type": "given"},
             {"id": "r1:b", "claim": "Nobody saw the cat.", "type": "given"}]  # fmt: skip
    ways = [
        {"src": a, "dst": b, "relation": "attacks", "confidence": 0.2} for a, b in (("r1:a", "r1:b"), ("r1:b", "r1:a"))
    ]
    store.assert_graph("g", nodes, ways)

    store.from_json(LOADED, store.to_json("g"), as_stored=True)

    assert [edge.confidence for edge in store.edges(LOADED)] == [0.2, 0.2]


def test_a_file_that_says_that_two_claims_are_two_is_believed() -> None:
    store = GraphStore(jaccard_threshold=1.0, ratio_threshold=1.0)
    claims = ("Server x9 runs Linux today.", "Server x9 runs Linux now.")
    store.assert_graph("g", [{"id": f"r{n}:a", "claim": claim, "type": "given"} for n, claim in enumerate(claims)])
    saved = {name: value for name, value in store.to_json("g").items() if name != "options"}
    loose = {**saved, "options": {"jaccard_threshold": 0.5, "ratio_threshold": 0.5}}

    store.from_json(LOADED, loose, as_stored=True)
    store.from_json("compared", loose)

    assert len(store.nodes(LOADED)) == 2
    assert len(store.nodes("compared")) == 1
