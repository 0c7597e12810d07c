"""What a reader must know before relying on the answer: one function a caveat, empty where it does not hold."""

from moot.protocol import Missing
from moot_council.replies import Final
from moot_council.rules import Entry, decided_by_own, self_preference
from moot_council.session import Session
from moot_council.wording import count_text, listing


def council_caveats(session: Session, entry: Entry | None, *, is_own_wording: bool) -> tuple[str, ...]:
    """Return all caveats that hold; `entry` is the member's answer that stands or is followed."""
    caveats = (
        one_model(session),
        missing_chairman(session, entry),
        own_wording(session, entry) if is_own_wording else "",
        against_the_ranking(session, entry),
        level_in_first_place(session),
        own_answers_decided(session),
        unusable_rankings(session),
        repeated_order(session),
        nobody_ranked(session),
    )
    return tuple(caveat for caveat in caveats if caveat)


def one_model(session: Session) -> str:
    """Say that all seats are one model."""
    if len(session.panel.models) > 1 or len(session.panel) == 1:
        return ""
    return (
        f"All {len(session.panel)} seats are one model: it ranks its own answers, and copies of one model agree more "
        "often than they are right."
    )


def missing_chairman(session: Session, entry: Entry | None) -> str:
    """Say whose answer stands for want of the chairman's; a stop reason alone gives way to a budget's."""
    if entry is None or not isinstance(session.final, Missing):
        return ""
    whose = f"the answer of {listing(entry.held_by)} stands as it was written"
    return f"{session.chairman}, the chairman, sent nothing ({session.final.reason}): {whose}."


def own_wording(session: Session, entry: Entry | None) -> str:
    """Say that the final text is nobody's answer, and so was ranked by nobody."""
    if not isinstance(session.final, Final):
        return ""
    follows = (
        f"It follows the answer of {listing(entry.held_by)}." if entry else "Which answer it follows is not plain."
    )
    return f"{session.chairman}, the chairman, worded the answer, and nobody ranked this text. {follows}"


def against_the_ranking(session: Session, entry: Entry | None) -> str:
    """Say that the chairman took an answer that others were ranked above."""
    places = {standing.entry.name: standing.place for standing in session.standings}
    if entry is None or not places or places.get(entry.name) == 1:
        return ""
    own = ", its own," if session.chairman in entry.held_by else ""
    place = f"in place {places[entry.name]}" if entry.name in places else "that nobody ranked"
    return f"{session.chairman}, the chairman, took an answer{own} {place}, and not the one ranked first."


def level_in_first_place(session: Session) -> str:
    """Say that the rankings did not decide."""
    level = [standing.entry for standing in session.standings if standing.place == 1]
    if len(level) < 2:
        return ""
    whose = "; ".join(listing(entry.held_by) for entry in level)
    return f"{len(level)} answers are level in first place ({whose}): the rankings do not decide between them."


def own_answers_decided(session: Session) -> str:
    """Say that the first place rests on what members think of their own answers."""
    if not decided_by_own(session.entries, session.ballots):
        return ""
    preference = self_preference(session.entries, session.ballots)
    return (
        f"Self-preference decided the ranking: {len(preference.put_first)} of "
        f"{count_text(len(preference.had_own), 'member')} put their own answer first, and by the rankings of those who "
        "do not hold an answer another would lead or be level."
    )


def unusable_rankings(session: Session) -> str:
    """Say which rankings could not be used, and why."""
    if not session.spoilt:
        return ""
    reasons = "; ".join(f"{paper.ranker}: {paper.reason}" for paper in session.spoilt)
    return f"{len(session.spoilt)} of {count_text(len(session.papers), 'ranking')} could not be used: {reasons}."


def repeated_order(session: Session) -> str:
    """Say that rankers may have judged nothing: every one of them sent the letters as they stood."""
    if len(session.ballots) < 2 or not all(ballot.is_as_shown for ballot in session.ballots):
        return ""
    return (
        f"All {len(session.ballots)} rankings repeat the order in which the answers were shown, which differed: they "
        "may say nothing about the answers."
    )


def nobody_ranked(session: Session) -> str:
    """Say that no ranking stands behind the answer although there were several answers."""
    if len(session.entries) < 2 or session.ballots:
        return ""
    return "No ranking stands behind the answer: " + (
        "none that was asked for could be used." if session.papers else "nobody had two answers of others to compare."
    )
