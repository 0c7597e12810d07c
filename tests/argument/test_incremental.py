"""Many asserts and one batch give the same graph (ruling A6)."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.argument import GraphStore
from tests.argument.random_inputs import random_claims


def without_order(store):
    payload = store.to_json("g")
    payload.pop("asserted")
    return payload


@pytest.mark.clause("argument:3.3.clusters")
@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), cuts=st.lists(st.integers(1, 29), max_size=6), apart=st.booleans())
def test_asserting_in_parts_equals_asserting_at_once(seed, cuts, apart):
    nodes = [
        {"id": f"r{place % 4}:n{place}", "claim": claim, "type": "inference"}
        for place, claim in enumerate(random_claims(seed, 30))
    ]
    pairs = [[nodes[0]["id"], nodes[1]["id"]], [nodes[0]["id"], nodes[3]["id"]]] if apart else []
    batch, parts = GraphStore(), GraphStore()
    batch.assert_graph("g", nodes, cannot_link=pairs)
    bounds = sorted({0, 4, *(cut for cut in cuts if cut > 4), 30})

    for begin, end in pairwise(bounds):
        parts.assert_graph("g", nodes[begin:end], cannot_link=pairs if begin == 0 else [])

    assert without_order(parts) == without_order(batch)
    assert parts.merge_duplicates("g")["merges"] == batch.merge_duplicates("g")["merges"] == []


def test_a_saved_graph_loads_as_it_was_and_goes_on_merging():
    store = GraphStore(identifiers=True)
    claims = random_claims(5, 40)
    store.assert_graph("g", [{"id": f"r{n}:n", "claim": claim, "type": "given"} for n, claim in enumerate(claims)])
    store.mark_refuted("g", "r3:n", "misread")
    saved = store.to_json("g")

    assert store.from_json("copy", saved)["accepted_nodes"] == 40

    assert store.to_json("copy") == saved
    more = [{"id": f"s{n}:n", "claim": claim, "type": "given"} for n, claim in enumerate(random_claims(5, 60)[40:])]
    assert store.assert_graph("copy", more) == store.assert_graph("g", more)
    assert store.to_json("copy") == store.to_json("g")
