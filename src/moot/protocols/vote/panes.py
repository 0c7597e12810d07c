"""What a page shows of a vote: the tally, every run, and why sampling stopped."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from moot.core.events import Answered, Event, Unanswered
from moot.core.panes import (
    ItemList,
    Pane,
    PaneCell,
    PaneItem,
    PaneRow,
    Panes,
    PaneTable,
    SeatPosition,
    SeatStanding,
    Stage,
)
from moot.core.record import Record
from moot.core.verdict import Verdict
from moot.methods.runs import FORM_WORDS, Form
from moot.methods.runs.run_words import number_in
from moot.methods.sampling import WAVE, Sampling, sampling_of
from moot.methods.staging import stage_events, stages_in_order
from moot.methods.tellings import shown_words
from moot.protocols.vote.ballots import CountedWave, RunBallot, VoteProgress, vote_progress
from moot.views.words import counted, one_line

RULES = {
    "lead": "It stops as soon as the leader is ahead of the second with a chance of at least 0.95.",
    "sure": "It stops as soon as no further run could change the winner.",
    "all": "A fixed number of runs is asked, whatever the votes say.",
}


def panes(record: Record) -> Panes:
    """Return the panes of a vote, also of one that runs."""
    settings = record.header.settings
    return vote_panes(record, sampling_of(settings["stop"], settings["most"], settings["n"]))


def vote_panes(record: Record, sampling: Sampling) -> Panes:
    """Return the panes of a vote that samples by this rule."""
    progress = vote_progress(record)
    return Panes(
        stages=_stages(record, progress, sampling),
        standing=_standing(progress),
        why=tuple(_reasons(record.verdict, progress)) if record.verdict else (),
        rounds="Runs",
        panes=(_tally(record, progress), _runs(progress), _stopping(record, progress, sampling)),
    )


def _stages(record: Record, progress: VoteProgress, sampling: Sampling) -> tuple[Stage, ...]:
    """The waves that were counted and those that may come; a wave over further paragraphs is one more than planned."""
    begun = len(progress.waves) + any(not ballot.form for ballot in progress.ballots)
    most = max(begun, -(-sampling.most // sampling.wave), 1)
    planned = [_wave(wave, progress.waves, sampling) for wave in range(1, most + 1)]
    is_over = begun == len(progress.waves) and begun
    now = "" if record.verdict else planned[min(begun if is_over else max(begun, 1) - 1, most - 1)].name
    return stages_in_order(planned, stage_events(record, _wave_of(progress.waves), planned[0].name), now)


def _wave(wave: int, waves: Sequence[CountedWave], sampling: Sampling) -> Stage:
    before = waves[wave - 2].asked if 1 < wave <= len(waves) + 1 else (wave - 1) * sampling.wave
    last = waves[wave - 1].asked if wave <= len(waves) else max(before + 1, min(before + sampling.wave, sampling.most))
    words = f"Runs {before + 1} to {last}" if last > before + 1 else f"Run {last}"
    return Stage(
        f"wave-{wave}", words, "to come", aside="" if wave <= len(waves) or wave == 1 else "if it is not decided"
    )


def _wave_of(waves: Sequence[CountedWave]) -> Callable[[Event], str]:
    """Return what names the wave of an event: that of its run, or that of the event before."""

    firsts = (0, *(item.asked for item in waves))
    by_run = [wave for wave, (first, asked) in enumerate(pairwise(firsts), 1) for _ in range(first, asked)]

    def wave_of(event: Event) -> str:
        if not isinstance(event, Answered | Unanswered):
            return ""
        number = number_in(event.step)
        return f"wave-{by_run[number - 1] if number <= len(by_run) else len(waves) + 1}"

    return wave_of


def _standing(progress: VoteProgress) -> SeatStanding:
    by_seat: dict[str, list[RunBallot]] = {}
    for ballot in progress.ballots:
        by_seat.setdefault(ballot.seat, []).append(ballot)
    positions = tuple(_position(seat, ballots) for seat, ballots in by_seat.items())
    lead = "" if positions else "No run is in yet: a wave is shown when all of it has answered."
    return SeatStanding(positions, _agreement(progress), lead)


def _position(seat: str, ballots: Sequence[RunBallot]) -> SeatPosition:
    """The answer that most runs of a seat give; of several the first."""
    votes = Counter(ballot.answer for ballot in ballots if ballot.answer)
    if not votes:
        return SeatPosition(seat, "", aside=ballots[-1].problem, event=ballots[-1].event)
    answer, number = votes.most_common(1)[0]
    last = next(ballot for ballot in reversed(ballots) if ballot.answer == answer)
    aside = f"{number} of {counted(len(ballots), 'run')}" if len(ballots) > 1 else ""
    return SeatPosition(seat, answer, aside=aside, event=last.event)


def _agreement(progress: VoteProgress) -> str:
    if not progress.waves:
        return ""
    last = progress.waves[-1]
    if not last.votes:
        return f"None of {counted(last.asked, 'run')} has an answer that can be used."
    votes = last.votes[0]
    leaders = [f"“{one_line(answer, 80)}”" for answer, runs in progress.candidates if len(runs) == votes]
    others = len(last.votes) - len(leaders)
    beside = f", with {counted(others, 'other answer')} beside" if others else ""
    each = " each" if len(leaders) > 1 else ""
    return f"{votes} of {counted(last.asked, 'run')}{each} say {' and '.join(leaders)}{beside}."


def _reasons(verdict: Verdict, progress: VoteProgress) -> Iterator[PaneItem]:
    if verdict.answer is None:
        return
    yield PaneItem(_agreement(progress))
    yield PaneItem(f"{verdict.stop_reason[:1].upper()}{verdict.stop_reason[1:]}.")
    if ways := _ways(verdict):
        yield PaneItem(ways)


def _ways(verdict: Verdict) -> str:
    ways = verdict.detail.get("ways", {})
    if ways.get("agree") is None:
        return ""
    told = ", ".join(f"{_form(form)} {answer or 'nothing'}" for form, answer in ways["leaders"].items())
    return f"The two ways of asking {'agree' if ways['agree'] else 'differ'}: {told}."


def _form(form: str) -> str:
    words: Mapping[Form, str] = FORM_WORDS
    return next((text for name, text in words.items() if name == form), form)


def _tally(record: Record, progress: VoteProgress) -> Pane:
    seats = {ballot.run: ballot.seat for ballot in progress.ballots}
    asked = progress.waves[-1].asked if progress.waves else 0
    leader = max((len(runs) for _, runs in progress.candidates), default=0)
    rows = tuple(
        PaneRow(
            (
                PaneCell(answer, tone="good" if len(runs) == leader else ""),
                PaneCell(str(len(runs)), len(runs)),
                PaneCell(f"{len(runs) / asked:.0%}", len(runs) / asked),
                PaneCell(", ".join(runs), seats=tuple(dict.fromkeys(seats[run] for run in runs if run in seats))),
            )
        )
        for answer, runs in progress.candidates
    )
    without = asked - sum(len(runs) for _, runs in progress.candidates)
    aside = f"{without} of {counted(asked, 'run')} without a vote" if without else f"of {counted(asked, 'run')}"
    empty = "Nothing is counted yet." if record.verdict is None else "No run has a vote."
    table = PaneTable(("answer", "votes", "share", "runs"), rows, empty=empty)
    return Pane("tally", "Votes", (table,), aside if asked else "")


def _runs(progress: VoteProgress) -> Pane:
    columns = ("run", "seat", "asked for", "answer", "found")
    rows = tuple(map(_run, progress.ballots))
    table = PaneTable(columns, rows, filters=("asked for", "answer"), empty="No run is in yet.")
    return Pane("runs", "Runs", (table,), counted(len(rows), "run"))


def _run(ballot: RunBallot) -> PaneRow:
    notes = [ballot.problem] if ballot.problem else []
    tone = "warn" if notes or ballot.findings else ""
    answer = PaneCell(ballot.answer, link=f"e{ballot.event}", items=tuple(map(PaneItem, ballot.steps)))
    return PaneRow(
        (
            PaneCell(ballot.run),
            PaneCell(ballot.seat, seats=(ballot.seat,)),
            PaneCell(_form(ballot.form)),
            answer,
            PaneCell("; ".join([*notes, *ballot.findings]), tone=tone),
        )
    )


def _stopping(record: Record, progress: VoteProgress, sampling: Sampling) -> Pane:
    """The rule, how the votes stood after each wave, and what was shown, in the order of the record."""
    most = f"At most {counted(sampling.most, 'run')}, {min(WAVE, sampling.most)} at a time. "
    items = [PaneItem(("" if sampling.stop == "all" else most) + RULES[sampling.stop])]
    items += [PaneItem(_wave_words(wave), link=f"e{wave.event}") for wave in progress.waves]
    items += [PaneItem(shown_words(note.data), tone="soft") for note in record.notes if note.name == "shown"]
    if record.verdict:
        reason = record.verdict.stop_reason
        items.append(PaneItem(f"{reason[:1].upper()}{reason[1:]}.", mark="end", tone="good"))
    return Pane(
        "stopping", "Why it stopped" if record.verdict else "When it stops", (ItemList(tuple(items)),), side=True
    )


def _wave_words(wave: CountedWave) -> str:
    leader, second, *_ = (*wave.votes, 0, 0)
    return f"After {counted(wave.asked, 'run')}: {leader} to {second}."
