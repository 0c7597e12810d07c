"""Past rounds as agents see them: a structured summary, or the whole round (debate 7.1 layer B, 7.3, 7.4)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.tokens import estimated_tokens
from moot.protocols.debate.fold import Heard
from moot.protocols.debate.limits import BEST, NOTE, ONE_LINER, clipped, compact, without_nothing
from moot.protocols.debate.speech import renumbered
from moot.protocols.debate.state import Claim, DebateState

WITHHELD = "(withheld: it was blocked for safety)"


@dataclass(frozen=True, slots=True)
class RoundLog:
    """One round as it went: what was heard in order, and what a person said after it."""

    number: int
    heard: tuple[Heard, ...]
    silent: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    critical: bool = False
    person: str = ""
    decisions: tuple[str, ...] = ()


def round_summary(log: RoundLog, state: DebateState, budget: int) -> dict[str, Any]:
    """Return a past round as a structured summary within a budget (debate 7.3)."""
    by_agent = [_moves(item, state) for item in log.heard]
    touched = dict.fromkeys(name for item in log.heard for name in (*item.introduced, *item.challenged))
    contested = [claim for name in touched if (claim := state.claim(name)) and state.status(claim) == "contested"]
    disputes = [_dispute(claim, state) for claim in contested]
    lists = {
        "new_claims": [name for item in log.heard for name in item.introduced],
        "new_evidence": [name for item in log.heard for name in item.new_evidence],
        "decisions": list(log.decisions),
    }
    overall = {"one_liner": clipped(one_liner(log), ONE_LINER), **lists}
    view = {"round": log.number, "summary": {"global": overall, "by_agent": by_agent, "contested": disputes}}
    cuts: list[Callable[[], Any]] = [*([disputes.pop] * max(0, len(disputes) - 1))]
    cuts += [moves["key_moves"].pop for moves in by_agent for _ in moves["key_moves"]]
    cuts += [*([disputes.pop] * min(1, len(disputes))), *([by_agent.pop] * len(by_agent))]
    cuts += [items.clear for items in reversed(lists.values())]
    for cut in cuts:
        if estimated_tokens(compact(view)) <= budget:
            break
        cut()
    return view


def one_liner(log: RoundLog) -> str:
    """Return what changed in a round, in a few words."""
    introduced = sum(len(item.introduced) for item in log.heard)
    challenged = sum(len(item.challenged) for item in log.heard)
    retracted = sum(len(item.retracted) for item in log.heard)
    kind = "Objection round: " if log.critical else ""
    silent = f", {len(log.silent)} silent" if log.silent else ""
    return f"{kind}{introduced} new claims, {challenged} challenges, {retracted} retractions{silent}"


def _moves(heard: Heard, state: DebateState) -> dict[str, Any]:
    kinds = (("claim", heard.introduced), ("challenge", heard.challenged), ("retract", heard.retracted))
    moves = [
        {"type": kind, "ref": name, "note": clipped(claim.text if (claim := state.claim(name)) else "", NOTE)}
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


def _dispute(claim: Claim, state: DebateState) -> dict[str, Any]:
    against = next((other.text for name in claim.opposition if (other := state.claim(name)) and other.labels), "")
    con = against or f"challenged by {', '.join(claim.challenged_by)}"
    return {"claim": claim.id, "best_pro": clipped(claim.text, BEST), "best_con": clipped(con, BEST)}


def previous_round(log: RoundLog, budget: int, *, sharing: int = 0) -> dict[str, Any]:
    """Return a round in full fidelity, its texts sharing a budget with so many others (debate 7.4, ruling D10)."""
    texts = max(1, len(log.heard) + sharing + bool(log.person))
    share = budget // texts
    names = [item.speech.agent for item in log.heard]
    responses = [_response(item, names, share) for item in log.heard]
    responses += [{"agent": name, "text_full": WITHHELD} for name in log.withheld]
    if log.person:
        responses.append({"agent": "person", "text_full": clipped(log.person, share - 20)})
    view: dict[str, Any] = {"round": log.number, "agent_responses": responses}
    if log.critical:
        view["kind"] = "critical objection round"
    if log.silent:
        view["silent"] = list(log.silent)
    return view


def _response(heard: Heard, names: Sequence[str], share: int) -> dict[str, Any]:
    speech = heard.speech
    facts = without_nothing(
        agent=speech.agent,
        stance=speech.stance,
        vote=speech.vote,
        confidence=speech.said.confidence,
        confidence_delta=speech.delta,
        change_reason=clipped(speech.said.confidence_change.reason, NOTE),
        claims_touched=without_nothing(
            introduced=list(heard.introduced[:8]),
            reinforced=list(heard.reinforced[:8]),
            challenged=list(heard.challenged[:8]),
            retracted=list(heard.retracted[:8]),
        ),
        citations_used=list(dict.fromkeys(heard.evidence.values()))[:8],
        direct_replies_to=[name for name in names if name != speech.agent and name in speech.said.reasoning.split()],
    )
    room = share - estimated_tokens(compact(facts)) - 12
    return {**facts, "text_full": clipped(full_text(heard), max(room, 20))}


def full_text(heard: Heard) -> str:
    """Return what was said with its labels, its citations renumbered to evidence ids (debate 4.3, ruling D7)."""
    speech, evidence = heard.speech, heard.evidence
    stated = [
        f"{item.text} [{item.label}]"
        + "".join(f"[{evidence[number]}]" for number in item.cited if number in evidence)
        + "".join(f"[{name}]" for name in item.evidence)
        for item in speech.statements
    ]
    said = speech.said
    parts = [
        renumbered(said.position, evidence),
        f"Answer: {speech.answer}",
        f"Claims: {' '.join(stated)}" if stated else "",
        renumbered(said.reasoning, evidence),
        f"Concern: {said.concern}" if said.concern else "",
        f"Objection: {said.objection}" if said.objection else "",
        f"Uncertain: {said.uncertainty}" if said.uncertainty else "",
    ]
    return " ".join(part for part in parts if part)
