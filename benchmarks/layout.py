"""How long a layout takes: `python benchmarks/layout.py` prints seconds of CPU for graphs of 300, 2,000, 10,000 claims.

The graphs are generated: 1.4 lines a claim, of which each claim but the first has one to an earlier claim.
"""

import sys
from random import Random
from time import process_time

from moot.views.layout import LayoutBox, laid_out

BOUNDS = {300: 0.05, 2_000: 0.4, 10_000: 2.5}
"""Seconds of CPU by the number of claims."""
LINES_A_CLAIM = 1.4


def generated_graph(size: int, seed: int = 7) -> tuple[list[LayoutBox], list[tuple[int, int]]]:
    """Return boxes and lines of an argument in which every claim leads to the first."""
    chance = Random(seed)
    boxes = [LayoutBox(200, chance.choice((46, 61, 76)), first=number == 0) for number in range(size)]
    lines = {(number, chance.randrange(number)): None for number in range(1, size)}
    while len(lines) < LINES_A_CLAIM * size:
        src = chance.randrange(1, size)
        lines[src, chance.randrange(src)] = None
    return boxes, list(lines)


def layout_seconds(size: int) -> float:
    """Return the CPU that the layout of a generated graph takes."""
    boxes, lines = generated_graph(size)
    begin = process_time()
    laid_out(boxes, lines)
    return process_time() - begin


def main() -> int:
    """Print what was measured beside its bound; return 1 where one is passed."""
    passed = False
    for size, bound in BOUNDS.items():
        seconds = min(layout_seconds(size) for _ in range(3))
        passed |= seconds > bound
        print(f"{size:>6} claims: {seconds:.3f} s of CPU, at most {bound:g}{' PASSED' if seconds > bound else ''}")
    return int(passed)


if __name__ == "__main__":
    sys.exit(main())
