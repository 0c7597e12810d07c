"""What commands print with `--json`, from a scripted member in a folder of its own."""

import json
import os
import shlex
import shutil
import tempfile
from collections.abc import Generator, Mapping
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from moot.cli.app import app

ROOT = Path(__file__).parents[2]
FILES = ("demo/survey.md", "argument_graph.json")
SCRIPT = {
    "answer": {"reasoning": "It says so.", "answer": "server x9", "confidence": 0.9},
    "run/*": "Server x9 runs Linux and stays on around the clock.\nAnswer: server x9",
}
OVER_DOCUMENTS = "ask 'Which server can take a nightly job?' --doc survey.md --set form=plain"
LIMITS = "--budget-tokens 9000 --budget-usd 1.5 --budget-seconds 60.5"
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "moot list": ("list",),
    "moot ask --dry-run": (
        f"ask 'Which?' --protocol single --dry-run {LIMITS}",
        f"{OVER_DOCUMENTS} --dry-run",
    ),
    "moot contest ID": ("contest last",),
    "moot replay": ("replay last",),
    "moot protocols": ("protocols",),
    "moot config": ("config",),
    "moot doctor": ("doctor",),
    "moot graph": ("graph argument_graph.json",),
    "moot oracle": ("oracle '2 + 2 = 5'",),
    "moot axioms search": ("axioms search 'Was 1900 a leap year?'",),
    "moot delete": ("delete last --yes",),
}
"""Each command by its heading, with the words that are run for it. `contest` and `replay` go over what was asked before
them, and `delete` is the last."""


def printed_samples() -> dict[str, list[Any]]:
    """Return what each command printed, after a question by `single` and one over a document."""
    with _folder() as folder:
        _run(folder, "ask 'Which?' --protocol single")
        _run(folder, OVER_DOCUMENTS)
        return {name: [_run(folder, words) for words in each] for name, each in COMMANDS.items()}


@contextmanager
def _folder() -> Generator[Path]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in FILES:
            shutil.copy(ROOT / "examples" / file, folder)
        (folder / "script.json").write_text(json.dumps(SCRIPT), encoding="utf-8")
        yield folder


def _run(folder: Path, words: str) -> Any:
    """What `moot WORDS --json` prints."""
    place = {"MOOT_HOME": str(folder / "home"), "MOOT_CACHE": str(folder / "cache"), "MOOT_CONFIG": "none"}
    others = {name: None for name in os.environ if name.startswith("MOOT_") or name.endswith("_API_KEY")}
    with chdir(folder):
        done = CliRunner().invoke(
            app, [*shlex.split(words), "--json"], env={**others, **place, "MOOT_MEMBERS": "scripted:script.json"}
        )
    return json.loads(done.stdout)
