"""A debate on a page, also while it is held: rounds, ledger, proposals, objections, evidence. Pure.

Where the mode hides who is who, every seat goes by its alias here, and `aliases` alone says whose it is.
"""

from collections.abc import Iterator

from moot.core.events import Event
from moot.core.panes import ItemList, Pane, PaneItem, Panes, SeatPosition, SeatStanding, Stage
from moot.core.record import Record
from moot.methods.sameness import answer_groups
from moot.methods.staging import stage_events, stages_in_order
from moot.protocols.debate.record.course import DebateCourse, claims_of, course_of, round_of
from moot.protocols.debate.record.ledger_panes import (
    breaches_pane,
    evidence_pane,
    ledger_pane,
    lookups_pane,
    questions_pane,
    risks_pane,
    safety_pane,
    synthesis_pane,
)
from moot.protocols.debate.record.report import EARLIER, SINCE
from moot.protocols.debate.record.round_panes import (
    confidence_words,
    objections_pane,
    proposals_pane,
    rounds_pane,
    seats_pane,
    turns_pane,
)
from moot.views.words import counted


def panes(record: Record) -> Panes:
    """Return what a page shows of a debate beside its answer."""
    course = course_of(record)
    most = _most(record, course)
    version = record.header.protocol_version
    return Panes(
        stages=_stages(record, course, most),
        standing=SeatStanding() if record.verdict else _standing(course),
        why=tuple(_why(record, course)) if version >= SINCE else (),
        rounds="Rounds",
        panes=_panes(course, most) if version >= SINCE else (_of_earlier(version),),
        argument=True,
        aliases=course.aliases,
    )


def _of_earlier(version: int) -> Pane:
    told = EARLIER.format(version=version).strip().replace("this report", "this page")
    return Pane("rounds", "Round by round", (ItemList((), empty=told),))


def _panes(course: DebateCourse, most: int) -> tuple[Pane, ...]:
    claims = claims_of(course) or {}
    shown = (
        synthesis_pane(course),
        rounds_pane(course, most),
        seats_pane(course) if course.participants else None,
        turns_pane(course),
        ledger_pane(course, argued="graph" in course.detail),
        evidence_pane(course),
        proposals_pane(course, tuple(claims)),
        objections_pane(course),
        risks_pane(course),
        questions_pane(course),
        lookups_pane(course),
        breaches_pane(course),
        safety_pane(course),
    )
    return tuple(pane for pane in shown if pane)


def _most(record: Record, course: DebateCourse) -> int:
    """How many rounds there may be, by the settings."""
    chosen = record.header.settings.get("rounds")
    held = course.rounds[-1].number if course.rounds else 1
    return max(held, chosen) if isinstance(chosen, int) else held


def _stages(record: Record, course: DebateCourse, most: int) -> tuple[Stage, ...]:
    """A stage a round: what a person says or decides after a round is part of it."""
    last = course.rounds[-1] if course.rounds else None
    number = last.number if last else 1
    if last and last.note and not course.waits and not last.ruling and number < most:
        number += 1
    counts = stage_events(record, _stage_of, "round-1")
    planned = [Stage(f"round-{place}", f"Round {place}", "done") for place in range(1, number)]
    if record.verdict:
        planned += [Stage(f"round-{number}", f"Round {number}", "done")] if last and last.number == number else []
        return stages_in_order(planned or [Stage("round-1", "Round 1", "done")], counts, "")
    planned.append(Stage(f"round-{number}", f"Round {number}", "now", aside=_aside(course)))
    return stages_in_order((*planned, *_to_come(number, most)), counts, f"round-{number}")


def _to_come(number: int, most: int) -> Iterator[Stage]:
    """The rounds after this one, of which there may be fewer: the next by itself, the others together."""
    if number < most:
        yield Stage(f"round-{number + 1}", f"Round {number + 1}", "to come", aside="if there is no consensus")
    if number + 1 < most:
        words = f"Rounds {number + 2} to {most}" if number + 2 < most else f"Round {most}"
        yield Stage(f"round-{number + 2}", words, "to come", aside="at most")


def _stage_of(event: Event) -> str:
    number = round_of(event)
    return f"round-{number}" if number else ""


def _aside(course: DebateCourse) -> str:
    if course.waits:
        return "waits for a ruling" if course.waits.startswith("escalation/") else "waits for a person"
    last = course.rounds[-1] if course.rounds else None
    if last is None or last.note:
        return ""
    return f"{len(last.replies)} of {len(course.agents)} heard"


def _standing(course: DebateCourse) -> SeatStanding:
    """Where everybody stands by what each said last; nobody's words that were withheld are repeated."""
    positions = tuple(_positions(course))
    if not positions:
        return SeatStanding(lead=f"Nobody of {counted(len(course.agents), 'agent')} has been heard yet.")
    silent = [name for name in course.agents if name not in {position.seat for position in positions}]
    return SeatStanding(positions, _agreement(positions), f"Not heard yet: {', '.join(silent)}." if silent else "")


def _positions(course: DebateCourse) -> Iterator[SeatPosition]:
    for name in course.agents:
        for told in reversed(course.rounds):
            spoken = told.replies.get(name)
            if spoken is None or any(item["agent"] == name for item in told.withheld):
                continue
            said = told.rows.get(name) or spoken.reply
            confidence, vote = said["confidence"], said.get("vote") if told.number > 1 else ""
            moved = confidence_words(confidence, said.get("delta")).partition(" ")[2]
            aside = f"round {told.number} {moved}".rstrip()
            yield SeatPosition(name, said.get("answer") or said["position"], confidence, vote or "", aside, spoken.seq)
            break


def _agreement(positions: tuple[SeatPosition, ...]) -> str:
    groups = sorted(answer_groups([item.answer for item in positions]).groups, key=lambda group: -len(group.places))
    most = len(groups[0].places)
    if len(groups) == 1:
        return f"All {most} who were heard give the same answer." if most > 1 else "One agent has been heard."
    if most == 1:
        return f"All {len(groups)} who were heard answer differently."
    leading = f"{most} of {len(positions)} say “{groups[0].answer}”"
    return f"{len(groups)} different answers; {leading}."


def _why(record: Record, course: DebateCourse) -> Iterator[PaneItem]:
    """Why the answer is believed: the votes, the claims that it rests on, what speaks against it."""
    verdict = record.verdict
    if verdict is None or not course.notes:
        return
    note, claims = course.notes[-1], claims_of(course) or {}
    yield PaneItem(_sentence(verdict.stop_reason), link="argument" if "graph" in course.detail else "")
    proposal = note["proposal"]
    rests = (
        [claims[name] for name in (*proposal["rests_on"], *proposal["contested"]) if name in claims] if proposal else []
    )
    if rests:
        grounded = sum(claim["verified"] for claim in rests)
        words = f"{proposal['id']} rests on {counted(len(rests), 'claim')}, {grounded} of them found in a source."
        yield PaneItem(words, link=proposal["id"])
    against = [*_against(course, len(proposal["contested"]) if proposal else 0)]
    if against:
        yield PaneItem(_sentence("; ".join(against)), tone="warn")


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _against(course: DebateCourse, contested: int) -> Iterator[str]:
    standing = [item["id"] for item in course.notes[-1]["objections"] if item["resolved_round"] is None]
    if standing:
        yield f"{', '.join(standing)} {'stands' if len(standing) == 1 else 'stand'} against it"
    if contested:
        yield f"{counted(contested, 'claim')} of it contested"
    if suspected := [item["trigger"] for item in course.detail.get("groupthink", ())]:
        yield f"groupthink was suspected: {', '.join(suspected)}"
