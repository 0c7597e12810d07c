"""What deserves to be asked again: contradictions, and load-bearing claims of a single run (interrogation 3.6)."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from moot.argument.cycles import strong_components
from moot.argument.graph import UNNAMED_RUN, Adjacency, Columns
from moot.argument.steps import StepBudget

SEARCH_STEPS = 200_000


def contradiction_pairs(columns: Columns) -> list[tuple[int, int]]:
    """Return all pairs that attack each other, by guard or by assertion (interrogation 3.6)."""
    attacks = set(zip(columns.attack_src.tolist(), columns.attack_dst.tolist(), strict=True))
    return sorted((a, b) for a, b in attacks if a < b and (b, a) in attacks)


@dataclass(frozen=True)
class OnPath:
    """The nodes on a simple path from a live given to the conclusion; `exact` is False where the search gave up."""

    nodes: set[int]
    exact: bool


def on_simple_path(columns: Columns, conclusion: int, steps: int = SEARCH_STEPS) -> OnPath:
    """Return the nodes on any simple given-to-conclusion path of the augmented graph (interrogation 3.6, A15).

    A simple path visits a strongly connected component in one stretch. Outside cycles, reaching and being reached
    is enough; inside one, a stretch from an entry through the node to an exit is searched, within a budget of steps.
    """
    if columns.refuted[conclusion]:
        return OnPath(set(), exact=True)
    ahead = columns.live_backward.reachable([conclusion])
    # A path ends at the conclusion, so nothing leads on from it.
    leads = columns.live & (columns.support_src != conclusion) & (columns.support_src != columns.support_dst)
    leads &= ahead[columns.support_src] & ahead[columns.support_dst]
    onward = Adjacency.of(len(columns), columns.support_src[leads], columns.support_dst[leads])
    followers = onward.lists()
    relevant = set(np.flatnonzero(onward.reachable(columns.live_givens) & ahead).tolist())
    budget = StepBudget(steps)
    for component in strong_components(followers):
        if len(component) > 1 and component[0] in relevant:
            relevant -= _off_path(columns, component, followers, conclusion, relevant, budget)
    return OnPath(relevant, exact=budget.left >= 0)


def isolated_load_bearing(columns: Columns, on_path: OnPath) -> list[dict[str, object]]:
    """Return the nodes of a single run that lie on a path, or attack one that does (interrogation 3.6, A15).

    Where nobody named a run, nobody knows how many runs found a claim: none is a single run's.
    """
    if all(node.run_ids == {UNNAMED_RUN} for node in columns.nodes):
        return []
    attacks = zip(columns.attack_src.tolist(), columns.attack_dst.tolist(), strict=True)
    attackers = {src for src, dst in attacks if dst in on_path.nodes and not columns.refuted[src]}
    bearing = sorted(on_path.nodes | attackers)
    return [
        {"id": columns.nodes[node].id, "run_count": 1, "on_path": node in on_path.nodes}
        for node in bearing
        if len(columns.nodes[node].run_ids) == 1
    ]


def _off_path(
    columns: Columns,
    component: list[int],
    followers: list[list[int]],
    conclusion: int,
    relevant: set[int],
    budget: StepBudget,
) -> set[int]:
    """The nodes of a component that no simple path crosses, as far as the budget reaches."""
    inside = set(component)
    ahead = {node: [other for other in followers[node] if other in inside] for node in component}
    behind: dict[int, list[int]] = {node: [] for node in component}
    for node, row in ahead.items():
        for other in row:
            behind[other].append(node)

    def leaves(nodes: Sequence[int]) -> bool:
        return any(other in relevant and other not in inside for other in nodes)

    before = [[other for other in columns.live_predecessors[node] if other != conclusion] for node in component]
    entries = {n for n, row in zip(component, before, strict=True) if columns.is_source[n] or leaves(row)}
    exits = {node for node in component if leaves(followers[node])}
    crossed: set[int] = set()
    off: set[int] = set()
    for node in sorted(inside):
        if node not in crossed:
            stretch = _stretch(node, ahead, behind, entries, exits, budget)
            crossed.update(stretch)
            if not stretch and budget.left >= 0:
                off.add(node)
    return off


def _stretch(
    node: int,
    ahead: dict[int, list[int]],
    behind: dict[int, list[int]],
    entries: set[int],
    exits: set[int],
    budget: StepBudget,
) -> Sequence[int]:
    """A simple stretch from an entry through the node to an exit; empty if there is none or the budget is spent."""
    # Walk back from the node along every simple way to an entry, and see whether an exit can be reached beside it.
    way = [node]
    used = {node}
    open_ways = [iter(behind[node])]
    tried = False
    while way:
        if not tried and way[-1] in entries:
            onward = _shortest(node, ahead, exits.__contains__, used - {node}, budget)
            if onward:
                return [*reversed(way), *onward[1:]]
        tried = True
        if not budget.spend():
            return ()
        other = next((other for other in open_ways[-1] if other not in used), None)
        if other is None:
            used.discard(way.pop())
            open_ways.pop()
        else:
            way.append(other)
            used.add(other)
            open_ways.append(iter(behind[other]))
            tried = False
    return ()


def _shortest(
    start: int, ahead: dict[int, list[int]], is_goal: Callable[[int], bool], avoid: set[int], budget: StepBudget
) -> list[int]:
    came_from = {start: start}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if is_goal(node):
            path = [node]
            while path[-1] != start:
                path.append(came_from[path[-1]])
            return path[::-1]
        if not budget.spend():
            return []
        for other in ahead[node]:
            if other not in came_from and other not in avoid:
                came_from[other] = node
                queue.append(other)
    return []
