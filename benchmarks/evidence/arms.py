"""The arms, all computed from the same rows. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.evidence.rows import Outcome, Row

from moot.methods.sampling import WAVE, Sampling, Tally, is_decided

PLAIN, SECOND, BOTH = "plain", "second", "both"
POOL_SIZE = 8

Results = Mapping[str, Outcome]
"""What an arm comes to, by item."""


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm's name, what it is, and what it comes to on an item; None where the item has nothing for it."""

    name: str
    told: str
    outcome: Callable[[Row], Outcome | None]


def first(order: str, replies: int) -> Callable[[Row], Outcome | None]:
    """Return the vote over the first so many replies of an order; None where fewer were drawn."""

    def outcome(row: Row) -> Outcome | None:
        votes = row.votes.get(order, ())
        return votes[replies - 1] if len(votes) >= replies else None

    return outcome


def adaptive(row: Row) -> Outcome | None:
    """Return the vote over the first wave where it decides, else over two; each wave reads its prompts (I17)."""
    short, long = first(BOTH, WAVE)(row), first(BOTH, POOL_SIZE)(row)
    if short is None or long is None:
        return None
    if is_decided(Sampling("lead", POOL_SIZE), Tally(WAVE, short.votes + short.second, short.votes, short.second)):
        return short
    return replace(long, tokens_in=None if long.tokens_in is None else 2 * long.tokens_in)


def carried_out(name: str) -> Callable[[Row], Outcome | None]:
    """Return what a protocol came to."""
    return lambda row: row.arms.get(name)


ARMS = (
    Arm("single", "one reply in free text", first(PLAIN, 1)),
    Arm("single, second form", "one program, or one reply over numbered sentences", first(SECOND, 1)),
    Arm("plain 4", "vote over four replies in free text", first(PLAIN, 4)),
    Arm("second 4", "vote over four programs, or four replies over numbered sentences", first(SECOND, 4)),
    Arm("both 2+2", "vote over two of each form", first(BOTH, 4)),
    Arm("both 4+4", "`vote` with its size fixed at eight, four of each form", first(BOTH, 8)),
    Arm("adaptive", "2+2, and 2+2 more unless that decides", adaptive),
    Arm("`vote`", "the protocol itself: adaptive, shown the next paragraphs where it abstains", carried_out("vote")),
    Arm(
        "`interrogation`",
        "the protocol itself: adaptive, with its graph, shown the next paragraphs where it abstains",
        carried_out("interrogation"),
    ),
)
LIVE = (
    Arm("`interrogation`, graphs", "four JSON graphs", carried_out("graph")),
    Arm("`spiral`", "three seats, at most two loops", carried_out("spiral")),
    Arm("`debate`", "three seats, two rounds", carried_out("debate")),
)


def results(arm: Arm, rows: Iterable[Row]) -> Results:
    """Return what an arm comes to on the items that have something for it."""
    told = {row.item: arm.outcome(row) for row in rows}
    return {item: outcome for item, outcome in told.items() if outcome is not None}


def at_equal_tokens(votes: Sequence[Outcome], tokens: int | None) -> Outcome | None:
    """Return the vote over as many first replies as fit so many tokens, at least one; None where nobody knows."""
    if not votes or tokens is None or any(vote.tokens is None for vote in votes):
        return None
    fitting = [vote for vote in votes if vote.tokens is not None and vote.tokens <= tokens]
    return fitting[-1] if fitting else votes[0]


def beside(arm: Arm, rows: Iterable[Row], order: str) -> Results:
    """Return the vote at equal tokens beside an arm, item by item, over the replies of an order."""
    told: dict[str, Outcome | None] = {}
    for row in rows:
        if outcome := arm.outcome(row):
            told[row.item] = at_equal_tokens(row.votes.get(order, ()), outcome.tokens)
    return {item: vote for item, vote in told.items() if vote is not None}


def is_capped(arm: Arm, row: Row, order: str) -> bool:
    """Return whether more replies than were drawn might have fitted the arm's tokens."""
    outcome, votes = arm.outcome(row), row.votes.get(order, ())
    vote = at_equal_tokens(votes, outcome.tokens) if outcome else None
    return vote is not None and outcome is not None and vote is votes[-1] and (vote.tokens or 0) < (outcome.tokens or 0)
