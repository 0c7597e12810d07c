"""How a conclusion follows from what holds by itself, where claims may be needed together (ruling A21).

A claim *holds* if it is a start or an assumption, or if all members of one of its ways hold. It is *in line* if it is a
start, or if all members of one of its ways hold and one of them is in line. A set of claims carries the conclusion if
the conclusion is in line within it; the sets found here are what width packs and resilience hits.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from moot.argument.premises import Premises, Way
from moot.argument.steps import Steps

_OPEN, _CLOSED, _ALONE = -1, -2, -3


@dataclass(frozen=True)
class Needed:
    """What a conclusion cannot do without: any one of these claims, any one of these steps from claim to claim."""

    claims: list[int]
    steps: list[tuple[int, int]]


class Derivations:
    """The part of an argument that can carry one conclusion, as states and the ways between them.

    A state says of a claim that it holds, or that it is in line; where no assumption leads to it the two are one.
    """

    def __init__(self, premises: Premises, conclusion: int) -> None:
        self.conclusion = conclusion
        self.claim_of: list[int] = []
        self.heads: list[int] = []
        self.members: list[Way] = []
        self.alone: list[int] = []
        self._states: dict[tuple[int, bool], int] = {}
        ways = _relevant(premises, conclusion)
        held = _holding(premises, ways)
        doubtful = _from_assumptions(premises, ways, held)
        self._fill(premises, ways, held, doubtful)
        self.goal = self._state(conclusion, in_line=True)

    def _fill(self, premises: Premises, ways: Mapping[int, Sequence[Way]], held: set[int], doubtful: set[int]) -> None:
        for claim, rows in ways.items():
            if premises.is_start[claim] and claim != self.conclusion:
                self.alone.append(self._state(claim, in_line=True))
                continue
            if premises.is_assumption[claim]:
                self.alone.append(self._state(claim, in_line=False))
            for way in rows:
                if held.issuperset(way):
                    self._add_way(claim, way, doubtful)

    def _add_way(self, claim: int, way: Way, doubtful: set[int]) -> None:
        holding = tuple(self._state(member, in_line=member not in doubtful) for member in way)
        in_line = self._state(claim, in_line=True)
        if claim in doubtful:
            self._enter(self._state(claim, in_line=False), holding)
        if not doubtful.issuperset(way):
            self._enter(in_line, holding)
            return
        for place, member in enumerate(way):
            self._enter(in_line, (*holding[:place], self._state(member, in_line=True), *holding[place + 1 :]))

    def _enter(self, head: int, members: Way) -> None:
        self.heads.append(head)
        self.members.append(members)

    def _state(self, claim: int, *, in_line: bool) -> int:
        state = self._states.setdefault((claim, in_line), len(self.claim_of))
        if state == len(self.claim_of):
            self.claim_of.append(claim)
        return state

    @cached_property
    def uses(self) -> list[list[int]]:
        """The ways in which each state takes part."""
        uses: list[list[int]] = [[] for _ in self.claim_of]
        for way, members in enumerate(self.members):
            for member in members:
                uses[member].append(way)
        return uses

    @cached_property
    def ways_to(self) -> list[list[int]]:
        """The ways that lead to each state."""
        ways: list[list[int]] = [[] for _ in self.claim_of]
        for way, head in enumerate(self.heads):
            ways[head].append(way)
        return ways

    @cached_property
    def states_of(self) -> dict[int, list[int]]:
        """The states of each claim."""
        states: dict[int, list[int]] = {}
        for state, claim in enumerate(self.claim_of):
            states.setdefault(claim, []).append(state)
        return states

    @cached_property
    def _lengths(self) -> list[int]:
        return [len(members) for members in self.members]

    def line(self, without: Iterable[int], steps: Steps) -> list[int] | None:
        """Return claims that carry the conclusion without the ones named, each behind what it rests on; or None."""
        reached_by, order = self._reached(without, steps)
        if self.goal not in order[-1:]:
            return None
        wanted, agenda = {self.goal}, [self.goal]
        while agenda:
            way = reached_by[agenda.pop()]
            fresh = [member for member in (self.members[way] if way >= 0 else ()) if member not in wanted]
            wanted.update(fresh)
            agenda.extend(fresh)
        claims = dict.fromkeys(self.claim_of[state] for state in order if state in wanted)
        return [claim for claim in claims if claim != self.conclusion]

    def line_within(self, claims: Collection[int], steps: Steps) -> list[int] | None:
        """Return a line among these claims alone, or None."""
        return self.line([claim for claim in self.states_of if claim not in claims and claim != self.conclusion], steps)

    def _reached(self, without: Iterable[int], steps: Steps) -> tuple[list[int], list[int]]:
        """By which way each state is reached, and the states in order, until the goal."""
        reached_by = [_OPEN] * len(self.claim_of)
        for claim in without:
            for state in self.states_of.get(claim, ()):
                reached_by[state] = _CLOSED
        missing = self._lengths.copy()
        order = [state for state in self.alone if reached_by[state] == _OPEN]
        for state in order:
            reached_by[state] = _ALONE
        heads, uses, goal, looked = self.heads, self.uses, self.goal, 0
        for state in order:
            looked += len(uses[state])
            for way in uses[state]:
                missing[way] -= 1
                if not missing[way] and reached_by[head := heads[way]] == _OPEN:
                    reached_by[head] = way
                    order.append(head)
                    if head == goal:
                        steps.spend(looked)
                        return reached_by, order
        steps.spend(looked + 1)
        return reached_by, order

    def needed(self, line: Collection[int], steps: Steps) -> Needed | None:
        """Return what of a line nothing can carry the conclusion without; None past the budget.

        Each state is given what every derivation of it uses: the greatest solution, reached from above.
        """
        inside = {*line, self.conclusion}
        steps_of_line = dict.fromkeys(
            (self.claim_of[member], self.claim_of[head])
            for head, members in zip(self.heads, self.members, strict=True)
            for member in members
            if self.claim_of[member] in inside and self.claim_of[head] in inside
        )
        bit = {what: 1 << place for place, what in enumerate((*line, *steps_of_line))}
        own = [bit.get(claim, 0) for claim in self.claim_of]
        known = {state: own[state] for state in self.alone}
        by_itself, agenda = set(self.alone), list(self.alone)
        for state in agenda:
            if not steps.spend(len(self.uses[state]) + 1):
                return None
            agenda.extend(
                self.heads[way]
                for way in self.uses[state]
                if self.heads[way] not in by_itself and self._narrows(way, known, own, bit)
            )
        used = known.get(self.goal, 0)
        return Needed(
            [claim for claim in line if used & bit[claim]], [step for step in steps_of_line if used & bit[step]]
        )

    def _narrows(
        self, way: int, known: dict[int, int], own: Sequence[int], bit: Mapping[int | tuple[int, int], int]
    ) -> bool:
        """Take a way into account; return whether less is needed for its head than was known."""
        head = self.heads[way]
        used = own[head]
        for member in self.members[way]:
            if member not in known:
                return False
            used |= known[member] | bit.get((self.claim_of[member], self.claim_of[head]), 0)
        narrowed = known.get(head, used) & used
        if known.get(head) == narrowed:
            return False
        known[head] = narrowed
        return True


def _relevant(premises: Premises, conclusion: int) -> dict[int, Sequence[Way]]:
    """The ways of all claims that lead to the conclusion; none leads through it."""
    ways: dict[int, Sequence[Way]] = {}
    agenda = [conclusion]
    for claim in agenda:
        if claim in ways:
            continue
        ends = premises.is_start[claim] and claim != conclusion
        ways[claim] = [] if ends else [way for way in premises.ways[claim] if conclusion not in way]
        agenda.extend(member for way in ways[claim] for member in way if member not in ways)
    return ways


def _holding(premises: Premises, ways: Mapping[int, Sequence[Way]]) -> set[int]:
    """The claims that hold when nothing is wrong."""
    held = {claim for claim in ways if premises.is_start[claim] or premises.is_assumption[claim]}
    users: dict[int, list[tuple[int, list[int]]]] = {}
    for claim, rows in ways.items():
        for way in rows:
            missing = [len(way)]
            for member in way:
                users.setdefault(member, []).append((claim, missing))
    agenda = list(held)
    for member in agenda:
        for claim, missing in users.get(member, ()):
            missing[0] -= 1
            if not missing[0] and claim not in held:
                held.add(claim)
                agenda.append(claim)
    return held


def _from_assumptions(premises: Premises, ways: Mapping[int, Sequence[Way]], held: set[int]) -> set[int]:
    """The claims that may hold without being in line, because an assumption leads to them."""
    heads: dict[int, list[int]] = {}
    for claim, rows in ways.items():
        for way in rows:
            if held.issuperset(way):
                for member in way:
                    heads.setdefault(member, []).append(claim)
    agenda = [claim for claim in ways if premises.is_assumption[claim]]
    doubtful = set(agenda)
    for claim in agenda:
        fresh = {head for head in heads.get(claim, ()) if head not in doubtful and not premises.is_start[head]}
        doubtful.update(fresh)
        agenda.extend(fresh)
    return doubtful
