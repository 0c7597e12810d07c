"""What a round and a debate came to, as data for the record and for every view (debate 5.2, 5.3; ruling D15).

`report` puts it into words. The note `round` has, beside `figures` and `unverified`:

- `round`, `critical` (whether it was an objection round), `said` (what a person said before it) and `focus`; "" else
- `proposal`: what was voted on, {id, answer, rests_on, contested, tied}; null in a round without one
- `consensus`: {status, score, accepting, asked}; `agreements`, `disagreements` (answers, claims, objections by holder)
- `agents`: all who debate, in the order of the seats: {agent, seat, model, role, stance, anchor, state ("spoke",
  "silent", "withheld"), why (of a silence), vote, confidence, delta, answer, position, key_points, concern, objection,
  steelman, questions, claims: [{id, label, text, verified, found_in,
  computed, refuted}], citations, introduced, reinforced, challenged, retracted}; texts in full, with evidence ids for
  citations, and behind them the claims and objections of the ledger that the speech changed
- `new_evidence`: [{label, evidence, claim, source, verified}]; `references`: [{id, kind, title, gist, supports, covers,
  verified}], what is cited in this round
- `refuted`: the claims that compute wrongly, each with how it comes out (ruling I18)
- `vulnerabilities`: [{id, text, by, round, mitigations: [{text, by}]}] (red-team-blue-team)
- `cases`: {for, against, judgement}, each [{agent, answer, position}] (devils-advocate; else empty lists)
- `questions`: [{id, text, by, round}], those that are open (socratic); `objections`: [{id, by, text, proposal, round,
  resolved_round}], all of them
- `claims`, `evidence`: those of the ledger that are new or changed since the round before, as `debateState` has them
- `breaches`: {agent: {breach: times}}, counted from the first round on
- `missing`: [{agent, seat, reason}]; `withheld`: [{agent, tier, reason, by}]; `injections`: [{agent, words}]
- `next`: why a critical objection round or a person's ruling comes next, "" where none does

A verdict's detail has the same at the end: `participants` (seat, model, role, stance, anchor by agent),
`vulnerabilities`, `cases`, `openQuestions`, `objections`, `references`, `said` ([{round, text, focus}]).
"""

from collections.abc import Sequence
from typing import Any

from moot.core.canonical import plain, rounded
from moot.protocols.debate.modes import anchor_of
from moot.protocols.debate.record.ledger import changes, sorted_counts
from moot.protocols.debate.rules import Figures
from moot.protocols.debate.state.context import DebateContext, RoundPacket
from moot.protocols.debate.state.fold import Heard
from moot.protocols.debate.state.speech import Agent, evidence_in, marks, spoken_text
from moot.protocols.debate.state.state import Claim, DebateState, camps

HIGH, MEDIUM = 0.80, 0.50


def round_note(context: DebateContext, coming: str = "") -> dict[str, Any]:
    """Return what the last round came to (debate 5.2); `coming` says why the next one is no ordinary one."""
    packet, state, figures = context.packets[-1], context.state, context.figures[-1]
    score = consensus_score(state, figures)
    seats = {agent.name: agent.seat for agent in context.agents}
    asked = {"accepting": figures.accepting, "asked": figures.asked}
    return {
        "round": packet.number,
        "critical": packet.critical,
        "said": context.packets[-2].person if len(context.packets) > 1 else "",
        "focus": context.focus_question,
        "proposal": plain(state.proposal),
        "consensus": {"status": consensus_status(score), "score": score, **asked},
        "agreements": agreements(state),
        "disagreements": disagreements(state),
        "refuted": refuted_claims(state),
        "agents": [_agent(agent, packet, state) for agent in context.agents],
        "new_evidence": _new_evidence(state, packet),
        "references": _cited_in(packet, references(state)),
        "vulnerabilities": plain(state.vulnerabilities),
        "cases": cases(context.agents, packet),
        "questions": plain(state.questions),
        "objections": plain(state.objections),
        **changes(context.noted, state),
        "breaches": sorted_counts(context.breaches.counted),
        "missing": [{"agent": name, "seat": seats[name], "reason": why} for name, why in packet.silent.items()],
        "withheld": plain(packet.withheld),
        "injections": [{"agent": name, "words": words} for name, words in packet.injections.items()],
        "next": coming,
        "figures": figures,
        "unverified": {item.speech.agent: item.unverified for item in packet.heard if item.unverified},
    }


def _cited_in(packet: RoundPacket, listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    cited = {
        name
        for item in packet.heard
        for name in (*_citations(item), *item.computed, *evidence_in(spoken_text(item.speech)))
    }
    return [item for item in listed if item["id"] in cited]


def participants(agents: Sequence[Agent]) -> dict[str, Any]:
    """Return who debates as what, by name."""
    return {
        agent.name: {
            "seat": agent.seat,
            "model": agent.model,
            "role": agent.role.name,
            "stance": agent.role.stance or "",
            "anchor": anchor_of(agent.place).name,
        }
        for agent in agents
    }


def _agent(agent: Agent, packet: RoundPacket, state: DebateState) -> dict[str, Any]:
    row = {"agent": agent.name, **participants([agent])[agent.name]}
    heard = next((item for item in packet.heard if item.speech.agent == agent.name), None)
    if heard is None:
        silent = packet.silent.get(agent.name)
        return {**row, "state": "withheld" if silent is None else "silent", "why": silent or ""}
    speech, said = heard.speech, heard.speech.said
    return {
        **row,
        "state": "spoke",
        "stance": speech.stance,
        "vote": speech.vote,
        "confidence": said.confidence,
        "delta": speech.delta,
        "answer": speech.answer,
        "position": said.position,
        "key_points": said.key_points[:3],
        "concern": said.concern,
        "objection": said.objection,
        "steelman": said.steelman,
        "questions": said.questions,
        "claims": [
            {
                "id": name,
                "label": item.label,
                "text": f"{item.text} {marks(item, heard.evidence)}".rstrip(),
                **_backing(state.claim(name)),
            }
            for item, name in zip(speech.statements, heard.own, strict=True)
        ],
        "citations": _citations(heard),
        "introduced": heard.introduced,
        "reinforced": heard.reinforced,
        "challenged": heard.challenged,
        "retracted": heard.retracted,
    }


def _citations(heard: Heard) -> list[str]:
    named = (name for item in heard.speech.statements for name in item.evidence)
    return list(dict.fromkeys((*heard.evidence.values(), *named)))


def agent_response(agent: Agent, heard: Heard, packet: RoundPacket) -> dict[str, Any]:
    """Return a response in the paper's fields (debate 3.3, 5.1, decision 1), its citations as evidence ids (D18).

    The step is the paper's timestamp: the record knows when it was answered, a protocol does not.
    """
    speech, said = heard.speech, heard.speech.said
    labels = (("facts", "FACT"), ("inferences", "INFER"), ("assumptions", "ASSUME"))
    stated = [(item.label, f"{item.text} {marks(item, heard.evidence)}".rstrip()) for item in speech.statements]
    form: dict[str, Any] = {
        "agentId": agent.seat,
        "agentName": agent.name,
        "roundNumber": speech.round,
        "position": said.position,
        "reasoning": said.reasoning,
        "answer": speech.answer,
        "confidence": said.confidence,
        "citations": _citations(heard),
        "toolCalls": [call for call in packet.tool_calls if call["agent"] == agent.name],
        "step": f"round/{speech.round}/{agent.seat}",
        "epistemicClaims": {name: [text for given, text in stated if given == label] for name, label in labels},
        "vote": speech.vote,
        "keyPoints": list(said.key_points[:3]),
        "perspectiveAnchor": speech.anchor,
    }
    if speech.delta is not None:
        change = {"delta": speech.delta, "previousRound": speech.since, "reason": said.confidence_change.reason}
        form["confidenceChange"] = change
    if speech.stance:
        form["stance"] = speech.stance
    if said.debate_alignment:
        form["debateAlignment"] = said.debate_alignment
    return form


def cases(agents: Sequence[Agent], packet: RoundPacket) -> dict[str, list[dict[str, str]]]:
    """Return the case for, the case against and the judgement of a round, where seats have stances (ruling D15)."""
    found: dict[str, list[dict[str, str]]] = {"for": [], "against": [], "judgement": []}
    sides = {"YES": "for", "NO": "against", "NEUTRAL": "judgement"}
    stances = {agent.name: agent.role.stance for agent in agents}
    for speech in packet.speeches.values():
        if stance := stances[speech.agent]:
            row = {"agent": speech.agent, "answer": speech.answer, "position": speech.said.position}
            found[sides[stance]].append(row)
    return found


def references(state: DebateState) -> list[dict[str, Any]]:
    """Return the numbered sources that somebody cites, with the claims that cite them and those they cover (9.2.4)."""
    return [
        {
            "id": item.id,
            "kind": item.source.kind,
            "title": item.source.title,
            "gist": item.source.gist,
            "supports": item.supports,
            "covers": [claim.id for claim in state.claims if item.id in claim.found_in],
            "verified": item.source.verified,
        }
        for item in state.evidence
        if item.cited
    ]


def _new_evidence(state: DebateState, packet: RoundPacket) -> list[dict[str, Any]]:
    """What came in with this round, each under the label that its claim was given (ruling D18)."""
    return [
        {
            "label": claim.label,
            "evidence": item.id,
            "claim": claim.text,
            "source": item.source.title,
            "verified": item.id in claim.found_in,
        }
        for item in state.evidence
        if item.added_round == packet.number
        for claim in map(state.claim, item.supports[:1])
        if claim
    ]


def consensus_score(state: DebateState, figures: Figures) -> float:
    """Return the share that accepts the proposal; before there is one, the share behind the commonest answer."""
    if figures.acceptance is not None:
        return figures.acceptance
    standing = camps(state)
    return rounded(max(len(camp.holders) for camp in standing) / figures.asked) if standing else 0.0


def consensus_status(score: float) -> str:
    """Return the paper's word for a score."""
    return "HIGH" if score >= HIGH else "MEDIUM" if score >= MEDIUM else "LOW"


def agreements(state: DebateState) -> list[dict[str, Any]]:
    """Return the claims that most hold and nobody opposes."""
    return [_shown(claim) for claim in state.with_status("accepted")]


def refuted_claims(state: DebateState) -> list[dict[str, Any]]:
    """Return the claims that a computation of the program refutes (ruling I18)."""
    return [_shown(claim) for claim in state.with_status("refuted")]


def disagreements(state: DebateState) -> list[dict[str, Any]]:
    """Return what is not settled, by who holds what: answers, then contested claims, then standing objections."""
    found: list[dict[str, Any]] = []
    standing = camps(state)
    if len(standing) > 1:
        sides = [{"says": camp.answer, "held_by": list(camp.names)} for camp in standing]
        found.append({"about": "the answer", "sides": sides})
    for claim in state.with_status("contested"):
        against = [other for name in claim.opposition if (other := state.claim(name)) and other.stands]
        if any(int(other.id[1:]) < int(claim.id[1:]) and claim.id in other.opposition for other in against):
            continue
        sides = [{"says": claim.text, "held_by": sorted(claim.backers)}]
        sides += [{"says": other.text, "held_by": sorted(other.backers)} for other in against]
        if claim.challenged_by:
            sides.append({"says": f"challenges {claim.id}", "held_by": list(claim.challenged_by)})
        found.append({"about": claim.id, "sides": sides})
    objections = state.open_objections
    return found + [{"about": item.id, "sides": [{"says": item.text, "held_by": [item.by]}]} for item in objections]


def _shown(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.id,
        "text": claim.text,
        "label": claim.label,
        "held_by": sorted(claim.backers),
        **_backing(claim),
    }


def _backing(claim: Claim | None) -> dict[str, Any]:
    """What stands behind a claim, whoever cited it (ruling D13)."""
    if claim is None:
        return {"verified": False, "found_in": (), "computed": False, "refuted": ""}
    computed = bool(claim.computed_by) and not claim.grounded
    return {
        "verified": claim.grounded,
        "found_in": claim.found_in,
        "computed": computed,
        "refuted": claim.refuted,
    }
