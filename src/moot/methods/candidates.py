"""Which conclusion of an argument graph is the answer: candidates, ranked by how they are supported (ruling I1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from moot.argument import GraphStore
from moot.argument.graph import is_given, natural_order

SURVIVING = "surviving"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A conclusion and what holds it up."""

    id: str
    claim: str
    width: int
    surviving_width: int
    max_flow: float
    runs: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    refuted: bool
    """Refuted, or defeated by a claim that stands: never the answer."""

    def json(self, answer: str) -> dict[str, Any]:
        """Return it as a verdict's detail lists it, with the short answer that it stands for."""
        return {
            "id": self.id,
            "answer": answer,
            "claim": self.claim,
            "width": self.width,
            "surviving_width": self.surviving_width,
            "max_flow": self.max_flow,
            "runs": self.runs,
            "refuted": self.refuted,
        }


def ranked_candidates(store: GraphStore, graph_id: str) -> tuple[Candidate, ...]:
    """Return the conclusions of a graph: those that stand first, each part by width, surviving width, flow and runs."""
    survivors: Any = store.surviving_claims(graph_id)
    widths = _surviving_widths(store, graph_id, survivors)
    candidates = [
        _candidate(store, graph_id, node.id, widths, defeated=node.refuted or node.id in survivors["out"])
        for node in store.nodes(graph_id)
        if node.type == "conclusion"
    ]
    return tuple(sorted(candidates, key=_order))


def _candidate(
    store: GraphStore, graph_id: str, node_id: str, surviving: Mapping[str, int], *, defeated: bool
) -> Candidate:
    support: Any = store.support_width(graph_id, node_id)
    node = next(node for node in store.nodes(graph_id) if node.id == node_id)
    return Candidate(
        id=node_id,
        claim=node.claim,
        width=support["disjoint_paths"],
        surviving_width=surviving[node_id],
        max_flow=support["max_flow"],
        runs=tuple(sorted(node.run_ids, key=natural_order)),
        paths=tuple(tuple(path) for path in support["paths"]),
        refuted=defeated,
    )


def _surviving_widths(store: GraphStore, graph_id: str, survivors: Mapping[str, Any]) -> dict[str, int]:
    """Return each conclusion's width where only surviving claims count: a graph of these alone, and their supports."""
    standing = set(survivors["surviving"])
    copy = GraphStore(jaccard_threshold=1.0, ratio_threshold=1.0)
    copy.assert_graph(
        SURVIVING,
        [
            # What merges has merged: here a claim is a word that no other one resembles.
            {"id": node.id, "claim": _word(number), "type": "given" if is_given(node) else node.type}
            for number, node in enumerate(store.nodes(graph_id))
            if node.id in standing
        ],
        [
            {"src": edge.src, "dst": edge.dst, "relation": edge.relation}
            for edge in store.edges(graph_id)
            if edge.relation != "attacks" and standing.issuperset((edge.src, edge.dst))
        ],
    )
    names = store.conclusions(graph_id)
    supports: dict[str, Any] = {name: copy.support_width(SURVIVING, name) for name in names if name in standing}
    return {name: supports[name]["disjoint_paths"] if name in supports else 0 for name in names}


def _word(number: int) -> str:
    return "q" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def _order(candidate: Candidate) -> tuple[Any, ...]:
    return (
        candidate.refuted,
        -candidate.width,
        -candidate.surviving_width,
        -candidate.max_flow,
        -len(candidate.runs),
        natural_order(candidate.id),
    )
