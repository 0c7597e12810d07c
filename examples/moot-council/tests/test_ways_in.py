"""The council runs from a file, from a module and from an installed package; a stored run replays to the byte."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from council_kit import PACKAGE, QUESTION, REFUSED, member
from moot_council.protocol import COUNCIL

import moot
from moot import Result, ask_sync
from moot.testing import no_network

ORDER = ["Old", "New", "Low"]
IN_A_FRESH_PROCESS = """
import json
from moot import ask_sync
from moot.testing import no_network, scripted

yes = scripted({"answer/*": {"answer": "yes"}})
with no_network():
    result = ask_sync("Is it?", protocol="council", members="scripted:a", models={"scripted:a": yes})
print(json.dumps([result.answer, dict(result.record.header.data)]))
"""


def ask_by(protocol: str, home: dict[str, str]) -> Result:
    members = {f"scripted:{answer}": member(answer, ORDER) for answer in ORDER}
    with no_network():
        return ask_sync(QUESTION, protocol=protocol, members=list(members), models=members, environ=home)


@pytest.mark.parametrize("broken", [False, True])
def test_a_stored_run_replays_to_the_byte_so_the_protocol_is_pure(home: dict[str, str], *, broken: bool) -> None:
    members = {f"scripted:{answer}": member(answer, REFUSED if broken else ORDER) for answer in ORDER}
    result = ask_sync(QUESTION, protocol=COUNCIL, members=list(members), models=members, environ=home)

    replayed = asyncio.run(moot.replay(result.id, protocol=COUNCIL, environ=home))

    assert replayed.events == len(result.record.events)


def test_it_runs_from_its_file(home: dict[str, str]) -> None:
    result = ask_by(str(PACKAGE / "src" / "moot_council" / "protocol.py"), home)

    assert result.answer == "written"
    assert result.record.header.data["protocol council"].startswith("protocol.py sha256")


def test_it_runs_from_its_module(home: dict[str, str]) -> None:
    assert ask_by("moot_council.protocol:COUNCIL", home).answer == "written"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has put the package, as it would into an environment."""
    site = tmp_path_factory.mktemp("site")
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check", "--quiet"]
    install = [sys.executable, "-m", "pip", "install", *options, "--target", str(site), str(PACKAGE)]
    subprocess.run(install, check=True, capture_output=True, text=True)
    return site


def output(installed: Path, home: dict[str, str], *arguments: str) -> str:
    environ = {**os.environ, **home, "PYTHONPATH": str(installed)}
    done = subprocess.run([sys.executable, *arguments], env=environ, check=True, capture_output=True, text=True)
    return done.stdout


def test_installed_it_is_a_name_and_the_record_keeps_package_and_version(installed: Path, home: dict[str, str]) -> None:
    answer, data = json.loads(output(installed, home, "-c", IN_A_FRESH_PROCESS))

    assert answer == "yes"
    assert data == {"protocol council": "moot-council 1.0.0"}


def test_installed_it_is_listed_with_its_settings(installed: Path, home: dict[str, str]) -> None:
    listing = output(installed, home, "-c", "from moot.cli import main; main()", "protocols")

    assert "council  blind answers, anonymous rankings by every member, a chairman who writes" in listing
    assert "--set chairman=  the seat that writes the final answer, such as m2" in listing
