"""Moot as its users get it: a wheel, installed where the source is not.

The environment is empty but for the wheel. What the wheel declares that it needs is linked into it from the
environment of the tests, and nothing else is: a package that Moot uses and does not declare is not there. So nothing is
fetched, and what is tested of Moot itself is the wheel alone.
"""

import fnmatch
import json
import os
import shlex
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from moot.service.health import EXTRAS
from moot.version import __version__

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "moot"
COUNCIL = ROOT / "examples" / "moot-council"
PIP = (sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check")
GOOD = {"reasoning": "Because it is written there.", "answer": "server x9", "confidence": 0.9}
COUNCIL_SCRIPT = {
    "answer/m1": {"answer": "server x9"},
    "answer/*": {"answer": "server x8"},
    "ranking/*": {"order": "A > B"},
    "chairman": {"answer": "Server x9 it is."},
}

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class User:
    """Somebody with an environment of their own, in an empty folder."""

    environment: Path
    folder: Path

    @property
    def python(self) -> Path:
        return self.environment / "bin" / "python"

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command that sees neither the source, nor the tests' environment, nor their variables."""
        own = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "MOOT_MEMBERS": "scripted:script.json"}
        return subprocess.run(words, cwd=self.folder, env=own, capture_output=True, text=True, check=False)

    def moot(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run(self.python, "-I", self.environment / "bin" / "moot", *words)

    def install(self, wheel: Path) -> None:
        done = self.run(*PIP, "--python", self.python, "install", "--quiet", "--no-index", "--no-deps", wheel)
        assert done.returncode == 0, done.stderr


def build_wheel(project: Path, folder: Path) -> Path:
    command = (*PIP, "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder)
    done = subprocess.run((*command, project), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.iterdir()
    return wheel


def needs(requirements: list[str], extras: frozenset[str] = frozenset()) -> Iterator[Requirement]:
    for text in requirements:
        requirement = Requirement(text)
        chosen = [{"extra": extra} for extra in extras] or [{"extra": ""}]
        if requirement.marker is None or any(requirement.marker.evaluate(extra) for extra in chosen):
            yield requirement


def needed_distributions(wheel: Path) -> dict[str, Distribution]:
    """Return what a wheel needs without any extra, and what that needs, by name."""
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(metadata).decode("utf-8").splitlines()
    new = list(needs([line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist: ")]))
    known: dict[str, Distribution] = {}
    seen: set[str] = set()
    while new:
        requirement = new.pop()
        if str(requirement) not in seen:
            seen.add(str(requirement))
            known[requirement.name] = distribution(requirement.name)
            new += needs(known[requirement.name].requires or [], frozenset(requirement.extras))
    return known


def link(found: Distribution, folder: Path) -> None:
    """Link the packages, modules and metadata of a distribution into a folder."""
    for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
        place = folder / top
        if not place.exists():
            place.symlink_to(Path(str(found.locate_file(top))))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def user(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> User:
    someone = User(tmp_path_factory.mktemp("environment"), tmp_path_factory.mktemp("folder"))
    venv.create(someone.environment, with_pip=False, symlinks=True)
    packages = someone.environment / "packages"
    packages.mkdir()
    for found in needed_distributions(wheel).values():
        link(found, packages)
    (site,) = someone.environment.glob("lib/python*/site-packages")
    (site / "packages.pth").write_text(f"{packages}\n", encoding="utf-8")
    someone.install(wheel)
    (someone.folder / "script.json").write_text(json.dumps({"*": GOOD}), encoding="utf-8")
    return someone


def test_every_file_of_the_source_is_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("moot/")}

    source = {
        f"moot/{path.relative_to(SOURCE).as_posix()}"
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert source - packed == packed - source == set()
    assert {
        "moot/py.typed",
        "moot/argument/lists/opposites.txt",
        "moot/argument/lists/languages/german.txt",
        "moot/evals/data/sample.jsonl",
        "moot/web/pages/templates/base.html",
        "moot/web/pages/static/live.js",
    } <= packed
    for kind in ("spiral/axioms/*.toml", "coherence/graphs/*.txt"):
        assert fnmatch.filter(packed, f"moot/protocols/{kind}"), kind


def test_the_wheel_is_what_runs_and_neither_the_source_nor_an_extra_can_be_imported(user: User) -> None:
    program = (
        "import importlib.util as u, json, moot; "
        "print(json.dumps([moot.__file__, moot.__version__, *(u.find_spec(n) is None for n in "
        "('tests', 'pytest', 'fastapi', 'xllamacpp', 'scipy'))]))"
    )

    done = user.run(user.python, "-I", "-c", program)

    file, version, *absent = json.loads(done.stdout)
    assert Path(file).is_relative_to(user.environment)
    assert (version, set(absent)) == (__version__, {True})


def test_doctor_says_what_is_there_and_how_each_extra_is_added(user: User) -> None:
    done = user.moot("doctor", "--json")

    findings = json.loads(done.stdout)
    assert done.returncode == 0, findings
    assert findings[0]["found"].startswith(f"{__version__} on Python ")
    added = {item["found"].partition(":")[0]: item["needs"] for item in findings if item["what"] == "extra"}
    assert {name: need.split("'")[1] for name, need in added.items()} == {name: f"moot[{name}]" for name in EXTRAS}
    assert all(need.startswith(f"uv pip install --python {user.python} ") for need in added.values())


def test_a_question_is_answered_by_the_command_that_is_installed(user: User) -> None:
    asked = user.run(
        user.environment / "bin" / "moot",
        *("ask", "Which server?", "--protocol", "single", "--member", "scripted:script.json"),
    )
    kept = user.moot("replay", "last")

    assert asked.returncode == 0, asked.stderr
    assert "server x9" in asked.stdout
    assert kept.returncode == 0


@pytest.mark.parametrize(
    "command",
    [
        "axioms check",
        "coherence check",
        "evals run --arms single-pass --limit 1 --out first",
        "oracle '3 km = 3000 m'",
    ],
)
def test_what_reads_data_of_its_own_finds_it(command: str, user: User) -> None:
    done = user.moot(*shlex.split(command))

    assert done.returncode == 0, done.stdout + done.stderr


def test_python_asks_without_the_command_line(user: User) -> None:
    program = "import moot; print(moot.ask_sync('Which?', protocol='single', members=['scripted:script.json']).answer)"

    assert user.run(user.python, "-I", "-c", program).stdout == "server x9\n"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(
    ("tools", "words", "command"),
    [
        (("pipx", "uv"), (), 'pipx install --force --python python3 --pip-args=--constraint "ROOT" .[embedded]'),
        (("uv",), ("EXTRAS=",), "uv tool install --force --python python3 --constraints constraints.txt ."),
        (
            ("uv",),
            ("EXTRAS=docs,mcp", "PYTHON=python3.12"),
            "uv tool install --force --python python3.12 --constraints constraints.txt .[docs,mcp]",
        ),
        ((), (), "ENVIRONMENT/bin/python -m pip install --constraint constraints.txt '.[embedded]'"),
    ],
    ids=["pipx before uv", "no extra", "extras", "neither"],
)
def test_make_install_calls_what_there_is_and_else_says_what_to_do(
    tools: tuple[str, ...], words: tuple[str, ...], command: str, tmp_path: Path
) -> None:
    for tool in tools:
        (tmp_path / tool).write_text(f'#!/bin/sh\necho {tool} "$@"\n', encoding="utf-8")
        (tmp_path / tool).chmod(0o755)

    done = subprocess.run(
        (str(shutil.which("make")), "install", *words),
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode == 0) is bool(tools)
    assert done.stdout.splitlines()[-1].strip() == command.replace("ROOT", str(ROOT / "constraints.txt"))


@pytest.mark.skipif(not COUNCIL.is_dir(), reason="examples/moot-council is not there")
def test_a_protocol_of_another_package_is_installed_and_asked(user: User, tmp_path: Path) -> None:
    user.install(build_wheel(COUNCIL, tmp_path))
    (user.folder / "council.json").write_text(json.dumps(COUNCIL_SCRIPT), encoding="utf-8")

    listed = user.moot("protocols", "--json")
    asked = user.moot("ask", "Which server?", "--protocol", "council", "--member", "scripted:council.json*3", "--json")
    replayed = user.moot("replay", "last")

    assert "council" in [row["name"] for row in json.loads(listed.stdout)]
    assert asked.returncode == 0, asked.stdout + asked.stderr
    result = json.loads(asked.stdout)
    assert (result["protocol"], result["answer"], result["cost"]["calls"]) == ("council", "Server x9 it is.", 7)
    assert replayed.returncode == 0, replayed.stderr
