"""What an agent gets to see of a debate, within the paper's token budgets (debate 3.5, 4, 7; ruling D10).

The state always, the last round in full, two rounds before it as summaries, older ones only in the state. All of it is
JSON in the paper's shapes, so that labels, round boundaries, votes and changes of confidence survive the passage.
Tokens are counted by an upper estimate (`core/tokens`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.tokens import estimated_tokens
from moot.protocols.debate.limits import CLAIM, GIST, NOTE, clipped, compact, without_nothing
from moot.protocols.debate.packets import RoundLog, previous_round, round_summary
from moot.protocols.debate.state import AgentStatus, Claim, DebateState, Evidence, Proposal

TOPIC = 60
A_DECISION = 300
"""One decision, objection or vulnerability is shown for so many tokens of the state's budget."""

SUMMARISED = (2, 3)
"""How far back a round is shown as a summary: N-2 to N-3 (debate 7.6)."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens at most, part by part (debate 7.5)."""

    state: int = 2_500
    summary: int = 400
    previous: int = 5_000
    instructions: int = 200
    findings: int = 900


SQUEEZED = (
    Budgets(),
    Budgets(summary=300, previous=4_000),
    Budgets(state=2_000, summary=150, previous=3_500),
    Budgets(state=1_500, summary=0, previous=2_500, findings=700),
    Budgets(state=900, summary=0, previous=1_500, findings=500),
    Budgets(state=500, summary=0, previous=800, findings=300),
)
"""What is tried in turn until the whole prompt fits: the oldest material gives way first (debate 7.6, trigger 2)."""


def state_view(state: DebateState, budget: int) -> dict[str, Any]:
    """Return layer A within a budget (debate 7.1, 7.2): pruned are retracted, accepted, then oldest open (D10)."""
    most = max(2, budget // A_DECISION)
    shown = list(state.claims)
    room = budget - estimated_tokens(compact(_state(state, (), most)))
    costs = {claim.id: _cost(state, claim) for claim in shown}
    total = sum(costs.values())
    for claim in _pruning_order(state):
        if total <= room:
            break
        shown.remove(claim)
        total -= costs[claim.id]
    view = _state(state, shown, most)
    while estimated_tokens(compact(view)) > budget and (view["decisions"] or view["agent_status"]):
        view = {**view, "decisions": view["decisions"][1:], "agent_status": view["agent_status"][:-1]}
    return {"debateState": view}


def _pruning_order(state: DebateState) -> list[Claim]:
    rank = {"retracted": 0, "accepted": 1, "open": 2, "contested": 3}
    return sorted(state.claims, key=lambda claim: (rank[state.status(claim)], claim.last_updated_round))


def _cost(state: DebateState, claim: Claim) -> int:
    evidence = [item for item in state.evidence if item.id in claim.support]
    return estimated_tokens(compact([_claim(state, claim), *map(_evidence, evidence)]))


def _state(state: DebateState, claims: Sequence[Claim], most: int) -> dict[str, Any]:
    cited = {item for claim in claims for item in claim.support}
    view: dict[str, Any] = {
        "topic": clipped(state.topic, TOPIC),
        "round": state.round,
        "participants": list(state.participants),
        "claims": [_claim(state, claim) for claim in claims],
        "evidence": [_evidence(item) for item in state.evidence if item.id in cited],
        "decisions": [
            {"id": item.id, "text": clipped(item.text, CLAIM), "round": item.round} for item in state.decisions[-most:]
        ],
        "agent_status": [_status(item) for item in state.agents.values()],
    }
    return view | without_nothing(
        claims_not_shown=len(state.claims) - len(claims) or None,
        objections=[
            {"id": item.id, "by": item.by, "text": clipped(item.text, CLAIM)} for item in state.open_objections[-most:]
        ],
        vulnerabilities=[
            {"id": item.id, "text": clipped(item.text, GIST), "mitigated": bool(item.mitigations)}
            for item in sorted(state.vulnerabilities, key=lambda item: not item.mitigations)[-most:]
        ],
        proposal=_proposal(state.proposal) if state.proposal else None,
    )


def _status(item: AgentStatus) -> dict[str, Any]:
    return without_nothing(
        agent=item.agent,
        stance=item.stance,
        confidence=item.confidence,
        confidence_delta=item.confidence_delta,
        vote=item.vote,
    )


def _proposal(proposal: Proposal) -> dict[str, Any]:
    return {
        "id": proposal.id,
        "answer": clipped(proposal.answer, 2 * CLAIM),
        "rests_on": list(proposal.rests_on[-12:]),
        "contested": list(proposal.contested[-12:]),
    }


def _claim(state: DebateState, claim: Claim) -> dict[str, Any]:
    return without_nothing(
        id=claim.id,
        text=clipped(claim.text, CLAIM),
        label=claim.label,
        status=state.status(claim),
        introduced_round=claim.introduced_round,
        last_updated_round=claim.last_updated_round,
        support=list(claim.support[-4:]),
        opposition=list(claim.opposition[-4:]),
        unverified=claim.label == "FACT" and not claim.grounded,
    )


def _evidence(item: Evidence) -> dict[str, Any]:
    return without_nothing(
        id=item.id,
        kind=item.kind,
        title=clipped(item.title, NOTE),
        url=clipped(item.url, GIST),
        supports=list(item.supports[-4:]),
        gist=clipped(item.gist, GIST),
        added_round=item.added_round,
        unverified=not item.verified,
    )


def context_view(
    state: DebateState, logs: Sequence[RoundLog], current: RoundLog, budgets: Budgets
) -> Mapping[str, Any]:
    """Return all that a round is shown of what was before: state, summaries, last round, earlier speakers (7.6)."""
    view: dict[str, Any] = {}
    if state.round or state.claims:
        view |= state_view(state, budgets.state)
    past = [log for log in logs if current.number - log.number in SUMMARISED]
    if past and budgets.summary:
        view["historicalRounds"] = [round_summary(log, state, budgets.summary) for log in past]
    last = next((log for log in logs if log.number == current.number - 1), None)
    if last:
        view["previousRound"] = previous_round(last, budgets.previous, sharing=len(current.heard))
    if current.heard or current.withheld:
        sharing = len(last.heard) if last else 0
        view["currentRound"] = previous_round(current, budgets.previous, sharing=sharing)
    return view
