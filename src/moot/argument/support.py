"""How widely a conclusion is supported: disjoint paths, the nearest cut, the maximum flow (interrogation 3.5).

One search backwards from the conclusion finds the paths one after the other (Menger); when it finds no more, what it
has seen is the conclusion's side of the nearest minimum cut: width, paths and cut are one computation.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from moot.argument.graph import MILLIONTHS, Columns, is_given

UNBOUNDED = 1e9
_AMOUNTS = (500_000, 100_000, 20_000, 2_000, 100, 1)


@dataclass(frozen=True)
class Support:
    """The node-disjoint paths from live givens to a conclusion, and the nodes that cut them all (A11)."""

    paths: list[list[int]]
    cut: list[int]
    uncuttable: bool

    @property
    def width(self) -> int:
        """The number of disjoint paths."""
        return len(self.paths)


def support_of(columns: Columns, conclusion: int) -> Support:
    """Return the support of a conclusion in the augmented graph (interrogation 3.5, A9, A11)."""
    if columns.refuted[conclusion]:
        return Support([], [], uncuttable=False)
    routes = _Routes(columns, conclusion)
    while (source := routes.search()) is not None:
        routes.augment(source)
    if is_given(columns.nodes[conclusion]):
        return Support([[conclusion], *routes.paths()], [], uncuttable=True)
    return Support(routes.paths(), routes.cut(), uncuttable=False)


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

    def __init__(self, columns: Columns, conclusion: int) -> None:
        self.conclusion = conclusion
        self.predecessors = columns.nearest_predecessors
        self.is_source = columns.is_source
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
    stated = UNBOUNDED if is_given(columns.nodes[conclusion]) else 0.0
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
