"""The examples with the clients that people have. `MOOT_CLIENTS` names a Python that has `llm` and `inspect_ai`."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from moot.core.calls import Request
from moot.testing import scripted
from tests.web.kit import MEMBER, Site, at_site

EXAMPLES = Path(__file__).parents[3] / "examples" / "clients"
PYTHON = os.environ.get("MOOT_CLIENTS") or sys.executable
SECONDS = 120
SUMS: dict[str, Callable[[int, int], int]] = {
    "+": lambda one, other: one + other,
    "-": lambda one, other: one - other,
    "*": lambda one, other: one * other,
    "/": lambda one, other: one // other,
}


@cache
def has(module: str) -> bool:
    command = [PYTHON, "-c", f"import importlib.util as u; raise SystemExit(u.find_spec('{module}') is None)"]
    return subprocess.run(command, check=False).returncode == 0


def needs(module: str) -> None:
    if not has(module):
        pytest.skip(f"{module} is not installed; MOOT_CLIENTS may name a Python that has it")


def knowing(request: Request) -> str:
    """A member that knows its primes and its sums."""
    asked = " ".join(message.content for message in request.messages)
    if sum_ := re.search(r"What is (\d+) ([-+*/]) (\d+)\?", asked):
        answer = str(SUMS[sum_[2]](int(sum_[1]), int(sum_[3])))
    else:
        number = re.search(r"Is (\d+) ", asked)
        assert number, asked
        answer = "yes" if all(int(number[1]) % part for part in range(2, 10)) else "no"
    return json.dumps({"reasoning": "By trial.", "answer": answer, "confidence": 0.9, "claims": []})


async def run(example: str, folder: Path, *words: str, **told: str) -> tuple[int, str, str]:
    """Run an example, and return how it ends, what it prints, and what it says went wrong."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MOOT_")}
    process = await asyncio.create_subprocess_exec(
        *(PYTHON, str(EXAMPLES / example), *words), cwd=folder, env={**environ, **told}, stdout=-1, stderr=-1
    )
    async with asyncio.timeout(SECONDS):
        printed, wrong = await process.communicate()
    return process.returncode or 0, printed.decode(), wrong.decode()


async def asked(site: Site, example: str, folder: Path, *words: str, **told: str) -> str:
    """Run an example against a server, and return what it prints."""
    outcome, printed, wrong = await run(example, folder, *words, **{**at(site, folder), **told})
    assert outcome == 0, printed + wrong
    return printed


def at(site: Site, folder: Path) -> dict[str, str]:
    """What an example is told of a server."""
    return {
        "MOOT_SERVER": str(site.client.base_url),
        "MOOT_SERVER_KEY": site.keys["agent"],
        "LLM_USER_PATH": str(folder),
        "INSPECT_LOG_DIR": str(folder),
    }


def test_the_openai_client_shows_progress_the_answer_and_its_authority(tmp_path: Path) -> None:
    needs("openai")

    async def scene(site: Site) -> str:
        return await asked(site, "with_openai.py", tmp_path, "Is 97 a prime number?")

    printed = at_site(tmp_path, scene, live=True, models={MEMBER: scripted(knowing)})

    assert "m2 answered; exposition: each answers alone\n" in printed
    assert "yes\ncomplete, confidence 1.0 (agreement)\n0 other answers, 3 calls; http://127.0.0.1:" in printed


def test_llm_prints_the_answer(tmp_path: Path) -> None:
    needs("llm")

    async def scene(site: Site) -> str:
        return await asked(site, "with_llm.py", tmp_path, "Is 97 a prime number?")

    printed = at_site(tmp_path, scene, live=True, models={MEMBER: scripted(knowing)})

    assert printed.strip().splitlines()[-1] == "yes"


def test_llm_is_asked_for_another_model_and_the_models_of_its_user_are_left_alone(tmp_path: Path) -> None:
    needs("llm")
    own = tmp_path / "extra-openai-models.yaml"
    own.write_text("- model_id: mine\n", encoding="utf-8")

    async def scene(site: Site) -> str:
        return await asked(site, "with_llm.py", tmp_path, "Is 97 a prime number?", MOOT_MODEL="moot/single")

    printed = at_site(tmp_path, scene, live=True, models={MEMBER: scripted(knowing)})

    assert printed.strip() == "yes"
    assert own.read_text(encoding="utf-8") == "- model_id: mine\n"


@pytest.mark.parametrize("told", [{}, {"MOOT_SERVER": "http://127.0.0.1:9"}], ids=["nothing", "no key"])
@pytest.mark.parametrize(
    ("module", "example"),
    [("openai", "with_openai.py"), ("llm", "with_llm.py"), ("inspect_ai", "with_inspect.py")],
)
def test_an_example_that_knows_no_server_says_what_to_set(
    tmp_path: Path, module: str, example: str, told: dict[str, str]
) -> None:
    needs(module)

    outcome = asyncio.run(run(example, tmp_path, **told))

    assert outcome == (1, "", "set MOOT_SERVER to the address of a Moot server, and MOOT_SERVER_KEY to a key of it\n")


def test_the_openai_client_prints_why_there_is_no_confidence(tmp_path: Path) -> None:
    needs("openai")

    async def scene(site: Site) -> str:
        return await asked(site, "with_openai.py", tmp_path, "Is 97 a prime number?")

    alone = scripted(lambda request: knowing(request) if "m1" in request.step else "")
    printed = at_site(tmp_path, scene, live=True, models={MEMBER: alone})

    assert "yes\npartial, confidence none: no agreement was measured\n" in printed


def test_the_openai_client_prints_in_one_line_what_the_server_refuses(tmp_path: Path) -> None:
    needs("openai")

    async def scene(site: Site) -> list[tuple[int, str, str]]:
        told = at(site, tmp_path)
        single = {**told, "MOOT_MODEL": "moot/single"}
        wrong_key = {**told, "MOOT_SERVER_KEY": "moot_00000000_" + "x" * 43}
        nobody = {**told, "MOOT_SERVER": "http://127.0.0.1:9"}
        return [await run("with_openai.py", tmp_path, "Is 97 prime?", **one) for one in (single, wrong_key, nobody)]

    (ended, _, no_answer), (refused, _, wrong_key), (alone, _, nobody) = at_site(
        tmp_path, scene, live=True, models={MEMBER: scripted({})}
    )

    assert (ended, refused, alone) == (1, 1, 1)
    assert "came to no answer (" in no_answer and len(no_answer.splitlines()) == 1
    assert wrong_key.startswith("this key opens nothing here; ") and len(wrong_key.splitlines()) == 1
    assert nobody == "Connection error.\n"


def test_inspect_grades_ten_items(tmp_path: Path) -> None:
    needs("inspect_ai")

    async def scene(site: Site) -> str:
        return await asked(site, "with_inspect.py", tmp_path)

    printed = at_site(tmp_path, scene, live=True, models={MEMBER: scripted(knowing)})

    assert "moot/spiral: 10 of 10 items, accuracy 1.00\n" in printed
