"""What a spiral comes to: consensus, forced consensus with what remains, or less (spiral 5.1 step 6, 5.2; S3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from moot.core.canonical import plain
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.panel import Panel
from moot.core.verdict import Dissent, Status, Verdict
from moot.protocols.spiral.coda import Coda, coda, prose
from moot.protocols.spiral.evidence import Evidence, SelfDenial, computed, refuted_claims
from moot.protocols.spiral.graph import argument_of
from moot.protocols.spiral.measures import Measured, mean_agreements
from moot.protocols.spiral.measuring import Stand, Unmeasured
from moot.protocols.spiral.positions import Positions
from moot.protocols.spiral.structures import Initialization


@dataclass(frozen=True, slots=True)
class Course:
    """How a run went: its loops, its start, every measurement, and all evidence."""

    loops: int
    start: Initialization
    history: tuple[Measured, ...]
    gathered: tuple[Evidence, ...]

    @property
    def best(self) -> Measured:
        """The measurement with the highest harmony, the first of equals."""
        return max(self.history, key=lambda item: item.harmony)


def concluded(stand: Stand, course: Course, panel: Panel) -> Verdict:
    """Return the coda as a verdict: complete on consensus, else forced with what remains."""
    refuted = refuted_claims(computed(stand.positions))
    found = coda(stand.positions, stand.standings, refuted)
    denials = _standing_denials(stand.positions, course)
    seat = _speaker(stand, refuted, denials)
    answer = stand.positions[seat].answer
    status, reason = _status(stand, course, found, refuted, answer)
    harmony = stand.measured.harmony
    models = len(panel.models)
    why = f"mean agreement of {len(stand.positions)} members, {models} distinct model{'s' if models > 1 else ''}"
    return Verdict(
        answer=answer,
        status=status,
        stop_reason=reason,
        confidence=Confidence(harmony, Basis.AGREEMENT, why),
        dissent=tuple(_dissent(found, seat)),
        caveats=tuple(_caveats(found, refuted, denials, stand, panel)),
        detail={**_detail(stand, course, found, refuted), **argument_of(found, refuted)},
    )


def too_few(positions: Positions) -> Verdict:
    """Return what is left where fewer than two members answered: there is nothing to agree with (ruling G3)."""
    answer = next((position.answer for position in positions.values()), None)
    reason = f"{len(positions)} of the panel answered, and agreement takes two"
    return Verdict(
        answer=answer,
        status=Status.PARTIAL,
        stop_reason=reason,
        confidence=no_confidence("no agreement was measured"),
        caveats=("This is one member's word: nobody compared it.",) if answer else (),
        detail={"positions": plain(list(positions.values()))},
    )


def unmeasured(positions: Positions, found: Unmeasured) -> Verdict:
    """Return the positions where their agreement could not be measured, and why."""
    first = next(iter(positions.values()))
    return Verdict(
        answer=first.answer,
        status=Status.PARTIAL,
        stop_reason=found.reason,
        confidence=no_confidence("agreement could not be measured"),
        caveats=(f"This is the position of {first.seat}; the others are in the record, compared by nobody.",),
        detail={"positions": plain(list(positions.values()))},
    )


def _status(stand: Stand, course: Course, found: Coda, refuted: Mapping[str, str], answer: str) -> tuple[Status, str]:
    after = "at once" if not course.loops else f"after loop {course.loops}"
    if not stand.measured.is_consensus:
        best = course.best
        when = "at the exposition" if not best.loop else f"in loop {best.loop}"
        rest = "" if found.caveats else "; nothing is contradicted, the positions are only not the same"
        return (
            Status.FORCED,
            f"seven loops passed without consensus; the best harmony was {best.harmony:.2f} {when}{rest}",
        )
    # Agreement is opinion; what was computed stands above it.
    if answer in refuted or any(held.claim in refuted for held in found.caveats if not held.against):
        return Status.PARTIAL, f"consensus {after}, on something that a computation refutes"
    return Status.COMPLETE, f"consensus {after}"


def _speaker(stand: Stand, refuted: Mapping[str, str], denials: tuple[SelfDenial, ...]) -> str:
    """Return whose answer is given: the member who agrees most with all, of those who can be right."""
    mean = mean_agreements(list(stand.positions), stand.measured.pairs)
    barred = {item.seat for item in denials}
    able = [seat for seat, position in stand.positions.items() if seat not in barred and position.answer not in refuted]
    return max(able or list(stand.positions), key=lambda seat: mean[seat])


def _standing_denials(positions: Positions, course: Course) -> tuple[SelfDenial, ...]:
    """Return the marks that still hold: of positions that have not moved since."""
    standing = {
        (item.seat, item.axiom): item
        for evidence in course.gathered
        for item in evidence.denials
        if positions[item.seat].loop < evidence.loop
    }
    return tuple(standing.values())


def _dissent(found: Coda, speaker: str) -> Iterator[Dissent]:
    for held in (*found.common, *found.nuances, *found.caveats):
        if held.is_answer and speaker not in held.held_by:
            yield Dissent(held.claim, held.held_by)


def _caveats(
    found: Coda, refuted: Mapping[str, str], denials: tuple[SelfDenial, ...], stand: Stand, panel: Panel
) -> Iterator[str]:
    for held in found.caveats:
        against = f", against {', '.join(held.against)}" if held.against else ""
        wrong = f"; a computation refutes it: {refuted[held.claim]}" if held.claim in refuted else ""
        yield f"disputed: {held.claim} ({', '.join(held.held_by)}{against}{wrong})"
    for item in denials:
        yield f"the position of {item.seat} denies what it relies on ({item.axiom}): {item.clause}"
    if stand.unjudged:
        yield f"nobody judged the entailment of {stand.unjudged} pairs; its weight was spread over the other parts"
    if len(panel.models) == 1:
        yield "All members are one model: their agreement is no independent evidence."


def _detail(stand: Stand, course: Course, found: Coda, refuted: Mapping[str, str]) -> dict[str, Any]:
    last, best = stand.measured, course.best
    return {
        "task": course.start.task,
        "structure": course.start.structure,
        "self_reference": course.start.self_reference,
        "loops": course.loops,
        "harmony": last.harmony,
        "measured_divergence": last.measured_divergence,
        "scheduled_divergence": last.scheduled_divergence,
        "best": {"harmony": best.harmony, "loop": best.loop},
        "pairs": plain(last.pairs),
        "history": [
            {
                "loop": item.loop,
                "harmony": item.harmony,
                "least_agreement": min(pair.agreement for pair in item.pairs),
                "measured_divergence": item.measured_divergence,
                "scheduled_divergence": item.scheduled_divergence,
            }
            for item in course.history
        ],
        "positions": plain(list(stand.positions.values())),
        "common": plain(found.common),
        "nuances": plain(found.nuances),
        "caveats": plain(found.caveats),
        "coda": prose(found, refuted),
        "axioms": [
            {"loop": item.loop, "id": near.axiom.id, "statement": near.axiom.statement, "similarity": near.similarity}
            for item in course.gathered
            for near in item.found
        ],
        "oracles": [plain(item) for evidence in course.gathered for item in evidence.consulted],
    }
