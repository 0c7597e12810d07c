"""The positions as an argument: answers are conclusions, claims speak for the answers of those who hold them.

Claims are what members state: they are the sources of this argument, and their truth is what `moot contest` is for.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from moot.argument import GraphStore
from moot.methods.candidates import ranked_candidates
from moot.protocols.spiral.record.coda import Coda, HeldClaim

GRAPH = "positions"


def argument_of(found: Coda) -> dict[str, Any]:
    """Return the graph of a coda and its candidates, as `moot contest` and the page take them."""
    held = (*found.common, *found.nuances, *found.caveats)
    answers = {f"a{number}": item for number, item in enumerate([item for item in held if item.is_answer], 1)}
    claims = {f"c{number}": item for number, item in enumerate([item for item in held if not item.is_answer], 1)}
    store = _asserted(answers, claims)
    for name, item in {**answers, **claims}.items():
        if item.refuted:
            store.mark_refuted(GRAPH, f"{item.held_by[0]}:{name}", f"computed: {item.refuted}")
    return {
        "graph": store.to_json(GRAPH),
        "candidates": [item.json(item.claim) for item in ranked_candidates(store, GRAPH)],
    }


def _asserted(answers: Mapping[str, HeldClaim], claims: Mapping[str, HeldClaim]) -> GraphStore:
    """Return the graph in which every holder states its own; what the coda holds to be one merges, and nothing else."""
    named = {**answers, **claims}
    copies = {name: [f"{seat}:{name}" for seat in item.held_by] for name, item in named.items()}
    apart = [(a, b) for one, other in combinations(named, 2) for a in copies[one] for b in copies[other]]
    nodes = [
        {"id": copy, "claim": item.claim, "type": "conclusion" if name in answers else "given"}
        for name, item in named.items()
        for copy in copies[name]
    ]
    supports = [
        {"src": f"{seat}:{name}", "dst": f"{seat}:{answer}", "relation": "supports"}
        for name, item in claims.items()
        for answer, conclusion in answers.items()
        for seat in item.held_by
        if seat in conclusion.held_by
    ]
    # A claim attacks what it contradicts, and not all that the other holds (ruling S13).
    attacks = [
        {"src": copies[one][0], "dst": copies[other][0], "relation": "attacks"}
        for one, item in claims.items()
        for other, against in claims.items()
        if one != other and against.claim in item.contradicts
    ]
    store = GraphStore(identifiers=True)
    store.create_graph(GRAPH)
    store.assert_graph(GRAPH, nodes, supports + attacks, cannot_link=apart)
    store.merge_duplicates(GRAPH)
    return store
