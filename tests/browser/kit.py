"""A server in a thread of its own, on a port of this machine, with scripted members for every protocol."""

import asyncio
import contextlib
import math
import threading
from collections.abc import AsyncGenerator, Coroutine, Generator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from moot.core.calls import Request
from moot.core.canonical import plain
from moot.core.ports import Model
from moot.core.question import Question
from moot.protocols import PROTOCOLS
from moot.service.orders import Order
from moot.store.served import Served
from moot.testing import scripted
from tests.scenes.stage import STAGES
from tests.web.kit import Site, environ, live_site
from tests.web.pages.records_kit import golden, keep

T = TypeVar("T")

SEATS = 3
STAGED = tuple(name for name in STAGES if name in PROTOCOLS)
"""The protocols that have members who answer well."""


class Gate:
    """What every member passes before it speaks, in the server's own loop."""

    def __init__(self) -> None:
        self._left = math.inf
        self._condition = asyncio.Condition()

    async def passed(self) -> None:
        """Return once one more may speak."""
        async with self._condition:
            await self._condition.wait_for(lambda: self._left > 0)
            self._left -= 1

    async def set(self, left: float) -> None:
        """Say how many more may speak."""
        async with self._condition:
            self._left = left
            self._condition.notify_all()


@dataclass
class Server:
    """A running server, and what a test does to it from its own thread."""

    here: Site
    loop: asyncio.AbstractEventLoop
    gate: Gate
    cookies: dict[str, list[Any]] = field(default_factory=dict)
    """The session of each scope that has signed in, to be used again."""
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def origin(self) -> str:
        """The address that `moot serve` prints: a name of its own, since cookies do not know ports."""
        port = self.here.client.base_url.port
        return f"http://moot-{port}.localhost:{port}"

    def do(self, work: Coroutine[Any, Any, T], seconds: float = 60) -> T:
        """Return what some work in the server's loop comes to."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(timeout=seconds)

    def link(self, as_: str = "admin") -> str:
        """Return a one-time link by which somebody signs in."""
        return f"{self.origin}/in/{self.do(_link(self.here, as_))}"

    def hold(self) -> None:
        """Let no member speak from now on: what is asked waits."""
        self.do(self.gate.set(0))

    def let(self, calls: int) -> None:
        """Let so many more calls be answered, and no more."""
        self.do(self.gate.set(calls))

    def release(self) -> None:
        """Let every member speak."""
        self.do(self.gate.set(math.inf))

    def ask(
        self, protocol: str = "single", seats: int = SEATS, question: str = "", as_: str = "admin", **more: Any
    ) -> str:
        """Put the question of a stage to its members, and return the deliberation, which has only begun."""
        stage = STAGES[protocol]
        order = Order(
            Question(text=question or stage.question.text, documents=stage.question.documents),
            protocol,
            tuple(f"scripted:{protocol}-{number}" for number in range(seats)),
            {**{name: plain(value) for name, value in stage.settings.items()}, **more},
            seed=11,
        )
        return self.put(order, as_)

    def put(self, order: Order, as_: str = "admin") -> str:
        """Put any question, and return the deliberation, which has only begun."""
        return self.do(_begin(self.here, order, as_))

    def fork(self, id_: str, at: str, as_: str = "admin", **more: Any) -> str:
        """Go another way from a step on, and return the fork, which has only begun."""
        made = self.do(self.here.post(f"/deliberations/{id_}/fork", {"at": at, **more}, as_))
        assert made.status_code == HTTPStatus.CREATED, made.text
        return made.json()["id"]

    def ended(self, id_: str, seconds: float = 60) -> str:
        """Return a deliberation once nobody works on it any more."""
        self.do(self.here.serving.runs.finished(id_), seconds)
        return id_

    def keep(self, record: str | Sequence[str], id_: str | None = None, status: str | None = None) -> str:
        """Store a record that was made elsewhere: a golden one by its name, or the texts of events; return its id."""
        texts = golden(record) if isinstance(record, str) else record
        name = id_ or (record if isinstance(record, str) else "kept")
        return self.do(keep(self.here, texts, name.replace("_", "-"), status))

    def grow(self, id_: str, texts: Sequence[str]) -> None:
        """Let a record that has not ended go on to these events; those it has are among them."""
        self.do(_grow(self.here, id_, texts))


def members(gate: Gate) -> dict[str, Model]:
    """Return members for each protocol, by names that say which."""
    return {f"scripted:{name}-{number}": scripted(_behind(gate, name)) for name in STAGED for number in range(SEATS)}


def _behind(gate: Gate, protocol: str) -> Any:
    async def reply(request: Request) -> Any:
        await gate.passed()
        return STAGES[protocol].good(request)

    return reply


@contextlib.contextmanager
def serving(folder: Path, models: Mapping[str, Model] | None = None, **settings: str) -> Generator[Server]:
    """Give a server that runs in a thread until the block ends; `models` are further members."""
    # It changes the filters of warnings when it is imported, and those are shared by all threads.
    import_module("requests")
    started: Future[Server] = Future()
    serve = _serve(folder, models or {}, settings, started)
    thread = threading.Thread(target=lambda: asyncio.run(serve), name="moot server")
    thread.start()
    server = started.result(timeout=60)
    try:
        yield server
    finally:
        server.release()
        server.loop.call_soon_threadsafe(server.stop.set)
        thread.join(timeout=60)


async def _serve(
    folder: Path, models: Mapping[str, Model], settings: Mapping[str, str], started: "Future[Server]"
) -> None:
    try:
        async with _open(folder, models, settings) as server:
            started.set_result(server)
            await server.stop.wait()
    except BaseException as error:
        if started.done():
            raise
        started.set_exception(error)


@contextlib.asynccontextmanager
async def _open(folder: Path, more: Mapping[str, Model], settings: Mapping[str, str]) -> AsyncGenerator[Server]:
    gate = Gate()
    models = {**members(gate), **more}
    names = ",".join(models)
    chosen = environ(folder, **{"members": names, "serve_members": names, **settings})
    async with live_site(folder, models, chosen) as here:
        yield Server(here, asyncio.get_running_loop(), gate)


async def _begin(here: Site, order: Order, as_: str) -> str:
    at, key = here.serving, await here.serving.keys.find(here.keys[as_])
    assert key
    with at.runs.reserve() as run:
        started = await at.service.start(await at.service.planner.plan(order), served=Served(key.prefix, None))
        run(started)
    return started


async def _grow(here: Site, id_: str, texts: Sequence[str]) -> None:
    async with here.serving.store.hold(id_) as hold:
        await hold.journal.emit(list(enumerate(texts)))


async def _link(here: Site, as_: str) -> str:
    key = await here.serving.keys.find(here.keys[as_])
    assert key
    return here.serving.links.make(key)
