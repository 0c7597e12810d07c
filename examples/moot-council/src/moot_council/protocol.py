"""The council: blind answers, anonymous rankings by every member, and a chairman who writes the answer."""

from collections.abc import Mapping

from moot.protocol import (
    Ask,
    Budget,
    Deliberation,
    Missing,
    ProtocolSpec,
    Question,
    Verdict,
    asked_over_what_is_shown,
)
from moot_council import prompts
from moot_council.details import entry_details, ranking_details
from moot_council.estimate import expected_take
from moot_council.panes import council_panes
from moot_council.replies import Answer, Final, Ranking
from moot_council.report import council_report
from moot_council.rules import Entry, entry_of, read_ballot, shown_order
from moot_council.session import Paper, Session, opened_session
from moot_council.settings import QUORUM, CouncilSettings, fewest_members
from moot_council.telling import COUNCIL_TELLING
from moot_council.verdicts import council_verdict

STILL_RANKS = ("refused", "unusable")


@asked_over_what_is_shown
async def run(question: Question, deliberation: Deliberation, settings: CouncilSettings) -> Verdict:
    """Return what a council makes of a question: three stages, then the verdict on them."""
    answers = await answer_blind(question, deliberation, settings)
    session = opened_session(answers, deliberation.panel, settings)
    await deliberation.note("answers", entry_details(session.entries))
    if len(session.entries) > 1:
        papers = await rank_answers(question, session.entries, answers, deliberation, settings)
        session = session.with_papers(papers)
        await deliberation.note("ranking", ranking_details(session))
        final = await write_final(question, session, deliberation, settings)
        session = session.with_final(final)
    return council_verdict(session)


async def answer_blind(
    question: Question, deliberation: Deliberation, settings: CouncilSettings
) -> dict[str, Answer | Missing]:
    """Stage 1: return every member's answer by seat; nobody sees another's before all are in."""
    asks = [
        Ask(
            step=f"answer/{member.name}",
            seat=member.name,
            messages=prompts.answer_messages(question),
            reply=Answer,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
        )
        for member in deliberation.panel
    ]
    replies = await deliberation.ask_all(asks)
    return {ask.seat: reply for ask, reply in zip(asks, replies, strict=True)}


async def rank_answers(
    question: Question,
    entries: tuple[Entry, ...],
    answers: Mapping[str, Answer | Missing],
    deliberation: Deliberation,
    settings: CouncilSettings,
) -> tuple[Paper, ...]:
    """Stage 2: return every member's ranking of all answers, each under letters of its own."""
    shown = shown_to_rankers(question, entries, answers, settings)
    asks = [
        Ask(
            step=f"ranking/{seat}",
            seat=seat,
            messages=prompts.ranking_messages(question, seen),
            reply=Ranking,
            max_tokens=settings.max_tokens,
        )
        for seat, seen in shown.items()
    ]
    replies = await deliberation.ask_all(asks)
    return tuple(
        reply if isinstance(reply, Missing) else read_ballot(seat, seen, reply.order)
        for (seat, seen), reply in zip(shown.items(), replies, strict=True)
    )


async def write_final(
    question: Question, session: Session, deliberation: Deliberation, settings: CouncilSettings
) -> Final | Missing:
    """Stage 3: return the chairman's answer, from the answers and what the rankings came to."""
    return await deliberation.ask(
        Ask(
            step="chairman",
            seat=session.chairman,
            messages=prompts.chairman_messages(question, session.best_first, session.standings),
            reply=Final,
            max_tokens=settings.max_tokens,
        )
    )


def shown_to_rankers(
    question: Question, entries: tuple[Entry, ...], answers: Mapping[str, Answer | Missing], settings: CouncilSettings
) -> dict[str, tuple[Entry, ...]]:
    """Return who ranks, and what each sees under the letters A, B and so on; one answer alone is no ranking."""
    seen = {seat: entries_for(seat, entries, settings) for seat, answer in answers.items() if may_rank(answer)}
    places = {seat: place for place, seat in enumerate(answers)}
    return {seat: shown_order(some, question.text, places[seat]) for seat, some in seen.items() if len(some) > 1}


def may_rank(answer: Answer | Missing) -> bool:
    """Return whether a member is worth asking again: one that sent no answer may judge, one that is away may not."""
    return not isinstance(answer, Missing) or answer.reason in STILL_RANKS


def entries_for(seat: str, entries: tuple[Entry, ...], settings: CouncilSettings) -> tuple[Entry, ...]:
    """Return the entries that a seat ranks: all of them, or all but its own."""
    own = None if settings.rank_own else entry_of(entries, seat)
    return tuple(entry for entry in entries if entry is not own)


COUNCIL = ProtocolSpec(
    name="council",
    version=1,
    summary="blind answers, anonymous rankings by every member, a chairman who writes",
    run=run,
    settings=CouncilSettings,
    seats=3,
    minimum=fewest_members,
    budget=Budget(calls=60),
    expected=expected_take,
    report=council_report,
    quorum=QUORUM,
    telling=COUNCIL_TELLING,
    panes=council_panes,
)
