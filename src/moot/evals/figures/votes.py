"""How many independent votes a panel is worth.

Members that err together add little to each other. Three figures, over items that all members answered:

- agreement of two members: the share of items on which they gave the same answer, right or wrong;
- correlation of errors, rho: the mean covariance of two members' errors over the mean variance of one member's. This is
  the mean correlation between members where they are equally good, and it stays defined where one is always right;
- effective number of votes (Kish): n / (1 + (n - 1) rho). Independent members, rho = 0, are worth their number; copies
  of one another, rho = 1, are worth one. It is the number of independent votes whose mean varies as much as theirs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Votes = Sequence[Sequence[str]]
"""For each item the answers of the members, in the members' order."""

RightVotes = Sequence[Sequence[bool]]
"""For each item which members were right."""


@dataclass(frozen=True, slots=True)
class Electorate:
    """What the votes of one arm are worth together. `left_out` items lack some member's vote and are in no figure."""

    members: int
    items: int
    left_out: int
    agreement: tuple[tuple[float, ...], ...]
    error_correlation: float | None
    effective_votes: float | None


def electorate(votes: Votes, right: RightVotes) -> Electorate | None:
    """Return agreement, correlation of errors and effective votes; None where no item has two votes.

    Correlation and effective votes are None where nobody ever erred or everybody always did: such votes tell nothing.
    """
    members = max((len(answers) for answers in votes), default=0)
    if members < 2:
        return None
    full = [number for number, answers in enumerate(votes) if len(answers) == members]
    outcomes = [right[number] for number in full]
    rho = error_correlation(outcomes)
    return Electorate(
        members=members,
        items=len(full),
        left_out=len(votes) - len(full),
        agreement=agreement_matrix([votes[number] for number in full]),
        error_correlation=rho,
        effective_votes=None if rho is None else effective_votes(members, rho),
    )


def agreement_matrix(votes: Votes) -> tuple[tuple[float, ...], ...]:
    """Return for each two members the share of items on which they gave the same answer; 1 on the diagonal."""
    members = range(len(votes[0])) if votes else range(0)
    return tuple(
        tuple(sum(answers[one] == answers[other] for answers in votes) / len(votes) for other in members)
        for one in members
    )


def error_correlation(right: RightVotes) -> float | None:
    """Return the mean covariance between two members' outcomes over the mean variance of one, if any."""
    if not right or len(right[0]) < 2:
        return None
    items, members = len(right), len(right[0])
    shares = [sum(outcome[member] for outcome in right) / items for member in range(members)]
    variance = math.fsum(share * (1 - share) for share in shares)
    if variance <= 0:
        return None
    # The variance of the sum holds every covariance twice: no loop over pairs is needed.
    totals = [sum(outcome) for outcome in right]
    mean = math.fsum(shares)
    of_sum = math.fsum((total - mean) ** 2 for total in totals) / items
    return (of_sum - variance) / (members - 1) / variance


def effective_votes(members: int, correlation: float) -> float | None:
    """Return Kish's n / (1 + (n - 1) rho); None where the errors cancel out and no number would be large enough."""
    spread = 1 + (members - 1) * correlation
    return members / spread if spread > 1e-9 else None
