"""What the tests of the store share; run as a script, it is the other process in them."""

import asyncio
import os
import signal
import sys
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert

from moot.core.budget import Budget
from moot.core.calls import Attempt, Outcome, Reply
from moot.core.deliberation import Invitation
from moot.core.errors import MootError, StepError
from moot.core.events import Era, Header, Parent
from moot.core.panel import seated
from moot.core.question import Question
from moot.store import Store, schema


@dataclass
class SettableClock:
    time: float = 1000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


class Opinion(Reply):
    text: str


def header(text: str = "Why is the sky blue?", parent: Parent | None = None, forked_at: int = 0) -> Header:
    return Header(
        question=Question(text=text),
        protocol="single",
        protocol_version=1,
        moot_version="0.1",
        settings={"rounds": 2},
        panel=seated(["scripted:a", "scripted:b"]),
        budget=Budget(calls=10),
        seed=7,
        parent=parent,
        history=(Era(forked_at, seated(["scripted"])),) if forked_at else (),
    )


def intent(step: str, position: int, attempt: int = 1, request: str = "request") -> Attempt:
    return Attempt(step=step, attempt=attempt, position=position, digest="d" * 64, request=request, started=1.5)


def ok(step: str, position: int) -> Outcome:
    return Outcome(step=step, position=position, kind="ok")


def invitation(step: str, group: str = "layer 1", role: str = "work", **labels: str) -> Invitation[Opinion]:
    return Invitation(
        step=step, group=group, role=role, title=f"Fill {step}", context={"claim": "x"}, reply=Opinion, labels=labels
    )


async def with_steps(store: Store, deliberation: str, *invitations: Invitation[Opinion]) -> None:
    await store.deliberations.create(deliberation, header())
    async with store.hold(deliberation) as hold:
        await hold.steps.open(list(enumerate(invitations)))


class WallClock:
    now = staticmethod(time.time)
    monotonic = staticmethod(time.monotonic)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def _hold(store: Store, deliberation: str) -> None:
    """Hold until the input ends."""
    async with store.hold(deliberation) as hold:
        _say(f"held {hold.epoch}")
        await asyncio.to_thread(sys.stdin.read)


async def _die_in_a_wave(store: Store, deliberation: str) -> None:
    """Write the first of two intents, then die before the commit."""
    row: dict[str, Any] = {
        "deliberation": deliberation,
        "step": "one",
        "attempt": 1,
        "position": 0,
        "digest": "",
        "request": "",
        "tries": 1,
    }
    row |= {"state": "intent", "text": "", "reasoning": "", "problem": "", "started": 0.0, "seconds": 0.0}

    def work(connection):
        connection.execute(insert(schema.attempts), row)
        os.kill(os.getpid(), signal.SIGKILL)

    await store.writer.run(work)


async def _race(store: Store, deliberation: str, agent: str) -> None:
    """Take whatever can be taken, as every agent does once the input ends, and print what it got."""
    await asyncio.to_thread(sys.stdin.read)
    for step in await store.steps.search(deliberation=deliberation):
        try:
            await store.steps.take(deliberation, step.step, agent)
        except StepError:
            continue
        _say(step.step)


async def _main(what: str, url: str, *arguments: str) -> None:
    if what == "open":
        await asyncio.to_thread(sys.stdin.read)
    store = Store.open(url, clock=WallClock())
    try:
        if what == "hold":
            await _hold(store, *arguments)
        elif what == "die":
            await _die_in_a_wave(store, *arguments)
        elif what == "race":
            await _race(store, *arguments)
    finally:
        await store.close()


if __name__ == "__main__":
    try:
        asyncio.run(_main(*sys.argv[1:]))
    except MootError as error:
        _say(error.code)
        sys.exit(error.exit_code)
