"""What stands in one column of a comparison: pure, from what was read of a deliberation."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from moot.core.budget import Spent
from moot.core.confidence import no_confidence
from moot.core.events import Header
from moot.methods.argued import MOST_OF_AN_ARGUMENT
from moot.methods.sameness import same_answer
from moot.service.comparing.values import (
    ComparedDeliberation,
    ComparedSetting,
    PanelShare,
    SameAnswer,
    TakenFactors,
)
from moot.service.listing import ListedDeliberation
from moot.service.reading.arguments import DeliberationArgument
from moot.service.reading.folds import FoldedRecord
from moot.service.reading.heads import DeliberationHead
from moot.views.words import missing_rows, setting_value_words, turnout_words


@dataclass(frozen=True, slots=True)
class ReadDeliberation:
    """All that is read of a deliberation to compare it."""

    head: DeliberationHead
    listed: ListedDeliberation
    folded: FoldedRecord
    argument: DeliberationArgument

    @property
    def header(self) -> Header:
        """What was settled before its first step."""
        return self.head.header

    @property
    def seconds(self) -> float | None:
        """For how long at least one call was in flight; None while it has not ended."""
        return self.listed.summary.seconds if self.head.status.ended else None


def column(read: ReadDeliberation, base: ReadDeliberation) -> ComparedDeliberation:
    """Return a deliberation beside the base."""
    head, summary, verdict = read.head, read.listed.summary, read.head.verdict
    argument = read.argument.argument
    claims = len(argument.claims) if argument else None
    not_ended = "it ended without a verdict" if head.status.ended else "it has not ended"
    names = read.folded.panes.aliases
    dissent = verdict.dissent if verdict else ()
    return ComparedDeliberation(
        id=head.id,
        question=head.header.question.text,
        documents=tuple(document.name for document in head.header.question.documents),
        protocol=head.header.protocol,
        protocol_version=head.header.protocol_version,
        mode=summary.mode,
        status=head.status,
        stalled=head.stalled,
        stopped=head.stopped,
        started=head.started,
        stop_reason=verdict.stop_reason if verdict else "",
        answer=verdict.answer if verdict else None,
        same_answer=_same_answer(base, read),
        confidence=verdict.confidence if verdict else no_confidence(not_ended),
        dissent=tuple(replace(one, held_by=tuple(names.get(seat, seat) for seat in one.held_by)) for one in dissent),
        caveats=verdict.caveats if verdict else (),
        missing=tuple(missing_rows(verdict, read.folded.part.narrator)) if verdict else (),
        turnout=turnout_words(verdict) if verdict else "",
        spent=head.spent,
        seconds=read.seconds,
        factors=_factors(base, read),
        panel=tuple(PanelShare(*pair) for pair in Counter(seat.model for seat in head.header.panel).items()),
        parent=head.header.parent.id if head.header.parent else None,
        forks=read.listed.forks,
        contests=read.listed.contests,
        claims=claims,
        claims_left_out=max(0, (claims or 0) - MOST_OF_AN_ARGUMENT),
        no_argument=read.argument.absence,
        absence=head.absence,
    )


def differing_settings(headers: Sequence[Header]) -> tuple[ComparedSetting, ...]:
    """Return what was settled otherwise: a setting that two of them have, with different values."""
    return tuple(_differing([_settled(header) for header in headers]))


def _differing(settled: Sequence[Mapping[str, str]]) -> Iterator[ComparedSetting]:
    for name in dict.fromkeys(name for each in settled for name in each):
        values = tuple(each.get(name) for each in settled)
        if len({value for value in values if value is not None}) > 1:
            yield ComparedSetting(name, values)


def _settled(header: Header) -> dict[str, str]:
    settled: dict[str, Any] = {
        f"version of {header.protocol}": header.protocol_version,
        "form of the answer": header.question.form or "not stated",
        "documents": ", ".join(document.name for document in header.question.documents) or "none",
        **header.settings,
        **{f"budget: {name}": "no limit" if limit is None else limit for name, limit in asdict(header.budget).items()},
    }
    return {name: setting_value_words(value) for name, value in settled.items()}


def _same_answer(base: ReadDeliberation, read: ReadDeliberation) -> SameAnswer | None:
    one, other = base.head.verdict, read.head.verdict
    asked_alike = base.header.question.text == read.header.question.text
    if read is base or not asked_alike or not (one and one.answer and other and other.answer):
        return None
    decided = same_answer(one.answer, other.answer)
    return SameAnswer(decided.outcome, decided.by, decided.reason)


def _factors(base: ReadDeliberation, read: ReadDeliberation) -> TakenFactors:
    """How many times as much it took, of what is wholly known of both that have ended (ruling G10)."""
    if read is base or not (base.head.status.ended and read.head.status.ended):
        return TakenFactors()
    one, other = base.head.spent.wholly_known, read.head.spent.wholly_known
    return TakenFactors(
        calls=_factor(one.calls, other.calls),
        tokens=_factor(_tokens(one), _tokens(other)),
        usd=_factor(one.usd, other.usd),
        seconds=_factor(base.seconds, read.seconds),
    )


def _tokens(spent: Spent) -> int | None:
    return None if spent.tokens_in is None or spent.tokens_out is None else spent.tokens_in + spent.tokens_out


def _factor(base: float | None, other: float | None) -> float | None:
    return None if base is None or other is None or base <= 0 else other / base
