"""Agents that wait for work: each is told of a slot that it may take, and one look serves all of them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from moot.core.errors import StoreError
from moot.service.background.work import WorkWaiters, WorkWanted
from moot.store.steps import OpenPlace
from moot.web.concurrency import AT_ONCE
from tests.web.kit import Site, at_site
from tests.web.test_web_board import new_claim

SLOT = {"board": "slot", "layer": "1"}


def place(step: str, *taken_by: str, role: str = "framer", **labels: str) -> OpenPlace:
    return OpenPlace("claim", step, role, {**SLOT, **labels}, frozenset(taken_by))


class Looks:
    """A board that is looked at, turn by turn, and what is on it at each look."""

    def __init__(self, *boards: Any) -> None:
        self.boards = list(boards)
        self.looks = 0

    async def open_places(self, limit: int) -> list[OpenPlace]:
        self.looks += 1
        board = self.boards.pop(0) if len(self.boards) > 1 else self.boards[0]
        if isinstance(board, Exception):
            raise board
        return board

    def waiters(self) -> WorkWaiters:
        return WorkWaiters(self.open_places, lambda _, slots: slots[0] if slots else None, lambda _: asyncio.sleep(0))


def wanted(agent: str, role: str | None = None, **labels: str) -> WorkWanted:
    return WorkWanted(agent, role, {"board": "slot", **labels})


def test_one_look_serves_all_who_wait() -> None:
    looks = Looks([], [place("a"), place("b")])

    async def scene() -> list[OpenPlace | None]:
        waiters = looks.waiters()
        return await asyncio.gather(*(waiters.wait(wanted(f"agent {number}"), 60) for number in range(300)))

    assert {found.step for found in asyncio.run(scene()) if found} == {"a"}
    assert looks.looks == 2


@pytest.mark.parametrize(
    ("who", "step"),
    [
        (wanted("ada"), "a"),
        (wanted("bea"), "b"),
        (wanted("ada", role="critic"), "c"),
        (wanted("ada", layer="2"), "d"),
    ],
)
def test_each_is_told_of_the_oldest_slot_that_it_may_take_and_wants(who: WorkWanted, step: str) -> None:
    board = [place("a", "bea"), place("b", "cyd"), place("c", role="critic"), place("d", layer="2")]

    found = asyncio.run(Looks(board).waiters().wait(who, 60))

    assert found and found.step == step


def test_a_store_that_fails_is_looked_at_again() -> None:
    looks = Looks(StoreError("gone."), [place("a")])

    assert asyncio.run(looks.waiters().wait(wanted("ada"), 60))


def test_whoever_waits_when_the_server_ends_is_told_that_there_is_nothing() -> None:
    async def scene() -> Any:
        waiters = Looks([]).waiters()
        waiting = asyncio.ensure_future(waiters.wait(wanted("ada"), 60))
        await asyncio.sleep(0)
        waiters.stop()
        return await waiting, await waiters.wait(wanted("bea"), 60)

    assert asyncio.run(scene()) == (None, None)


def test_an_answer_waits_until_there_is_work_and_holds_nobody_up(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        names = [f"agent {number}" for number in range(AT_ONCE + 4)]
        for name in names:
            await site.agent(name)
        waiting = [asyncio.ensure_future(site.get("/jobs/work?wait=30", name)) for name in names]
        for _ in range(AT_ONCE + 4):
            await new_claim(site)
        return [(await each).json() for each in waiting]

    slots = at_site(tmp_path, scene)

    assert len(slots) == AT_ONCE + 4 and all(slot["output_schema"] and slot["claim_id"] for slot in slots)


@pytest.mark.parametrize(("wait", "status"), [(0, 404), (0.01, 404), (-1, 422), (31, 422)])
def test_where_there_is_no_work_in_that_time_the_answer_says_so(tmp_path: Path, wait: float, status: int) -> None:
    async def scene(site: Site) -> int:
        return (await site.get(f"/jobs/work?wait={wait}", "agent")).status_code

    assert at_site(tmp_path, scene) == status


def test_an_agent_that_has_a_slot_of_the_layer_waits_for_another(tmp_path: Path) -> None:
    async def scene(site: Site) -> Any:
        await new_claim(site)
        slot = (await site.get("/jobs/work?wait=5", "agent")).json()
        path = f"/claims/{slot['claim_id']}/stage-slots/{slot['id']}"
        taken = await site.post(f"{path}/take", as_="agent")
        return taken.status_code, (await site.get("/jobs/work?wait=0.01", "agent")).json()["code"]

    assert at_site(tmp_path, scene) == (200, "no_slots")
