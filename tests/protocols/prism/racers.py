"""Fifty processes that race for the slots of all claims on a board, and processes that are killed in the middle.

    python -m tests.protocols.prism.racers '{"url": …, "claims": 20, "agents": 50}'

One process imports all there is and forks the racers, so that fifty cost little more than one. Each is an agent of its
own: it takes the oldest slot that it may take, submits, goes on with the claim, and waits where there is nothing to
do until somebody else has got on. It prints what each of them filled.
"""

import asyncio
import json
import multiprocessing
import sys
from typing import Any

from moot.store.clocks import SystemClock
from tests.protocols.prism.board_kit import add, open_board, work

PATIENCE = 2.0
"""Seconds until somebody who heard of nothing looks again."""
AT_ONCE = 2
"""How many of those who wait hear of a slot that was filled: a phase that is over opens about so many."""


async def _put(url: str, claims: int) -> list[str]:
    async with open_board(url, clock=SystemClock()) as (board, _):
        return [await add(board, f"Claim {number} holds.") for number in range(claims)]


async def _race(url: str, agent: str, news: Any) -> list[tuple[str, str]]:
    filled: list[tuple[str, str]] = []
    async with open_board(url, clock=SystemClock()) as (board, service):
        while True:
            slot = await work(board, agent)
            if slot:
                filled.append((slot.deliberation, slot.step))
                with news:
                    news.notify(AT_ONCE)
                continue
            if all(row.status == "complete" for row in await service.store.deliberations.newest()):
                return filled
            with news:
                news.wait(PATIENCE)


def _racer(url: str, agent: str, news: Any, start: Any, results: Any) -> None:
    start.wait()
    filled: list[tuple[str, str]] = []
    try:
        filled = asyncio.run(_race(url, agent, news))
    finally:
        results.put((agent, filled))


def main() -> None:
    """Run the race that the argument describes."""
    given = json.loads(sys.argv[1])
    asyncio.run(_put(given["url"], given["claims"]))
    fork = multiprocessing.get_context("fork")
    news, start, results = fork.Condition(), fork.Event(), fork.SimpleQueue()
    names = [f"agent {number}" for number in range(given["agents"])]
    racers = [fork.Process(target=_racer, args=(given["url"], name, news, start, results)) for name in names]
    for racer in racers:
        racer.start()
    start.set()
    told = dict(results.get() for _ in racers)
    for racer in racers:
        racer.join()
    sys.stdout.write(json.dumps({"filled": told, "codes": [racer.exitcode for racer in racers]}) + "\n")


if __name__ == "__main__":
    main()
