"""The pages, their links and blocks, and a folder in which their commands run with a scripted member as the default."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from moot.protocols.coherence.graph_files import graphs_from, shipped_texts
from tests.cli.kit import GOOD, ROOT, Moot
from tests.protocols.coherence_kit import FAIR
from tests.protocols.prism.kit import output as claim_output
from tests.warm import warm_command

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
SERVER = DOCS / "server.md"
"""Its commands need a server: `test_docs_server.py` runs them."""
TUTORIAL = DOCS / "tutorial.md"
"""It is followed from an empty folder: `test_docs_tutorial.py` does."""

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
NOT_HERE = ("make ", "pip ", "git ", "ollama ", "export ", "moot serve", "moot worker")
"""Commands of other programs, shown to be typed and not to be tested; and the one that stays."""

ON = "stays on around the clock"
ARGUMENT = {
    "answer": "server x9",
    "conclusion_node": "c",
    "nodes": [
        {"type": "conclusion", "id": "c", "claim": "Server x9 can take a nightly job"},
        {"type": "given", "id": "g", "document": 1, "quote": ON, "claim": f"Server x9 {ON}"},
    ],
    "edges": [{"from": "g", "to": "c", "relation": "supports"}],
}

UNFOLDED = {
    "columns": ["Cost", "Trust"],
    "scores": [
        {"observed_relation": {"graph": graph.name, "id": id_}, "values": [7, 3]}
        for graph in graphs_from(shipped_texts())
        for id_ in graph.ids
    ],
}

RESPONSE = {
    "reasoning": "It is on all night.",
    "position": "Server x9 should take the job.",
    "answer": "server x9",
    "confidence": 0.75,
    "epistemicClaims": {"facts": [f"Server x9 {ON} [1]"], "inferences": ["It can take the job [1]"], "assumptions": []},
    "references": [{"number": 1, "title": "survey.md", "quote": ON}],
    "vote": "ACCEPT",
}

SCRIPT = {
    "answer*": GOOD,
    "exposition/*": {"reasoning": "It is known.", "answer": "server x9", "claims": []},
    "run/*": f"{json.dumps(ARGUMENT)}\nAnswer: server x9",
    "round/*/lookup": {"calls": [{"tool": "search", "input": "nightly job"}]},
    "round/*/safety*": {"reasoning": "Nothing is dangerous.", "blocks": [], "clear": True},
    "round/*": RESPONSE,
    "verify/*": {"reason": "It is written there.", "verdict": "supported"},
    "unfold*": UNFOLDED,
    "scores/*": UNFOLDED,
    "response/*": "1. Wait.\n2. Begin small.\n3. Look again in May.",
    "judge/*": FAIR,
    **{f"L{layer}.*": claim_output(layer) for layer in range(1, 8)},
}
"""What the default member says, whichever protocol asks it."""


def blocks(page: Path, kind: str) -> list[str]:
    return [body for found, body in BLOCK.findall(page.read_text(encoding="utf-8")) if found == kind]


def commands(page: Path) -> list[str]:
    lines = [line for body in blocks(page, "console") for line in body.splitlines() if line.startswith("$ ")]
    return [line[2:] for line in lines if not line[2:].startswith(NOT_HERE)]


def program(body: str) -> list[str]:
    """Return the command that runs a program of a page, as at the top of a checkout."""
    return warm_command("tests.docs.program", body)


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prepare(home: Path) -> dict[str, str]:
    """Put the command `moot` and the script into a folder, and return the environment in which they are found."""
    (home / "script.json").write_text(json.dumps(SCRIPT), encoding="utf-8")
    wrapper = home / "bin" / "moot"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(Moot(home).command())} "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    path = f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}"
    return {**Moot(home).environment(), "MOOT_MEMBERS": f"scripted:{home / 'script.json'}", "PATH": path}


def lay_out_examples(folder: Path) -> None:
    """Copy the examples into a folder, both under their paths and all side by side."""
    for path in (ROOT / "examples").rglob("*"):
        if path.is_file():
            shutil.copy(path, folder / path.name)
    shutil.copytree(ROOT / "examples", folder / "examples")


def shell(command: str, folder: Path, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Return what comes of a command that is typed into a shell."""
    return subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
