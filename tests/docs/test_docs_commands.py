"""Every command and every Python example in the docs is run, with a scripted member in the place of a model."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.docs.kit import PAGES, SERVER, TUTORIAL, blocks, commands, page_name, program, shell

MODELS = re.compile(r"--member (?!scripted)\S+")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if commands(page) and page not in (SERVER, TUTORIAL)], ids=page_name
)
def test_the_commands_of_a_page_work_one_after_the_other(page: Path, folder: Path, environ: dict[str, str]) -> None:
    latest = "ID"
    for command in commands(page):
        told = MODELS.sub("--member scripted:script.json", command).replace(" ID", f" {latest}")

        done = shell(told, folder, environ)

        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        if found := re.search(r"moot (?:show|board take) (\w+)", f"{done.stdout}{done.stderr}"):
            latest = found[1]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python") and page != TUTORIAL], ids=page_name)
def test_the_python_of_a_page_runs(page: Path, folder: Path, environ: dict[str, str]) -> None:
    for body in blocks(page, "python"):
        done = subprocess.run(program(body), cwd=folder, env=environ, capture_output=True, text=True, check=False)

        assert done.returncode == 0, f"{body}\n{done.stderr}"
