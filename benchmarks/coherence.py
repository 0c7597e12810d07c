"""The engine of `coherence` beside a literal scan of its rules.

    python benchmarks/coherence.py

The literal scan (tests/protocols/coherence_literal.py) looks at every relation that is left whenever a path begins, as
coherence 4.4 is worded; it knows each relation's neighbours and nothing else. Both must give equal paths. Targets: the
engine at least 50 times as fast at 1,000 relations and 500 times at 10,000. 100,000 relations by 50 columns are
measured without a baseline, which would take days.
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.protocols.coherence_literal import LiteralEngine, random_graph

from moot.protocols.coherence.graph_files import Graph, make_graph
from moot.protocols.coherence.rules import paths_in, trace_paths

DEGREE = 4.0
SCORES = tuple(range(11))
TARGETS = {1_000: 50, 10_000: 500}
LARGE, COLUMNS = 100_000, 50


def main() -> int:
    """Print the figures; return 1 where a target is missed or results differ."""
    print(f"random graphs, mean degree {DEGREE:g}, scores evenly from 0 to 10, one column\n")
    print("  relations  paths   literal s   engine s   ratio   target")
    met = False not in [compared(size, target) for size, target in TARGETS.items()]
    print()
    measured_large()
    print("\nall targets met" if met else "\na target was missed")
    return 0 if met else 1


def compared(size: int, target: int) -> bool:
    """Print one row; return whether the results are equal and the target is met."""
    rng = random.Random(size)
    ids, adjacencies = random_graph(rng, size, degree=DEGREE)
    scores = {id_: float(rng.choice(SCORES)) for id_ in ids}
    graph = make_graph("g", dict.fromkeys(ids, "x"), adjacencies)
    literal = LiteralEngine(ids, adjacencies)

    began = time.perf_counter()
    slow = list(literal.paths(scores))
    literal_seconds = time.perf_counter() - began
    engine_seconds, fast = best_of(5, graph, scores)

    if fast != slow:
        print(f"  {size:9,}  the results differ")
        return False
    ratio = literal_seconds / engine_seconds
    print(
        f"  {size:9,}  {len(fast):5,}  {literal_seconds:10.3f}  {engine_seconds:9.5f}  {ratio:6.0f}   {target:6}"
        f"{'' if ratio >= target else '   missed'}"
    )
    return ratio >= target


def best_of(times: int, graph: Graph, scores: dict[str, float]) -> tuple[float, list[list[str]]]:
    """Return the least seconds of several runs of the engine, and what it found."""
    row = [scores[id_] for id_ in graph.ids]
    least, found = float("inf"), []
    for _ in range(times):
        began = time.perf_counter()
        found = list(paths_in(graph, row))
        least = min(least, time.perf_counter() - began)
    return least, found


def measured_large() -> None:
    """Print what many relations in many columns take."""
    rng = random.Random(LARGE)
    ids, adjacencies = random_graph(rng, LARGE, degree=DEGREE)
    began = time.perf_counter()
    graph = make_graph("g", dict.fromkeys(ids, "x"), adjacencies)
    built = time.perf_counter() - began
    columns = [f"column {number}" for number in range(COLUMNS)]
    values = {("g", id_): [float(rng.choice(SCORES)) for _ in columns] for id_ in ids}

    began = time.perf_counter()
    traced = trace_paths(columns, values, [graph])
    seconds = time.perf_counter() - began

    count = sum(len(paths) for paths in traced["paths"].values())
    print(f"{LARGE:,} relations by {COLUMNS} columns: graph {built:.1f} s, {count:,} paths in {seconds:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
