"""Which conclusion of an argument graph is the answer: candidates, ranked by how they are supported (ruling I1)."""

from dataclasses import dataclass
from typing import Any

from moot.argument import GraphStore
from moot.argument.graph import natural_order


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
    candidates = [
        _candidate(store, graph_id, node.id, defeated=node.refuted or node.id in survivors["out"])
        for node in store.nodes(graph_id)
        if node.type == "conclusion"
    ]
    return tuple(sorted(candidates, key=_order))


def _candidate(store: GraphStore, graph_id: str, node_id: str, *, defeated: bool) -> Candidate:
    support: Any = store.support_width(graph_id, node_id)
    standing: Any = store.resilience(graph_id, node_id)
    node = next(node for node in store.nodes(graph_id) if node.id == node_id)
    return Candidate(
        id=node_id,
        claim=node.claim,
        width=support["disjoint_paths"],
        surviving_width=standing["lines"],
        max_flow=support["max_flow"],
        runs=tuple(sorted(node.run_ids, key=natural_order)),
        paths=tuple(tuple(path) for path in support["paths"]),
        refuted=defeated,
    )


def _order(candidate: Candidate) -> tuple[Any, ...]:
    return (
        candidate.refuted,
        -candidate.width,
        -candidate.surviving_width,
        -candidate.max_flow,
        -len(candidate.runs),
        natural_order(candidate.id),
    )
