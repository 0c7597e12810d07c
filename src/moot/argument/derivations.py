"""How a conclusion follows from what holds by itself, where claims may be needed together (ruling A21).

A claim *holds* if it is a start or an assumption, or if all members of one of its ways hold. It is *in line* if it is a
start, or if all members of one of its ways hold and one of them is in line. A set of claims carries the conclusion if
the conclusion is in line within it; the sets found here are what width packs and resilience hits.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from moot.argument.cycles import strong_components
from moot.argument.premises import Premises, Way
from moot.argument.steps import StepBudget

Part = TypeVar("Part", int, tuple[int, int])
HEAVIEST = 1e250
NO_WEIGHTS: Mapping[int, float] = {}


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
    def order(self) -> list[int]:
        """The states, each behind those that lead to it, as far as there is no circle."""
        followers = [[self.heads[way] for way in uses] for uses in self.uses]
        level = [0] * len(followers)
        for component in reversed(strong_components(followers)):
            highest = max(level[state] for state in component)
            for state in component:
                level[state] = highest
                for head in followers[state]:
                    level[head] = max(level[head], highest + 1)
        first = {state: place for place, state in enumerate(self._first_reached)}
        return sorted(range(len(followers)), key=lambda state: (level[state], first.get(state, len(first))))

    @cached_property
    def _first_reached(self) -> list[int]:
        """The states that are reached when nothing is wrong, in an order in which each can be."""
        missing = [len(members) for members in self.members]
        reached = dict.fromkeys(self.alone)
        agenda = list(reached)
        for state in agenda:
            for way in self.uses[state]:
                missing[way] -= 1
                if not missing[way] and self.heads[way] not in reached:
                    reached[self.heads[way]] = None
                    agenda.append(self.heads[way])
        return agenda

    def line(
        self, without: Iterable[int], steps: StepBudget, weights: Mapping[int, float] = NO_WEIGHTS
    ) -> list[int] | None:
        """Return claims that carry the conclusion without the ones named, each behind what it rests on; or None.

        Of several lines a light one is taken: a claim weighs one, or what `weights` says, for each use of it.
        """
        closed = {state for claim in without for state in self.states_of.get(claim, ())}
        taken = self._lightest(closed, steps, weights)
        while self.goal not in taken and self._reach_more(taken, closed, steps):
            pass
        if self.goal not in taken:
            return None
        wanted, agenda = {self.goal}, [self.goal]
        for state in agenda:
            fresh = [member for member in taken[state] if member not in wanted]
            wanted.update(fresh)
            agenda.extend(fresh)
        claims = dict.fromkeys(self.claim_of[state] for state in taken if state in wanted)
        return [claim for claim in claims if claim != self.conclusion]

    def _lightest(self, closed: Collection[int], steps: StepBudget, weights: Mapping[int, float]) -> dict[int, Way]:
        """For each state that one pass reaches, in order, the members of the way taken to it."""
        by_itself, weight = self._by_itself, {}
        taken: dict[int, Way] = {}
        for state in self.order:
            if state in closed:
                continue
            own = weights.get(self.claim_of[state], 1.0)
            if state in by_itself:
                weight[state], taken[state] = own, ()
                continue
            best = math.inf
            for way in self.ways_to[state]:
                members = self.members[way]
                total = sum([weight.get(member, math.inf) for member in members])
                if total < best:
                    best, taken[state] = total, members
            if best < math.inf:
                # Shared claims are counted once for each use, so that weights may double at every step.
                weight[state] = min(best + own, HEAVIEST)
        steps.spend(len(self.heads))
        return taken

    def _reach_more(self, taken: dict[int, Way], closed: Collection[int], steps: StepBudget) -> bool:
        """Add states that lie behind others in a circle; return whether there were any."""
        known = len(taken)
        for state in self.order:
            if state not in taken and state not in closed:
                ways = (self.members[way] for way in self.ways_to[state])
                members = next((members for members in ways if all(member in taken for member in members)), None)
                if members is not None:
                    taken[state] = members
        steps.spend(len(self.heads))
        return len(taken) > known

    @cached_property
    def _by_itself(self) -> frozenset[int]:
        return frozenset(self.alone)

    def line_within(self, claims: Collection[int], steps: StepBudget) -> list[int] | None:
        """Return a line among these claims alone, or None."""
        return self.line([claim for claim in self.states_of if claim not in claims and claim != self.conclusion], steps)

    def carried_without(self, sets: Sequence[Collection[int]], steps: StepBudget) -> int:
        """Return, as one bit for each set, whether something carries the conclusion without its claims."""
        every = (1 << len(sets)) - 1
        open_in = dict.fromkeys(range(len(self.claim_of)), every)
        for place, claims in enumerate(sets):
            for state in (state for claim in claims for state in self.states_of[claim]):
                open_in[state] &= ~(1 << place)
        reached = {state: open_in[state] for state in self.alone}
        others = [state for state in self.order if state not in self._by_itself]
        while [state for state in others if self._widens(state, reached, open_in)]:
            steps.spend(len(self.heads) * (1 + len(sets) // 1_024))
        return reached.get(self.goal, 0)

    def _widens(self, state: int, reached: dict[int, int], open_in: Mapping[int, int]) -> bool:
        known = reached.get(state, 0)
        now = known
        for way in self.ways_to[state]:
            together = -1
            for member in self.members[way]:
                together &= reached.get(member, 0)
            now |= together
        reached[state] = now & open_in[state]
        return reached[state] != known

    def needed(self, line: Collection[int]) -> list[int]:
        """Return the claims of a line without any one of which nothing carries the conclusion."""
        return self._needed({claim: 1 << place for place, claim in enumerate(line)})

    def needed_steps(self, claims: Collection[int]) -> list[tuple[int, int]]:
        """Return the steps between claims that are needed without any one of which nothing carries the conclusion."""
        inside = {*claims, self.conclusion}
        steps = dict.fromkeys(
            (self.claim_of[member], self.claim_of[head])
            for head, members in zip(self.heads, self.members, strict=True)
            for member in members
            if self.claim_of[member] in inside and self.claim_of[head] in inside
        )
        return self._needed({step: 1 << place for place, step in enumerate(steps)})

    def _needed(self, bit: dict[Part, int]) -> list[Part]:
        """Which of these parts every derivation uses: the greatest solution, from above, for each state in turn."""
        known = {state: bit.get(self.claim_of[state], 0) for state in self.alone}
        others = [state for state in self.order if state not in self._by_itself]
        while [state for state in others if self._narrows(state, known, bit)]:
            pass
        return [part for part in bit if known.get(self.goal, 0) & bit[part]]

    def _narrows(self, state: int, known: dict[int, int], bit: Mapping[Any, int]) -> bool:
        """Look at all ways to a state; return whether less is needed for it than was known."""
        claim = self.claim_of[state]
        common = -1
        for way in self.ways_to[state]:
            used = 0
            for member in self.members[way]:
                if member not in known:
                    break
                used |= known[member] | bit.get((self.claim_of[member], claim), 0)
            else:
                common &= used
        if common == -1:
            return False
        narrowed = common | bit.get(claim, 0)
        if known.get(state) == narrowed:
            return False
        known[state] = narrowed
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
