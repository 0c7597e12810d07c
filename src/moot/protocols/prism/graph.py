"""Evidence, critique and defence as an argument graph, for `contest` and `graph`.

The claim and its opposite are the two conclusions, and attack each other. Each point of evidence supports its side. A
weakness of high severity attacks the claim; a lesser one supports the other side as an assumption, which adds no width.
A response attacks the weakness that it answers, so that an answered weakness no longer counts. The panel's
recommendation does not come from this graph; the graph shows what would change if a point fell.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from moot.argument import GraphStore
from moot.argument.ingest import MAX_CLAIM_LENGTH
from moot.methods.candidates import ranked_candidates
from moot.protocols.prism.claim_progress import Arc, weaknesses
from moot.protocols.prism.schemas import DefenseOutput, EvidenceOutput

GRAPH = "claim"
CLAIM, AGAINST = "claim", "against"
ANSWERS = {CLAIM: "the claim stands", AGAINST: "the claim does not stand"}

_MARK = re.compile(r"\s*\(?W\s*(\d+)\)?\s*[:.)\-\u2013]*\s*(.*)", re.DOTALL | re.IGNORECASE)


@dataclass(slots=True)
class _Parts:
    nodes: list[dict[str, Any]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)
    apart: list[tuple[str, str]] = field(default_factory=list)

    def add(self, id_: str, claim: str, kind: str, run: str, confidence: float = 0.8) -> None:
        node = {"id": id_, "claim": claim[:MAX_CLAIM_LENGTH], "type": kind, "run_ids": [run], "confidence": confidence}
        self.nodes.append(node)

    def link(self, src: str, dst: str, relation: str, run: str) -> None:
        self.edges.append({"src": src, "dst": dst, "relation": relation, "run_ids": [run]})


def answered_weakness(response: str, place: int) -> tuple[int, str]:
    """Return the number of the weakness that a response answers, and its words; without a mark, its own place."""
    marked = _MARK.fullmatch(response)
    if marked and marked[2].strip():
        return int(marked[1]), marked[2].strip()
    return place, response


def argument_graph(arc: Arc) -> dict[str, Any]:
    """Return `graph` and `candidates` of a claim, as `contest` reads them from a verdict's detail."""
    parts = _Parts()
    parts.add(CLAIM, arc.question.text, "conclusion", "claim")
    parts.add(AGAINST, f"It does not hold that: {arc.question.text}", "conclusion", "claim")
    parts.apart.append((CLAIM, AGAINST))
    parts.link(CLAIM, AGAINST, "attacks", "claim")
    parts.link(AGAINST, CLAIM, "attacks", "claim")
    _add_evidence(arc, parts)
    _add_responses(arc, parts, _add_weaknesses(arc, parts))
    store = GraphStore()
    store.create_graph(GRAPH)
    report: Any = store.assert_graph(GRAPH, parts.nodes, parts.edges, cannot_link=parts.apart)
    return {"graph": store.to_json(GRAPH), "rejected": report["rejected"], "candidates": _candidates(store)}


def _candidates(store: GraphStore) -> list[dict[str, Any]]:
    return [item.json(ANSWERS.get(item.id, item.claim)) for item in ranked_candidates(store, GRAPH)]


def _add_evidence(arc: Arc, parts: _Parts) -> None:
    for number, (slot, output) in enumerate(arc.of_shape(EvidenceOutput, work_only=True), 1):
        side = AGAINST if slot.role == "counter" else CLAIM
        for place, point in enumerate(output.key_points, 1):
            name = f"e{number}.{place}"
            parts.add(name, point, "given", slot.agent, output.confidence)
            parts.link(name, side, "supports", slot.agent)


def _add_weaknesses(arc: Arc, parts: _Parts) -> int:
    found = weaknesses(arc)
    for number, item in enumerate(found, 1):
        parts.add(f"w{number}", item.text, "assumption", item.agent, item.confidence)
        side, relation = (CLAIM, "attacks") if item.severe else (AGAINST, "supports")
        parts.link(f"w{number}", side, relation, item.agent)
    return len(found)


def _add_responses(arc: Arc, parts: _Parts, known: int) -> None:
    for number, (slot, output) in enumerate(arc.of_shape(DefenseOutput, work_only=True), 1):
        for place, response in enumerate(output.response_to_weaknesses, 1):
            answered, words = answered_weakness(response, place)
            if not 1 <= answered <= known:
                continue
            name = f"d{number}.{place}"
            parts.add(name, words, "assumption", slot.agent, output.confidence)
            parts.link(name, f"w{answered}", "attacks", slot.agent)
            parts.apart.append((name, f"w{answered}"))
