"""The claims of a debate as an argument graph, so that it can be contested and drawn (rulings I1 and I4).

A FACT whose evidence resolves is a given; one whose evidence does not is an ungrounded assumption. What an agent holds
supports the answer it gives; an inference stands on what it names or shares a citation with; opposition attacks. What
computes wrongly is refuted (I18).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moot.argument import GraphStore
from moot.core.canonical import rounded
from moot.methods.candidates import ranked_candidates
from moot.protocols.debate.state.context import RoundPacket
from moot.protocols.debate.state.fold import Heard
from moot.protocols.debate.state.state import Claim, DebateState, camps

GRAPH = "debate"
UNLIKE_ALL = 1.0
"""The ledger has merged what says the same; the graph merges nothing further."""


def argued(state: DebateState, packets: Sequence[RoundPacket]) -> Mapping[str, Any]:
    """Return `graph` and `candidates` as a verdict's detail holds them."""
    store = GraphStore(identifiers=True, jaccard_threshold=UNLIKE_ALL, ratio_threshold=UNLIKE_ALL)
    answers = {f"A{number}": camp for number, camp in enumerate(camps(state), 1)}
    nodes = [
        {
            "id": name,
            "claim": f"The answer is: {camp.answer}",
            "type": "conclusion",
            "confidence": rounded(sum(item.confidence for item in camp.holders) / len(camp.holders)),
            "run_ids": list(camp.names),
        }
        for name, camp in answers.items()
    ]
    nodes += [_node(state, claim) for claim in state.claims]
    camp_of = {agent: name for name, camp in answers.items() for agent in camp.names}
    store.assert_graph(GRAPH, nodes, list(_edges(state, packets, camp_of)))
    for claim in state.with_status("retracted"):
        store.mark_refuted(GRAPH, claim.id, "withdrawn by those who stated it")
    for claim in state.with_status("refuted"):
        store.mark_refuted(GRAPH, claim.id, f"computed by the program: {claim.refuted}")
    candidates = [item.json(answers[item.id].answer) for item in ranked_candidates(store, GRAPH)]
    return {"graph": store.to_json(GRAPH), "candidates": candidates}


def _node(state: DebateState, claim: Claim) -> dict[str, Any]:
    kinds = {"FACT": "given" if claim.grounded else "assumption", "INFER": "inference"}
    holders = [state.agents[name].confidence for name in claim.labels if name in state.agents]
    return {
        "id": claim.id,
        "claim": claim.text,
        "type": kinds.get(claim.label, "assumption"),
        "confidence": rounded(sum(holders) / len(holders)) if holders else 0.5,
        "run_ids": sorted(claim.backers) or [claim.introduced_by],
        "ungrounded": claim.label == "FACT" and not claim.grounded,
    }


def _edges(state: DebateState, packets: Sequence[RoundPacket], camp_of: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    derived = {pair for packet in packets for heard in packet.heard for pair in _derivations(heard)}
    feeding = {source for source, _ in derived}
    known = {claim.id for claim in state.claims}
    for source, target in sorted(derived):
        if {source, target} <= known:
            yield {"src": source, "dst": target, "relation": "supports"}
    for claim in state.claims:
        for agent, label in claim.labels.items():
            if agent in camp_of and not (label == "FACT" and claim.id in feeding):
                relation = "assumes" if label == "ASSUME" else "supports"
                yield {"src": claim.id, "dst": camp_of[agent], "relation": relation, "run_ids": [agent]}
        for name in claim.opposition:
            yield {"src": name, "dst": claim.id, "relation": "attacks"}


def _derivations(heard: Heard) -> Iterator[tuple[str, str]]:
    """What an inference stands on: the claims that it names, and facts of the same speech with its citation."""
    said = list(zip(heard.speech.statements, heard.own, strict=True))
    for item, target in said:
        if item.label != "INFER":
            continue
        for name in item.builds_on:
            if name not in (target, *heard.challenged):
                yield name, target
        for other, source in said:
            if other.label == "FACT" and source != target and set(other.cited) & set(item.cited):
                yield source, target
