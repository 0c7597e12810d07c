"""A session as plain data: what the record keeps and the report is written from."""

from collections.abc import Iterable
from typing import Any

from moot.protocol import Missing
from moot_council.replies import Final
from moot_council.rules import Ballot, Entry, Spoilt, Standing, decided_by_own, self_preference
from moot_council.session import Paper, Session


def session_details(session: Session) -> dict[str, Any]:
    """Return all that a session brought."""
    return {
        "chairman": chairman_details(session),
        "answers": entry_details(session.entries),
        **ranking_details(session),
    }


def chairman_details(session: Session) -> dict[str, Any]:
    """Return who chaired, whether it was named, and what it wrote or why it did not."""
    final = session.final
    return {
        "seat": session.chairman,
        "named": session.is_named,
        "answer": final.answer if isinstance(final, Final) else None,
        "reasons": final.reasons if isinstance(final, Final) else "",
        "follows": session.followed.name if session.followed else None,
        "missing": final.reason if isinstance(final, Missing) else None,
    }


def entry_details(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return the different answers with everybody who gave them; several holders mean that equal texts are one."""
    return [
        {"entry": entry.name, "answer": entry.answer, "reasons": entry.reasons, "held_by": list(entry.held_by)}
        for entry in entries
    ]


def ranking_details(session: Session) -> dict[str, Any]:
    """Return the common ranking, who ranked what, and what members think of their own answers."""
    return {
        "ranking": [standing_details(standing) for standing in session.standings],
        "rankers": [paper_details(paper) for paper in session.papers],
        "self_preference": preference_details(session),
    }


def standing_details(standing: Standing) -> dict[str, Any]:
    """Return one line of the common ranking."""
    return {
        "place": standing.place,
        "entry": standing.entry.name,
        "borda": round(float(standing.borda), 4),
        "mean_rank": round(float(standing.mean_rank), 4),
        "rankings": standing.ballots,
    }


def paper_details(paper: Paper) -> dict[str, Any]:
    """Return what one member's ranking was read as, or why there is none."""
    match paper:
        case Ballot(ranker, tiers, repairs, is_as_shown):
            order = [list(tier) for tier in tiers]
            return {"seat": ranker, "order": order, "repairs": list(repairs), "as_shown": is_as_shown}
        case Spoilt(ranker, reason):
            return {"seat": ranker, "unusable": reason}
        case Missing(seat=seat, reason=reason):
            return {"seat": seat, "missing": reason}


def preference_details(session: Session) -> dict[str, Any]:
    """Return how often members put their own answer first, beside what chance would give."""
    preference = self_preference(session.entries, session.ballots)
    return {
        "had_own": list(preference.had_own),
        "put_first": list(preference.put_first),
        "by_chance": round(float(preference.by_chance), 4),
        "first_by_others": sorted(preference.first_by_others),
        "decided": decided_by_own(session.entries, session.ballots),
    }
