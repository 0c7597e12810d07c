"""An interrogation on a page, also while it runs: its stages, how the votes stand, why the answer is believed. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from moot.core.events import Answered, Event, Noted, Unanswered
from moot.core.panes import PaneItem, Panes, SeatPosition, SeatStanding, Stage
from moot.core.record import Record
from moot.core.verdict import Verdict
from moot.methods.runs.seating import alike_runs, seated_runs
from moot.methods.staging import stage_events, stages_in_order
from moot.methods.tellings import first_few, quoted, step_parts
from moot.protocols.interrogation.rules import verify_of
from moot.views.words import counted, one_line

Item = Mapping[str, Any]

FAN_OUT, GIVEN_CHECK, MERGE, ASSESS, VERIFY = "fan-out", "given-check", "merge", "assess", "verify"
READ = {GIVEN_CHECK: "Given-check", MERGE: "Merge", ASSESS: "Assess"}
"""What the program does by itself once the votes are in."""
STAGE_OF_NOTE = {"forms": FAN_OUT, "shown": FAN_OUT, "counted": FAN_OUT, "run read": GIVEN_CHECK, "merged": MERGE}


def panes(record: Record) -> Panes:
    """Return what a page shows of an interrogation beside its answer."""
    verdict = record.verdict
    return Panes(
        stages=_stages(record),
        standing=SeatStanding() if verdict else _standing(record),
        why=tuple(_why(verdict)) if verdict else (),
        argument=verdict is None or "graph" in verdict.detail,
    )


def _last_note(record: Record, name: str) -> Item:
    """The data of the last note of a name; nothing where there is none."""
    return next((note.data for note in reversed(record.notes) if note.name == name), {})


def _stages(record: Record) -> tuple[Stage, ...]:
    first = next((note for note in record.notes if note.name == "assessed"), None)

    def stage_of(event: Event) -> str:
        if isinstance(event, Noted):
            return ASSESS if event is first else STAGE_OF_NOTE.get(event.name, "")
        if not isinstance(event, Answered | Unanswered):
            return ""
        kind, number, *_ = (*step_parts(event.step), "")
        return f"{VERIFY}-{number}" if kind in (VERIFY, "follows") else FAN_OUT

    counts = stage_events(record, stage_of, FAN_OUT)
    rounds = max((int(name.rpartition("-")[2]) for name in counts if name.startswith(f"{VERIFY}-")), default=0)
    now = "" if record.verdict else _now(record, next(reversed(counts)), rounds)
    planned = [Stage(FAN_OUT, "Fan out", "done", aside=_asked_so_far(record))]
    # What is read without a fault, and merged without a word, is done all the same.
    planned += [Stage(name, words, "done" if first else "to come") for name, words in READ.items()]
    reached = max(rounds, int(now.rpartition("-")[2]) if now.startswith(f"{VERIFY}-") else 0)
    planned += [Stage(f"{VERIFY}-{number}", f"Verify {number}", "to come") for number in range(1, reached + 1)]
    if now and _may_verify(record):
        planned.append(
            Stage(f"{VERIFY}-{reached + 1}", f"Verify {reached + 1}", "to come", aside="if claims stay disputed")
        )
    return stages_in_order(planned, counts, now)


def _now(record: Record, last: str, rounds: int) -> str:
    """The stage that is under way: what was found disputed is verified next."""
    event = record.events[-1]
    is_assessed = isinstance(event, Noted) and event.name == "assessed"
    if is_assessed and event.data.get("disputed") and _may_verify(record):
        return f"{VERIFY}-{rounds + 1}"
    return last


def _may_verify(record: Record) -> bool:
    forms = _last_note(record, "forms").get("forms", ())
    wanted = record.header.settings.get("verify", "auto")
    return not forms or verify_of(wanted, tuple(forms)) != "never"


def _asked_so_far(record: Record) -> str:
    asked = _last_note(record, "counted").get("asked", 0)
    return counted(asked, "run") if asked else ""


def _standing(record: Record) -> SeatStanding:
    """The answers that the seats' runs give, as they were last counted, and what holds the first one up."""
    votes = _last_note(record, "counted")
    if not votes:
        return SeatStanding(lead="No run is counted yet: a wave is shown when all of it has answered.")
    assessed = _last_note(record, "assessed")
    lead = _held_up(assessed, votes) if assessed else "The argument is drawn once the runs are merged."
    return SeatStanding(tuple(_positions(record, votes)), _agreement(votes), lead)


def _positions(record: Record, votes: Item) -> Iterator[SeatPosition]:
    """What most runs of a seat answer, with how many those are."""
    answers = {run: item["answer"] for item in votes["candidates"] for run in item["runs"]}
    placed = _placed_runs(record)
    for member in record.header.panel:
        runs = [run for run, (seat, _) in placed.items() if seat == member.name]
        given = Counter(answers[run] for run in runs if run in answers)
        if not given:
            continue
        answer, number = given.most_common(1)[0]
        seq = max(placed[run][1] for run in runs if answers.get(run) == answer)
        yield SeatPosition(member.name, answer, aside=f"{number} of {counted(len(runs), 'run')}", event=seq)


def _placed_runs(record: Record) -> dict[str, tuple[str, int]]:
    """The seat of each run that was counted, and the seq of what came of it."""
    seqs: dict[str, int] = {}
    placed: dict[str, tuple[str, int]] = {}
    forms: Any = ("plain",)
    asked = 0
    for seq, event in enumerate(record.events):
        if isinstance(event, Answered | Unanswered):
            seqs[event.step] = seq
        elif isinstance(event, Noted) and event.name == "forms":
            forms = event.data["forms"]
        elif isinstance(event, Noted) and event.name == "counted":
            size = event.data["asked"] - asked
            runs = seated_runs(forms, size, event.data["wave"], asked, 0, record.header.panel)
            flat = (run for group in alike_runs(runs) for run in group)
            placed |= {run.id: (run.seat, seqs[run.step]) for run in flat if run.step in seqs}
            asked = event.data["asked"]
    return placed


def _agreement(votes: Item) -> str:
    asked, candidates = votes["asked"], votes["candidates"]
    if not candidates:
        return f"None of {counted(asked, 'run')} has an answer that can be used."
    told = [f"{len(item['runs'])} “{one_line(item['answer'], 80)}”" for item in candidates]
    without = asked - sum(len(item["runs"]) for item in candidates)
    lost = f"; {without} without a vote" if without else ""
    return f"The votes of {counted(asked, 'run')}: {first_few(told)}{lost}."


def _held_up(assessed: Item, votes: Item) -> str:
    """What holds up the candidate that stands first, and how much is in dispute."""
    disputed = len(assessed["disputed"])
    dispute = f"{counted(disputed, 'claim')} disputed" if disputed else "nothing is disputed"
    top = next((item for item in assessed["candidates"] if not item["refuted"]), None)
    if top is None:
        return f"No conclusion stands; {dispute}."
    run = top["id"].partition(":")[0]
    answer = next((item["answer"] for item in votes["candidates"] if run in item["runs"]), "")
    lines = f"{quoted([one_line(answer, 80)])} has {_width_words(top['width'], top.get('surviving_width'))}"
    return f"{lines}; {dispute}."


def _width_words(width: int, surviving: int | None) -> str:
    """Both widths where they differ: a road through a claim that is defeated is counted in the first alone."""
    told = counted(width, "independent line") + " of support"
    if surviving is None or surviving == width:
        return told
    return f"{told}, of which {surviving} still {'stands' if surviving == 1 else 'stand'}"


def _why(verdict: Verdict) -> Iterator[PaneItem]:
    """The roads to the answer, what would have to be wrong, and what is in doubt."""
    detail, link = verdict.detail, "argument" if "graph" in verdict.detail else ""
    if verdict.answer is None and not link:
        return
    if not link:
        yield PaneItem(f"{_given_by(verdict)}. No argument is drawn of an answer that there is none.")
        return
    width, surviving = detail.get("support_width", 0), _surviving_width(detail)
    yield PaneItem(f"It has {_width_words(width, surviving)}. {_given_by(verdict)}.", link=link)
    if wrong := detail.get("must_be_wrong", ()):
        yield _cut(wrong, together=bool(detail.get("together")))
    doubts = "; ".join(_doubts(detail))
    yield PaneItem(f"{doubts}." if doubts else "Nothing is disputed, and every claim has its sentence.", link=link)


def _given_by(verdict: Verdict) -> str:
    """How many runs give the answer, of all that were asked."""
    share, _, _ = (verdict.confidence.reason or "").partition(", as ")
    return f"{share} give it" if share else "Nobody gives it"


def _surviving_width(detail: Item) -> int | None:
    """The width without roads through defeated claims; earlier versions tell it with the candidate alone."""
    told = detail.get("surviving_width")
    if told is not None:
        return told
    first = detail.get("conclusion_node")
    return next((item.get("surviving_width") for item in detail.get("candidates", ()) if item.get("id") == first), None)


def _cut(wrong: Any, *, together: bool) -> PaneItem:
    claims = first_few(quoted([one_line(item["claim"], 120)]) for item in wrong)
    if len(wrong) == 1:
        return PaneItem(f"It falls if this is wrong: {claims}.", link=f"claim:{wrong[0]['id']}")
    all_of = f"all {len(wrong)} of these together are" if together else f"any one of these {len(wrong)} is"
    return PaneItem(f"It falls if {all_of} wrong: {claims}.", link="argument")


def _doubts(detail: Item) -> Iterator[str]:
    if disputed := detail.get("disputed"):
        yield f"{counted(len(disputed), 'claim')} disputed"
    if ungrounded := detail.get("ungrounded"):
        yield f"{counted(len(ungrounded), 'claim')} covered by no sentence"
    if killed := detail.get("killed"):
        yield f"{counted(len(killed), 'claim')} refuted"
    sums = [item for vote in detail.get("votes", ()) for item in vote.get("equations", ())]
    if sums:
        wrong = sum(item["verdict"] == "false" for item in sums)
        yield f"{counted(len(sums), 'sum')} recomputed, {wrong or 'none'} of them wrong"
