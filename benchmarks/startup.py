"""`python -m benchmarks.startup [CHECKOUT …]`: how long `moot --help` and `moot list` take, in times of `import typer`.

Seconds of the processor are counted, and each is run in turn with the baseline, so that a busy machine hardly matters;
the median of the ratios is printed, for each of the checkouts.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROUNDS = 15
BASELINE = [sys.executable, "-c", "import typer"]
COMMANDS = {"moot --help": ["--help"], "moot list": ["list"]}


def main() -> None:
    checkouts = [Path(name).resolve() for name in sys.argv[1:]] or [Path.cwd()]
    with tempfile.TemporaryDirectory() as home:
        for name, words in COMMANDS.items():
            ratios: dict[Path, list[float]] = {checkout: [] for checkout in checkouts}
            for _ in range(ROUNDS):
                for checkout in checkouts:
                    base = seconds(BASELINE, checkout, home)
                    ratios[checkout].append(seconds(started(words), checkout, home) / base)
            for checkout, measured in ratios.items():
                print(f"{name:12} {median(measured):5.2f} times `import typer`  ({checkout.name})")


def started(words: list[str]) -> list[str]:
    return [sys.executable, "-c", "from moot.cli import main; main()", *words]


def seconds(command: list[str], checkout: Path, home: str) -> float:
    environ = {**os.environ, "PYTHONPATH": str(checkout / "src"), "MOOT_HOME": home, "MOOT_CONFIG": "none"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environ, check=True, capture_output=True, cwd=home)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
