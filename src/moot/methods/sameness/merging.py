"""When two claims are one in a graph or a ledger: never `same`, always called `merged` (interrogation 3.3, G11)."""

from dataclasses import dataclass

from moot.argument.clusters import Thresholds
from moot.argument.dedup import likeness
from moot.argument.guards import opposing_guard, separating_guard
from moot.argument.ingest import MAX_CLAIM_LENGTH
from moot.methods.sameness.texts import guarded_form

THRESHOLDS = Thresholds()


@dataclass(frozen=True, slots=True)
class Merging:
    """Why two claims were merged: by equal normal forms or by a likeness, and how alike they are."""

    by: str
    score: float


def merging(earlier: str, later: str) -> Merging | None:
    """Return why a store would make one claim of two, or nothing (interrogation 3.3, behind the guards A2 to A20).

    A text that is too long for a store's claim is merged with its equal alone: likeness takes time with its square.
    """
    one, other = guarded_form(earlier), guarded_form(later)
    if not one.text or not other.text or opposing_guard(one, other):
        return None
    if one.text == other.text:
        return Merging("equal", 1.0)
    if max(len(earlier), len(later)) > MAX_CLAIM_LENGTH:
        return None
    found = None if separating_guard(one, other) else likeness(one, other, THRESHOLDS)
    return Merging(*found) if found else None
