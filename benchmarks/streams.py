"""What open event streams cost a server: memory a stream, and whether every one hears every event.

    python benchmarks/streams.py [--streams 500]

The server is a process of its own. Half of the streams follow one claim, the others a claim each of fifty. While they
are open, every claim is worked on by an agent over HTTP; then each stream must have heard exactly the stored events, in
order. The baseline is the memory of the same server in the same run, before the first stream is opened.
"""

import argparse
import asyncio
import json
import multiprocessing
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import aiohttp
import psutil
from http_api import OUTPUT, TABLE, prepared, serve_moot

from moot.store.store import Store

CLAIMS = 50
MIB = 1024 * 1024


async def follow(session: aiohttp.ClientSession, url: str, key: str, heard: list[tuple[int, str]]) -> None:
    """Keep what a stream tells, until it is cut."""
    async with session.get(url, headers={"Authorization": f"Bearer {key}"}) as stream:
        number = -1
        async for line in stream.content:
            text = line.decode().rstrip("\n")
            if text.startswith("id: "):
                number = int(text[4:])
            elif text.startswith("data: ") and number >= 0:
                heard.append((number, text[6:]))
                number = -1


async def fill(session: aiohttp.ClientSession, address: str, claim: str, key: str) -> None:
    path = f"{address}/api/v1/claims/{claim}/stage-slots/L1.1~work~1"
    for verb, body in (("take", {}), ("done", {"output": OUTPUT})):
        async with session.post(f"{path}/{verb}", json=body, headers={"Authorization": f"Bearer {key}"}) as answer:
            assert answer.status in (200, 204), await answer.text()


async def measure(address: str, database: str, claims: list[str], keys: list[str], streams: int, server: int) -> None:
    process = psutil.Process(server)
    reviewer, agent = keys
    watched = [claims[0] if number % 2 else claims[number // 2 % len(claims)] for number in range(streams)]
    heard: list[list[tuple[int, str]]] = [[] for _ in watched]
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as session:
        async with session.get(f"{address}/api/v1/health") as answer:
            assert answer.status == 200
        before = process.memory_info().rss
        following = [
            asyncio.ensure_future(follow(session, f"{address}/api/v1/deliberations/{claim}/events", reviewer, mine))
            for claim, mine in zip(watched, heard, strict=True)
        ]
        await until(lambda: all(heard))
        opened = process.memory_info().rss
        for claim in claims:
            await fill(session, address, claim, agent)
        store = Store.open(database)
        ended = {claim: await settled(store, claim) for claim in claims}
        await until(lambda: all(len(mine) >= len(ended[claim]) for claim, mine in zip(watched, heard, strict=True)))
        after = process.memory_info().rss
        await store.close()
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
    same = [(number, json.loads(text)) for number, text in ended[claims[0]]]
    assert [(number, json.loads(text)) for number, text in heard[1]] == same
    assert all(mine == ended[claim] for claim, mine in zip(watched, heard, strict=True)), "a stream heard otherwise"
    print(f"  {streams} streams open: {opened / MIB:.0f} MiB, {(opened - before) / streams / 1024:.1f} KiB a stream")
    told = sum(map(len, heard))
    print(f"  after {told} events heard: {after / MIB:.0f} MiB (before the first stream {before / MIB:.0f})")


async def settled(store: Store, claim: str) -> list[tuple[int, str]]:
    """Return the events of a claim once it waits again after its slot was filled."""
    while True:
        events = await store.deliberations.events(claim)
        if (await store.deliberations.summary(claim)).status in ("paused", "complete") and len(events) > 1:
            return events
        await asyncio.sleep(0.1)


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", type=int, default=500)
    given = parser.parse_args()
    small = json.loads(json.dumps(TABLE))
    small["layers"][0]["work"] = {"contributor": 1}
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder) / 'moot.db'}"
        claims, keys = asyncio.run(prepared(database, CLAIMS, 2, small, ["reviewer", "agent"]))
        listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
        server = multiprocessing.get_context("spawn").Process(target=serve_moot, args=(database, listener), daemon=True)
        server.start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        asyncio.run(measure(address, database, claims, keys, given.streams, server.pid or 0))
        server.terminate()
        server.join()
        listener.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
