"""One mutant: where it is, what it breaks, and whether the tests of its clause see it."""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).parents[2]

Outcome = Literal["killed", "SURVIVES", "NO TEST", "NOT APPLIED"]


@dataclass(frozen=True)
class Mutant:
    """`old` stands once in `file` below src/moot, and `new` breaks the clause there; `tests` are files below tests/."""

    clause: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


def outcome(mutant: Mutant) -> Outcome:
    """Return what becomes of a mutant under the tests that name its clause."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        broken = source / "moot" / mutant.file
        text = broken.read_text(encoding="utf-8")
        if text.count(mutant.old) != 1:
            return "NOT APPLIED"
        broken.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        return _judged(_pytest(source, mutant))


def _pytest(source: Path, mutant: Mutant) -> int:
    environment = {
        **os.environ,
        "PYTHONPATH": str(source),
        "PYTHONDONTWRITEBYTECODE": "1",
        "MOOT_CLAUSE": mutant.clause,
    }
    files = [str(ROOT / "tests" / name) for name in mutant.tests]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "tests.mutants.one_clause", "-p", "no:xdist", *files]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False).returncode


def _judged(code: int) -> Outcome:
    # pytest: 0 all passed, 1 some failed, 2 a file could not even be imported, 5 no test was left.
    outcomes: dict[int, Outcome] = {0: "SURVIVES", 5: "NO TEST"}
    return outcomes.get(code, "killed")
