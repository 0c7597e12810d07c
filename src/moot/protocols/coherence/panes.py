"""What a page shows of `coherence`: columns, the heat of scores, paths, faults, and the versions of the response."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from moot.core.events import Answered, Event, Noted
from moot.core.panes import (
    ItemList,
    Pane,
    PaneBlock,
    PaneCell,
    PaneItem,
    PaneRow,
    Panes,
    PaneTable,
    SeatPosition,
    SeatStanding,
    Stage,
    TextBlock,
    TextDiff,
)
from moot.core.record import Record
from moot.core.telling import Narrator
from moot.core.verdict import Verdict
from moot.methods.staging import stage_events, stages_in_order
from moot.methods.tellings import step_parts
from moot.protocols.coherence.column_panes import columns_pane, paths_pane, relations_pane, scores_pane
from moot.protocols.coherence.progress import ShownVersion, TraceProgress, trace_progress
from moot.protocols.coherence.telling import COHERENCE_TELLING
from moot.views.words import counted

STAGES: Mapping[str, str] = {"unfold": "columns", "scores": "scores", "again": "scores"}
QUIET = ("traces", "verified")
"""Findings that have a pane of their own."""


def panes(record: Record) -> Panes:
    """Return the panes of a run, also of one that runs or has failed."""
    progress = trace_progress(record)
    narrator = Narrator(COHERENCE_TELLING, record.header.settings)
    return Panes(
        stages=_stages(record, progress),
        standing=_standing(record, progress, narrator),
        why=tuple(_reasons(record.verdict, progress)) if record.verdict else (),
        rounds="Columns",
        panes=tuple(_panes(record, progress, narrator)),
    )


def _stages(record: Record, progress: TraceProgress) -> tuple[Stage, ...]:
    versions = int(record.header.settings["revisions"]) + 1
    planned = [
        Stage("columns", "Columns", "to come", aside="the first member unfolds the prompt"),
        Stage("scores", "Scores", "to come", aside="what the first call left out"),
        Stage("paths", "Paths", "to come", aside="computed"),
    ]
    planned += [
        Stage(f"version-{number}", f"Version {number}", "to come", aside=_condition(number, progress))
        for number in range(1, versions + 1)
    ]
    now = "" if record.verdict else _under_way(progress, versions)
    return stages_in_order(planned, stage_events(record, _stage_of, "columns"), now)


def _condition(number: int, progress: TraceProgress) -> str:
    return "if the one before fails" if number > max(1, len(progress.versions)) else ""


def _under_way(progress: TraceProgress, versions: int) -> str:
    if progress.paths is None:
        return "scores" if progress.noted("form") else "columns"
    last = progress.versions[-1] if progress.versions else None
    if last is None:
        return "version-1"
    is_next = bool(last.failures) and last.number < versions
    return f"version-{last.number + is_next}"


def _stage_of(event: Event) -> str:
    if isinstance(event, Noted):
        return "paths" if event.name == "traces" else ""
    kind, *rest = step_parts(getattr(event, "step", ""))
    return f"version-{rest[0]}" if kind in ("response", "judge") else STAGES.get(kind, "")


def _standing(record: Record, progress: TraceProgress, narrator: Narrator) -> SeatStanding:
    latest = {event.seat: (seq, event) for seq, event in enumerate(record.events) if isinstance(event, Answered)}
    positions = tuple(
        SeatPosition(seat, narrator.reply(event.step, event.reply).gist, aside=narrator.phase(event.step), event=seq)
        for seat, (seq, event) in latest.items()
    )
    lead = "" if positions else "The first member is asked to unfold the prompt into columns."
    return SeatStanding(positions, _last_version(progress), lead)


def _last_version(progress: TraceProgress) -> str:
    verified = [version for version in progress.versions if version.failures is not None]
    return f"Version {verified[-1].number} {_outcome(verified[-1])}." if verified else ""


def _outcome(version: ShownVersion) -> str:
    if version.failures is None:
        return "is not verified yet"
    fails = f"fails {counted(len(version.failures), 'check')}" if version.failures else "passes every check"
    return fails if version.judged else f"{fails}; no judge has read it"


def _reasons(verdict: Verdict, progress: TraceProgress) -> Iterator[PaneItem]:
    if verdict.answer is None:
        return
    paths = sum(map(len, (progress.paths or {}).values()))
    traces = f"{counted(len(progress.columns), 'column')} and {counted(paths, 'path')}"
    yield PaneItem(f"It was written along {traces} through {counted(len(progress.graphs), 'graph')}.")
    chosen = next((version for version in progress.versions if version.text == verdict.answer), None)
    if chosen:
        yield PaneItem(f"Version {chosen.number} {_outcome(chosen)}.", link=f"e{chosen.event}")
    yield PaneItem(f"There is no confidence: {verdict.confidence.reason}.", tone="soft")


def _panes(record: Record, progress: TraceProgress, narrator: Narrator) -> Iterator[Pane]:
    if record.verdict and record.verdict.answer is None:
        reason = f"There is no response: {record.verdict.stop_reason}."
        yield Pane("ending", "Why there is no response", (ItemList((PaneItem(reason, tone="bad"),)),))
    yield columns_pane(progress)
    if progress.columns:
        yield scores_pane(progress)
    if progress.columns and progress.paths is not None:
        yield paths_pane(progress)
    if progress.versions:
        yield Pane("faults", "Faults", (_faults(progress),), _last_version(progress))
        yield Pane("versions", "Versions of the response", tuple(_versions(record, progress)))
    if progress.columns and (relations := relations_pane(progress)):
        yield relations
    if told := tuple(_told(progress, narrator)):
        yield Pane("reading", "What the program read", (ItemList(told),), side=True)


def _told(progress: TraceProgress, narrator: Narrator) -> Iterator[PaneItem]:
    for item in progress.findings:
        words = "" if item.name in QUIET else narrator.note(item.name, item.data)
        if words:
            yield PaneItem(f"{words[:1].upper()}{words[1:]}.", link=f"e{item.event}")


def _faults(progress: TraceProgress) -> PaneTable:
    rows = tuple(
        PaneRow(
            (
                PaneCell(str(version.number), version.number),
                PaneCell(fault["check"], tone="bad"),
                PaneCell(fault["by"]),
                PaneCell(fault["detail"], link=f"e{version.event}"),
            )
        )
        for version in progress.versions
        for fault in version.failures or ()
    )
    return PaneTable(("version", "check", "by", "what is wrong"), rows, filters=("by",), empty="No fault was seen.")


def _versions(record: Record, progress: TraceProgress) -> Iterator[PaneBlock]:
    answer = record.verdict.answer if record.verdict else None
    first = progress.versions[0]
    yield TextBlock(first.text, _title(first, answer))
    for before, after in pairwise(progress.versions):
        yield TextDiff(before.text, after.text, _title(after, answer))


def _title(version: ShownVersion, answer: str | None) -> str:
    given = ", given as the answer" if version.text == answer else ""
    return f"Version {version.number} {_outcome(version)}{given}"
