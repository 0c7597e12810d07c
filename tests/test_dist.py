"""A release is the same bytes for whoever builds it: from the checkout, and from the sdist on another day."""

import hashlib
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOMENT = 1_790_000_000

pytestmark = pytest.mark.slow


def built(project: Path, folder: Path) -> dict[str, str]:
    """Build wheel and sdist as `make dist` does; return the SHA-256 of each by its name."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)],
        cwd=project,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(MOMENT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    folder = tmp_path_factory.mktemp("dist")
    return folder, built(ROOT, folder)


def test_an_unpacked_sdist_builds_the_same_bytes_again(first: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    folder, names = first
    [sdist] = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    [project] = tmp_path.iterdir()
    for path in project.rglob("*"):
        os.utime(path, (1, 2_000_000_000))

    again = built(project, tmp_path / "again")

    assert again == names and len(names) == 2


def test_an_archive_carries_the_moment_that_it_is_told_and_nobody_s_name(first: tuple[Path, dict[str, str]]) -> None:
    [sdist] = first[0].glob("*.tar.gz")

    with tarfile.open(sdist) as archive:
        members = archive.getmembers()

    assert {member.mtime for member in members} == {MOMENT}
    assert {(member.uid, member.gid, member.uname, member.gname) for member in members} == {(0, 0, "", "")}


def test_an_sdist_holds_what_a_checkout_is_worked_with(first: tuple[Path, dict[str, str]]) -> None:
    [sdist] = first[0].glob("*.tar.gz")

    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    wanted = {"Makefile", "constraints.txt", "deploy/Containerfile", "docs/upgrading.md", "tests/test_dist.py"}
    assert wanted <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith((".venv", "dist/"))]


def test_make_dist_builds_by_the_same_command() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert "python -m hatchling build --directory dist\n" in text
    assert "dist: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct" in text
