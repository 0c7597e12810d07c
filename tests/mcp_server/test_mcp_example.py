"""The example of a graph as memory says what the page for agents shows."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.kit import DOCS, ROOT

pytest.importorskip("mcp")


def test_the_example_prints_what_the_page_shows(tmp_path):
    beside = str(Path(sys.executable).parent)
    told = {
        **os.environ,
        "MOOT_HOME": str(tmp_path),
        "PATH": os.pathsep.join((beside, os.environ["PATH"])),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    script = str(ROOT / "examples" / "graph_memory.py")

    done = subprocess.run([sys.executable, script], env=told, capture_output=True, text=True, check=True)

    shown = "".join(f"    {line}\n" for line in done.stdout.splitlines())
    assert done.stdout.count("\n") > 10
    assert shown in (DOCS / "agents.md").read_text(encoding="utf-8")
