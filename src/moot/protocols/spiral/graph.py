"""The positions as an argument: answers are conclusions, claims speak for the answers of those who hold them.

Claims are what members state: they are the sources of this argument, and their truth is what `moot contest` is for.
"""

from collections.abc import Mapping
from typing import Any

from moot.argument import GraphStore
from moot.methods.candidates import ranked_candidates
from moot.protocols.spiral.coda import Coda, Held

GRAPH = "positions"


def argument_of(found: Coda, refuted: Mapping[str, str]) -> dict[str, Any]:
    """Return the graph of a coda and its candidates, as `moot contest` and the page take them."""
    store = GraphStore(identifiers=True)
    store.create_graph(GRAPH)
    held = [*found.common, *found.nuances, *found.caveats]
    answers = {f"a{number}": item for number, item in enumerate([item for item in held if item.is_answer], 1)}
    claims = {f"c{number}": item for number, item in enumerate([item for item in held if not item.is_answer], 1)}
    named = {**answers, **claims}
    # The coda has merged what says the same: here nothing else may.
    apart = [(one, other) for one in named for other in named if one < other]
    nodes = [_node(name, item, "conclusion") for name, item in answers.items()]
    nodes += [_node(name, item, "given") for name, item in claims.items()]
    edges = [
        {"src": name, "dst": answer, "relation": "supports"}
        for name, item in claims.items()
        for answer, held_answer in answers.items()
        if set(item.held_by) & set(held_answer.held_by)
    ]
    edges += [
        {"src": one, "dst": other, "relation": "attacks"}
        for one, item in claims.items()
        for other, against in claims.items()
        if one != other and set(item.against) & set(against.held_by) and set(against.against) & set(item.held_by)
    ]
    store.assert_graph(GRAPH, nodes, edges, run_id="panel", cannot_link=apart)
    for name, item in named.items():
        if item.claim in refuted:
            store.mark_refuted(GRAPH, name, f"computed: {refuted[item.claim]}")
    candidates = ranked_candidates(store, GRAPH)
    return {
        "graph": store.to_json(GRAPH),
        "candidates": [
            {
                "id": item.id,
                "answer": item.claim,
                "claim": item.claim,
                "width": item.width,
                "surviving_width": item.surviving_width,
                "max_flow": item.max_flow,
                "runs": answers[item.id].held_by if item.id in answers else item.runs,
                "refuted": item.refuted,
            }
            for item in candidates
        ],
    }


def _node(name: str, item: Held, kind: str) -> dict[str, Any]:
    return {"id": name, "claim": item.claim, "type": kind}
