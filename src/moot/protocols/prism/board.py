"""The board: claims, pipeline, slots, flags and consensus under the paper's names, read from stored steps and events.

A pure view. There is nothing on the board that is not an open step or an event of the claim's deliberation. What a
phase has brought is shown when the phase is over, and not before (ruling P8).
"""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from moot.core.canonical import plain
from moot.core.deliberation import HOUSE, seat_of
from moot.core.events import Filled, Noted, Opened, Unanswered
from moot.core.moments import with_iso_moments
from moot.core.ports import OpenStep, StepState
from moot.core.record import Record
from moot.core.verdict import Status
from moot.protocols.prism.layers import CONSENSUS, WORK, LayerTable, SlotType, table_of
from moot.protocols.prism.rules import (
    CALIBRATING,
    compared,
    consensus_answer,
    exact,
    recommendation,
    seal,
    slot_digest,
)
from moot.protocols.prism.schemas import PrismSettings, SynthesisOutput
from moot.protocols.prism.slots import REVIEW, SLOT
from moot.views.words import one_line

_STEP = re.compile(r"L(\d+)\.(\d+)/(work|consensus|review)(?:/(\d+))?")
WIDTH, LONGEST_LAYER, LONGEST_AGENT = 80, 40, 26
"""Columns of the drawing, and letters of a layer's and an agent's name that it has room for."""
_SIGN = {"open": "·", "taken": "◐", "done": "●", "gone": "✕"}


@dataclass(frozen=True, slots=True)
class BoardSlot:
    """A slot as the board shows it; what was said in an unfinished phase is not on it."""

    step: str
    layer: int
    attempt: int
    phase: str
    role: str
    status: str
    agent: str | None = None
    confidence: float | None = None
    lease_until: float | None = None
    output: Mapping[str, Any] | None = None
    """What it says; None as long as its phase goes on."""
    model: str = ""
    """The model behind an agent of the house."""


@dataclass(frozen=True, slots=True)
class BoardFlag:
    """A flag, why it was raised, and who cleared it how."""

    layer: int
    attempt: int
    reasons: tuple[str, ...]
    average: float | None
    threshold: float
    cleared: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class PipelineState:
    """Where a claim stands: `active`, `flagged`, `complete`, or how else it ended."""

    layer: int
    phase: str
    status: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim with its domain, `calibrating` until it is classified."""

    text: str
    domain: str
    protocol: str


@dataclass(frozen=True, slots=True)
class Pipeline:
    """One claim on the board."""

    claim: Claim
    table: LayerTable
    state: PipelineState
    slots: tuple[BoardSlot, ...]
    flags: tuple[BoardFlag, ...]
    consensus: Mapping[str, Any] | None
    votes: tuple[Mapping[str, Any], ...]
    """What each agent of the last layer recommends, once the claim has ended."""
    seal: str | None
    gates: Mapping[tuple[int, int], float]
    """The averages of the attempts that came to their gate."""

    @property
    def open_flag(self) -> BoardFlag | None:
        """The flag that waits for a person; of a claim that has ended, none does."""
        return None if self.seal else next((flag for flag in self.flags if flag.cleared is None), None)

    def json(self) -> dict[str, Any]:
        """Return the claim under the paper's names."""
        return {
            "claims": plain(self.claim),
            "claimPipelineState": plain(self.state),
            "claimStageSlots": [with_iso_moments(plain(slot), "lease_until") for slot in self.slots],
            "claimFlags": plain(self.flags),
            "claimConsensus": plain(self.consensus),
            "votes": plain(self.votes),
            "seal": self.seal,
        }


def pipeline_of(record: Record, steps: Sequence[OpenStep] = ()) -> Pipeline:
    """Return the pipeline of a claim from its events and, while it goes on, its open steps as they stand."""
    notes: dict[str, list[Any]] = {}
    for event in record.events:
        if isinstance(event, Noted):
            notes.setdefault(event.name, []).append(event.data)
    rows = list(steps) or _steps_of(record)
    models = {member.name: member.model for member in record.header.panel}
    slots = tuple(_visible([slot for row in rows if (slot := _slot(row, models))]))
    flags = tuple(_flag(note, rows) for note in notes.get("flag", ()))
    verdict = record.verdict
    table = table_of(PrismSettings.model_validate(record.header.settings).table)
    domains = notes.get("domain", ())
    return Pipeline(
        claim=Claim(record.header.question.text, domains[-1]["domain"] if domains else CALIBRATING, table.name),
        table=table,
        state=_state(slots, flags, table, verdict.status if verdict else None),
        slots=tuple(slot for slot in slots if slot.phase != REVIEW),
        flags=flags,
        consensus=notes["consensus"][-1] if "consensus" in notes else None,
        votes=tuple(verdict.detail.get("votes", ())) if verdict else (),
        seal=verdict.detail["seal"]["sha256"] if verdict and "seal" in verdict.detail else None,
        gates={
            (note["layer"], note["attempt"]): note["average"]
            for name in ("gate", "flag")
            for note in notes.get(name, ())
            if note["average"] is not None
        },
    )


def changed_slots(record: Record, steps: Sequence[OpenStep]) -> list[str]:
    """Return the steps whose slots are not what the seal was made over (ruling P9).

    "consensus" stands for votes, a consensus record or an answer that is not what the slots say, "seal" for the seal.
    """
    detail = record.verdict.detail if record.verdict else {}
    sealed = dict(detail["seal"]["slots"])
    stored = {row.step: _digest(row) for row in steps if row.state == "done"}
    told = {event.step: (event.agent, plain(event.reply)) for event in record.events if isinstance(event, Filled)}
    kept = {row.step: (row.agent, plain(row.reply)) for row in steps if row.state == "done"}
    names = dict.fromkeys([*sealed, *stored, *told])
    changed = [name for name in names if sealed.get(name) != stored.get(name) or told.get(name) != kept.get(name)]
    order = [(step, digest) for step, digest in detail["seal"]["slots"]]
    changed += ["consensus"] * (not changed and _is_consensus_changed(record, steps))
    return [*changed, *(["seal"] if seal(order) != detail["seal"]["sha256"] else [])]


def _is_consensus_changed(record: Record, steps: Sequence[OpenStep]) -> bool:
    if (verdict := record.verdict) is None:
        return False
    consensus, votes = verdict.detail["claimConsensus"], _votes(steps)
    noted = [plain(note.data) for note in record.notes if note.name == "consensus"]
    if plain(verdict.detail.get("votes")) != votes:
        return True
    if not consensus:
        return bool(noted or verdict.answer)
    made = (recommendation([vote["recommendation"] for vote in votes]), consensus_answer(consensus), [plain(consensus)])
    return made != (consensus["recommendation"], verdict.answer, noted)


def _votes(steps: Sequence[OpenStep]) -> list[dict[str, Any]]:
    """What the slots of the last attempt say, where it is one at the synthesis."""
    last = [row.group for row in steps if row.labels.get("board") == SLOT][-1]
    done = [row for row in steps if row.group == last and row.state == "done"]
    return [{"agent": row.agent, **plain(row.reply)} for row in done if row.reply_type == SynthesisOutput.__name__]


def pipeline_lines(pipeline: Pipeline) -> Iterator[str]:
    """Return the pipeline as lines: layers, slots, who, confidence against threshold, flags."""
    lines = dict(zip((slot.step for slot in pipeline.slots), _slot_lines(pipeline.slots), strict=True))
    for layer in pipeline.table.layers:
        attempts = sorted({slot.attempt for slot in pipeline.slots if slot.layer == layer.number})
        for attempt in attempts or [1]:
            again = f", attempt {attempt}" if attempt > 1 else ""
            mean = pipeline.gates.get((layer.number, attempt))
            needs = f"needs {float(exact(layer.threshold) * 100):g} %"
            gate = needs if mean is None else compared(exact(mean), layer.threshold)
            yield f"{layer.number} {one_line(layer.name, LONGEST_LAYER)}{again}  {gate}"
            mine = [slot for slot in pipeline.slots if (slot.layer, slot.attempt) == (layer.number, attempt)]
            yield from (f"    {lines[slot.step]}" for slot in mine)
            for flag in pipeline.flags:
                if (flag.layer, flag.attempt) == (layer.number, attempt):
                    yield from _flag_lines(flag, mine, ended=pipeline.seal is not None)


def _flag_lines(flag: BoardFlag, slots: Sequence[BoardSlot], *, ended: bool) -> Iterator[str]:
    reasons = "; ".join(flag.reasons)
    if flag.cleared is None:
        words = f"⚑ {reasons}  ({'nobody cleared it' if ended else 'waits for a reviewer'})"
    else:
        by = one_line(flag.cleared["by"], LONGEST_AGENT)
        own = ", one of its own agents" if flag.cleared["by"] in {slot.agent for slot in slots} else ""
        words = f"⚑ {reasons}  ({by}{own}: {flag.cleared['decision']}, {one_line(flag.cleared['note'])})"
    yield from textwrap.wrap(words, WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 6)


def _slot_lines(slots: Sequence[BoardSlot]) -> Iterator[str]:
    """Return a line for each slot, its parts under those of the others."""
    rows = [
        (
            f"{_SIGN[slot.status]} {slot.step}",
            slot.role,
            slot.status,
            one_line(slot.agent or "", LONGEST_AGENT),
            "" if slot.confidence is None else f"{slot.confidence:.2f}",
        )
        for slot in slots
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)).rstrip()


def _slot(row: OpenStep, models: Mapping[str, str]) -> BoardSlot | None:
    place = _STEP.fullmatch(row.step)
    if not place:
        return None
    agent = row.agent or ""
    return BoardSlot(
        row.step,
        layer=int(place[1]),
        attempt=int(place[2]),
        phase=place[3],
        role=row.role,
        status=row.state,
        agent=row.agent,
        confidence=row.reply.get("confidence") if row.reply else None,
        lease_until=row.lease_until,
        output=row.reply,
        model=models.get(seat_of(agent), "") if agent.startswith(HOUSE) else "",
    )


def _visible(slots: Sequence[BoardSlot]) -> Iterator[BoardSlot]:
    """Hide what an unfinished phase has brought so far."""
    unfinished = {_phase(slot) for slot in slots if slot.status in ("open", "taken")}
    for slot in slots:
        yield replace(slot, confidence=None, output=None) if _phase(slot) in unfinished else slot


def _phase(slot: BoardSlot) -> tuple[int, int, str]:
    return slot.layer, slot.attempt, slot.phase


def _state(
    slots: Sequence[BoardSlot], flags: Sequence[BoardFlag], table: LayerTable, ended: Status | None
) -> PipelineState:
    if not slots:
        return PipelineState(1, _first_phase(table, 1), ended.value if ended else "active")
    last = slots[-1]
    if ended or last.phase != REVIEW:
        return PipelineState(last.layer, last.phase, ended.value if ended else "active")
    cleared = next((flag.cleared for flag in flags if (flag.layer, flag.attempt) == (last.layer, last.attempt)), None)
    return _next_state(last.layer, cleared, table) if cleared else PipelineState(last.layer, REVIEW, "flagged")


def _next_state(layer: int, cleared: Mapping[str, Any], table: LayerTable) -> PipelineState:
    """Where a claim goes whose flag has just been cleared, also while nothing has gone on with it."""
    if cleared["decision"] == "close":
        return PipelineState(layer, REVIEW, Status.CLOSED.value)
    following = min(layer + (cleared["decision"] == "advance"), len(table.layers))
    return PipelineState(following, _first_phase(table, following), "active")


def _first_phase(table: LayerTable, layer: int) -> SlotType:
    return WORK if table.layers[layer - 1].roles else CONSENSUS


def _flag(note: Mapping[str, Any], rows: Sequence[OpenStep]) -> BoardFlag:
    step = f"L{note['layer']}.{note['attempt']}/{REVIEW}"
    row = next((row for row in rows if row.step == step and row.reply), None)
    cleared = {"by": row.agent, **row.reply} if row and row.reply else None
    return BoardFlag(
        note["layer"], note["attempt"], tuple(note["reasons"]), note["average"], note["threshold"], cleared
    )


def _steps_of(record: Record) -> list[OpenStep]:
    """Return the steps as far as the events tell of them."""
    filled = {event.step: event for event in record.events if isinstance(event, Filled)}
    gone = {event.step for event in record.events if isinstance(event, Unanswered)}
    return [
        _step_of(event, filled.get(event.step), "gone" if event.step in gone else "open")
        for event in record.events
        if isinstance(event, Opened)
    ]


def _step_of(opened: Opened, filled: Filled | None, otherwise: StepState) -> OpenStep:
    return OpenStep(
        deliberation="",
        step=opened.step,
        position=0,
        group=opened.group,
        role=opened.role,
        title=opened.title,
        context={},
        reply_type=filled.reply_type if filled else "",
        state="done" if filled else otherwise,
        agent=filled.agent if filled else None,
        reply=filled.reply if filled else None,
    )


def _digest(row: OpenStep) -> str:
    return slot_digest(
        row.step, role=row.role, labels=row.labels, context=row.context, agent=row.agent or "", reply=row.reply
    )
