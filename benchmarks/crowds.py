"""Crowds at a server: agents that wait for work, and sockets that never send a request.

    python -m benchmarks.crowds [--agents 300] [--claims 20] [--sockets 5000]

A server is started as a process of its own on SQLite, and the crowd is of this process, on the same cores. First all
agents ask for work again and again without waiting, and the time of an answer is told. Then all wait (`?wait=30`) while
claims are put one after the other, and the time is told from a claim's being there to an agent's being told of it. Then
replies are read that keep a reader busy, and sockets are opened that send half a header; `health` is asked meanwhile,
and a deliberation is put and ended.
"""

import argparse
import asyncio
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import aiohttp

SOLO = {"claim": "Crows remember faces.", "table": "prism-v1-solo"}
SURE = {"reasoning": "No prime divides it.", "answer": "97 is prime", "confidence": 0.9}
ROUNDS = 3
HELD_SECONDS = 8.0
FINISHED = {"complete", "forced", "partial", "failed"}
WAITED = 1.0
"""Seconds that anybody waits at most, whoever else is there: for `health`, and for news of work."""
BAD = '{"answer": "' + "\\n" * 16_000, '{"a":[{"answer":"x",' + "\u201c:(" * 10_000, '{"answer": "' + "x \\" * 60_000
"""Replies that are made to keep a reader busy."""


@contextlib.contextmanager
def served(folder: Path) -> Generator[tuple[str, str]]:
    """Give the address and the key of a server that ends afterwards."""
    script = folder / "script.json"
    script.write_text(json.dumps({"*": SURE}), encoding="utf-8")
    bad = [folder / f"bad{number}.json" for number in range(len(BAD))]
    for file, reply in zip(bad, BAD, strict=True):
        file.write_text(json.dumps({"*": reply}), encoding="utf-8")
    environ = {
        **os.environ,
        "MOOT_HOME": str(folder),
        "MOOT_MEMBERS": f"scripted:{script}",
        "MOOT_SERVE_MEMBERS": ",".join(f"scripted:{file}" for file in bad),
        "MOOT_SERVE_RATE": "100000",
    }
    command = [sys.executable, "-c", "from moot.cli import main; main()", "serve", "--port", "0", "--json"]
    server = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        yield told["url"], told["key"]
    finally:
        server.terminate()
        server.wait()


class Crowd:
    """A session with a server, and the keys of its agents."""

    def __init__(self, session: aiohttp.ClientSession, url: str, admin: str) -> None:
        self._session = session
        self._url = f"{url}/api/v1"
        self._admin = admin
        self.keys: list[str] = []

    async def call(self, method: str, path: str, key: str | None = None, body: Any = None) -> tuple[int, Any]:
        """Return status and answer of a request."""
        headers = {"Authorization": f"Bearer {key or self._admin}"}
        async with self._session.request(method, f"{self._url}/{path}", headers=headers, json=body) as answer:
            text = await answer.text()
            return answer.status, json.loads(text) if text else None

    async def join(self, agents: int) -> None:
        """Give so many agents a key."""
        for number in range(agents):
            _, made = await self.call("POST", "agents", body={"name": f"agent {number}", "scopes": ["agent"]})
            self.keys.append(made["key"])


def told(name: str, seconds: list[float]) -> None:
    """Print how long something took, in order."""
    ordered = sorted(seconds)
    middle, late = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    print(f"{name}: median {middle:.2f} s, 95 of 100 {late:.2f} s, longest {ordered[-1]:.2f} s ({len(ordered)})")


async def asking_again(crowd: Crowd) -> None:
    """All agents ask for work, some rounds, without waiting."""

    async def ask(key: str) -> list[float]:
        took = []
        for _ in range(ROUNDS):
            began = time.monotonic()
            await crowd.call("GET", "jobs/work", key)
            took.append(time.monotonic() - began)
        return took

    took = await asyncio.gather(*(ask(key) for key in crowd.keys))
    told(f"{len(crowd.keys)} agents ask again and again", [seconds for each in took for seconds in each])


async def waiting(crowd: Crowd, claims: int) -> None:
    """All agents wait for work, and claims come one after the other."""
    heard: dict[str, float] = {}

    async def wait(key: str) -> None:
        while True:
            status, slot = await crowd.call("GET", "jobs/work?wait=30", key)
            if status == 200:
                heard.setdefault(slot["claim_id"], time.monotonic())
                await crowd.call("POST", f"claims/{slot['claim_id']}/stage-slots/{slot['id']}/take", key)

    agents = [asyncio.ensure_future(wait(key)) for key in crowd.keys]
    await asyncio.sleep(3)
    put: dict[str, float] = {}
    for _ in range(claims):
        _, claim = await crowd.call("POST", "claims", body=SOLO)
        put[claim["id"]] = time.monotonic()
        while claim["id"] not in heard:  # noqa: ASYNC110 (what is measured is another's event)
            await asyncio.sleep(0.01)
    for agent in agents:
        agent.cancel()
    await asyncio.gather(*agents, return_exceptions=True)
    told(f"{len(agents)} agents wait; a claim is heard of after", [max(0.0, heard[id_] - put[id_]) for id_ in put])


async def half_open(crowd: Crowd, url: str, sockets: int) -> None:
    """Open sockets that send half a header, and see how the server does."""
    host, port = url.removeprefix("http://").split(":")
    writers = []
    for _ in range(sockets):
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"GET /api/v1/health HTTP/1.1\r\nX: ")
            writers.append(writer)
    took, until = [], time.monotonic() + HELD_SECONDS
    status, begun = await crowd.call("POST", "deliberations", body={"question": "Is 97 prime?", "protocol": "spiral"})
    assert status == 201, begun
    while time.monotonic() < until:
        began = time.monotonic()
        status, _ = await crowd.call("GET", "health")
        assert status == 200
        took.append(time.monotonic() - began)
        await asyncio.sleep(0.1)
    _, ended = await crowd.call("GET", f"deliberations/{begun['id']}")
    for writer in writers:
        writer.close()
    told(f"health beside {len(writers)} half-open sockets", took)
    print(f"a deliberation put meanwhile: {ended['status']}, {ended['problem'] or 'no problem'}")
    assert max(took) < WAITED and ended["status"] in FINISHED and not ended["problem"]


async def busy(crowd: Crowd, folder: Path) -> None:
    """Have replies read that keep a reader busy, and see how the server does."""
    put = []
    for number in range(len(BAD)):
        body = {"question": "Is 97 prime?", "protocol": "single", "members": [f"scripted:{folder}/bad{number}.json"]}
        status, begun = await crowd.call("POST", "deliberations", body=body)
        assert status == 201, begun
        put.append(begun["id"])
    took = []
    while put:
        began = time.monotonic()
        status, _ = await crowd.call("GET", "health")
        assert status == 200
        took.append(time.monotonic() - began)
        _, first = await crowd.call("GET", f"deliberations/{put[0]}")
        put = put[first["status"] in FINISHED :]
    told("health while replies are read that keep a reader busy", took)
    assert max(took) < WAITED


async def main() -> None:
    """Bring the crowds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for name, number in (("agents", 300), ("claims", 20), ("sockets", 5000)):
        parser.add_argument(f"--{name}", type=int, default=number)
    chosen = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # The server inherits what it would have without this.
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (url, key):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=120)) as session:
            crowd = Crowd(session, url, key)
            await crowd.join(chosen.agents)
            await asking_again(crowd)
            await waiting(crowd, chosen.claims)
            await busy(crowd, Path(folder))
            await half_open(crowd, url, chosen.sockets)


if __name__ == "__main__":
    asyncio.run(main())
