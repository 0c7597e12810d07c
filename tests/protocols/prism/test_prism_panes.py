"""What a page shows of a claim: of finished phases everything, of an unfinished one nothing that it has brought."""

import re
from dataclasses import replace

import pytest

from moot.core.events import Answered, Event, Filled, Opened
from moot.core.panes import PaneCell, Panes, SeatPosition
from moot.core.record import Record
from moot.protocols.prism.panes import panes
from tests.protocols.panes_kit import golden_record, parts_of, prefixes, stopped, texts_in

HIDDEN = "What its slots say is shown when the phase is over."


def marked(name: str) -> Record:
    """Return a golden record in which every slot says what no other says, and is as sure as no other."""
    counted = iter(range(1, 1000))

    def own(event: Event) -> Event:
        if isinstance(event, Filled | Answered) and "content" in event.reply:
            sure = next(counted) / 1000
            return replace(
                event, reply={**event.reply, "content": f"<{event.step.partition('@')[0]}>", "confidence": sure}
            )
        return event

    return Record(tuple(map(own, golden_record(name).events)))


def phase_of(step: str) -> str:
    return step.rpartition("/")[0]


def slots_by_phase(record: Record) -> tuple[dict[str, set[str]], dict[str, float]]:
    """Return the slots of each phase, by what they are opened as, and how sure each is that was filled."""
    opened: dict[str, set[str]] = {}
    sure: dict[str, float] = {}
    for event in record.events:
        if isinstance(event, Opened) and not event.step.endswith("/review"):
            opened.setdefault(phase_of(event.step), set()).add(event.step)
        elif isinstance(event, Filled) and "confidence" in event.reply:
            sure[event.step] = event.reply["confidence"]
    return opened, sure


def said_in(shown: Panes) -> set[str]:
    return set(re.findall(r"<(L\d[^<>]*)>", " ".join(texts_in(shown))))


@pytest.mark.parametrize("name", ["prism_closed", "prism_whole"])
def test_what_an_unfinished_phase_has_brought_is_shown_to_nobody_and_what_a_finished_one_has_is(name: str) -> None:
    record = marked(name)
    whole, _ = slots_by_phase(record)

    for part in prefixes(record):
        _, sure = slots_by_phase(part)
        over = {step for phase in whole.values() if phase <= sure.keys() for step in phase}
        for shown in (panes(part), panes(stopped(part))):
            assert said_in(shown) == over
            figures = {one.number for one in parts_of(shown) if isinstance(one, PaneCell)}
            figures |= {one.confidence for one in parts_of(shown) if isinstance(one, SeatPosition)}
            assert not figures & {value for step, value in sure.items() if step not in over}


def test_an_unfinished_phase_says_that_it_is_one_and_who_has_filled_what() -> None:
    record = golden_record("prism_whole")
    half = next(seq for seq, event in enumerate(record.events) if isinstance(event, Filled))

    shown = panes(Record(record.events[: half + 1]))

    assert HIDDEN in texts_in(shown)
    assert shown.standing.lead == (
        "Layer 1 of 7, Framing, work: 1 of 2 slots filled; what they say is shown when the phase is over."
    )
    assert shown.standing.positions == ()
    assert [stage.aside for stage in shown.stages if stage.state == "now"] == ["work, 1 of 2"]


def test_a_claim_that_is_flagged_waits_and_a_layer_that_is_redone_keeps_its_earlier_attempt() -> None:
    record = golden_record("prism_whole")
    flag = next(seq for seq, event in enumerate(record.events) if getattr(event, "name", "") == "flag")

    waiting, whole = panes(Record(record.events[: flag + 2])), panes(record)

    assert waiting.standing.lead == "Layer 3 of 7, Evidence, is flagged and waits for a reviewer."
    assert [pane.name for pane in whole.panes] == [
        "layers",
        "consensus",
        "outputs",
        "attempts",
        "flags",
        "domain",
        "seal",
    ]
    assert whole.why[2].words == "Flagged on the way: layer 3 (Ada had it done again), layer 6 (Ada let it advance)."
