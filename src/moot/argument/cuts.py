"""The fewest claims whose failure takes a conclusion away, where claims may be needed together (ruling A21).

A set is hit against the lines found so far, tried on the argument, and answered by a line that it misses: when no line
is left the set cuts them all, and no smaller set hits even those that were found.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from moot.argument.derivations import Derivations
from moot.argument.steps import Steps

DEEPEST = 4
"""Up to this many claims the smallest set is looked for."""

MORE_STEPS = 200_000
"""What may be spent on a bound from above when the search has ended without a smallest set."""


@dataclass(frozen=True)
class Cut:
    """A set of claims whose failure takes the conclusion away, and how many are needed at the least."""

    claims: list[int]
    at_least: int

    @property
    def is_exact(self) -> bool:
        """Whether no smaller set does."""
        return self.at_least == len(self.claims)


def smallest_cut(derivations: Derivations, steps: Steps) -> Cut:
    """Return a smallest cut of at most four claims; past the budget or above four, a cut and the bound found."""
    stands_for = _representatives(derivations)
    lines: list[list[int]] = []
    at_least = 0
    while at_least <= DEEPEST and steps.left >= 0:
        chosen = _hitting(lines, at_least, steps)
        if steps.left < 0:
            break
        if chosen is None:
            at_least += 1
            continue
        missed = derivations.line(chosen, steps)
        if missed is None:
            return Cut(sorted(chosen), at_least)
        lines.append(sorted({stands_for.get(claim, claim) for claim in missed}))
    return Cut(_some_cut(derivations, lines, stands_for), at_least)


def _some_cut(derivations: Derivations, lines: list[list[int]], stands_for: dict[int, int]) -> list[int]:
    """A cut that need not be the smallest: the claim of most lines, again and again; else one for each last way."""
    last = _one_of_each_last_way(derivations)
    steps = Steps(MORE_STEPS)
    chosen: list[int] = []
    while (missed := derivations.line(chosen, steps)) is not None:
        lines = [*lines, sorted({stands_for.get(claim, claim) for claim in missed})]
        counts = Counter(claim for line in lines if not set(chosen) & set(line) for claim in line)
        chosen.append(max(lines[-1], key=lambda claim: (counts[claim], -claim)))
        if len(chosen) >= len(last) or steps.left < 0:
            return last
    return sorted(chosen)


def _one_of_each_last_way(derivations: Derivations) -> list[int]:
    ways = [
        {derivations.claim_of[member] for member in derivations.members[way]}
        for way in derivations.ways_to[derivations.goal]
    ]
    counts = Counter(claim for way in ways for claim in way)
    chosen: set[int] = set()
    for way in ways:
        if chosen.isdisjoint(way):
            chosen.add(max(way, key=lambda claim: (counts[claim], -claim)))
    return sorted(chosen)


def _hitting(lines: Sequence[Sequence[int]], size: int, steps: Steps) -> list[int] | None:
    """At most `size` claims of which each line has one; None where there are none, or the budget is spent."""
    hits: dict[int, int] = {}
    for place, line in enumerate(lines):
        for claim in line:
            hits[claim] = hits.get(claim, 0) | 1 << place
    return next(_choices(lines, hits, (1 << len(lines)) - 1, size, steps), None)


def _choices(
    lines: Sequence[Sequence[int]], hits: dict[int, int], open_lines: int, size: int, steps: Steps
) -> Iterator[list[int]]:
    if not open_lines:
        yield []
        return
    if not size:
        return
    shortest = min((place for place in range(len(lines)) if open_lines >> place & 1), key=lambda at: len(lines[at]))
    for claim in sorted(lines[shortest], key=lambda claim: -(hits[claim] & open_lines).bit_count()):
        if not steps.spend(len(lines)):
            return
        for rest in _choices(lines, hits, open_lines & ~hits[claim], size - 1, steps):
            yield [claim, *rest]


def _representatives(derivations: Derivations) -> dict[int, int]:
    """For claims that need not be in a smallest cut, one whose failure does at least as much.

    What is used for one claim alone falls with it to no more effect; and a claim all of whose ways need one premise
    falls with that premise.
    """
    beyond = _only_users(derivations)
    below = _common_premises(derivations)
    towards = dict(beyond)
    for claim, premises in below.items():
        if claim not in towards:
            # A premise that serves this claim alone says no more than the claim itself.
            shared = next((premise for premise in premises if beyond.get(premise) != claim), None)
            if shared is not None:
                towards[claim] = shared
    return {claim: _followed(claim, towards) for claim in towards}


def _followed(claim: int, towards: dict[int, int]) -> int:
    """The end of a chain; in a circle its least member, as all of them do the same."""
    seen = [claim]
    while (following := towards.get(seen[-1])) is not None:
        if following in seen:
            return min(seen[seen.index(following) :])
        seen.append(following)
    return seen[-1]


def _only_users(derivations: Derivations) -> dict[int, int]:
    """Each claim that serves one other claim alone, with that claim, unless it is the conclusion."""
    users: dict[int, set[int]] = {}
    for head, members in zip(derivations.heads, derivations.members, strict=True):
        user = derivations.claim_of[head]
        for member in members:
            users.setdefault(derivations.claim_of[member], set()).add(user)
    return {
        claim: user
        for claim, served in users.items()
        if len(served - {claim}) == 1 and (user := next(iter(served - {claim}))) != derivations.conclusion
    }


def _common_premises(derivations: Derivations) -> dict[int, list[int]]:
    """Each claim that does not hold by itself, with the premises that all of its ways need."""
    common: dict[int, set[int]] = {}
    for head, members in zip(derivations.heads, derivations.members, strict=True):
        claim = derivations.claim_of[head]
        needed = {derivations.claim_of[member] for member in members}
        common[claim] = common[claim] & needed if claim in common else needed
    alone = {derivations.claim_of[state] for state in derivations.alone}
    return {claim: sorted(needed) for claim, needed in common.items() if needed and claim not in alone}
