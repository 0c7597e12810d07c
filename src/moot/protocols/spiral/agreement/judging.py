"""How each pair of positions stands: by what letters settle, else by a judge who is no party to it (G11, S1).

A judge is a member of the panel, whether it answered the question or not. Where the panel has nobody else, the judge is
one of the two, and the result says so. One that brings nothing is replaced once; then nobody has judged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.calls import Ask, Missing
from moot.core.deliberation import Deliberation
from moot.methods.entailment import NOBODY, Comparison, Entailment, by_program, is_settled, judging_messages
from moot.methods.entailment import with_judgement as judged
from moot.protocols.spiral.agreement.measures import all_pairs
from moot.protocols.spiral.positions import Positions

JUDGE_TOKENS = 220
ATTEMPTS = ("", "/again")
"""What the steps of the first judge and of the second end with."""

Seats = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PairJudgement:
    """How a pair stands, and who judged what letters left open; empty where they left nothing open."""

    standing: Entailment
    judge: str = ""


async def judgements(
    question: str, deliberation: Deliberation, positions: Positions, tag: str, known: Mapping[Seats, PairJudgement]
) -> dict[Seats, PairJudgement]:
    """Return how each pair stands; those that are known, since nobody of them has moved, are not judged again."""
    pairs = all_pairs(list(positions))
    found = {pair: known[pair] if pair in known else _by_letters(pair, positions) for pair in pairs}
    open_ = [pair for pair in pairs if pair not in known and found[pair].judge == NOBODY]
    seats = [member.name for member in deliberation.panel]
    for attempt in range(len(ATTEMPTS)):
        asks = {pair: ask for pair in open_ if (ask := _asked(question, positions, seats, pair, tag, attempt))}
        replies = dict(zip(asks, await deliberation.ask_all(list(asks.values())), strict=True))
        for pair, reply in replies.items():
            if not isinstance(reply, Missing):
                one, other = (positions[seat].stated for seat in pair)
                judge = asks[pair].seat
                found[pair] = PairJudgement(judged(found[pair].standing, reply, one, other, judge=judge), judge)
        # A budget that has run out for one judge has run out for the next.
        open_ = [pair for pair, reply in replies.items() if isinstance(reply, Missing) and reply.reason != "budget"]
    return found


def judges_of(pair: Seats, seats: Sequence[str]) -> list[str]:
    """Return who may judge a pair, in order: those who are not of it; where there is nobody else, its own two (G11)."""
    return [seat for seat in seats if seat not in pair] or list(pair)


def who_decided(found: Mapping[Seats, PairJudgement], positions: Positions) -> list[dict[str, Any]]:
    """Return, for every pair, who judged it, and who decided of the answers and of each two claims (ruling G11)."""
    return [
        {
            "pair": list(pair),
            "judge": judgement.judge,
            "answers": {
                "forward": judgement.standing.forward,
                "backward": judgement.standing.backward,
                "by": judgement.standing.answers_by,
            },
            "claims": [
                {
                    "claims": [positions[pair[0]].claims[a], positions[pair[1]].claims[b]],
                    "are": "contradicting" if (a, b) in judgement.standing.contradicting else "the same",
                    "by": by,
                }
                for a, b, by in judgement.standing.claims_by
            ],
        }
        for pair, judgement in found.items()
    ]


def _by_letters(pair: Seats, positions: Positions) -> PairJudgement:
    one, other = (positions[seat].stated for seat in pair)
    standing = by_program(one, other)
    return PairJudgement(standing, "" if is_settled(standing, one, other) else NOBODY)


def _asked(
    question: str, positions: Positions, seats: Sequence[str], pair: Seats, tag: str, attempt: int
) -> Ask[Comparison] | None:
    """Return what the judge of this attempt is asked, if there is one."""
    eligible = judges_of(pair, seats)
    if attempt >= len(eligible):
        return None
    one, other = (positions[seat].stated for seat in pair)
    step = f"judge/{tag}/{pair[0]}-{pair[1]}{ATTEMPTS[attempt]}"
    return Ask(step, eligible[attempt], judging_messages(question, one, other), Comparison, 0.0, JUDGE_TOKENS)
