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


async def run(site: Site, example: str, folder: Path, *words: str) -> str:
    """Run an example against a server, and return what it prints."""
    told = {
        **os.environ,
        "MOOT_SERVER": str(site.client.base_url),
        "MOOT_SERVER_KEY": site.keys["agent"],
        "LLM_USER_PATH": str(folder),
        "INSPECT_LOG_DIR": str(folder),
    }
    process = await asyncio.create_subprocess_exec(
        *(PYTHON, str(EXAMPLES / example), *words), cwd=folder, env=told, stdout=-1, stderr=-1
    )
    async with asyncio.timeout(SECONDS):
        printed, wrong = await process.communicate()
    assert process.returncode == 0, (printed + wrong).decode()
    return printed.decode()


def test_the_openai_client_shows_progress_the_answer_and_its_authority(tmp_path: Path) -> None:
    needs("openai")

    async def scene(site: Site) -> str:
        return await run(site, "with_openai.py", tmp_path, "Is 97 a prime number?")

    printed = at_site(tmp_path, scene, live=True, models={MEMBER: scripted(knowing)})

    assert "m2 answered; exposition: each answers alone\n" in printed
    assert "yes\ncomplete, confidence 1.0 (agreement)\n0 other answers, 3 calls; http://127.0.0.1:" in printed


def test_llm_prints_the_answer(tmp_path: Path) -> None:
    needs("llm")

    async def scene(site: Site) -> str:
        return await run(site, "with_llm.py", tmp_path, "Is 97 a prime number?")

    printed = at_site(tmp_path, scene, live=True, models={MEMBER: scripted(knowing)})

    assert printed.strip().splitlines()[-1] == "yes"


def test_inspect_grades_ten_items(tmp_path: Path) -> None:
    needs("inspect_ai")

    async def scene(site: Site) -> str:
        return await run(site, "with_inspect.py", tmp_path)

    printed = at_site(tmp_path, scene, live=True, models={MEMBER: scripted(knowing)})

    assert "moot/spiral: 10 of 10 items, accuracy 1.00\n" in printed
