"""`moot serve` as a process: its first key, its address, its end."""

import asyncio
import signal
import subprocess
from pathlib import Path

import httpx2
import pytest

from moot.web.server import page_address
from tests.warm import warm_command
from tests.web.process import begin, environment, served


def moot(environ: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        warm_command("tests.warm.moot", *words), env=environ, capture_output=True, text=True, check=False, timeout=60
    )


def test_the_first_key_is_printed_once_and_works(tmp_path: Path) -> None:
    environ = environment(tmp_path)

    with served(environ) as first:
        agents = httpx2.get(f"{first.url}/api/v1/agents", headers={"Authorization": f"Bearer {first.key}"}).json()
    with served(environ) as second:
        again = second.key

    assert first.key and again is None
    assert [agent["name"] for agent in agents["items"]] == ["admin"]
    assert first.key.encode() not in b"".join(path.read_bytes() for path in tmp_path.rglob("*.db*") if path.is_file())


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_an_address_that_others_reach_is_not_served_without_a_key(tmp_path: Path, host: str) -> None:
    made = moot(environment(tmp_path), "serve", "--host", host, "--port", "0")

    assert made.returncode == 2
    assert "moot keys add" in made.stderr


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    with served(environ) as first:
        port = first.url.rsplit(":", 1)[1]

        made = moot(environment(tmp_path / "other"), "serve", "--port", port)

    assert made.returncode == 2 and port in made.stderr and "--port" in made.stderr


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_well(tmp_path: Path, end: signal.Signals) -> None:
    running = begin(environment(tmp_path))

    running.process.send_signal(end)
    out, err = running.process.communicate(timeout=60)

    assert running.process.returncode == 0, err
    assert "Traceback" not in out + err


def test_a_setting_that_cannot_be_used_is_named_before_anything_is_served(tmp_path: Path) -> None:
    wrong = {"serve_rate": "fast", "serve_members": "nonsense", "serve_runs": "-1"}

    made = {name: moot(environment(tmp_path, **{name: value}), "serve") for name, value in wrong.items()}

    for name, ended in made.items():
        assert ended.returncode == 2, (name, ended.stderr)
        assert name.upper() in ended.stderr or "nonsense" in ended.stderr


@pytest.mark.parametrize(
    ("host", "where_known", "elsewhere"),
    [
        ("127.0.0.1", "moot-8017.localhost", "127.0.0.1"),
        ("localhost", "moot-8017.localhost", "localhost"),
        ("::1", "moot-8017.localhost", "[::1]"),
        ("0.0.0.0", "moot-8017.localhost", "127.0.0.1"),
        ("::", "moot-8017.localhost", "127.0.0.1"),
        ("10.0.0.7", "10.0.0.7", "10.0.0.7"),
    ],
)
def test_a_browser_of_this_machine_opens_a_name_of_the_servers_own(host: str, where_known: str, elsewhere: str) -> None:
    async def addresses() -> list[str]:
        async def known(name: str, port: int) -> bool:
            return name == f"moot-{port}.localhost"

        async def unknown(name: str, port: int) -> bool:
            return False

        on_macs = [await page_address(host, 8017, resolver, "darwin") for resolver in (known, unknown)]
        return [*on_macs, await page_address(host, 8017, unknown, "linux")]

    by_name, plain = f"http://{where_known}:8017", f"http://{elsewhere}:8017"
    assert asyncio.run(addresses()) == [by_name, plain, by_name]
