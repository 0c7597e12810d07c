"""The ledger as data for the record (debate 7.2): whole at the end, and round by round what is new or changed."""

from collections.abc import Mapping
from typing import Any

from moot.core.canonical import plain
from moot.protocols.debate.checks import Counts
from moot.protocols.debate.state.state import Claim, DebateState, Evidence

Rows = dict[str, dict[str, Any]]


def claim_rows(state: DebateState) -> Rows:
    """Return the claims in the paper's names, by id."""
    return {claim.id: _claim_row(state, claim) for claim in state.claims}


def evidence_rows(state: DebateState) -> Rows:
    """Return the sources in the paper's names, by id."""
    return {item.id: _evidence_row(item) for item in state.evidence}


def changes(before: DebateState, state: DebateState) -> dict[str, list[dict[str, Any]]]:
    """Return the claims and the evidence that are new or other than before, as the ledger has them."""
    return {
        "claims": _new_or_changed(claim_rows(before), claim_rows(state)),
        "evidence": _new_or_changed(evidence_rows(before), evidence_rows(state)),
    }


def _new_or_changed(before: Rows, rows: Rows) -> list[dict[str, Any]]:
    return [row for name, row in rows.items() if before.get(name) != row]


def ledger(state: DebateState) -> Mapping[str, Any]:
    """Return the whole state in the paper's names (debate 7.2): nothing is pruned in the record."""
    return {
        "topic": state.topic,
        "round": state.round,
        "participants": state.participants,
        "claims": list(claim_rows(state).values()),
        "evidence": list(evidence_rows(state).values()),
        "decisions": plain(state.decisions),
        "agent_status": plain(list(state.agents.values())),
        "objections": plain(state.objections),
        "vulnerabilities": plain(state.vulnerabilities),
        "questions": plain(state.questions),
    }


def sorted_counts(counts: Counts) -> dict[str, dict[str, int]]:
    """Return who failed what how often, in the order of names."""
    return {name: dict(sorted(kinds.items())) for name, kinds in sorted(counts.items())}


def _claim_row(state: DebateState, claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.id,
        "text": claim.text,
        "label": claim.label,
        "status": state.status(claim),
        "introduced_round": claim.introduced_round,
        "last_updated_round": claim.last_updated_round,
        "support": claim.support,
        "opposition": claim.opposition,
        "held_by": sorted(claim.labels),
        "wordings": plain(claim.wordings),
        "verified": claim.grounded,
        "found_in": claim.found_in,
        "computed_by": claim.computed_by,
        "refuted": claim.refuted,
    }


def _evidence_row(item: Evidence) -> dict[str, Any]:
    return {
        "id": item.id,
        "kind": item.source.kind,
        "title": item.source.title,
        "url": item.url,
        "supports": item.supports,
        "gist": item.source.gist,
        "added_round": item.added_round,
        "verified": item.source.verified,
    }
