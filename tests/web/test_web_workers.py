"""`moot serve` and `moot worker` as processes over one PostgreSQL database."""

import asyncio
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.fake_server import FakeServer
from tests.warm import warm_command
from tests.web.process import Process, begin_worker, ending, environment, served

pytest.importorskip("procrastinate", reason="procrastinate is not installed")


class Asker:
    """Somebody with a key at a server."""

    def __init__(self, at: Process, key: str | None) -> None:
        self._url = f"{at.url}/api/v1"
        self._headers = {"Authorization": f"Bearer {key}"}

    def ask(self, member: str) -> str:
        question = {"question": "Is 97 prime?", "protocol": "single", "members": [member]}
        answer = httpx2.post(f"{self._url}/deliberations", json=question, headers=self._headers)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def see(self, path: str) -> Any:
        return httpx2.get(f"{self._url}{path}", headers=self._headers).json()

    def post(self, path: str) -> httpx2.Response:
        return httpx2.post(f"{self._url}{path}", headers=self._headers)


async def until(happened: Callable[[], Any], seconds: float = 40.0) -> Any:
    async with asyncio.timeout(seconds):
        while not (value := await asyncio.to_thread(happened)):  # noqa: ASYNC110 - processes have no event
            await asyncio.sleep(0.05)
        return value


@pytest.fixture
def environ(tmp_path: Path, postgres_url: str) -> dict[str, str]:
    return environment(tmp_path, database=postgres_url, worker_silent="1", serve_members="unused")


def allowing(environ: dict[str, str], member: str) -> dict[str, str]:
    return {**environ, "MOOT_SERVE_MEMBERS": member}


def moot(environ: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        warm_command("tests.warm.moot", *words), env=environ, capture_output=True, text=True, check=False, timeout=60
    )


def test_a_deliberation_of_a_killed_worker_goes_on_at_another(environ) -> None:
    async def play() -> None:
        async with FakeServer() as models:
            member = f"{models.url}#slow"
            given = allowing(environ, member)
            with served(given) as server, ending(begin_worker(given)) as first:
                asker = Asker(server, server.key)
                asked = asker.ask(member)
                await models.arrived.wait()
                with ending(begin_worker(given)):
                    first.kill()
                    models.release.set()

                    await until(lambda: asker.see(f"/deliberations/{asked}")["status"] == "complete")

                    listed = asker.see("/health")
                    assert listed["workers"] >= 1
                    assert asker.see(f"/deliberations/{asked}")["cost"]["calls"] == 2

    asyncio.run(play())


def test_a_worker_that_is_told_to_end_gives_back_what_it_has(environ) -> None:
    async def play() -> None:
        async with FakeServer() as models:
            member = f"{models.url}#slow"
            given = allowing(environ, member)
            with served(given) as server, ending(begin_worker(given)) as worker:
                asker = Asker(server, server.key)
                asked = asker.ask(member)
                await models.arrived.wait()

                worker.process.send_signal(signal.SIGTERM)
                _, said = await asyncio.to_thread(worker.process.communicate)

                assert worker.process.returncode == 0, said
                assert "Traceback" not in said
                assert asker.see(f"/deliberations/{asked}")["here"] == "queued"
                models.release.set()

    asyncio.run(play())


def test_a_server_that_works_needs_no_worker_and_another_server_sees_what_it_does(environ) -> None:
    async def play() -> None:
        async with FakeServer() as models:
            given = allowing(environ, f"{models.url}#well")
            with served(given, "--work") as works, served(given) as plain:
                asked = Asker(plain, works.key).ask(f"{models.url}#well")

                await until(lambda: Asker(plain, works.key).see(f"/deliberations/{asked}")["status"] == "complete")

    asyncio.run(play())


def test_a_worker_says_what_it_needs_and_what_there_is(environ, tmp_path: Path) -> None:
    without = moot(environment(tmp_path / "file"), "worker")
    unknown = moot(environ, "worker", "--queues", "now,soon")
    nobody = moot(environ, "workers")

    assert (without.returncode, unknown.returncode) == (2, 2)
    assert "PostgreSQL" in without.stderr and "MOOT_DATABASE" in without.stderr
    assert "soon" in unknown.stderr and "batch" in unknown.stderr
    assert nobody.returncode == 0 and "no worker" in nobody.stdout


def test_workers_are_listed_with_what_they_do(environ) -> None:
    async def play() -> None:
        async with FakeServer() as models:
            member = f"{models.url}#slow"
            given = allowing(environ, member)
            with served(given) as server, ending(begin_worker(given, "--queues", "now", "--concurrency", "2")) as one:
                asker = Asker(server, server.key)
                asked = asker.ask(member)
                await models.arrived.wait()

                shown = moot(given, "workers").stdout

                assert one.url in shown and "working" in shown and "1 of 2" in shown and asked in shown
                asker.post(f"/deliberations/{asked}/cancel")
                models.release.set()

    asyncio.run(play())


def test_a_second_server_at_one_sqlite_file_is_refused_by_name(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    with served(environ):
        second = moot(environ, "serve", "--port", "0")

    assert second.returncode == 2
    assert "moot.db" in second.stderr and "another `moot serve`" in second.stderr
