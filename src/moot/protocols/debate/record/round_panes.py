"""The rounds of a debate on a page: who said what, what the program found, what was voted on and objected to."""

from collections.abc import Iterator, Mapping, Sequence

from moot.core.panes import ItemList, Pane, PaneCell, PaneItem, PaneRow, PaneTable, Tone
from moot.methods.tellings import quoted
from moot.protocols.debate.record.course import CourseRound, DebateCourse, Item
from moot.protocols.debate.record.wording import ABSENT, FAULTS, listed, share
from moot.protocols.debate.telling import RULINGS
from moot.views.words import counted

VOTE_TONES: Mapping[str, Tone] = {"ACCEPT": "good", "MINOR": "warn", "BLOCKER": "bad"}
CONSENSUS_TONES: Mapping[str, Tone] = {"HIGH": "good", "MEDIUM": "warn", "LOW": "bad"}
FOUND = "What the program found"


def rounds_pane(course: DebateCourse, most: int) -> Pane:
    """Return the rounds as rows and those who debate as columns, and last what the program found."""
    rows = tuple(
        PaneRow((PaneCell(str(told.number)), *_spoken(course, told), _found(course, told)), f"round-{told.number}")
        for told in course.rounds
    )
    table = PaneTable(("Round", *course.agents, FOUND), rows, empty="Nobody has spoken yet.")
    mode = f"{course.mode}, " if course.mode else ""
    return Pane("rounds", "Round by round", (table,), f"{mode}round {len(rows)} of at most {most}")


def seats_pane(course: DebateCourse) -> Pane:
    """Return who debates as what."""
    rows = tuple(
        PaneRow((PaneCell(seats=(name,)), PaneCell(who["role"], aside=who["stance"]), PaneCell(who["anchor"])))
        for name, who in course.participants.items()
    )
    return Pane("agents", "Who debates", (PaneTable(("Agent", "Role", "Looks at"), rows),), side=True)


def _spoken(course: DebateCourse, told: CourseRound) -> Iterator[PaneCell]:
    rows = told.rows
    kept_back = {item["agent"]: item for item in told.withheld}
    for name in course.agents:
        if name in kept_back:
            yield PaneCell(withheld_words(kept_back[name], course), tone="bad")
        elif name in told.silent or rows.get(name, {}).get("state") == "silent":
            why = told.silent.get(name) or rows[name]["why"]
            yield PaneCell(f"did not answer: {ABSENT.get(why, why)}", tone="warn")
        elif name in told.replies:
            yield _position(name, told, rows.get(name))
        else:
            yield PaneCell("not heard yet", tone="soft")


def withheld_words(item: Item, course: DebateCourse) -> str:
    """Return why something was kept back, and by whom."""
    by = f"by {listed(map(course.shown, item['by']))}" if item.get("by") else "by a pattern"
    return f"withheld for safety, {by}: {item['reason']}"


def _position(name: str, told: CourseRound, row: Item | None) -> PaneCell:
    """What an agent holds: by the note where the round is over, else as the agent said it."""
    spoken = told.replies[name]
    said = row or spoken.reply
    answer = said.get("answer") or said["position"]
    vote = (said.get("vote") or "") if row or told.number > 1 else ""
    return PaneCell(
        words=answer,
        mark=vote,
        tone=VOTE_TONES.get(vote, ""),
        aside=confidence_words(said["confidence"], said.get("delta")),
        link=f"e{spoken.seq}",
        items=tuple(_beside(said, answer)),
    )


def _beside(said: Item, answer: str) -> Iterator[PaneItem]:
    if said["position"] != answer:
        yield PaneItem(said["position"])
    if said.get("concern"):
        yield PaneItem(said["concern"], mark="concern", quote=True)
    if said.get("vote") == "BLOCKER" and said.get("objection"):
        yield PaneItem(said["objection"], mark="objection", tone="bad", quote=True)


def confidence_words(confidence: float, delta: float | None) -> str:
    """Return a confidence with how it moved."""
    return f"{confidence:.2f} ({delta:+.2f})" if delta is not None else f"{confidence:.2f}"


def _found(course: DebateCourse, told: CourseRound) -> PaneCell:
    if told.note is None:
        return PaneCell("the round is under way" if not course.detail else "the round was not ended", tone="now")
    consensus, proposal = told.note["consensus"], told.note["proposal"]
    voted = f"{consensus['accepting']} of {consensus['asked']} accept {proposal['id']}" if proposal else "no vote yet"
    return PaneCell(
        words=voted,
        mark=f"consensus {share(consensus['score'])}",
        tone=CONSENSUS_TONES.get(consensus["status"], ""),
        items=tuple(_findings(course, told, told.note)),
    )


def _findings(course: DebateCourse, told: CourseRound, note: Item) -> Iterator[PaneItem]:
    if note["critical"]:
        yield PaneItem("a critical objection round", tone="warn")
    if note["said"]:
        yield PaneItem(note["said"], mark="a person said before it", quote=True)
    yield PaneItem("; ".join(_figures(note)))
    for item in note["objections"]:
        if item["resolved_round"] in (None, note["round"]):
            stands = item["resolved_round"] is None
            words = f"{item['id']} {'stands' if stands else 'is resolved'}"
            yield PaneItem(words, (item["by"],), tone="bad" if stands else "good", link=item["id"])
    yield from (PaneItem(f"{row['id']} computes wrongly", tone="bad") for row in note.get("refuted", ()))
    yield from _breaches(course, note)
    for item in note["injections"]:
        yield PaneItem(f"tries to give orders: {quoted([item['words']])}", (item["agent"],), tone="bad")
    if told.groupthink:
        why = "; ".join(told.groupthink["why"])
        yield PaneItem(f"{told.groupthink['trigger']}: {why}", mark="groupthink", tone="warn")
    if note["next"]:
        yield PaneItem(note["next"], mark="next", tone="warn")
    if told.ruling:
        yield PaneItem(_ruling_words(told.ruling), mark="ruling", aside=told.ruling["agent"])


def _figures(note: Item) -> Iterator[str]:
    """What the round measures to, as far as it could be measured."""
    figures = note["figures"]
    if figures["clusters"] is not None:
        yield counted(figures["clusters"], "cluster")
    if figures["premise_overlap"] is not None:
        yield f"premises shared {share(figures['premise_overlap'])}"
    moved = [figures[name] for name in ("belief_change", "votes_changed", "position_change")]
    if any(value is not None for value in moved):
        yield f"moved {max(value for value in moved if value is not None):.2f}"
    yield f"{len(note['agreements'])} agreed"
    yield f"{sum(item['about'][:1] != 'O' for item in note['disagreements'])} in dispute"
    yield f"{counted(figures['new_facts'], 'new fact')}"


def _breaches(course: DebateCourse, note: Item) -> Iterator[PaneItem]:
    """What was broken in this round: what is counted now, less what was counted before."""
    before: Item = next((item.get("breaches", {}) for item in course.notes if item["round"] == note["round"] - 1), {})
    for agent, kinds in note.get("breaches", {}).items():
        earlier = before.get(agent, {})
        fresh = [FAULTS.get(kind, kind) for kind, times in kinds.items() if times > earlier.get(kind, 0)]
        if fresh:
            yield PaneItem("; ".join(fresh), (agent,), mark="breach", tone="warn")


def _ruling_words(ruling: Item) -> str:
    note = f": {ruling['note']}" if ruling["note"] else ""
    return f"{RULINGS[ruling['decision']]}{note}"


def proposals_pane(course: DebateCourse, claims: Sequence[str]) -> Pane | None:
    """Return what was voted on in each round, and who voted how; `claims` are those that can be led to."""
    rows = tuple(_proposal(note, claims) for note in course.notes if note["proposal"])
    columns = ("Proposal", "Answer", "Rests on", *VOTE_TONES, "No vote")
    return Pane("proposals", "Proposals", (PaneTable(columns, rows),)) if rows else None


def _proposal(note: Item, claims: Sequence[str]) -> PaneRow:
    item, votes = note["proposal"], {row["agent"]: row.get("vote") for row in note["agents"]}
    rests = [_resting(name, claims, contested=False) for name in item["rests_on"]]
    rests += [_resting(name, claims, contested=True) for name in item["contested"]]
    tied = f"tied with {quoted(item['tied'])}" if item["tied"] else ""
    cast = (tuple(name for name, vote in votes.items() if (vote or "") == kind) for kind in (*VOTE_TONES, ""))
    return PaneRow(
        (
            PaneCell(item["id"]),
            PaneCell(item["answer"], aside=tied),
            PaneCell("" if rests else "no claim", items=tuple(rests), run_on=True),
            *(PaneCell(seats=names) for names in cast),
        ),
        anchor=item["id"],
    )


def _resting(name: str, claims: Sequence[str], *, contested: bool) -> PaneItem:
    link = name if name in claims else ""
    return PaneItem(name, mark="contested" if contested else "", tone="warn" if contested else "", link=link)


def objections_pane(course: DebateCourse) -> Pane | None:
    """Return every objection: to what, by whom, and whether it stands."""
    objections = course.notes[-1]["objections"] if course.notes else ()
    proposals = {note["proposal"]["id"] for note in course.notes if note["proposal"]}
    rows = tuple(
        PaneRow(
            (
                PaneCell(item["id"]),
                PaneCell(item["text"]),
                PaneCell(seats=(item["by"],)),
                PaneCell(item["proposal"], link=item["proposal"] if item["proposal"] in proposals else ""),
                PaneCell(f"round {item['round']}"),
                _resolution(item["resolved_round"]),
            ),
            anchor=item["id"],
        )
        for item in objections
    )
    columns = ("Id", "Objection", "By", "Against", "Raised in", "State")
    return Pane("objections", "Objections", (PaneTable(columns, rows),)) if rows else None


def _resolution(number: int | None) -> PaneCell:
    return PaneCell("stands", tone="bad") if number is None else PaneCell(f"resolved in round {number}", tone="good")


def turns_pane(course: DebateCourse) -> Pane | None:
    """Return what a person said between rounds."""
    items = tuple(
        PaneItem(
            told.turn["text"] or "nothing",
            mark=f"after round {told.number}",
            aside=told.turn["agent"],
            under=(PaneItem(told.turn["focus_question"], mark="to look at"),) if told.turn["focus_question"] else (),
        )
        for told in course.rounds
        if told.turn and (told.turn["text"] or told.turn["focus_question"])
    )
    return Pane("turns", "A person said", (ItemList(items),), side=True) if items else None
