"""The window that an agent has on a debate, within the paper's token budgets (debate 3.5, 4, 7; ruling D10).

The state always, the last round in full, two rounds before it as summaries, older ones only in the state. All of it is
JSON in the paper's shapes, so that labels, round boundaries, votes and changes of confidence survive the passage.
Tokens are counted as the members count their own, where they report that, else by an upper estimate (`core/tokens`).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.tokens import BYTES_PER_TOKEN, estimated_tokens
from moot.protocols.debate.schemas import AgentResponse
from moot.protocols.debate.state.context import Budgets, RoundPacket
from moot.protocols.debate.state.fold import Heard
from moot.protocols.debate.state.speech import marks
from moot.protocols.debate.state.state import AgentStatus, Claim, DebateState, Evidence, Proposal

CLAIM, GIST, ONE_LINER, NOTE, BEST = 30, 25, 35, 20, 25
"""The small limits of debate 7.2 and 7.3, in tokens."""

TOPIC = 60
A_DECISION = 300
"""One decision, objection or vulnerability is shown for so many tokens of the state's budget."""

SUMMARISED = (2, 3)
"""How far back a round is shown as a summary: N-2 to N-3 (debate 7.6)."""

WITHHELD = "(withheld: it was blocked for safety)"


@dataclass(frozen=True, slots=True)
class Ruler:
    """What tokens are counted by: how many bytes of text one is (ruling D10)."""

    bytes_per_token: float = BYTES_PER_TOKEN

    def tokens(self, text: str) -> int:
        """Return how many tokens a text is."""
        return estimated_tokens(text, self.bytes_per_token)

    def clipped(self, text: str, tokens: int) -> str:
        """Return the start of a text that is at most so many tokens, cut between words."""
        flat = " ".join(text.split())
        if self.tokens(flat) <= tokens:
            return flat
        room = flat.encode()[: int(tokens * self.bytes_per_token) - len("…".encode())].decode("utf-8", "ignore")
        return f"{room.rsplit(' ', 1)[0] if ' ' in room else room}…"


ESTIMATE = Ruler()
"""For where no member has counted yet."""


def context_view(
    state: DebateState,
    packets: Sequence[RoundPacket],
    current: RoundPacket,
    budgets: Budgets,
    ruler: Ruler = ESTIMATE,
) -> Mapping[str, Any]:
    """Return all that a round is shown of what was before: state, summaries, last round, earlier speakers (7.6)."""
    view: dict[str, Any] = {}
    if state.round or state.claims:
        view |= state_view(state, budgets.state, ruler)
    past = [packet for packet in packets if current.number - packet.number in SUMMARISED]
    if past and budgets.summary:
        view["historicalRounds"] = [round_summary(packet, state, budgets.summary, ruler) for packet in past]
    last = next((packet for packet in packets if packet.number == current.number - 1), None)
    if last:
        view["previousRound"] = previous_round(
            last, budgets.previous, names=state.participants, sharing=len(current.heard), ruler=ruler
        )
    if current.heard or current.withheld:
        sharing = len(last.heard) if last else 0
        view["currentRound"] = previous_round(
            current, budgets.previous, names=state.participants, sharing=sharing, ruler=ruler
        )
    return view


def state_view(state: DebateState, budget: int, ruler: Ruler = ESTIMATE) -> dict[str, Any]:
    """Return layer A within a budget (debate 7.1, 7.2): pruned are retracted, accepted, then oldest open (D10)."""
    most = max(2, budget // A_DECISION)
    shown = list(state.claims)
    room = budget - ruler.tokens(compact(_state(state, (), most, ruler)))
    costs = {claim.id: _cost(state, claim, ruler) for claim in shown}
    total = sum(costs.values())
    for claim in _pruning_order(state):
        if total <= room:
            break
        shown.remove(claim)
        total -= costs[claim.id]
    view = _state(state, shown, most, ruler)
    while ruler.tokens(compact(view)) > budget and (view["decisions"] or view["agent_status"]):
        view = {**view, "decisions": view["decisions"][1:], "agent_status": view["agent_status"][:-1]}
    return {"debateState": view}


def _pruning_order(state: DebateState) -> list[Claim]:
    rank = {"retracted": 0, "accepted": 1, "open": 2, "refuted": 3, "contested": 4}
    return sorted(state.claims, key=lambda claim: (rank[state.status(claim)], claim.last_updated_round))


def _cost(state: DebateState, claim: Claim, ruler: Ruler) -> int:
    evidence = [item for item in state.evidence if item.id in claim.support]
    return ruler.tokens(compact([_claim(state, claim, ruler), *(_evidence(item, ruler) for item in evidence)]))


def _state(state: DebateState, claims: Sequence[Claim], most: int, ruler: Ruler) -> dict[str, Any]:
    cited = {item for claim in claims for item in claim.support}
    view: dict[str, Any] = {
        "topic": ruler.clipped(state.topic, TOPIC),
        "round": state.round,
        "participants": list(state.participants),
        "claims": [_claim(state, claim, ruler) for claim in claims],
        "evidence": [_evidence(item, ruler) for item in state.evidence if item.id in cited],
        "decisions": [
            {"id": item.id, "text": ruler.clipped(item.text, CLAIM), "round": item.round}
            for item in state.decisions[-most:]
        ],
        "agent_status": [_status(item) for item in state.agents.values()],
    }
    return view | without_nothing(
        claims_not_shown=len(state.claims) - len(claims) or None,
        objections=[
            {"id": item.id, "by": item.by, "text": ruler.clipped(item.text, CLAIM)}
            for item in state.open_objections[-most:]
        ],
        vulnerabilities=[
            {"id": item.id, "text": ruler.clipped(item.text, GIST), "mitigated": bool(item.mitigations)}
            for item in sorted(state.vulnerabilities, key=lambda item: not item.mitigations)[-most:]
        ],
        questions=[
            {"id": item.id, "by": item.by, "text": ruler.clipped(item.text, CLAIM)} for item in state.questions[-most:]
        ],
        proposal=_proposal(state.proposal, ruler) if state.proposal else None,
    )


def _status(item: AgentStatus) -> dict[str, Any]:
    return without_nothing(
        agent=item.agent,
        stance=item.stance,
        confidence=item.confidence,
        confidence_delta=item.confidence_delta,
        vote=item.vote,
    )


def _proposal(proposal: Proposal, ruler: Ruler) -> dict[str, Any]:
    return {
        "id": proposal.id,
        "answer": ruler.clipped(proposal.answer, 2 * CLAIM),
        "rests_on": list(proposal.rests_on[-12:]),
        "contested": list(proposal.contested[-12:]),
    }


def _claim(state: DebateState, claim: Claim, ruler: Ruler) -> dict[str, Any]:
    return without_nothing(
        id=claim.id,
        text=ruler.clipped(claim.text, CLAIM),
        label=claim.label,
        status=state.status(claim),
        introduced_round=claim.introduced_round,
        last_updated_round=claim.last_updated_round,
        support=list(claim.support[-4:]),
        opposition=list(claim.opposition[-4:]),
        unverified=claim.label == "FACT" and not claim.grounded,
        computed=list(claim.computed_by[-4:]),
        refuted=ruler.clipped(claim.refuted, GIST),
    )


def _evidence(item: Evidence, ruler: Ruler) -> dict[str, Any]:
    return without_nothing(
        id=item.id,
        kind=item.source.kind,
        title=ruler.clipped(item.source.title, NOTE),
        url=ruler.clipped(item.url, GIST),
        supports=list(item.supports[-4:]),
        gist=ruler.clipped(item.source.gist, GIST),
        added_round=item.added_round,
        unverified=not item.source.verified,
    )


def round_summary(packet: RoundPacket, state: DebateState, budget: int, ruler: Ruler = ESTIMATE) -> dict[str, Any]:
    """Return a past round as a structured summary within a budget (debate 7.3)."""
    by_agent = [_moves(item, state, ruler) for item in packet.heard]
    touched = dict.fromkeys(name for item in packet.heard for name in (*item.introduced, *item.challenged))
    contested = [claim for name in touched if (claim := state.claim(name)) and state.status(claim) == "contested"]
    disputes = [_dispute(claim, state, ruler) for claim in contested]
    lists = {
        "new_claims": [name for item in packet.heard for name in item.introduced],
        "new_evidence": [name for item in packet.heard for name in item.new_evidence],
        "decisions": list(packet.decisions),
    }
    overall = {"one_liner": ruler.clipped(one_liner(packet), ONE_LINER), **lists}
    view = {"round": packet.number, "summary": {"global": overall, "by_agent": by_agent, "contested": disputes}}
    cuts: list[Callable[[], Any]] = [*([disputes.pop] * max(0, len(disputes) - 1))]
    cuts += [moves["key_moves"].pop for moves in by_agent for _ in moves["key_moves"]]
    cuts += [*([disputes.pop] * min(1, len(disputes))), *([by_agent.pop] * len(by_agent))]
    cuts += [items.clear for items in reversed(lists.values())]
    for cut in cuts:
        if ruler.tokens(compact(view)) <= budget:
            break
        cut()
    return view


def one_liner(packet: RoundPacket) -> str:
    """Return what changed in a round, in a few words."""
    introduced = sum(len(item.introduced) for item in packet.heard)
    challenged = sum(len(item.challenged) for item in packet.heard)
    retracted = sum(len(item.retracted) for item in packet.heard)
    kind = "Objection round: " if packet.critical else ""
    silent = f", {len(packet.silent)} silent" if packet.silent else ""
    return f"{kind}{introduced} new claims, {challenged} challenges, {retracted} retractions{silent}"


def _moves(heard: Heard, state: DebateState, ruler: Ruler) -> dict[str, Any]:
    kinds = (("claim", heard.introduced), ("challenge", heard.challenged), ("retract", heard.retracted))
    moves = [
        {"type": kind, "ref": name, "note": ruler.clipped(claim.text if (claim := state.claim(name)) else "", NOTE)}
        for kind, names in kinds
        for name in names[:2]
    ]
    speech = heard.speech
    return {
        **without_nothing(
            agent=speech.agent,
            stance=speech.stance,
            confidence=speech.said.confidence,
            confidence_delta=speech.delta,
            vote=speech.vote,
        ),
        "key_moves": moves[:3],
    }


def _dispute(claim: Claim, state: DebateState, ruler: Ruler) -> dict[str, Any]:
    against = next((other.text for name in claim.opposition if (other := state.claim(name)) and other.stands), "")
    con = against or f"challenged by {', '.join(claim.challenged_by)}"
    return {"claim": claim.id, "best_pro": ruler.clipped(claim.text, BEST), "best_con": ruler.clipped(con, BEST)}


def previous_round(
    packet: RoundPacket, budget: int, *, names: Sequence[str] = (), sharing: int = 0, ruler: Ruler = ESTIMATE
) -> dict[str, Any]:
    """Return a round in full fidelity, its texts sharing a budget with so many others (debate 7.4, ruling D10)."""
    texts = max(1, len(packet.heard) + sharing + bool(packet.person))
    share = budget // texts
    responses = [_response(item, names, share, ruler) for item in packet.heard]
    responses += [{"agent": item.agent, "text_full": WITHHELD} for item in packet.withheld]
    if packet.person:
        responses.append({"agent": "person", "text_full": ruler.clipped(packet.person, share - 20)})
    view: dict[str, Any] = {"round": packet.number, "agent_responses": responses}
    if packet.critical:
        view["kind"] = "critical objection round"
    if packet.silent:
        view["silent"] = list(packet.silent)
    return view


def _response(heard: Heard, names: Sequence[str], share: int, ruler: Ruler) -> dict[str, Any]:
    speech = heard.speech
    facts = without_nothing(
        agent=speech.agent,
        stance=speech.stance,
        vote=speech.vote,
        confidence=speech.said.confidence,
        confidence_delta=speech.delta,
        change_reason=ruler.clipped(speech.said.confidence_change.reason, NOTE),
        claims_touched=without_nothing(
            introduced=list(heard.introduced[:8]),
            reinforced=list(heard.reinforced[:8]),
            challenged=list(heard.challenged[:8]),
            retracted=list(heard.retracted[:8]),
        ),
        citations_used=list(dict.fromkeys(heard.evidence.values()))[:8],
        direct_replies_to=[name for name in names if name != speech.agent and is_named(name, speech.said)],
    )
    room = share - ruler.tokens(compact(facts)) - 12
    return {**facts, "text_full": ruler.clipped(full_text(heard), max(room, 20))}


def is_named(name: str, said: AgentResponse) -> bool:
    """Return whether a response names somebody, as in "m2,", "(m2)", "m2's" or "Expert B" (debate 7.4)."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", f"{said.position} {said.reasoning}", re.IGNORECASE) is not None


def full_text(heard: Heard) -> str:
    """Return what was said with its labels; its citations are evidence ids (debate 4.3, ruling D7)."""
    speech = heard.speech
    stated = [f"{item.text} [{item.label}]{marks(item, heard.evidence)}" for item in speech.statements]
    said = speech.said
    parts = [
        said.position,
        f"Answer: {speech.answer}",
        f"Claims: {' '.join(stated)}" if stated else "",
        said.reasoning,
        f"Concern: {said.concern}" if said.concern else "",
        f"Objection: {said.objection}" if said.objection else "",
        f"Uncertain: {said.uncertainty}" if said.uncertainty else "",
    ]
    return " ".join(part for part in parts if part)


def compact(value: Any) -> str:
    """Return a plain value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def without_nothing(**fields: Any) -> dict[str, Any]:
    """Return the fields that say something: what is empty is paid for by the token too."""
    return {name: value for name, value in fields.items() if value not in ("", None, False, [])}


def clipped(text: str, tokens: int) -> str:
    """Return the start of a text that is at most so many tokens by the upper estimate, cut between words."""
    return ESTIMATE.clipped(text, tokens)
