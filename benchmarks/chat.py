"""The milliseconds that `/v1` adds to a deliberation, beside the same one over the API.

    python benchmarks/chat.py [--pairs 200] [--protocol vote]

A server in a process of its own, whose member is scripted and answers at once, is asked the same question in turn: over
the API (put it, listen to its events until they end, read it), as a chat, and as a streamed chat. What is measured is
the time from the question to the answer, of each, on one connection; the extra is the difference within a round. All
ways must bring the same answer.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp

from moot.testing import scripted
from moot.web.connections import ListeningSocket
from moot.web.server import Server, open_serving

MEMBER = "scripted:one"
QUESTION = "Is 97 a prime number?"
REPLY = "No prime up to nine divides it.\nAnswer: yes"

Way = Callable[[aiohttp.ClientSession, str], Awaitable[str]]


def environ(folder: str) -> dict[str, str]:
    told = {
        "MOOT_HOME": folder,
        "MOOT_MEMBERS": MEMBER,
        "MOOT_SERVE_RATE": "1000000",
        "MOOT_SERVE_DAY_CALLS": "1000000",
        "MOOT_CONFIG": "none",
    }
    return {**os.environ, **told}


def serve(folder: str, listener: socket.socket) -> None:
    async def run() -> None:
        async with open_serving(environ(folder), models={MEMBER: scripted(lambda _: REPLY)}) as serving:
            await Server(serving, lambda: None).serve(sockets=[listener])

    asyncio.run(run())


async def key_for(folder: str) -> str:
    async with open_serving(environ(folder)) as serving:
        return (await serving.keys.make("bench", ["agent"]))[1]


async def over_api(session: aiohttp.ClientSession, protocol: str) -> str:
    body = {"question": QUESTION, "protocol": protocol}
    async with session.post("/api/v1/deliberations", json=body) as answer:
        address = answer.headers["Location"]
        await answer.read()
    async with session.get(f"{address}/events") as events:
        async for line in events.content:
            if line.startswith(b"event: end"):
                break
    async with session.get(f"{address}?detail=0") as answer:
        return (await answer.json())["answer"]


async def as_chat(session: aiohttp.ClientSession, protocol: str) -> str:
    async with session.post("/v1/chat/completions", json=_chat(protocol)) as answer:
        return (await answer.json())["choices"][0]["message"]["content"]


async def as_stream(session: aiohttp.ClientSession, protocol: str) -> str:
    said = ""
    async with session.post("/v1/chat/completions", json={**_chat(protocol), "stream": True}) as answer:
        async for line in answer.content:
            if line.startswith(b"data: {"):
                said += json.loads(line[6:])["choices"][0]["delta"].get("content") or ""
    return said


def _chat(protocol: str) -> dict[str, Any]:
    return {"model": f"moot/{protocol}", "messages": [{"role": "user", "content": QUESTION}]}


WAYS: dict[str, Way] = {"API": over_api, "chat": as_chat, "stream": as_stream}


async def measured(address: str, key: str, protocol: str, pairs: int) -> dict[str, list[float]]:
    """Return the milliseconds of each way, round by round; the first rounds warm the server and are left out."""
    took: dict[str, list[float]] = {name: [] for name in WAYS}
    headers = {"Authorization": f"Bearer {key}"}
    async with aiohttp.ClientSession(address, headers=headers) as session:
        for round_ in range(pairs + 10):
            names = list(WAYS)
            # Nobody is always the first.
            for name in names[round_ % 3 :] + names[: round_ % 3]:
                begun = time.perf_counter()
                said = await WAYS[name](session, protocol)
                took[name].append(1000 * (time.perf_counter() - begun))
                assert said == "yes", said
    return {name: values[10:] for name, values in took.items()}


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--protocol", default="vote")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        key = asyncio.run(key_for(folder))
        listener = ListeningSocket.at("127.0.0.1", 0)
        server = multiprocessing.get_context("fork").Process(target=serve, args=(folder, listener), daemon=True)
        server.start()
        try:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            took = asyncio.run(measured(address, key, given.protocol, given.pairs))
        finally:
            server.terminate()
            server.join()
            listener.close()
    print(f"  {given.protocol}, {given.pairs} rounds, milliseconds from question to answer")
    print("  way        median      p95    extra: median      p95")
    for name, values in took.items():
        extra = [one - other for one, other in zip(values, took["API"], strict=True)]
        print(
            f"  {name:<8} {statistics.median(values):8.1f} {p95(values):8.1f} "
            f"{statistics.median(extra):16.1f} {p95(extra):8.1f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
