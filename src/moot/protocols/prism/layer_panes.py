"""The cards of a claim's page: layers with their gates, outputs by layer, flags, domain, consensus, seal."""

from collections.abc import Iterator, Mapping, Sequence

from moot.core.panes import (
    ItemList,
    Pane,
    PaneCell,
    PaneItem,
    PaneRow,
    PaneSection,
    PaneTable,
    TextBlock,
    Tone,
)
from moot.core.record import Record
from moot.methods.tellings import other_rows
from moot.protocols.prism.layers import Layer, LayerTable
from moot.protocols.prism.rules import compared, exact, normal_domain
from moot.protocols.prism.way import Item, WayAttempt, WayPhase, WaySlot, passed_layers, seat_of_agent
from moot.views.words import counted

HIDDEN = "What its slots say is shown when the phase is over."
NEVER_OVER = "The phase was not ended; what its slots say is shown to nobody."
STATES: Mapping[str, tuple[str, Tone]] = {
    "open": ("open", ""),
    "done": ("filled", "soft"),
    "gone": ("nobody filled it", "warn"),
}
RECOMMENDATION_TONES: Mapping[str, Tone] = {
    "accept": "good",
    "accept-with-caveats": "good",
    "reject": "bad",
    "needs-more-evidence": "warn",
}


def layers_pane(record: Record, way: Sequence[WayAttempt], table: LayerTable) -> Pane:
    """Return the layers in order: how far each has come, and its gate against its threshold."""
    latest = {attempt.layer.number: attempt for attempt in way}
    rows = tuple(_layer(record, layer, latest.get(layer.number)) for layer in table.layers)
    columns = ("Layer", "Work", "Consensus", "Gate", "State")
    passed = f"{len(passed_layers(tuple(way)))} of {counted(len(rows), 'layer')} passed"
    return Pane("layers", "Layers", (PaneTable(columns, rows),), f"{table.name}, {passed}")


def _layer(record: Record, layer: Layer, attempt: WayAttempt | None) -> PaneRow:
    name = PaneCell(f"{layer.number} {layer.name}", link=attempt.name if attempt else "")
    if attempt is None:
        phases = (PaneCell(), PaneCell()) if layer.roles else (PaneCell("none", tone="soft"), PaneCell())
        gate = PaneCell(gate_words(layer.threshold, None), tone="soft")
        return PaneRow((name, *phases, gate, PaneCell("not reached", tone="soft")), f"layer-{layer.number}")
    again = f"attempt {attempt.number}" if attempt.number > 1 else ""
    state, tone = attempt_state(attempt, ended=record.verdict is not None)
    cells = (
        name,
        *(_phase(phase) for phase in (attempt.work, attempt.consensus)),
        _gate(attempt),
        PaneCell(state, tone=tone, aside=again),
    )
    return PaneRow(cells, f"layer-{layer.number}")


def _phase(phase: WayPhase) -> PaneCell:
    if not phase.wanted:
        return PaneCell("none", tone="soft")
    agents = tuple(dict.fromkeys(seat_of_agent(slot.agent) for slot in phase.slots if slot.agent))
    if not phase.slots:
        return PaneCell("not open yet", tone="soft")
    words = f"{phase.closed_slots} of {phase.wanted} filled"
    return PaneCell(words, seats=agents, tone="good" if phase.is_over else "now")


def _gate(attempt: WayAttempt) -> PaneCell:
    threshold, gate = attempt.layer.threshold, attempt.gate
    if gate is None:
        return PaneCell(gate_words(threshold, None), tone="soft")
    items = tuple(PaneItem(reason) for reason in gate.get("reasons", ()))
    tone: Tone = "bad" if attempt.is_flagged else "good"
    return PaneCell(gate_words(threshold, gate["average"]), gate["average"], tone=tone, items=items)


def gate_words(threshold: float, mean: float | None) -> str:
    """Return the mean of a gate against its threshold, or what the gate needs where there is no mean."""
    return f"needs {float(exact(threshold) * 100):g} %" if mean is None else compared(exact(mean), threshold)


def attempt_state(attempt: WayAttempt, *, ended: bool) -> tuple[str, Tone]:
    """Return how far an attempt has come, in words."""
    if attempt.is_passed:
        return ("let pass by a reviewer", "warn") if attempt.is_flagged else ("passed", "good")
    if attempt.is_flagged:
        decision = attempt.review["decision"] if attempt.review else ""
        words = {"close": "closed", "redo": "done again"}.get(decision)
        return (words, "bad") if words else ("flagged", "bad") if ended else ("waits for a reviewer", "bad")
    return ("not ended", "warn") if ended else ("under way", "now")


def outputs_panes(record: Record, way: Sequence[WayAttempt]) -> Iterator[Pane | None]:
    """Yield what finished phases say, layer by layer, and apart from it what attempts said that were redone."""
    latest = {attempt.layer.number: attempt for attempt in way}
    redone = [attempt for attempt in way if latest[attempt.layer.number] is not attempt]
    sections = tuple(_section(record, attempt) for attempt in latest.values())
    yield Pane("outputs", "Layer by layer", sections) if sections else None
    earlier = tuple(_section(record, attempt) for attempt in redone)
    yield Pane("attempts", "Earlier attempts", earlier, counted(len(earlier), "attempt")) if earlier else None


def _section(record: Record, attempt: WayAttempt) -> PaneSection:
    layer = attempt.layer
    gate = _gate(attempt).words
    again = f"attempt {attempt.number}, " if attempt.number > 1 else ""
    hidden = NEVER_OVER if record.verdict else HIDDEN
    blocks = tuple(_outputs(phase, hidden) for phase in attempt.phases if phase.slots)
    return PaneSection(f"{layer.number} {layer.name}", f"{again}{gate}", blocks, attempt.name)


def _outputs(phase: WayPhase, hidden: str) -> ItemList:
    title = f"{phase.type[:1].upper()}{phase.type[1:]}"
    if phase.is_over:
        return ItemList(tuple(_output(slot) for slot in phase.slots), title)
    items = (PaneItem(hidden, tone="soft"), *(_unfinished(slot) for slot in phase.slots))
    return ItemList(items, title)


def _unfinished(slot: WaySlot) -> PaneItem:
    """A slot of a phase that goes on: whether it is filled and by whom, and not with what."""
    words, tone = STATES[slot.state]
    return PaneItem(words, (seat_of_agent(slot.agent),) if slot.agent else (), mark=slot.role, tone=tone)


def _output(slot: WaySlot) -> PaneItem:
    output = slot.output
    if output is None:
        return PaneItem(STATES["gone"][0], mark=slot.role, tone="warn")
    rows = other_rows(output, "content", "confidence")
    return PaneItem(
        str(output.get("content") or output.get("summary", "")),
        (seat_of_agent(slot.agent),),
        mark=slot.role,
        aside=f"{output['confidence']:.0%}",
        link=f"e{slot.seq}",
        under=tuple(PaneItem(words, mark=name) for name, words in rows),
    )


def flags_pane(way: Sequence[WayAttempt]) -> Pane | None:
    """Return every flag: why it was raised, and who cleared it how."""
    rows = tuple(
        PaneRow(
            (
                PaneCell(f"{attempt.layer.number} {attempt.layer.name}", link=attempt.name),
                PaneCell(str(attempt.number), attempt.number),
                PaneCell("; ".join(attempt.gate["reasons"]), tone="bad"),
                PaneCell(attempt.review["decision"] if attempt.review else "waits for a reviewer"),
                PaneCell(attempt.review["note"] if attempt.review else "", aside=_reviewer(attempt)),
            )
        )
        for attempt in way
        if attempt.is_flagged and attempt.gate
    )
    columns = ("Layer", "Attempt", "Why", "Decision", "Note")
    return Pane("flags", "Flags", (PaneTable(columns, rows),), counted(len(rows), "flag")) if rows else None


def _reviewer(attempt: WayAttempt) -> str:
    if attempt.review is None:
        return ""
    own = {slot.agent for phase in attempt.phases for slot in phase.slots}
    return f"{attempt.review['by']}{', one of its own agents' if attempt.review['by'] in own else ''}"


def domain_pane(record: Record) -> Pane | None:
    """Return what the classification voted, and the domain that it gave."""
    told: Item | None = next((note.data for note in reversed(record.notes) if note.name == "domain"), None)
    if told is None:
        return None
    votes: dict[str, list[float]] = {}
    for vote in told["votes"]:
        votes.setdefault(normal_domain(vote["domain"]), []).append(vote["confidence"])
    rows = tuple(
        PaneRow(
            (
                PaneCell(name, tone="good" if name == told["domain"] else ""),
                PaneCell(str(len(sure)), len(sure)),
                PaneCell(f"{sum(sure):.2f}", sum(sure)),
            )
        )
        for name, sure in sorted(votes.items(), key=lambda pair: -len(pair[1]))
    )
    table = PaneTable(("Domain", "Votes", "Summed confidence"), rows)
    return Pane("domain", "Domain", (table,), told["domain"], side=True)


def consensus_pane(record: Record, way: Sequence[WayAttempt]) -> Pane | None:
    """Return the consensus record with the votes behind it; votes alone where there is none."""
    votes = [item for attempt in way for phase in attempt.phases for item in phase.outputs if _is_vote(item[1])]
    told: Item | None = next((note.data for note in reversed(record.notes) if note.name == "consensus"), None)
    if told is None and not votes:
        return None
    rows = tuple(
        PaneRow(
            (
                PaneCell(seats=(seat_of_agent(slot.agent),)),
                PaneCell(output["recommendation"], tone=RECOMMENDATION_TONES.get(output["recommendation"], "")),
                PaneCell(f"{output['confidence']:.0%}", output["confidence"]),
                PaneCell(output["summary"], link=f"e{slot.seq}"),
            )
        )
        for slot, output in votes
    )
    table = PaneTable(("Agent", "Recommends", "Confidence", "Summary"), rows)
    if told is None:
        return Pane("consensus", "Votes", (table,), "no consensus yet")
    summary = TextBlock(told["summary"], f"{told['recommendation']}, written by {told['written_by']}")
    return Pane("consensus", "Consensus", (summary, table), told["recommendation"])


def _is_vote(output: Item) -> bool:
    return "recommendation" in output


def seal_pane(record: Record) -> Pane | None:
    """Return the seal over the slots, once there is one."""
    sealed = record.verdict.detail.get("seal") if record.verdict else None
    if not sealed:
        return None
    words = f"over {counted(len(sealed['slots']), 'slot')}; the board says whether the stored slots still fit it"
    return Pane("seal", "Seal", (ItemList((PaneItem(sealed["sha256"], mark="SHA-256", aside=words),)),), side=True)
