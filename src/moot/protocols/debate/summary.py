"""What a round came to, as data for the record and for every view (debate 5.2); `report` puts it into words.

The note `round` has, beside `figures` and `unverified`:

- `round`, `critical` (whether it was an objection round), `said` and `focus` (what a person said before it, "" else)
- `proposal`: what was voted on, {id, answer, rests_on, contested}; null in a round without one
- `consensus`: {status, score, accepting, asked}; `agreements`, `disagreements` (answers, claims, objections by holder)
- `agents`: all who debate, in the order of the seats: {agent, seat, model, role, stance, anchor, state ("spoke",
  "silent", "withheld"), why (of a silence), vote, confidence, delta, answer, position, key_points, concern, objection,
  steelman, questions, claims: [{id, label, text}], citations}; position and the rest in full, citations as evidence ids
- `new_evidence`: [{label, evidence, claim, source, verified}]; `references`: [{id, kind, title, gist, supports,
  verified}], all that is cited so far
- `vulnerabilities`: [{id, text, by, round, mitigations: [{text, by}]}] (red-team-blue-team)
- `cases`: {for, against, judgement}, each [{agent, position}] (devils-advocate; else empty lists)
- `questions`: [{id, text, by, round}], those that are open (socratic); `objections`: [{id, by, text, proposal, round,
  resolved_round}], all of them
- `missing`: [{agent, seat, reason}]; `withheld`: [{agent, tier, reason, by}]; `injections`: [{agent, words}]
- `next`: why a critical objection round comes next, "" where none does

A verdict's detail has the same at the end: `participants` (seat, model, role, stance, anchor by agent),
`vulnerabilities`, `cases`, `openQuestions`, `objections`, `references`, `said` ([{round, text, focus}]).
"""

from typing import Any

from moot.protocols.debate.context import RoundPacket
from moot.protocols.debate.rules import Figures
from moot.protocols.debate.state import Claim, DebateState, camps
from moot.protocols.debate.window import clipped

HIGH, MEDIUM = 0.80, 0.50
TWO_LINES = 30
"""Tokens of an agent's key point."""


def round_block(packet: RoundPacket, state: DebateState, figures: Figures) -> dict[str, Any]:
    """Return what a round came to: consensus, agreements, disagreements, positions, new evidence (debate 5.2)."""
    score = consensus_score(state, figures)
    return {
        "round": packet.number,
        "critical": packet.critical,
        "proposal": figures.voted_on,
        "consensus": {"status": consensus_status(score), "score": score},
        "agreements": agreements(state),
        "disagreements": disagreements(state),
        "positions": [
            {
                "agent": item.speech.agent,
                "stance": item.speech.stance,
                "confidence": item.speech.said.confidence,
                "delta": item.speech.delta,
                "vote": item.speech.vote,
                "anchor": item.speech.anchor,
                "answer": item.speech.answer,
                "key_point": clipped(" ".join(item.speech.said.key_points[:2]) or item.speech.said.position, TWO_LINES),
            }
            for item in packet.heard
        ],
        "new_evidence": [
            {
                "label": "FACT",
                "evidence": item.id,
                "claim": claim.text,
                "source": item.title,
                "verified": item.verified,
            }
            for item in state.evidence
            if item.added_round == packet.number
            for claim in map(state.claim, item.supports[:1])
            if claim
        ],
        "silent": packet.silent,
        "withheld": packet.withheld,
    }


def consensus_score(state: DebateState, figures: Figures) -> float:
    """Return the share that accepts the proposal; before there is one, the share behind the commonest answer."""
    if figures.acceptance is not None:
        return figures.acceptance
    standing = camps(state)
    return round(max(len(holders) for _, holders in standing) / len(state.agents), 6) if standing else 0.0


def consensus_status(score: float) -> str:
    """Return the paper's word for a score."""
    return "HIGH" if score >= HIGH else "MEDIUM" if score >= MEDIUM else "LOW"


def agreements(state: DebateState) -> list[dict[str, Any]]:
    """Return the claims that most hold and nobody opposes."""
    return [_shown(state, claim) for claim in state.with_status("accepted")]


def disagreements(state: DebateState) -> list[dict[str, Any]]:
    """Return what is not settled, by who holds what: answers, then contested claims, then standing objections."""
    found: list[dict[str, Any]] = []
    standing = camps(state)
    if len(standing) > 1:
        sides = [{"says": answer, "held_by": [item.agent for item in holders]} for answer, holders in standing]
        found.append({"about": "the answer", "sides": sides})
    for claim in state.with_status("contested"):
        against = [other for name in claim.opposition if (other := state.claim(name)) and other.labels]
        if any(int(other.id[1:]) < int(claim.id[1:]) and claim.id in other.opposition for other in against):
            continue
        sides = [{"says": claim.text, "held_by": sorted(claim.backers)}]
        sides += [{"says": other.text, "held_by": sorted(other.backers)} for other in against]
        if claim.challenged_by:
            sides.append({"says": f"challenges {claim.id}", "held_by": list(claim.challenged_by)})
        found.append({"about": claim.id, "sides": sides})
    objections = state.open_objections
    return found + [{"about": item.id, "sides": [{"says": item.text, "held_by": [item.by]}]} for item in objections]


def _shown(state: DebateState, claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.id,
        "text": claim.text,
        "label": claim.label,
        "held_by": sorted(claim.backers),
        "verified": claim.grounded,
    }
