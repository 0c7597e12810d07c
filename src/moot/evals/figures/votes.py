"""How many independent votes a panel is worth.

Members that err together add little to each other. A vote that is empty, or that nobody could read, is no vote: it
agrees with nothing, not even with another of its kind, and is counted by itself. Three figures:

- agreement of two members: the share of items on which they gave the same answer, right or wrong, of those on which the
  votes of both could be read;
- over the items on which every vote could be read, correlation of errors, rho: the mean covariance of two members'
  errors over the mean variance of one member's. This is the mean correlation between members where they are equally
  good, and it stays defined where one is always right;
- effective number of votes (Kish): n / (1 + (n - 1) rho). Independent members, rho = 0, are worth their number; copies
  of one another, rho = 1, are worth one. It is the number of independent votes whose mean varies as much as theirs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Votes = Sequence[Sequence[str]]
"""For each item the answers of the members, in the members' order; one that could not be read is empty."""

Agreement = tuple[tuple[float | None, ...], ...]
"""For each two members a share; None where there is no item on which the votes of both could be read."""

RightVotes = Sequence[Sequence[bool]]
"""For each item which members were right."""


@dataclass(frozen=True, slots=True)
class Electorate:
    """What the votes of one arm are worth together."""

    members: int
    items: int
    """Items with a vote of every member that could be read: correlation and effective votes are over these."""
    left_out: int
    """The other items."""
    unreadable: int
    """Votes that were empty or could not be read, of all items."""
    agreement: Agreement
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
    readable = [number for number in full if all(map(is_readable, votes[number]))]
    rho = error_correlation([right[number] for number in readable])
    return Electorate(
        members=members,
        items=len(readable),
        left_out=len(votes) - len(readable),
        unreadable=sum(not is_readable(answer) for answers in votes for answer in answers),
        agreement=agreement_matrix([votes[number] for number in full]),
        error_correlation=rho,
        effective_votes=None if rho is None else effective_votes(members, rho),
    )


def is_readable(vote: str) -> bool:
    """Return whether a vote says anything."""
    return bool(vote.strip())


def agreement_matrix(votes: Votes) -> Agreement:
    """Return for each two members the share of items on which they gave the same answer, where both could be read."""
    members = range(len(votes[0])) if votes else range(0)
    return tuple(tuple(_agreement(votes, one, other) for other in members) for one in members)


def _agreement(votes: Votes, one: int, other: int) -> float | None:
    pairs = [(answers[one], answers[other]) for answers in votes]
    read = [left == right for left, right in pairs if is_readable(left) and is_readable(right)]
    return sum(read) / len(read) if read else None


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
