"""What a spiral comes to: consensus, an accepted draft, forced consensus, or less (5.1 step 6, 5.2; S3, S10, S15)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moot.core.canonical import plain
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.panel import Panel
from moot.core.verdict import Dissent, Status, Verdict
from moot.oracles import Oracle
from moot.protocols.spiral.agreement.judging import who_decided
from moot.protocols.spiral.agreement.measures import Measured, agreed_since, mean_agreements
from moot.protocols.spiral.agreement.measuring import Agreement, Unmeasured
from moot.protocols.spiral.evidence import Evidence, SelfDenial, computed, refuted_claims, standing_denials
from moot.protocols.spiral.positions import Draft, Positions, disagreements, has_one_answer
from moot.protocols.spiral.record.coda import Coda, caveat_lines, coda, coda_lines
from moot.protocols.spiral.record.graph import argument_of
from moot.protocols.spiral.structure.structures import Initialization
from moot.views.words import counted


@dataclass(frozen=True, slots=True)
class Course:
    """How a run went: its loops, its start, every measurement, all evidence, and the draft if there was one."""

    loops: int
    start: Initialization
    history: tuple[Measured, ...]
    gathered: tuple[Evidence, ...]
    draft: Draft | None = None
    further: Mapping[str, Oracle] = field(default_factory=dict)
    """The oracles of other packages that the run offered."""

    @property
    def best(self) -> Measured:
        """The measurement with the highest harmony, the first of equals."""
        return max(self.history, key=lambda item: item.harmony)


def concluded(stand: Agreement, course: Course, panel: Panel) -> Verdict:
    """Return the coda as a verdict: complete on consensus or an accepted draft, else forced with what remains."""
    found = coda(stand.positions, stand.standings, refuted_claims(computed(stand.positions, course.further)))
    denials = standing_denials(stand.positions, course.gathered)
    status, reason = _ending(stand, course, panel)
    accepted = course.draft.accepted_by(stand.positions) if course.draft and status is Status.COMPLETE else ()
    seat = _speaker(stand, found, denials, accepted)
    if status is Status.COMPLETE and (flaw := _flaw(stand, found, denials, seat)):
        status, reason = Status.PARTIAL, f"{reason}, {flaw}"
    models = counted(len(panel.models), "distinct model")
    why = f"mean agreement of {len(stand.positions)} of {len(panel)} members, {models}"
    return Verdict(
        answer=stand.positions[seat].answer,
        status=status,
        stop_reason=reason,
        confidence=Confidence(stand.measured.harmony, Basis.AGREEMENT, why),
        dissent=tuple(_dissent(found, seat)),
        caveats=tuple(_caveats(found, denials, stand, panel)),
        asked=len(panel),
        answered=len(stand.positions),
        detail={**_detail(stand, course, found), **argument_of(found)},
    )


def too_few(positions: Positions, panel: Panel) -> Verdict:
    """Return what is left where fewer than two members answered: there is nothing to agree with (ruling G3)."""
    answer = next((position.answer for position in positions.values()), None)
    reason = f"{len(positions)} of {len(panel)} seats answered, and agreement takes two"
    return Verdict(
        answer=answer,
        status=Status.PARTIAL,
        stop_reason=reason,
        confidence=no_confidence("no agreement was measured"),
        caveats=("This is one member's word: nobody compared it.",) if answer else (),
        asked=len(panel),
        answered=len(positions),
        detail={"positions": plain(list(positions.values()))},
    )


def unmeasured(positions: Positions, found: Unmeasured, panel: Panel) -> Verdict:
    """Return the positions where their agreement could not be measured, and why."""
    first = next(iter(positions.values()))
    return Verdict(
        answer=first.answer,
        status=Status.PARTIAL,
        stop_reason=found.reason,
        confidence=no_confidence("agreement could not be measured"),
        caveats=(f"This is the position of {first.seat}; the others are in the record, compared by nobody.",),
        asked=len(panel),
        answered=len(positions),
        detail={"positions": plain(list(positions.values()))},
    )


def _ending(stand: Agreement, course: Course, panel: Panel) -> tuple[Status, str]:
    """Return how it ended, by the paper's three conditions or by a draft that two thirds of the seats accept (S10)."""
    if stand.measured.is_consensus:
        return Status.COMPLETE, f"consensus {_when(course)}"
    open_ = disagreements(stand.positions, stand.standings)
    nothing = "not every pair was judged" if stand.unjudged else "nothing is contradicted"
    if course.draft and not open_:
        accepted = _accepted(course.draft, stand, panel)
        if not (lack := _lack(course.draft, stand, panel)):
            return Status.COMPLETE, accepted
        why = f"{accepted}, {lack}; {nothing}"
    elif open_:
        why = "seven loops passed without consensus"
    elif has_one_answer(stand.standings):
        why = f"all give one answer and their reasons are not the same; {nothing}"
    else:
        why = f"{nothing}, and the answers are not the same"
    best = course.best
    when = "at the exposition" if not best.loop else f"in loop {best.loop}"
    return Status.FORCED, f"{why}; the best harmony was {best.harmony:.2f} {when}"


def _when(course: Course) -> str:
    """Return the loop at which the members agreed, and apart from it the one at which the schedule let it end (S10)."""
    agreed = agreed_since(course.history) or 0
    when = f"after loop {agreed}" if agreed else "at once"
    return when if agreed == course.loops else f"{when}; the schedule let it end after loop {course.loops}"


def _accepted(draft: Draft, stand: Agreement, panel: Panel) -> str:
    number = len(draft.accepted_by(stand.positions))
    verb = "accepts" if number == 1 else "accept"
    return f"{number} of {counted(len(panel), 'seat')} {verb} the draft of loop {draft.loop}"


def _lack(draft: Draft, stand: Agreement, panel: Panel) -> str:
    """Return what a draft lacks to be the panel's answer (ruling S10).

    Two thirds of the seats asked accept it; it has won somebody over, since a majority that was there before anybody
    deliberated is only a vote; and every pair was judged, since else nobody knows that nothing is contradicted.
    """
    accepted = draft.accepted_by(stand.positions)
    if 3 * len(accepted) < 2 * len(panel):
        return "fewer than two thirds"
    if set(accepted) <= set(draft.held_before):
        return "all of whom held it before it was drafted"
    return "which is not enough" if stand.unjudged else ""


def _flaw(stand: Agreement, found: Coda, denials: Sequence[SelfDenial], speaker: str) -> str:
    """Return what forbids full authority though the members agree: agreement is opinion (G2, G11, S7, S14)."""
    if any(held.refuted and speaker in held.held_by for held in found.caveats):
        return "on something that a computation refutes"
    if open_ := disagreements(stand.positions, stand.standings):
        return f"while {counted(len(open_), 'point')} {'stays' if len(open_) == 1 else 'stay'} in dispute"
    if any(item.seat == speaker for item in denials):
        return "on a position that is said to deny what it rests on"
    if stand.unjudged:
        return f"though nobody compared the claims of {counted(len(stand.unjudged), 'pair')}"
    return ""


def _speaker(stand: Agreement, found: Coda, denials: Sequence[SelfDenial], accepted: Sequence[str]) -> str:
    """Return whose answer is given: of those who can be right, the one who agrees most with all.

    Who holds an accepted draft comes first; a position that is said to deny what it rests on, or whose answer a
    computation refutes, comes last.
    """
    mean = mean_agreements(list(stand.positions), stand.measured.pairs)
    refuted = {seat for held in found.caveats if held.is_answer and held.refuted for seat in held.held_by}
    barred = refuted | {item.seat for item in denials}
    eligible = list(accepted) or list(stand.positions)
    return max([seat for seat in eligible if seat not in barred] or eligible, key=lambda seat: mean[seat])


def _dissent(found: Coda, speaker: str) -> Iterator[Dissent]:
    for held in (*found.common, *found.nuances, *found.caveats):
        if held.is_answer and speaker not in held.held_by:
            yield Dissent(held.claim, held.held_by)


def _caveats(found: Coda, denials: Sequence[SelfDenial], stand: Agreement, panel: Panel) -> Iterator[str]:
    yield from caveat_lines(found)
    for item in denials:
        yield f"{item.by} says that the position of {item.seat} denies what it rests on ({item.axiom}): {item.why}"
    yield from _judging(stand)
    if len(panel.models) == 1:
        yield "All members are one model: their agreement is no independent evidence."


def _judging(stand: Agreement) -> Iterator[str]:
    """Yield what is to be said of the judges: pairs that nobody judged, and pairs that a party judged (G11, S1)."""
    if spread := sum(pair.entailment is None for pair in stand.measured.pairs):
        yield f"nobody judged the entailment of {counted(spread, 'pair')}; its weight was spread over the other parts"
    if apart := len(stand.unjudged) - spread:
        yield f"nobody compared the claims of {counted(apart, 'pair')}; what is merely similar in them counts as apart"
    for pair in stand.judged_by_a_party:
        judge = stand.judgements[pair].judge
        yield f"{judge} judged how {' and '.join(pair)} stand to each other and is one of them: there is no third seat"


def _detail(stand: Agreement, course: Course, found: Coda) -> dict[str, Any]:
    last, best, draft = stand.measured, course.best, course.draft
    return {
        "task": course.start.task,
        "structure": course.start.structure,
        "self_reference": course.start.self_reference,
        "loops": course.loops,
        "agreed_since": agreed_since(course.history),
        "harmony": last.harmony,
        "measured_divergence": last.measured_divergence,
        "scheduled_divergence": last.scheduled_divergence,
        "best": {"harmony": best.harmony, "loop": best.loop},
        "pairs": plain(last.pairs),
        "decided": who_decided(stand.judgements, stand.positions),
        "backend": stand.backend,
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
        "coda": "\n".join(coda_lines(found)),
        "draft": {"loop": draft.loop, "by": draft.by, **plain(draft.stated)} if draft else None,
        "accepted_by": draft.accepted_by(stand.positions) if draft else (),
        "axioms": [
            {"loop": item.loop, "id": near.axiom.id, "statement": near.axiom.statement, "similarity": near.similarity}
            for item in course.gathered
            for near in item.found
        ],
        "oracles": [plain(item) for evidence in course.gathered for item in evidence.consulted],
    }
