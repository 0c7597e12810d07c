"""What a page shows of one answer: the reasoning that leads to it."""

from collections.abc import Iterator

from moot.core.events import Answered
from moot.core.panes import Pane, PaneBlock, PaneItem, Panes, SeatPosition, SeatStanding, Stage, TextBlock
from moot.core.record import Record
from moot.views.words import one_line

LONGEST_REASON = 300
NOT_YET = "The member is being asked."


def panes(record: Record) -> Panes:
    """Return the panes of one answer, also of one that has not come."""
    answers = [(seq, event) for seq, event in enumerate(record.events) if isinstance(event, Answered)]
    positions = tuple(
        SeatPosition(event.seat, event.reply["answer"], event.reply.get("confidence"), event=seq)
        for seq, event in answers
    )
    blocks = tuple(block for _, event in answers for block in _blocks(event))
    return Panes(
        stages=(Stage("answer", "One answer", "done" if record.verdict else "now", len(record.events), 0),),
        standing=SeatStanding(positions, lead="" if positions or record.verdict else NOT_YET),
        why=tuple(_reasons(record, answers)) if record.verdict else (),
        rounds="Reasoning",
        panes=(Pane("reasoning", "Reasoning", blocks, "nobody checked it"),) if blocks else (),
    )


def _blocks(event: Answered) -> Iterator[PaneBlock]:
    yield TextBlock(event.reply.get("reasoning") or "It gave no reasons.", f"What {event.seat} says")
    if event.reasoning:
        yield TextBlock(event.reasoning, "What the model thought first, which is no part of its reply")


def _reasons(record: Record, answers: list[tuple[int, Answered]]) -> Iterator[PaneItem]:
    for seq, event in answers:
        if reasoning := event.reply.get("reasoning"):
            yield PaneItem(one_line(reasoning, LONGEST_REASON), (event.seat,), link=f"e{seq}")
    if record.verdict and record.verdict.answer is not None:
        yield PaneItem(f"{record.verdict.confidence.reason[:1].upper()}{record.verdict.confidence.reason[1:]}.")
