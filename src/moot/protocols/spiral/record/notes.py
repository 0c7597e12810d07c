"""What the record says of a loop: each open point with its evidence, who moved and who did not."""

from collections.abc import Mapping
from typing import Any

from moot.core.canonical import plain
from moot.protocols.spiral.axioms.registry import LEVELS
from moot.protocols.spiral.evidence import Evidence
from moot.protocols.spiral.positions import Draft, Positions, parties
from moot.protocols.spiral.structure.structures import Structure


def loop_note(
    structure: Structure, evidence: Evidence, before: Positions, after: Positions, reasons: Mapping[str, str]
) -> dict[str, Any]:
    """Return each disagreement with its axioms and their similarity, what was computed, who moved and who did not."""
    found = evidence.axioms or tuple(() for _ in evidence.disagreements)
    points = [
        {
            "claims": [item.first, item.second],
            "held_by": [item.for_first, item.for_second],
            "axioms": [
                {"id": near.axiom.id, "statement": near.axiom.statement, "similarity": near.similarity}
                for near in axioms
            ],
        }
        for item, axioms in zip(evidence.disagreements, found, strict=True)
    ]
    return {
        "loop": evidence.loop,
        "level": LEVELS[evidence.loop],
        "structure": structure,
        "disagreements": points,
        "oracles": plain(evidence.consulted),
        "self_reference": plain(evidence.denials),
        "moved": _moved(before, after, reasons),
        "stayed": _stayed(parties(evidence.disagreements, before), before, after, reasons),
    }


def draft_note(
    structure: Structure,
    loop: int,
    draft: Draft | None,
    before: Positions,
    after: Positions,
    reasons: Mapping[str, str],
) -> dict[str, Any]:
    """Return what became of the structure's turn where nothing is contradicted (ruling S10)."""
    return {
        "loop": loop,
        "structure": structure,
        "draft": {"by": draft.by, **plain(draft.stated)} if draft else None,
        "accepted_by": draft.accepted_by(after) if draft else (),
        "moved": _moved(before, after, reasons),
        "stayed": _stayed(list(before), before, after, reasons),
    }


def _moved(before: Positions, after: Positions, reasons: Mapping[str, str]) -> list[dict[str, str]]:
    return [
        {"seat": seat, "from": old.answer, "to": after[seat].answer, "why": reasons.get(seat, "")}
        for seat, old in before.items()
        if after[seat] != old
    ]


def _stayed(
    speaking: list[str], before: Positions, after: Positions, reasons: Mapping[str, str]
) -> list[dict[str, str]]:
    return [{"seat": seat, "why": reasons.get(seat, "")} for seat in speaking if after[seat] == before[seat]]
