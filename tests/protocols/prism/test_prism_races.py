"""Many processes at one board, on both databases; and a process that is killed between answer and submission."""

import asyncio
import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from moot.store.clocks import SystemClock
from tests.protocols.prism.board_kit import open_board
from tests.warm import warm_command

CLAIMS, AGENTS, SLOTS = 20, 50, 8


def raced(url: str) -> tuple[dict[str, list[tuple[str, str]]], list[int]]:
    given = json.dumps({"url": url, "claims": CLAIMS, "agents": AGENTS})
    command = warm_command("tests.protocols.prism.racers", given)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return {agent: [tuple(slot) for slot in slots] for agent, slots in told["filled"].items()}, told["codes"]


async def after(url: str):
    async with open_board(url, clock=SystemClock()) as (board, service):
        claims = await board.claims()
        stored = await service.store.steps.search()
        verified = [await board.verify(claim.id) for claim in claims]
        replayed = [await service.replay(claim.id) for claim in claims[:3]]
        return claims, stored, verified, replayed


@pytest.mark.slow
@pytest.mark.clause("ruling:P2")
@pytest.mark.clause("prism:one-slot")
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_fifty_processes_fill_every_slot_of_twenty_claims_once_and_all_claims_end(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path}/moot.db" if database == "sqlite" else request.getfixturevalue("postgres_url")

    filled, codes = raced(url)
    claims, stored, verified, replayed = asyncio.run(after(url))

    slots = Counter(slot for mine in filled.values() for slot in mine)
    assert codes == [0] * AGENTS
    assert set(slots.values()) == {1}
    assert sorted(slots) == sorted((step.deliberation, step.step) for step in stored)
    assert len(slots) == CLAIMS * SLOTS
    assert {(step.agent, step.step) for step in stored} <= {
        (agent, step) for agent, mine in filled.items() for _, step in mine
    }
    for mine in filled.values():
        layers = Counter((claim, step.partition("/")[0]) for claim, step in mine)
        assert set(layers.values()) <= {1}
    assert {claim.pipeline.state.status for claim in claims} == {"complete"}
    assert all(item.changed == () for item in verified)
    assert all(not same.paused for same in replayed)


def driven(**given: str) -> tuple[int, str]:
    command = warm_command("tests.protocols.prism.driver", json.dumps(given))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, -9), done.stderr
    return done.returncode, done.stdout


@pytest.mark.parametrize("kill", ["before:L1.1/work/2", "before:L2.1/consensus/1", "after:L3.1/consensus/2"])
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_process_killed_between_answer_and_submission_costs_no_second_call(
    database: str, kill: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path}/moot.db" if database == "sqlite" else request.getfixturevalue("postgres_url")
    calls = tmp_path / "calls.txt"

    died, _ = driven(url=url, calls=str(calls), kill=kill)
    [claim], *_ = asyncio.run(board_of(url))
    code, status = driven(url=url, calls=str(calls), id=claim)
    [claim], verified, replayed = asyncio.run(board_of(url))

    asked = calls.read_text(encoding="utf-8").split()
    assert (died, code, status) == (-9, 0, "complete")
    assert len(asked) == len(set(asked)) == SLOTS
    assert verified.changed == ()
    assert not replayed.paused


async def board_of(url: str):
    async with open_board(url, clock=SystemClock()) as (board, service):
        [row] = await service.store.deliberations.newest()
        ended = row.status == "complete"
        verified = await board.verify(row.id) if ended else None
        return [row.id], verified, await service.replay(row.id) if ended else None
