"""The verdict on a vote, and its part of the Markdown view (rulings I16, I17, I19 and I20)."""

from collections.abc import Sequence
from typing import Any

from moot.core.record import Record
from moot.core.verdict import Dissent, Status, Verdict
from moot.methods.runs import (
    Drawn,
    Form,
    VotedAnswer,
    answer_of,
    does_not_say_yet,
    stop_reason,
    vote_caveats,
    votes_confidence,
    votes_detail,
)
from moot.methods.sampling import Sampling, is_decided
from moot.views.votes import vote_lines


def verdict_on(votes: Drawn, sampling: Sampling, *, forms: Sequence[Form], models: int) -> Verdict:
    """Return what a vote comes to."""
    count, winners = votes.count, votes.count.winners
    losers = [item for item in count.candidates if item not in winners]
    candidates = [_candidate_detail(item) for item in count.candidates]
    return Verdict(
        answer=answer_of(votes, winners),
        status=_status(votes, sampling),
        stop_reason=stop_reason(count, sampling),
        confidence=votes_confidence(count, winners),
        dissent=tuple(Dissent(item.answer, tuple(run.id for run in item.runs)) for item in losers),
        caveats=tuple(vote_caveats(votes, forms, models)),
        missing=votes.dropped,
        asked=len(count.runs),
        answered=len(count.usable),
        counted="runs",
        detail={**votes_detail(votes, winners, forms, models), "candidates": candidates},
    )


def _status(votes: Drawn, sampling: Sampling) -> Status:
    count = votes.count
    if not is_decided(sampling, count.tally):
        return Status.EXHAUSTED
    if len(count.winners) != 1 or count.barred or does_not_say_yet(votes, count.winners):
        return Status.PARTIAL
    return Status.COMPLETE


def _candidate_detail(item: VotedAnswer) -> dict[str, Any]:
    return {"answer": item.answer, "votes": item.votes, "runs": [run.id for run in item.runs]}


def markdown_report(record: Record) -> str:
    """Return the votes, run by run."""
    verdict = record.verdict
    if verdict is None or "votes" not in verdict.detail:
        return ""
    return "\n".join(vote_lines(verdict.detail)).rstrip() + "\n"
