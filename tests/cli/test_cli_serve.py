"""`moot serve` at a terminal: where to go, and a browser that is signed in without a key being pasted."""

import os
import select
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.cli.kit import Moot


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """A browser that tells which address it was opened with, into a pipe beside it."""
    os.mkfifo(tmp_path / "opened")
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n', encoding="utf-8")
    program.chmod(0o755)
    return program


@contextmanager
def serving(moot: Moot, *words: str) -> Generator[subprocess.Popen[str]]:
    command = moot.command("serve", "--port", "0", *words)
    with subprocess.Popen(command, env=moot.environment(), stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.terminate()


def said(process: subprocess.Popen[str]) -> str:
    """Return what a server prints until it serves."""
    assert process.stdout
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("serving on"):
            break
    return "".join(lines)


def opened(pipe: Path) -> str:
    """Return the address that the browser was opened with."""
    # Opened for both ends: to open a pipe that nobody ever writes to would wait for ever.
    end = os.open(pipe, os.O_RDWR)
    try:
        assert select.select([end], [], [], 60)[0], "no browser was opened"
        return os.read(end, 1000).decode().strip()
    finally:
        os.close(end)


def test_open_prints_a_link_and_opens_it_and_the_link_signs_in_once(tmp_path: Path, browser: Path) -> None:
    moot = Moot(tmp_path, {"BROWSER": f"{browser} %s"})

    with serving(moot, "--open") as process:
        printed = said(process)
        link = opened(tmp_path / "opened")
        address = f"http://127.0.0.1:{urlsplit(link).port}"
        shown = httpx2.get(f"{address}{urlsplit(link).path}")
        used = httpx2.post(f"{address}{urlsplit(link).path}")
        again = httpx2.post(f"{address}{urlsplit(link).path}")
        own = {"Cookie": used.headers["set-cookie"].partition(";")[0], "Sec-Fetch-Site": "same-origin"}
        agents = httpx2.get(f"{address}/api/v1/agents", headers=own)

    assert f"as admin, once, for ten minutes:\n\n    {link}\n" in printed
    assert urlsplit(link).path.startswith("/in/")
    assert urlsplit(link).hostname in (f"moot-{urlsplit(link).port}.localhost", "127.0.0.1")
    assert (shown.status_code, used.status_code, again.status_code) == (200, 303, 410)
    assert [agent["name"] for agent in agents.json()["items"]] == ["admin"]


def test_without_open_the_address_and_the_way_in_are_printed(tmp_path: Path) -> None:
    with serving(Moot(tmp_path)) as process:
        printed = said(process)

    assert "pages are at http://" in printed and "sign in with a key, or start with --open" in printed
    assert "/in/" not in printed


def test_as_makes_the_link_for_the_key_of_a_name_and_refuses_one_that_there_is_not(tmp_path: Path) -> None:
    moot = Moot(tmp_path)
    refused = moot.run("serve", "--port", "0", "--as", "ada")
    none_made = moot.json("keys", "list")
    moot.run("keys", "add", "ada", "--scope", "reviewer")
    no_admin = moot.run("serve", "--port", "0", "--open")

    with serving(moot, "--as", "ada") as process:
        printed = said(process)

    assert refused.returncode == 2 and "'ada'" in refused.stderr and "moot keys list" in refused.stderr
    assert none_made == []
    assert no_admin.returncode == 2 and "scope admin" in no_admin.stderr
    assert "opens Moot in a browser as ada, once" in printed
