"""Runs over a real store: a protocol of rounds, and members that answer when they are let."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Message, Prose, Reply, Request
from moot.core.confidence import no_confidence
from moot.core.deliberation import Deliberation, Invitation
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.question import Question
from moot.core.verdict import Status, Verdict
from moot.gateway.gateway import Gateway
from moot.service.orders import Order
from moot.service.runs import Runs
from moot.service.service import Service
from moot.service.watching import Watch
from moot.store.served import Served
from moot.store.store import Store
from moot.testing import scripted
from tests.runtime.memory import SettableClock

MEMBERS = ("scripted:a", "scripted:b")


class Word(Reply):
    """What a person says."""

    text: str


class RelaySettings(Settings):
    """How many rounds there are, how many people are waited for, and whether the protocol has a fault."""

    rounds: int = 2
    people: int = 0
    faulty: bool = False


async def relay(question: Question, deliberation: Deliberation, settings: RelaySettings) -> Verdict:
    """Ask everybody so many times, and wait for so many people, one after another."""
    for number in range(settings.rounds):
        asks = [_ask(f"round {number}:{member.name}", member.name, question.text) for member in deliberation.panel]
        await deliberation.ask_all(asks)
    if settings.faulty:
        raise ValueError(question.text)
    for number in range(settings.people):
        step = f"person {number}"
        await deliberation.invite_all([Invitation(step, step, "person", "Say a word", {}, Word)])
    return Verdict("so be it", Status.COMPLETE, "everybody was asked", no_confidence("nobody was sure"))


def _ask(step: str, seat: str, text: str) -> Ask[Prose]:
    return Ask(step, seat, (Message("user", text),), Prose, temperature=0.0, max_tokens=20)


RELAY = ProtocolSpec(
    name="relay",
    version=1,
    summary="rounds of asks, then people",
    run=relay,
    settings=RelaySettings,
    seats=2,
    minimum=0,
    budget=Budget(),
    expected=lambda question, panel, settings: Expectation(4, 100, 100),
    submissions=(Word,),
)


@dataclass
class Members:
    """A panel that answers at once, or each call when it is let."""

    shut: bool = False
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Question and step of every call, in order."""
    most: int = 0
    """The most deliberations that were asking at the same time."""
    _waiting: dict[tuple[str, str], asyncio.Future[None]] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def say(self, request: Request) -> str:
        call = request.messages[-1].content, request.step
        self.asked.append(call)
        self._news.set()
        if self.shut:
            self._waiting[call] = asyncio.get_running_loop().create_future()
            self.most = max(self.most, len({question for question, _ in self._waiting}))
            try:
                await self._waiting[call]
            finally:
                del self._waiting[call]
        return f"word of {request.step}"

    async def calls(self, number: int) -> list[tuple[str, str]]:
        """Return the calls that wait to be let, once there are so many."""
        while len(self._waiting) < number:
            self._news.clear()
            await self._news.wait()
        return list(self._waiting)

    def let(self, *calls: tuple[str, str]) -> None:
        """Let these calls be answered; none named, all that wait."""
        for call in calls or list(self._waiting):
            if not self._waiting[call].done():
                self._waiting[call].set_result(None)

    def open(self) -> None:
        """Let everything be answered from now on."""
        self.shut = False
        self.let()


@dataclass
class Process:
    """A process with a service, its runs and its streams."""

    service: Service
    watch: Watch
    runs: Runs

    async def begin(
        self, question: str, *, members: tuple[str, ...] = MEMBERS, served: bool = True, **settings: Any
    ) -> str:
        """Create a deliberation, as a server does it or as the command line does."""
        order = Order(Question(text=question), members=members, settings=settings, seed=1)
        return await self.service.start(
            await self.service.planner.plan(order), served=Served(owner=None) if served else None
        )

    async def status(self, deliberation: str) -> Status:
        return (await self.service.show(deliberation)).status

    async def fill(self, deliberation: str, number: int) -> None:
        """Let a person say a word."""
        await self.service.store.steps.take(deliberation, f"person {number}", "Ada")
        await self.service.submit(deliberation, f"person {number}", "Ada", {"text": "yes"})


@asynccontextmanager
async def process(
    folder: Path, members: Members, *, protocol: Callable[[], ProtocolSpec] = lambda: RELAY, **options: Any
) -> AsyncGenerator[Process, None]:
    """Give a process over the database of the folder; when it is left, it is gone without having stopped anything."""
    clock = SettableClock()
    own = {name: scripted(members.say) for name in MEMBERS}
    gateway = Gateway({}, own=own)
    store = Store.open(f"sqlite:///{folder}/moot.db", clock=clock)
    service = Service(store, gateway, clock=clock, environ={}, protocols=lambda _: protocol())
    watch = Watch(store.deliberations)
    before = asyncio.all_tasks()
    try:
        yield Process(service, watch, Runs(service, watch=watch, **options))
    finally:
        await kill(before)
        await watch.stop()
        await store.close()
        await gateway.close()


async def kill(spared: set[asyncio.Task[Any]]) -> None:
    """End whatever was begun since, in the middle of what it does."""
    begun = asyncio.all_tasks() - spared
    for task in begun:
        task.cancel()
    if begun:
        await asyncio.wait(begun)


def fails(error: Exception) -> Any:
    """Return what stands for running a deliberation, and only fails."""

    async def run(*_: object, **__: object) -> None:
        raise error

    return run
