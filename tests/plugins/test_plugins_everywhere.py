"""What a plugin brings works wherever Moot is used: at the command line, in evaluations, on a server, over MCP."""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.kit import Moot
from tests.plugins.kit import ECHO, MODULES, install, write_package

HELLO = {"echo": "hello back", "answer": {"reasoning": "r", "answer": "hello back", "confidence": 0.5}}


@pytest.fixture(autouse=True)
def _no_module_is_left() -> Iterator[None]:
    yield
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.fixture
def moot(tmp_path: Path) -> Moot:
    (tmp_path / "hello.json").write_text(json.dumps(HELLO), encoding="utf-8")
    return Moot(tmp_path, {"PYTHONPATH": str(write_package(tmp_path / "site"))})


MEMBER = ("--member", "scripted:hello.json")


def test_the_command_line_asks_plans_shows_replays_and_exports_by_an_installed_protocol(moot: Moot) -> None:
    plan = moot.json("ask", "hello", "--protocol", "echo", *MEMBER, "--dry-run")
    result = moot.json("ask", "hello", "--protocol", "echo", "--set", "loud=true", *MEMBER)

    assert (plan["protocol"], plan["expected"]["calls"]) == ("echo", 1)
    assert (result["answer"], result["status"]) == ("HELLO BACK", "complete")
    assert moot.run("replay", "last").returncode == 0
    assert "It was said." in moot.run("show", "last").stdout
    assert "It was said." in moot.run("export", "last", "--format", "md").stdout


def test_compare_puts_an_installed_protocol_beside_moots_own(moot: Moot) -> None:
    compared = moot.json("compare", "hello", "--protocol", "single,echo", *MEMBER)

    assert [(each["protocol"], each["answer"]) for each in compared["results"]] == [
        ("single", "hello back"),
        ("echo", "hello back"),
    ]


def test_evaluations_run_an_installed_protocol_over_an_installed_dataset(moot: Moot) -> None:
    done = moot.run("evals", "run", "--arms", "echo", "--data", "riddles", *MEMBER, "--out", "results")

    assert done.returncode == 0, done.stderr
    written = (moot.folder / "results" / "arms" / "echo.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in written.splitlines()]
    assert [(row["item"], row["answer"]) for row in rows] == [("r1", "hello back"), ("r2", "hello back")]


def test_protocols_and_doctor_name_what_is_brought_and_what_is_broken(moot: Moot) -> None:
    entries = {"moot.protocols": {"sad": "sad_package:SAD"}}
    write_package(moot.folder / "site", "moot-sad", entries=entries, modules={"sad_package": "1 / 0"})

    listed, examined, arms = moot.run("protocols"), moot.json("doctor"), moot.run("evals", "arms")

    assert "echo  says what one member says" in listed.stdout
    assert "of moot-parts 1.0" in listed.stdout
    for told in (listed.stderr, arms.stderr):
        assert "the protocol 'sad' of moot-sad 1.0 cannot be used: ZeroDivisionError" in told
    assert "says what one member says" in arms.stdout
    plugins = {(item["what"], item["state"], item["found"]) for item in examined if " of moot-" in item["found"]}
    assert plugins == {
        ("protocol", "ok", "echo of moot-parts 1.0"),
        ("protocol", "broken", "sad of moot-sad 1.0"),
        ("provider", "ok", "parrot of moot-parts 1.0"),
        ("oracle", "ok", "rhyme of moot-parts 1.0"),
        ("dataset", "ok", "riddles of moot-parts 1.0"),
    }


def test_an_installed_oracle_is_put_a_claim_to(moot: Moot) -> None:
    asked = moot.json("oracle", "station rhymes with nation", "--oracles", "rhyme")

    assert (asked["verdict"], asked["reading"]) == ("true", "station rhymes with nation")
    assert moot.json("oracle", "station rhymes with nation")["verdict"] == "not decided"


@pytest.mark.parametrize("reference", ["mine.py", "mine.py:ECHO", "echo_package:ECHO"])
def test_a_protocol_is_asked_by_a_reference_and_gone_on_with_by_it(moot: Moot, reference: str) -> None:
    (moot.folder / "mine.py").write_text(ECHO, encoding="utf-8")

    result = moot.json("ask", "hello", "--protocol", reference, *MEMBER)

    assert result["answer"] == "hello back"
    assert moot.run("replay", "last", "--protocol", reference).returncode == 0
    assert moot.json("fork", "last", "--at", "echo", "--protocol", reference, *MEMBER)["answer"] == "hello back"


def test_a_run_of_a_file_is_shown_without_the_file_and_refused_a_replay_by_name(moot: Moot) -> None:
    moot = Moot(moot.folder)
    (moot.folder / "mine.py").write_text(ECHO, encoding="utf-8")
    moot.json("ask", "hello", "--protocol", "mine.py", *MEMBER)
    (moot.folder / "mine.py").unlink()

    shown, replayed = moot.run("show", "last"), moot.run("replay", "last")

    assert shown.returncode == 0
    assert "hello back" in shown.stdout
    assert replayed.returncode != 0
    assert "protocol echo of mine.py" in replayed.stderr


def test_a_server_runs_an_installed_protocol_and_imports_no_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fastapi")
    from tests.web.kit import Site, at_site

    install(write_package(tmp_path / "site"), monkeypatch)

    async def scene(here: Site) -> tuple[Any, int]:
        made = await here.post("/deliberations", {"question": "hello", "protocol": "echo"})
        refused = await here.post("/deliberations", {"question": "hello", "protocol": "echo_package:ECHO"})
        return await here.ended(made.json()["id"]), refused.status_code

    ended, refused = at_site(tmp_path, scene)

    assert ended["status"] == "complete"
    assert 400 <= refused < 500


def test_an_agent_deliberates_by_an_installed_protocol_over_mcp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mcp")
    from mcp import Client

    from moot.mcp_server import build_server
    from moot.service.workplace import open_own_process
    from moot.testing import scripted
    from tests.web.kit import MEMBER as SEATED
    from tests.web.kit import environ

    install(write_package(tmp_path / "site"), monkeypatch)

    async def scene() -> Any:
        models = {SEATED: scripted({"echo": "hello back"})}
        async with (
            open_own_process(environ(tmp_path), models=models) as workplace,
            Client(build_server(workplace), mode="legacy") as client,
        ):
            return await client.call_tool("deliberate", {"question": "hello", "protocol": "echo"})

    result = asyncio.run(scene())

    assert result.structured_content["answer"] == "hello back"
