"""Runs the program that it is given as its only argument, as `python -c` does at the top of a checkout."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = ["", str(Path(__file__).parents[2])]
    exec(compile(sys.argv[1], "<program>", "exec"), {"__name__": "__main__"})
