"""A claim on a page, also while it is on its way: layers, gates, outputs of finished phases, consensus, seal. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence

from moot.core.events import Event
from moot.core.panes import Pane, PaneItem, Panes, SeatPosition, SeatStanding, Stage
from moot.core.record import Record
from moot.core.verdict import Verdict
from moot.methods.staging import stage_events, stages_in_order
from moot.protocols.prism.layer_panes import (
    consensus_pane,
    domain_pane,
    flags_pane,
    layers_pane,
    outputs_panes,
    seal_pane,
)
from moot.protocols.prism.layers import LayerTable
from moot.protocols.prism.telling import finding_of
from moot.protocols.prism.way import WayAttempt, WayPhase, place_of, seat_of_agent, way_of, way_table
from moot.views.words import counted

DECISIONS = {"advance": "let it advance", "redo": "had it done again", "close": "closed the claim"}


def panes(record: Record) -> Panes:
    """Return what a page shows of a claim beside its answer; of an unfinished phase nothing that it has brought."""
    way, table = way_of(record), way_table(record.header)
    return Panes(
        stages=_stages(record, way, table),
        standing=SeatStanding() if record.verdict else _standing(way, table),
        why=tuple(_why(record.verdict, way)) if record.verdict else (),
        rounds="Layers",
        panes=tuple(_panes(record, way, table)),
        argument=record.verdict is None or "graph" in record.verdict.detail,
    )


def _panes(record: Record, way: Sequence[WayAttempt], table: LayerTable) -> Iterator[Pane]:
    yield layers_pane(record, way, table)
    shown = (
        consensus_pane(record, way),
        *outputs_panes(record, way),
        flags_pane(way),
        domain_pane(record),
        seal_pane(record),
    )
    yield from (pane for pane in shown if pane)


def _stages(record: Record, way: Sequence[WayAttempt], table: LayerTable) -> tuple[Stage, ...]:
    """A stage a layer, all its attempts together."""
    last = way[-1] if way else None
    number = last.layer.number if last else 1
    if last and last.is_passed and number < len(table.layers):
        number += 1
    now = "" if record.verdict else _stage_name(number)
    aside = _aside(last) if last and last.layer.number == number else ""
    planned = [
        Stage(
            _stage_name(layer.number),
            f"{layer.number} {layer.name}",
            "to come",
            aside=aside if now and layer.number == number else "",
        )
        for layer in table.layers
    ]
    return stages_in_order(planned, stage_events(record, _stage_of, _stage_name(1)), now)


def _stage_name(number: int) -> str:
    return f"layer-{number}"


def _stage_of(event: Event) -> str:
    place = place_of(event)
    return _stage_name(place[0]) if place else ""


def _aside(attempt: WayAttempt) -> str:
    """Where an attempt stands: which phase, how many of its slots are closed, or that a person is waited for."""
    again = f", attempt {attempt.number}" if attempt.number > 1 else ""
    if attempt.is_flagged and attempt.review is None:
        return f"flagged{again}"
    phase = _open_phase(attempt)
    return f"{phase.type}, {phase.closed_slots} of {phase.wanted}{again}" if phase else again.removeprefix(", ")


def _open_phase(attempt: WayAttempt) -> WayPhase | None:
    return next((phase for phase in attempt.phases if not phase.is_over), None)


def _standing(way: Sequence[WayAttempt], table: LayerTable) -> SeatStanding:
    """What the last finished phase says, and how far the one after it has come."""
    over = [(attempt, phase) for attempt in way for phase in attempt.phases if phase.is_over and phase.outputs]
    lead = _lead(way, table)
    if not over:
        return SeatStanding(lead=lead)
    attempt, phase = over[-1]
    positions = tuple(
        SeatPosition(
            seat_of_agent(slot.agent),
            ": ".join(filter(None, finding_of(output))),
            output.get("confidence"),
            aside=f"{attempt.layer.name}, {slot.role}",
            event=slot.seq,
        )
        for slot, output in phase.outputs
    )
    return SeatStanding(positions, _agreement(attempt, phase), lead)


def _lead(way: Sequence[WayAttempt], table: LayerTable) -> str:
    if not way:
        return f"No slot of {counted(len(table.layers), 'layer')} is open yet."
    last = way[-1]
    where = f"Layer {last.layer.number} of {len(table.layers)}, {last.layer.name}"
    if last.is_flagged and last.review is None:
        return f"{where}, is flagged and waits for a reviewer."
    phase = _open_phase(last)
    if phase is None:
        return f"{where}: the phase is over."
    filled = f"{phase.closed_slots} of {counted(phase.wanted, 'slot')} filled"
    return f"{where}, {phase.type}: {filled}; what they say is shown when the phase is over."


def _agreement(attempt: WayAttempt, phase: WayPhase) -> str:
    """How many of a phase say the same, by the field that says what an output comes to."""
    for field, verb in (("recommendation", "recommend"), ("verdict", "say"), ("domain", "name the domain")):
        given = Counter(str(output[field]) for _, output in phase.outputs if field in output)
        if given:
            value, number = given.most_common(1)[0]
            return f"{number} of {len(phase.outputs)} {verb} {value.replace('-', ' ')}."
    sure = [output["confidence"] for _, output in phase.outputs]
    mean = f"{sum(sure) / len(sure):.0%} sure on average"
    enough = f"; {attempt.layer.threshold:.0%} is enough" if phase.type == "consensus" else ""
    return f"{counted(len(sure), 'agent')} of the {phase.type} phase, {mean}{enough}."


def _why(verdict: Verdict, way: Sequence[WayAttempt]) -> Iterator[PaneItem]:
    reason = verdict.stop_reason
    yield PaneItem(f"{reason[:1].upper()}{reason[1:]}.", link="argument" if "graph" in verdict.detail else "")
    consensus, votes = verdict.detail.get("claimConsensus"), verdict.detail.get("votes", ())
    if consensus:
        agree = sum(vote["recommendation"] == consensus["recommendation"] for vote in votes)
        yield PaneItem(f"{agree} of {len(votes)} recommend {consensus['recommendation'].replace('-', ' ')}.")
    flagged = [attempt for attempt in way if attempt.is_flagged]
    if flagged:
        told = [f"layer {attempt.layer.number} ({_cleared(attempt)})" for attempt in flagged]
        yield PaneItem(f"Flagged on the way: {', '.join(told)}.", tone="warn")


def _cleared(attempt: WayAttempt) -> str:
    review = attempt.review
    return f"{review['by']} {DECISIONS[review['decision']]}" if review else "nobody cleared it"
