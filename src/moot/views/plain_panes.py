"""What a page shows of any record, without its protocol's help: phases in the order they came, the latest replies."""

from collections.abc import Iterator, Sequence

from moot.core.events import Answered
from moot.core.panes import PaneItem, Panes, SeatPosition, SeatStanding, Stage, StageState
from moot.core.record import Record
from moot.core.telling import Narrator
from moot.core.verdict import Verdict
from moot.views.transcript import BEFORE
from moot.views.words import agreement_words, one_line, turnout_words

MOST_STAGES = 12
"""Phases that stand by themselves; of more, the first stand as one."""


def plain_panes(record: Record, narrator: Narrator) -> Panes:
    """Return what any record tells, in the words of a narrator; what is to come is not known."""
    return Panes(
        stages=_stages(record, narrator),
        standing=_standing(record, narrator),
        why=tuple(_reasons(record.verdict, record)) if record.verdict else (),
    )


def _stages(record: Record, narrator: Narrator) -> tuple[Stage, ...]:
    """A stage for each stretch of events in one phase; what comes before the first step belongs to it."""
    stretches: list[tuple[str, int, int]] = []
    phase = ""
    for seq, event in enumerate(record.events):
        if step := getattr(event, "step", ""):
            phase = narrator.phase(step)
        words, first, events = stretches[-1] if stretches else ("", seq, 0)
        if stretches and words in ("", phase):
            stretches[-1] = (phase, first, events + 1)
        else:
            stretches.append((phase, seq, 1))
    stretches = _with_few(stretches)
    last = len(stretches)
    return tuple(
        Stage(f"phase-{number}", words or BEFORE, _state(record, is_last=number == last), events, first)
        for number, (words, first, events) in enumerate(stretches, 1)
    )


def _state(record: Record, *, is_last: bool) -> StageState:
    return "now" if is_last and record.verdict is None else "done"


def _with_few(stretches: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    many = len(stretches) - MOST_STAGES + 1
    if many <= 1:
        return stretches
    earlier = (f"{many} earlier phases", stretches[0][1], sum(events for _, _, events in stretches[:many]))
    return [earlier, *stretches[many:]]


def _standing(record: Record, narrator: Narrator) -> SeatStanding:
    latest: dict[str, tuple[int, Answered]] = {}
    for seq, event in enumerate(record.events):
        if isinstance(event, Answered):
            latest[event.seat] = (seq, event)
    positions = tuple(_position(seq, event, narrator) for seq, event in latest.values())
    return SeatStanding(
        positions, _agreement(positions, len(record.header.panel)), "" if positions else "Nobody is heard yet."
    )


def _position(seq: int, event: Answered, narrator: Narrator) -> SeatPosition:
    said = narrator.reply(event.step, event.reply).gist
    return SeatPosition(event.seat, said, aside=narrator.phase(event.step), event=seq)


def _agreement(positions: Sequence[SeatPosition], asked: int) -> str:
    """How many agree, where all were asked the same: an answer and a vote on it are not to be compared."""
    if len({position.aside for position in positions}) != 1:
        return ""
    return agreement_words([position.answer for position in positions], asked)


def _reasons(verdict: Verdict, record: Record) -> Iterator[PaneItem]:
    if verdict.answer is None:
        return
    reason = verdict.confidence.reason
    if reason:
        yield PaneItem(f"{reason[:1].upper()}{reason[1:]}.")
    if turnout := turnout_words(verdict):
        yield PaneItem(f"{turnout} answered.")
    if verdict.dissent:
        others = "; ".join(f"“{one_line(item.answer, 80)}”" for item in verdict.dissent)
        holders = {name for item in verdict.dissent for name in item.held_by}
        seats = tuple(member.name for member in record.header.panel if member.name in holders)
        yield PaneItem(f"Against it: {others}", seats)
