"""The summary block of a round (debate 5.2), as data for the record and as text for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moot.protocols.debate.exits import Figures
from moot.protocols.debate.limits import clipped
from moot.protocols.debate.packets import RoundLog
from moot.protocols.debate.state import Claim, DebateState, camps

HIGH, MEDIUM = 0.80, 0.50
TWO_LINES = 30
"""Tokens of an agent's key point."""

COLUMNS = (("Agent", 12), ("Stance", 8), ("Conf", 6), ("Vote", 8), ("Key point", 60))


def round_block(log: RoundLog, state: DebateState, figures: Figures) -> dict[str, Any]:
    """Return what a round came to: consensus, agreements, disagreements, positions, new evidence (debate 5.2)."""
    score = consensus_score(state, figures)
    return {
        "round": log.number,
        "critical": log.critical,
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
            for item in log.heard
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
            if item.added_round == log.number
            for claim in map(state.claim, item.supports[:1])
            if claim
        ],
        "silent": log.silent,
        "withheld": log.withheld,
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


def block_text(block: Mapping[str, Any]) -> str:
    """Return the block as the paper prints it (debate 5.2)."""
    return "\n".join(_lines(block))


def _lines(block: Mapping[str, Any]) -> Iterator[str]:
    kind = ", CRITICAL OBJECTION ROUND" if block["critical"] else ""
    yield f"=== ROUND {block['round']} SUMMARY{kind} ==="
    consensus = block["consensus"]
    on = f" on {block['proposal']}" if block["proposal"] else ""
    yield f"CONSENSUS STATUS: {consensus['status']} ({100 * consensus['score']:.0f}%{on})"
    yield from _section("KEY AGREEMENTS", [f"{item['id']}: {item['text']}" for item in block["agreements"]])
    yield from _section("UNRESOLVED DISAGREEMENTS", [disagreement_words(item) for item in block["disagreements"]])
    yield "AGENT POSITIONS:"
    yield from _table(block["positions"])
    yield from _section("NEW EVIDENCE THIS ROUND", [_evidence_words(item) for item in block["new_evidence"]])
    if block["silent"]:
        yield f"SILENT: {', '.join(block['silent'])}"
    if block["withheld"]:
        yield f"WITHHELD FOR SAFETY: {', '.join(block['withheld'])}"


def disagreement_words(item: Mapping[str, Any]) -> str:
    """Return a disagreement with its sides."""
    sides = " vs ".join(f"{clipped(side['says'], 30)} ({', '.join(side['held_by'])})" for side in item["sides"])
    return f"{item['about']}: {sides}"


def _evidence_words(item: Mapping[str, Any]) -> str:
    unverified = "" if item["verified"] else ", unverified"
    return f"[{item['label']}][{item['evidence']}]: {item['claim']} (Source: {item['source']}{unverified})"


def _section(title: str, items: Sequence[str]) -> Iterator[str]:
    yield f"{title}:"
    yield from (f"- {item}" for item in items or ["none"])


def _table(positions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    rule = "+".join("-" * (width + 2) for _, width in COLUMNS)
    yield f"+{rule}+"
    yield _row([name for name, _ in COLUMNS])
    yield f"+{rule}+"
    for item in positions:
        sure = f"{100 * item['confidence']:.0f}%"
        yield _row([item["agent"], item["stance"] or "-", sure, item["vote"] or "-", item["key_point"]])
    yield f"+{rule}+"


def _row(cells: Sequence[str]) -> str:
    fitted = (f"{cell[:width]:<{width}}" for cell, (_, width) in zip(cells, COLUMNS, strict=True))
    return f"| {' | '.join(fitted)} |"
