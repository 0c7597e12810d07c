"""The tutorial, followed literally: an empty folder, every command as it is written, in order, and what it shows."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.kit import BLOCK, TUTORIAL, prepare, program, shell

ANYTHING = "…"


def typed(body: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block, with the lines that go on with it, and the output shown under it."""
    command: list[str] = []
    shown: list[str] = []
    for line in [*body.splitlines(), "$ "]:
        if line.startswith("$ "):
            if command:
                yield "\n".join(command), "\n".join(shown)
            command, shown = [line[2:]], []
        elif line.startswith(">"):
            command.append(line[2:])
        else:
            shown.append(line)


def steps(page: Path) -> Iterator[tuple[str, str]]:
    """Yield what a reader of a page does, in order: commands of a shell, and programs; with what is shown of it."""
    for kind, body in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "console":
            yield from typed(body)
        elif kind == "python":
            yield shlex.join(program(body)), ""


def is_shown(shown: str, printed: str) -> bool:
    """Are the lines on the page what came? `…` stands for anything within a line."""
    pattern = ".*".join(re.escape(part) for part in shown.split(ANYTHING))
    return re.fullmatch(pattern, printed.strip()) is not None


def follow(page: Path, folder: Path, environ: dict[str, str]) -> list[str]:
    """Do what a page says, and return what did not come out as it says."""
    wrong = []
    for command, shown in steps(page):
        done = shell(command, folder, environ)
        if done.returncode or (shown and not is_shown(shown, done.stdout)):
            wrong.append(f"{command}\n{done.returncode}: {done.stdout}{done.stderr}")
    return wrong


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def test_the_tutorial_can_be_followed_from_an_empty_folder(empty: Path, tmp_path: Path) -> None:
    assert len(list(steps(TUTORIAL))) > 15

    assert follow(TUTORIAL, empty, prepare(tmp_path)) == []


def test_a_command_that_fails_and_output_that_does_not_come_are_told(empty: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ cat absent.md\n$ echo one two\none …\n$ echo one\ntwo\n```\n", encoding="utf-8")

    wrong = follow(page, empty, prepare(tmp_path))

    assert [told.splitlines()[0] for told in wrong] == ["cat absent.md", "echo one"]
