"""The runs of a vote as its record tells them, wave by wave; the verdict adds what was recomputed of each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from moot.core.events import Answered, Noted, Unanswered
from moot.core.record import Record
from moot.methods.programs import in_digits, worked_out
from moot.methods.runs import Form, Run, abstention
from moot.methods.runs.reading import NO_ANSWER
from moot.methods.runs.run_words import prose_told
from moot.methods.runs.seating import alike_runs, seated_runs
from moot.methods.votes import answer_line

Replies = Mapping[str, tuple[int, Answered | Unanswered]]
"""What came of each step, with the seq of its event."""


@dataclass(frozen=True, slots=True)
class RunBallot:
    """A run: who was asked how, what it answers or why it has no vote, and what was found in it."""

    run: str
    seat: str
    form: str
    """Empty as long as its wave is not counted."""
    event: int
    answer: str = ""
    problem: str = ""
    steps: tuple[str, ...] = ()
    """The lines of its program with their values."""
    findings: tuple[str, ...] = ()
    """What is false in it, and what it assumes."""


@dataclass(frozen=True, slots=True)
class CountedWave:
    """How the votes stood after a wave: runs asked so far, and the votes of each answer, most first."""

    wave: int
    asked: int
    votes: tuple[int, ...]
    event: int


@dataclass(frozen=True, slots=True)
class VoteProgress:
    """All runs whose replies are in, and the count after each wave."""

    ballots: tuple[RunBallot, ...]
    waves: tuple[CountedWave, ...]
    candidates: tuple[tuple[str, tuple[str, ...]], ...]
    """The answers as they were last counted, most votes first, with the ids of their runs."""


def vote_progress(record: Record) -> VoteProgress:
    """Return the runs and counts of a vote so far."""
    forms: Sequence[Form] = ("plain",)
    replies: dict[str, tuple[int, Answered | Unanswered]] = {}
    ballots: list[RunBallot] = []
    waves: list[CountedWave] = []
    candidates: Sequence[Mapping[str, Any]] = ()
    for seq, event in enumerate(record.events):
        match event:
            case Answered() | Unanswered():
                replies[event.step] = (seq, event)
            case Noted(name="forms"):
                forms = event.data["forms"]
            case Noted(name="counted"):
                before = waves[-1].asked if waves else 0
                candidates = event.data["candidates"]
                votes = tuple(len(item["runs"]) for item in candidates)
                waves.append(CountedWave(event.data["wave"], event.data["asked"], votes, seq))
                size = waves[-1].asked - before
                runs = seated_runs(forms, size, waves[-1].wave, before, 0, record.header.panel)
                ballots += _read(runs, replies, record)
                replies = {}
    ballots += [_uncounted(seq, event) for seq, event in replies.values()]
    last = tuple((item["answer"], tuple(item["runs"])) for item in candidates)
    return VoteProgress(_with_findings(ballots, record), tuple(waves), last)


def _read(runs: Sequence[Run], replies: Replies, record: Record) -> Iterator[RunBallot]:
    placed = {run.id: run for group in alike_runs(runs) for run in group}
    for run in (placed[run.id] for run in runs):
        if run.step in replies:
            yield _ballot(run, *replies[run.step], record)


def _uncounted(seq: int, event: Answered | Unanswered) -> RunBallot:
    """A run whose wave is not counted: in which form it was asked is known only then."""
    ballot = RunBallot(event.step.removeprefix("run/"), event.seat, "", seq)
    if isinstance(event, Unanswered):
        return replace(ballot, problem=event.missing.reason)
    return replace(ballot, answer=prose_told(str(event.reply.get("text", ""))).gist)


def _ballot(run: Run, seq: int, event: Answered | Unanswered, record: Record) -> RunBallot:
    ballot = RunBallot(run.id, run.seat, run.form, seq)
    if isinstance(event, Unanswered):
        return replace(ballot, problem=event.missing.reason)
    answer = _answer(str(event.reply.get("text", "")), run.form, record)
    return replace(ballot, answer=answer, problem="" if answer else NO_ANSWER)


def _answer(text: str, form: str, record: Record) -> str:
    """What a reply states, or what its program comes to; of a program that comes to nothing only that it abstains."""
    program = worked_out(text) if form == "program" else None
    if program and program.value is not None:
        return in_digits(program.value)
    stated = answer_line(text)
    return abstention(stated, record.header.question) or ("" if program else stated)


def _with_findings(ballots: Sequence[RunBallot], record: Record) -> tuple[RunBallot, ...]:
    """The runs as the verdict has them, where there is one that tells of them."""
    votes = record.verdict.detail.get("votes", ()) if record.verdict else ()
    told = {vote["run"]: vote for vote in votes}
    return tuple(_with_finding(ballot, told[ballot.run]) if ballot.run in told else ballot for ballot in ballots)


def _with_finding(ballot: RunBallot, vote: Mapping[str, Any]) -> RunBallot:
    wrong = [f"false: {item['sentence']} ({item['how']})" for item in vote["equations"] if item["verdict"] == "false"]
    assumed = [f"assumes {', '.join(vote['assumed'])}"] if vote["assumed"] else []
    steps = tuple(f"{step['name']} = {step['expression']} = {step['value']}" for step in vote["steps"])
    return replace(ballot, answer=vote["answer"], problem=vote["problem"], steps=steps, findings=(*wrong, *assumed))
