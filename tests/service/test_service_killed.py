"""A process that is killed with SIGKILL, at each kind of place in the life of a call, and the one that goes on."""

import asyncio
import json
import subprocess
import urllib.request
from pathlib import Path

import pytest

from moot.core.canonical import plain
from moot.core.events import event_from
from moot.store.clocks import SystemClock
from moot.store.store import Store
from moot.testing import no_network
from tests.cli.kit import fake_server
from tests.warm import warm_command

KILLS = [
    "before:intend:1",
    "after:intend:1",
    "before:settle:1",
    "after:settle:3",
    "before:settle:9",
    "after:count_try:2",
    "before:emit:2",
    "after:emit:2",
    "before:intend:3",
    "after:settle:12",
    "before:emit:5",
]


def counts(url: str) -> dict[str, int]:
    with urllib.request.urlopen(f"{url.removesuffix('/v1')}/counts") as reply:
        return json.load(reply)


def drive(**given: str) -> tuple[int, list[dict[str, str]]]:
    command = warm_command("tests.service.driver", json.dumps(given))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, -9), done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def stored(database: str, deliberation: str):
    async def read():
        store = Store.open(database)
        try:
            return await store.deliberations.events(deliberation), await store.journals.read(deliberation)
        finally:
            await store.close()

    return asyncio.run(read())


def without_cost(events: list[tuple[int, str]]) -> list[object]:
    told = [plain(event_from(text)) for _, text in events]
    for event in told:
        event.pop("calls", None)
    return told


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory):
    with fake_server() as url:
        database = f"sqlite:///{tmp_path_factory.mktemp('whole')}/moot.db"
        _, lines = drive(url=url, database=database)
        events, _ = stored(database, lines[-1]["id"])
        return url.split("/v1")[0], without_cost(events), counts(url)


@pytest.mark.parametrize("kill", KILLS)
def test_a_run_that_was_killed_comes_to_the_same_verdict_and_repeats_no_journaled_call(
    kill: str, tmp_path: Path, uninterrupted
) -> None:
    place, expected, expected_counts = uninterrupted
    database = f"sqlite:///{tmp_path}/moot.db"

    with fake_server() as url:
        died, lines = drive(url=url, database=database, kill=kill)
        before = stored(database, lines[0]["id"])[1]
        code, ended = drive(url=url, database=database, id=lines[0]["id"])
        again = counts(url)
    events, journal = stored(database, lines[0]["id"])

    assert (died, code, ended[-1]["status"]) == (-9, 0, "partial")
    assert json.loads(json.dumps(without_cost(events)).replace(url.split("/v1")[0], place)) == expected
    lost = sum(row.tries for row in journal.attempts if row.state == "lost")
    assert sum(again.values()) <= sum(expected_counts.values()) + lost
    assert {(row.step, row.attempt): row for row in before.attempts if row.state != "intent"}.items() <= {
        (row.step, row.attempt): row for row in journal.attempts
    }.items()


@pytest.mark.parametrize("kill", ["after:intend:1", "before:settle:9", "after:emit:2"])
def test_on_postgresql_too_a_run_that_was_killed_comes_to_the_same_verdict(
    kill: str, postgres_url: str, uninterrupted
) -> None:
    place, expected, _ = uninterrupted

    with fake_server() as url:
        died, lines = drive(url=url, database=postgres_url, kill=kill)
        code, ended = drive(url=url, database=postgres_url, id=lines[0]["id"])
    events, _ = stored(postgres_url, lines[0]["id"])

    assert (died, code, ended[-1]["status"]) == (-9, 0, "partial")
    assert json.loads(json.dumps(without_cost(events)).replace(url.split("/v1")[0], place)) == expected


def test_a_run_that_was_killed_replays_to_the_byte_with_no_network_at_all(tmp_path: Path) -> None:
    from dataclasses import replace

    from moot.runtime.replay import replay
    from tests.runtime.protocol import TRIAL, Review

    database = f"sqlite:///{tmp_path}/moot.db"
    with fake_server() as url:
        _, lines = drive(url=url, database=database, kill="after:settle:5")
        drive(url=url, database=database, id=lines[0]["id"])

    async def again():
        store = Store.open(database)
        try:
            return await replay(
                replace(TRIAL, submissions=(Review,)),
                await store.deliberations.header(lines[0]["id"]),
                journaled=await store.journals.read(lines[0]["id"]),
                steps=await store.steps.search(deliberation=lines[0]["id"]),
                events=[text for _, text in await store.deliberations.events(lines[0]["id"])],
                clock=SystemClock(),
            )
        finally:
            await store.close()

    with no_network(loopback=False):
        same = asyncio.run(again())

    assert same.events == len(stored(database, lines[0]["id"])[0])
