"""Which conclusion of an argument graph is the answer: candidates in their order (rulings I1 and I16).

By votes: the runs that give it, then resilience, width and flow. By width, the paper's letter: width, surviving width,
flow, then runs. A conclusion that is refuted or defeated comes last.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from moot.argument import GraphStore
from moot.argument.graph import natural_order

RankBy = Literal["votes", "width"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A conclusion and what holds it up."""

    id: str
    claim: str
    width: int
    surviving_width: int
    resilience: int | None
    """How few claims or sentences must be wrong before it falls; None where it is itself given (A21)."""
    max_flow: float
    runs: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    refuted: bool
    """Refuted, or defeated by a claim that stands: never the answer."""
    votes: int = 0

    def json(self, answer: str) -> dict[str, Any]:
        """Return it as a verdict's detail lists it, with the short answer that it stands for."""
        return {
            "id": self.id,
            "answer": answer,
            "claim": self.claim,
            "width": self.width,
            "surviving_width": self.surviving_width,
            "resilience": self.resilience,
            "max_flow": self.max_flow,
            "runs": self.runs,
            "votes": self.votes,
            "refuted": self.refuted,
        }

    def rank(self, by: RankBy) -> tuple[Any, ...]:
        """Return what it is ranked by, smallest first: two with equal ranks are tied."""
        if by == "width":
            return (self.refuted, -self.width, -self.surviving_width, -self.max_flow, -len(self.runs))
        return (self.refuted, -self.votes, -_strength(self.resilience), -self.width, -self.max_flow)


def ranked_candidates(
    store: GraphStore, graph_id: str, *, by: RankBy = "width", votes: Mapping[str, int] | None = None
) -> tuple[Candidate, ...]:
    """Return the conclusions of a graph in their order; `votes` are those of each conclusion's node."""
    survivors: Any = store.surviving_claims(graph_id)
    votes = votes or {}
    candidates = [
        _candidate(store, graph_id, node.id, votes.get(node.id, 0), node.refuted or node.id in survivors["out"])
        for node in store.nodes(graph_id)
        if node.type == "conclusion"
    ]
    return tuple(sorted(candidates, key=lambda item: (item.rank(by), natural_order(item.id))))


def _candidate(store: GraphStore, graph_id: str, node_id: str, votes: int, defeated: bool) -> Candidate:
    support: Any = store.support_width(graph_id, node_id)
    standing: Any = store.resilience(graph_id, node_id)
    node = next(node for node in store.nodes(graph_id) if node.id == node_id)
    return Candidate(
        id=node_id,
        claim=node.claim,
        width=support["disjoint_paths"],
        surviving_width=standing["lines"],
        resilience=standing["resilience"],
        max_flow=support["max_flow"],
        runs=tuple(sorted(node.run_ids, key=natural_order)),
        paths=tuple(tuple(path) for path in support["paths"]),
        refuted=defeated,
        votes=votes,
    )


def _strength(resilience: int | None) -> float:
    return float("inf") if resilience is None else resilience
