"""Every command and every Python example in the docs is run, with a scripted member in the place of a model."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from moot.protocols.coherence.graph_files import graphs_from, shipped_texts
from tests.cli.kit import GOOD, ROOT, Moot
from tests.protocols.coherence_kit import FAIR
from tests.protocols.prism.kit import output as claim_output

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)
NOT_HERE = ("make ", "pip ", "git ", "ollama ", "export ", "moot serve")
"""Commands of other programs, shown to be typed and not to be tested; and the one that stays."""

SERVER = ROOT / "docs" / "server.md"
"""Its commands need a server: `test_docs_server.py` runs them."""

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

MODELS = re.compile(r"--member (?!scripted)\S+")


def blocks(page: Path, kind: str) -> list[str]:
    return [body for found, body in BLOCK.findall(page.read_text(encoding="utf-8")) if found == kind]


def commands(page: Path) -> list[str]:
    lines = [line for body in blocks(page, "console") for line in body.splitlines() if line.startswith("$ ")]
    return [line[2:] for line in lines if not line[2:].startswith(NOT_HERE)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in (ROOT / "examples").rglob("*"):
        if path.is_file():
            shutil.copy(path, tmp_path / path.name)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    script = {
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
    (tmp_path / "script.json").write_text(json.dumps(script), encoding="utf-8")
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    wrapper = bin_folder / "moot"
    wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(Moot(tmp_path).command())} "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    return tmp_path


def environment(folder: Path) -> dict[str, str]:
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return {**Moot(folder).environment(), "MOOT_MEMBERS": "scripted:script.json", "PATH": path}


@pytest.mark.parametrize(
    "page", [page for page in PAGES if commands(page) and page != SERVER], ids=lambda page: str(page.relative_to(ROOT))
)
def test_the_commands_of_a_page_work_one_after_the_other(page: Path, folder: Path) -> None:
    latest = "ID"
    for command in commands(page):
        told = MODELS.sub("--member scripted:script.json", command).replace(" ID", f" {latest}")

        done = subprocess.run(
            told,
            shell=True,
            cwd=folder,
            env=environment(folder),
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        if found := re.search(r"moot (?:show|board take) (\w+)", done.stdout):
            latest = found[1]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: str(page.relative_to(ROOT))
)
def test_the_python_of_a_page_runs(page: Path, folder: Path) -> None:
    given = environment(folder)
    # As at the top of a checkout, where some of the examples are to be run.
    given["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [given.get("PYTHONPATH")])])
    for body in blocks(page, "python"):
        done = subprocess.run(
            [sys.executable, "-c", body],
            cwd=folder,
            env=given,
            capture_output=True,
            text=True,
            check=False,
        )

        assert done.returncode == 0, f"{body}\n{done.stderr}"


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
