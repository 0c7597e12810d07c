"""A council on a page: its stages done and to come, what each member answers, and the ranking once it is there."""

from collections.abc import Mapping
from typing import Any

from moot.protocol import (
    Pane,
    PaneCell,
    PaneItem,
    PaneRow,
    Panes,
    PaneTable,
    Record,
    SeatPosition,
    SeatStanding,
    Stage,
)
from moot_council.wording import count_text

STAGES = {"answer": "Answers", "ranking": "Rankings", "chairman": "Chairman"}
CLOSING = {"answers": "answer", "ranking": "ranking"}
COLUMNS = ("place", "answer", "held by", "mean rank", "Borda")


def council_panes(record: Record) -> Panes:
    """Return what a page shows of a council, one that still sits too."""
    notes = {note.name: note.data for note in record.notes}
    answers, ranking = notes.get("answers", ()), notes.get("ranking", {}).get("ranking", ())
    held = {answer["entry"]: answer for answer in answers}
    return Panes(
        stages=stages_of(record),
        standing=SeatStanding(positions_of(record), count_text(len(held), "different answer") + "." if held else ""),
        why=(PaneItem(record.verdict.confidence.reason),) if record.verdict and record.verdict.answer else (),
        rounds="Rankings" if ranking else "",
        panes=(ranking_pane(ranking, held),) if ranking else (),
    )


def stages_of(record: Record) -> tuple[Stage, ...]:
    """Return the three stages. What is no step belongs where the event before it does; a note closes its stage."""
    firsts: dict[str, int] = {}
    counts, place, now = dict.fromkeys(STAGES, 0), "answer", "answer"
    for seq, event in enumerate(record.events):
        place = getattr(event, "step", place).partition("/")[0]
        firsts.setdefault(place, seq)
        counts[place] += 1
        closed = CLOSING.get(getattr(event, "name", ""))
        now = list(STAGES)[list(STAGES).index(closed) + 1] if closed else now
    return tuple(
        Stage(name, words, state_of(record, name, now, counts[name]), counts[name], firsts.get(name))
        for name, words in STAGES.items()
    )


def state_of(record: Record, name: str, now: str, events: int) -> Any:
    """Return whether a stage is done, under way or to come; at the end, one that was not needed was skipped."""
    if record.verdict:
        return "done" if events else "skipped"
    return "now" if name == now else "done" if events else "to come"


def positions_of(record: Record) -> tuple[SeatPosition, ...]:
    """Return what each member answered, with the event that says so."""
    return tuple(
        SeatPosition(event.seat, event.reply["answer"], event=seq)
        for seq, event in enumerate(record.events)
        if event.kind == "answered" and event.step.startswith("answer/")
    )


def ranking_pane(ranking: list[Mapping[str, Any]], held: Mapping[str, Mapping[str, Any]]) -> Pane:
    """Return the common ranking as a table."""
    rows = tuple(ranking_row(line, held[line["entry"]]) for line in ranking)
    return Pane("ranking", "The common ranking", (PaneTable(COLUMNS, rows),))


def ranking_row(line: Mapping[str, Any], answer: Mapping[str, Any]) -> PaneRow:
    """Return one line of it; figures have their number, by which the page sorts them."""
    figures = (line["mean_rank"], line["borda"])
    return PaneRow(
        (
            PaneCell(str(line["place"]), line["place"]),
            PaneCell(answer["answer"]),
            PaneCell(seats=tuple(answer["held_by"])),
            *(PaneCell(f"{figure:.2f}", figure) for figure in figures),
        )
    )
