"""What a session comes to: the answer that stands, how sure it is and by what measure, and what a reader must know."""

from collections.abc import Iterable
from dataclasses import dataclass

from moot.protocol import Basis, Confidence, Dissent, Missing, Status, Verdict, no_confidence
from moot_council.caveats import council_caveats
from moot_council.details import session_details
from moot_council.replies import Final
from moot_council.rules import Entry, Standing, plain_text, rivals, sole_most_held
from moot_council.session import Session
from moot_council.settings import QUORUM
from moot_council.wording import count_text, listing


@dataclass(frozen=True)
class Outcome:
    """The answer that stands and why; `entry` is the member's answer that it is or follows, as far as that is plain."""

    answer: str | None
    entry: Entry | None
    status: Status
    stop_reason: str

    @property
    def is_entry(self) -> bool:
        """Whether the answer is the text of a member's answer, and not the chairman's own wording."""
        return self.entry is not None and plain_text(self.entry.answer) == plain_text(self.answer or "")


def council_verdict(session: Session) -> Verdict:
    """Return the verdict on a session."""
    outcome = session_outcome(session)
    return Verdict(
        answer=outcome.answer,
        status=outcome.status,
        stop_reason=outcome.stop_reason,
        confidence=measured_confidence(session, outcome),
        dissent=close_dissent(session, outcome),
        caveats=council_caveats(session, outcome.entry, is_own_wording=not outcome.is_entry),
        asked=len(session.panel),
        answered=session.answers,
        detail=session_details(session),
    )


# The answer


def session_outcome(session: Session) -> Outcome:
    """Return which answer stands, by the first of these that there is: one answer, the chairman's, the best ranked."""
    if not session.entries:
        return Outcome(None, None, Status.FAILED, "nobody answered")
    if len(session.entries) == 1:
        only = session.entries[0]
        return Outcome(only.answer, only, Status.COMPLETE, f"{_one_answer(only)}: there was nothing to rank")
    if isinstance(session.final, Final):
        return _chairmans(session, session.final)
    return _without_chairman(session, session.final)


def _one_answer(only: Entry) -> str:
    if len(only.held_by) == 1:
        return f"{only.name} alone answered"
    return f"{listing(only.held_by)} gave the same answer"


def _chairmans(session: Session, final: Final) -> Outcome:
    usable, asked = len(session.ballots), len(session.papers)
    is_enough = usable >= QUORUM * len(session.panel)
    return Outcome(
        answer=final.answer,
        entry=session.followed,
        status=Status.COMPLETE if is_enough else Status.PARTIAL,
        stop_reason=f"{_chair(session)} wrote it from {count_text(len(session.entries), 'answer')} and "
        f"{usable} of {count_text(asked, 'ranking')} that could be used",
    )


def _without_chairman(session: Session, final: Missing | None) -> Outcome:
    away = f"{_chair(session)} sent nothing ({final.reason if final else 'not asked'})"
    if session.standings:
        first = session.standings[0].entry
        return Outcome(first.answer, first, Status.PARTIAL, f"{away}: the answer ranked first stands")
    most_held = sole_most_held(session.entries)
    if most_held:
        reason = f"{away} and no ranking could be used: the answer that most members gave stands"
        return Outcome(most_held.answer, most_held, Status.PARTIAL, reason)
    return Outcome(
        None, None, Status.FAILED, f"{away} and no ranking could be used: nothing decides between the answers"
    )


def _chair(session: Session) -> str:
    how = "chairman" if session.is_named else "chairman as the first member"
    return f"{session.chairman}, {how},"


# How sure it is


def measured_confidence(session: Session, outcome: Outcome) -> Confidence:
    """Return how the answer fared with the panel; what the chairman thinks of it is never asked."""
    if outcome.answer is None:
        return no_confidence("there is no answer")
    if not session.standings or len(session.entries) == 1:
        return _by_answers(session, outcome.entry)
    if outcome.entry is None:
        return no_confidence("nobody ranked the chairman's wording, and it is not plain which answer it follows")
    return _by_rankings(session, outcome.entry, is_own_wording=not outcome.is_entry)


def _by_answers(session: Session, entry: Entry | None) -> Confidence:
    if entry is None or isinstance(session.final, Final):
        return no_confidence("no ranking could be used, and the chairman's word is no measure")
    if session.answers == 1:
        return no_confidence("one member answered, and there was nothing to rank its answer against")
    held, asked = len(entry.held_by), len(session.panel)
    reason = f"{held} of {asked} members gave this answer, as ({held} + 1) / ({asked} + 2)"
    return Confidence(round((held + 1) / (asked + 2), 4), Basis.VOTES, reason)


def _by_rankings(session: Session, entry: Entry, *, is_own_wording: bool) -> Confidence:
    whose = f"the answer of {listing(entry.held_by)}"
    line = next((each for each in session.standings if each.entry.name == entry.name), None)
    if line is None:
        return no_confidence(f"no usable ranking ranks {whose}")
    what = f"{whose}, which the chairman's wording follows" if is_own_wording else whose
    return Confidence(_smoothed_score(line), Basis.PANEL, f"{_points_text(line)}: {what}")


def _smoothed_score(line: Standing) -> float:
    """Return the score with one win and one loss added, so that one ranking alone is never certainty."""
    return round(float((line.borda * line.ballots + 1) / (line.ballots + 2)), 4)


def _points_text(line: Standing) -> str:
    points = f"{float(line.borda * line.ballots):.3g}"
    rankings = count_text(line.ballots, "ranking")
    return f"{points} Borda points of {line.ballots} over {rankings}, as ({points} + 1) / ({line.ballots} + 2)"


# Who holds otherwise


def close_dissent(session: Session, outcome: Outcome) -> tuple[Dissent, ...]:
    """Return the other answers that were close: one ranking less, and they would have led or been level."""
    if outcome.answer is None:
        return _dissents(session.entries)
    if len(session.entries) == 1:
        return ()
    close = rivals(session.entries, session.ballots)
    return _dissents(entry for entry in session.entries if entry.name in close and entry != outcome.entry)


def _dissents(entries: Iterable[Entry]) -> tuple[Dissent, ...]:
    return tuple(Dissent(entry.answer, entry.held_by) for entry in entries)
