"""The fewest claims whose failure takes a conclusion away, where claims may be needed together (ruling A21).

Whatever takes the conclusion away hits every line. So sets are made that hit the lines found so far, and all of them
are tried on the argument at once. Where they are too many, those that fail show lines which they miss.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice

from moot.argument.derivations import Derivations
from moot.argument.steps import StepBudget

DEEPEST = 4
"""Up to this many claims the smallest set is looked for."""

USED_AGAIN = 4.0
"""How much heavier a claim becomes for the next line with each line that has it."""

AT_ONCE, AGAINST = 8_192, 4
"""How many sets are tried at once, and against how many of those that fail a line is looked for."""

MORE_STEPS = 100_000
"""What may be spent on a bound from above when the search has ended without a smallest set."""


@dataclass(frozen=True)
class Cut:
    """A set of claims whose failure takes the conclusion away, and how many are needed at the least."""

    claims: list[int]
    at_least: int
    any_one_of: list[int] = field(default_factory=list)
    """The claims each of which does so alone."""


def smallest_cut(derivations: Derivations, steps: StepBudget) -> Cut:
    """Return a smallest cut of at most four claims; past the budget or above four, a cut and the bound found.

    A single claim is found in any case.
    """
    first = derivations.line((), steps)
    if first is None:
        return Cut([], 0)
    if alone := derivations.needed(first):
        return Cut([alone[-1]], 1, sorted(alone))
    search = _Search(derivations, steps)
    search.enter(first)
    at_least = 2
    while at_least <= DEEPEST and steps.left >= 0:
        tried = list(islice(search.hitting_sets(at_least), AT_ONCE))
        if steps.left < 0:
            break
        if sunk := search.first_that_sinks(tried):
            return Cut(sorted(sunk), at_least)
        short = [chosen for chosen in tried if len(chosen) < at_least]
        if len(tried) < AT_ONCE and not short:
            at_least += 1
            continue
        for chosen in (short or tried)[:: len(short or tried) // AGAINST + 1]:
            search.enter(search.line_without(chosen) or [])
    return Cut(_some_cut(search), at_least)


class _Search:
    """The lines found so far, and how often each claim is in one: the next line is to have other claims."""

    def __init__(self, derivations: Derivations, steps: StepBudget) -> None:
        self.derivations = derivations
        self.steps = steps
        self.stands_for = _representatives(derivations)
        self.lines: list[list[int]] = []
        self.masks: list[int] = []
        self.hits: dict[int, int] = {}
        self.weights: dict[int, float] = {}

    def line_without(self, chosen: Collection[int]) -> list[int] | None:
        """Return a line that the chosen claims miss, with few claims that other lines have."""
        return self.derivations.line(chosen, self.steps, self.weights)

    def enter(self, line: list[int]) -> None:
        """Keep a line."""
        claims = sorted({self.stands_for.get(claim, claim) for claim in line})
        for claim in claims:
            self.hits[claim] = self.hits.get(claim, 0) | 1 << len(self.lines)
        for claim in line:
            self.weights[claim] = self.weights.get(claim, 1.0) * USED_AGAIN
        self.lines.append(claims)
        self.masks.append(sum(1 << claim for claim in claims))

    def hitting_sets(self, size: int) -> Iterator[list[int]]:
        """Yield the sets of at most this many claims that have one of every line, as far as the budget reaches."""
        return self._chosen(size, (1 << len(self.lines)) - 1)

    def _chosen(self, size: int, missed: int) -> Iterator[list[int]]:
        missed_lines = [place for place in range(len(self.lines)) if missed >> place & 1]
        if not missed_lines:
            yield []
        elif self.steps.spend(len(missed_lines)) and size == 1:
            common = reduce(int.__and__, (self.masks[place] for place in missed_lines))
            yield from ([claim] for claim in _bits(common))
        elif self.steps.left >= 0:
            shortest = min((self.lines[place] for place in missed_lines), key=len)
            self.steps.spend(2 * len(shortest))
            for claim in sorted(shortest, key=lambda claim: -(self.hits[claim] & missed).bit_count()):
                yield from ([claim, *rest] for rest in self._chosen(size - 1, missed & ~self.hits[claim]))

    def first_that_sinks(self, sets: Sequence[Collection[int]]) -> Collection[int] | None:
        """Return the first of these sets without which nothing carries the conclusion."""
        standing = self.derivations.carried_without(sets, self.steps)
        return next((chosen for place, chosen in enumerate(sets) if not standing >> place & 1), None)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _some_cut(search: _Search) -> list[int]:
    """A cut that need not be the smallest: the claim of most lines, again and again; else one for each last way."""
    last = _one_of_each_last_way(search.derivations)
    search.steps = StepBudget(MORE_STEPS)
    chosen: list[int] = []
    while (missed := search.line_without(chosen)) is not None:
        if len(chosen) + 1 >= len(last) or search.steps.left < 0:
            return last
        search.enter(missed)
        counts = Counter(claim for line in search.lines if not set(chosen) & set(line) for claim in line)
        chosen.append(max(search.lines[-1], key=lambda claim: (counts[claim], -claim)))
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
