"""How widely a conclusion is supported: disjoint paths, the nearest cut, the maximum flow (interrogation 3.5).

One search backwards from the conclusion finds the paths one after the other (Menger); when it finds no more, what it
has seen is the conclusion's side of the nearest minimum cut: width, paths and cut are one computation.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from moot.argument.cuts import smallest_cut
from moot.argument.derivations import Derivations
from moot.argument.graph import MILLIONTHS, Columns
from moot.argument.packing import packed_lines
from moot.argument.premises import Premises, premises_of
from moot.argument.steps import StepBudget

UNBOUNDED = 1e9
SEARCH_STEPS, PACKING_STEPS = 1_000_000, 200_000
"""How many premises are looked at for a smallest cut, and how many choices are tried for one more line (A21)."""

_AMOUNTS = (500_000, 100_000, 20_000, 2_000, 100, 1)


@dataclass(frozen=True)
class Support:
    """The disjoint lines from what documents state to a conclusion, and claims whose failure cuts them all (A11, A21).

    Each line ends in the conclusion and names a claim behind what it rests on. Where claims are needed together the
    search has a budget of steps: past it there may be more lines (`exact` is False), and fewer claims may be enough,
    but not fewer than `cut_at_least`.
    """

    paths: list[list[int]]
    cut: list[int]
    uncuttable: bool
    cut_at_least: int
    exact: bool = True
    any_one_of: list[int] | None = None
    """The claims each of which cuts them all; None where nobody has looked."""

    @property
    def width(self) -> int:
        """The number of disjoint lines."""
        return len(self.paths)


def support_of(columns: Columns, conclusion: int, defeated: Collection[int] = (), steps: int = SEARCH_STEPS) -> Support:
    """Return the support of a conclusion in the augmented graph (interrogation 3.5, A9, A11, A21, A22).

    The defeated claims are outside it, as refuted ones are.
    """
    if columns.refuted[conclusion] or conclusion in defeated:
        return Support([], [], uncuttable=False, cut_at_least=0)
    if columns.is_flat and not defeated:
        return _flat_support(_Routes(conclusion, columns.nearest_predecessors, columns.is_source))
    premises = premises_of(columns, defeated)
    if premises.is_joint:
        return _joint_support(premises, conclusion, steps)
    predecessors = [[member for (member,) in ways] for ways in premises.ways]
    return _flat_support(_Routes(conclusion, predecessors, premises.is_start))


def needed_claims(columns: Columns, conclusion: int, defeated: Collection[int] = ()) -> list[int]:
    """Return the claims and sentences without any one of which no line reaches the conclusion (A21)."""
    derivations = Derivations(premises_of(columns, defeated), conclusion)
    return sorted(derivations.needed(derivations.line((), StepBudget(0)) or ()))


def needed_steps(columns: Columns, conclusion: int) -> list[tuple[int, int]]:
    """Return the edges without any one of which no line reaches the conclusion, where claims hold together (A21)."""
    derivations = Derivations(premises_of(columns), conclusion)
    claims = derivations.needed(derivations.line((), StepBudget(0)) or ())
    return [(src, dst) for src, dst in derivations.needed_steps(claims) if src < len(columns)]


def _flat_support(routes: "_Routes") -> Support:
    """Where no claim needs others together, width and cut are one figure (Menger)."""
    while (source := routes.search()) is not None:
        routes.augment(source)
    paths, conclusion = routes.paths(), routes.conclusion
    if routes.is_source[conclusion]:
        return Support([[conclusion], *paths], [], uncuttable=True, cut_at_least=0)
    return Support(paths, routes.cut(), uncuttable=False, cut_at_least=len(paths))


def _joint_support(premises: Premises, conclusion: int, steps: int) -> Support:
    derivations = Derivations(premises, conclusion)
    cut = smallest_cut(derivations, StepBudget(steps))
    lines, exact = packed_lines(derivations, len(cut.claims), StepBudget(min(steps, PACKING_STEPS)))
    paths = [[*line, conclusion] for line in lines]
    if premises.is_start[conclusion]:
        return Support([[conclusion], *paths], [], uncuttable=True, cut_at_least=0, exact=exact)
    # Each of the disjoint lines needs a claim of its own to be wrong.
    at_least = max(cut.at_least, len(lines))
    return Support(paths, cut.claims, uncuttable=False, cut_at_least=at_least, exact=exact, any_one_of=cut.any_one_of)


def _search(
    conclusion: int, is_source: Sequence[bool], leading_to: Callable[[int], Sequence[int]]
) -> tuple[dict[int, int], int | None]:
    """Search backwards from the conclusion for a given from which more can flow; also return the states seen.

    A node is two states, its entry (2n) and its exit (2n + 1). Each state seen is given with the state that comes next
    on the way to the conclusion. `leading_to` names the states before a state, the most promising last.
    """
    goal = 2 * conclusion
    towards = {goal: goal}
    stack = [goal]
    while stack:
        state = stack.pop()
        for other in leading_to(state):
            if other not in towards:
                towards[other] = state
                if other & 1 == 0 and is_source[other >> 1]:
                    return towards, other >> 1
                stack.append(other)
    return towards, None


def _steps(towards: Mapping[int, int], source: int, conclusion: int) -> list[tuple[int, int]]:
    """The steps from state to state that lead from a given to the conclusion."""
    steps = []
    state = 2 * source
    while state != 2 * conclusion:
        steps.append((state, towards[state]))
        state = towards[state]
    return steps


class _Routes:
    """Disjoint paths, grown one at a time: only a node on no path may be crossed from entry to exit."""

    def __init__(self, conclusion: int, predecessors: Sequence[Sequence[int]], is_source: Sequence[bool]) -> None:
        self.conclusion = conclusion
        self.predecessors = predecessors
        self.is_source = is_source
        self.towards: dict[int, int] = {}
        self.starts: list[int] = []
        self.after: dict[int, int] = {}

    def search(self) -> int | None:
        """Return a given from which more can flow, or None."""
        self.towards, source = _search(self.conclusion, self.is_source, self._leading_to)
        return source

    def _leading_to(self, state: int) -> Sequence[int]:
        node = state >> 1
        if state & 1:
            # A free node is crossed; one on a path gives up the edge by which that path leaves it.
            return (2 * self.after.get(node, node),)
        exits = [2 * other + 1 for other in self.predecessors[node] if other != self.conclusion]
        if node in self.after:
            exits.append(2 * node + 1)
        return exits

    def augment(self, source: int) -> None:
        """Add the path that the last search found, taking back the edges it gives up."""
        added: list[tuple[int, int]] = []
        for state, following in _steps(self.towards, source, self.conclusion):
            node, other = state >> 1, following >> 1
            if node != other and state & 1:
                added.append((node, other))
            elif node != other:
                del self.after[other]
        self.after.update(added)
        self.starts.append(source)

    def paths(self) -> list[list[int]]:
        """Return the paths, each from its given to the conclusion."""
        paths = []
        for start in self.starts:
            path = [start]
            while path[-1] != self.conclusion:
                path.append(self.after[path[-1]])
            paths.append(path)
        return paths

    def cut(self) -> list[int]:
        """Return the nodes where the last, failed search could leave but not enter: the nearest minimum cut."""
        exits = (state >> 1 for state in self.towards if state & 1)
        return sorted(node for node in exits if 2 * node not in self.towards)


def max_flow(columns: Columns, conclusion: int) -> float:
    """Return the maximum flow into a conclusion, confidences as capacities (interrogation 3.5, A13)."""
    if columns.refuted[conclusion]:
        return 0.0
    flow = _Flow(columns, conclusion)
    total = 0
    # Large amounts first: the number of paths tried then depends little on the capacities.
    for flow.least in _AMOUNTS:
        while (source := flow.search()) is not None:
            total += flow.push(source)
    stated = UNBOUNDED if columns.is_source[conclusion] else 0.0
    return stated + total / MILLIONTHS


class _Flow:
    """A flow in millionths, grown along paths that have room for at least `least`."""

    def __init__(self, columns: Columns, conclusion: int) -> None:
        self.conclusion = conclusion
        self.predecessors = columns.nearest_predecessors
        self.is_source = columns.is_source
        self.towards: dict[int, int] = {}
        self.least = 1
        self.node_room = columns.node_capacity
        self.edge_room = columns.edge_capacity
        self.through: dict[int, int] = {}
        self.along: dict[int, dict[int, int]] = {}

    def search(self) -> int | None:
        """Return a given from which more can flow, or None."""
        self.towards, source = _search(self.conclusion, self.is_source, self._leading_to)
        return source

    def _leading_to(self, state: int) -> Sequence[int]:
        node = state >> 1
        if state & 1:
            entries = [2 * other for other, amount in self.along.get(node, {}).items() if amount >= self.least]
            if self._room(2 * node, state) >= self.least:
                entries.append(2 * node)
            return entries
        exits = [
            2 * other + 1
            for other in self.predecessors[node]
            if other not in (self.conclusion, node) and self._room(2 * other + 1, state) >= self.least
        ]
        if self.through.get(node, 0) >= self.least:
            exits.append(2 * node + 1)
        return exits

    def _room(self, state: int, following: int) -> int:
        node, other = state >> 1, following >> 1
        if state & 1:
            if node == other:
                return self.through.get(node, 0)
            return self.edge_room[node, other] - self.along.get(node, {}).get(other, 0)
        if node == other:
            return (
                MILLIONTHS * int(UNBOUNDED)
                if self.is_source[node]
                else self.node_room[node] - self.through.get(node, 0)
            )
        return self.along[other][node]

    def push(self, source: int) -> int:
        """Send as much as fits along the path that the last search found, and return how much."""
        steps = _steps(self.towards, source, self.conclusion)
        amount = min(self._room(*step) for step in steps)
        for state, following in steps:
            self._send(state, following, amount)
        return amount

    def _send(self, state: int, following: int, amount: int) -> None:
        node, other = state >> 1, following >> 1
        if node == other:
            self.through[node] = self.through.get(node, 0) + (-amount if state & 1 else amount)
        elif state & 1:
            out = self.along.setdefault(node, {})
            out[other] = out.get(other, 0) + amount
        else:
            out = self.along[other]
            out[node] -= amount
            if out[node] == 0:
                del out[node]
