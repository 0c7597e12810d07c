"""The most lines to a conclusion of which no two share a claim, where claims may be needed together (ruling A21)."""

from collections.abc import Iterator

from moot.argument.derivations import Derivations
from moot.argument.steps import StepBudget

Agenda = tuple[int, int, "Agenda"] | None
"""What is still to be held up: a line, a state that it calls for, and the rest."""

_BY_ITSELF = -1
GREEDY_STEPS = 300_000


def packed_lines(derivations: Derivations, at_most: int, steps: StepBudget) -> tuple[list[list[int]], bool]:
    """Return disjoint lines, and whether more than these are known to be impossible; `at_most` is a known bound."""
    lines = _one_after_the_other(derivations, StepBudget(GREEDY_STEPS))
    while len(lines) < at_most:
        more = _search(derivations, len(lines) + 1, steps)
        if more is None:
            return lines, steps.left >= 0
        lines = more
    return lines, True


def _one_after_the_other(derivations: Derivations, steps: StepBudget) -> list[list[int]]:
    lines: list[list[int]] = []
    used: set[int] = set()
    while steps.left >= 0 and (line := derivations.line(used, steps)) is not None:
        lines.append(line)
        used.update(line)
    return lines


def _search(derivations: Derivations, count: int, steps: StepBudget) -> list[list[int]] | None:
    """This many disjoint lines, by trying every way of every claim; None if there are none or the budget is spent."""
    for owner in _Packing(derivations, count).owners(steps):
        shares = [{claim for claim, line in owner.items() if line == number} for number in range(count)]
        # What calls for itself in a circle is not seen before.
        lines = [derivations.line_within(share, steps) for share in shares]
        if all(line is not None for line in lines):
            return [line for line in lines if line is not None]
    return None


class _Choice:
    """A state that a line calls for, which of its ways are left to try, and what the last one tried took."""

    def __init__(self, agenda: tuple[int, int, Agenda], ways: Iterator[int]) -> None:
        self.line, self.state, self.rest = agenda
        self.ways = ways
        self.owned: list[int] = []
        self.called: list[tuple[int, int]] = []


class _Packing:
    """Claims given to lines, each claim to one line, so that every line has all that it calls for."""

    def __init__(self, derivations: Derivations, count: int) -> None:
        self.derivations = derivations
        self.count = count
        self.alone = frozenset(derivations.alone)
        self.owner: dict[int, int] = {}
        self.called: set[tuple[int, int]] = set()
        self.last_way = [_BY_ITSELF] * count

    def owners(self, steps: StepBudget) -> Iterator[dict[int, int]]:
        """Yield every way of giving claims to lines, as far as the budget reaches."""
        agenda: Agenda = None
        for line in reversed(range(self.count)):
            agenda = (line, self.derivations.goal, agenda)
        trail = [self._choice(agenda)] if agenda else []
        while trail and steps.spend():
            choice = trail[-1]
            self._take_back(choice)
            way = next((way for way in choice.ways if steps.spend() and self._is_free(choice, way)), None)
            if way is None:
                trail.pop()
                continue
            agenda = self._take(choice, way)
            if agenda is None:
                yield self.owner
            else:
                trail.append(self._choice(agenda))

    def _choice(self, agenda: tuple[int, int, Agenda]) -> _Choice:
        state = agenda[1]
        by_itself = state in self.alone
        return _Choice(agenda, iter([_BY_ITSELF] if by_itself else self.derivations.ways_to[state]))

    def _is_free(self, choice: _Choice, way: int) -> bool:
        """Whether no other line has a claim of the way; lines come in the order of their last ways."""
        if choice.state == self.derivations.goal and choice.line and way <= self.last_way[choice.line - 1]:
            return False
        return all(self.owner.get(claim, choice.line) == choice.line for claim in self._claims(way))

    def _claims(self, way: int) -> set[int]:
        members = self.derivations.members[way] if way >= 0 else ()
        return {self.derivations.claim_of[member] for member in members}

    def _take(self, choice: _Choice, way: int) -> Agenda:
        if choice.state == self.derivations.goal:
            self.last_way[choice.line] = way
        choice.owned = [claim for claim in self._claims(way) if claim not in self.owner]
        self.owner.update((claim, choice.line) for claim in choice.owned)
        agenda = choice.rest
        for member in self.derivations.members[way] if way >= 0 else ():
            key = (choice.line, member)
            if key not in self.called:
                self.called.add(key)
                choice.called.append(key)
                agenda = (*key, agenda)
        return agenda

    def _take_back(self, choice: _Choice) -> None:
        for claim in choice.owned:
            del self.owner[claim]
        self.called.difference_update(choice.called)
        choice.owned, choice.called = [], []
