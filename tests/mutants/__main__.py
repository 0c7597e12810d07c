"""Break the clauses one by one and print what their tests say; exit 1 if a mutant is not killed."""

import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

from tests.mutants.mutant import Mutant, outcome

NO_TABLES = ("__init__", "__main__", "mutant", "one_clause")
TABLES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in NO_TABLES)


def chosen(names: list[str]) -> list[Mutant]:
    """Return the mutants of the tables or clauses named; of all tables where nothing is named."""
    rows = [(table, mutant) for table in TABLES for mutant in import_module(f"tests.mutants.{table}").MUTANTS]
    return [mutant for table, mutant in rows if not names or {table, mutant.clause} & set(names)]


def main(names: list[str]) -> int:
    """Print one line a mutant, then the sum."""
    counts: Counter[str] = Counter()
    mutants = chosen(names)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for mutant, result in zip(mutants, pool.map(outcome, mutants), strict=True):
            counts[result] += 1
            line = mutant.old.strip().splitlines()[0]
            sys.stdout.write(f"{result:<12} {mutant.clause:<24} {mutant.file}: {line[:80]}\n")
            sys.stdout.flush()
    sys.stdout.write(", ".join(f"{number} {result}" for result, number in sorted(counts.items())) + "\n")
    return int(counts["killed"] < len(mutants) or not mutants)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
