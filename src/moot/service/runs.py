"""Deliberations in the background of one process: so many at a time, each by one task, gone on with after a restart.

What a server has begun is wanted until it has ended or somebody cancels it. A process that stops, or is killed, leaves
it wanted, and the next one goes on from the journal. Who runs a deliberation is settled by the store's lock: where
another process has it, it is left to that.
"""

import asyncio
import logging
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from moot.core.errors import AlreadyEnded, AlreadyRunning, Fenced, MootError, RunBroke, ServerBusy, StoreError
from moot.runtime.sending import Stopped
from moot.service.service import Service
from moot.service.watching import Watch

FREE_AT_ONCE = 4
"""Deliberations without members cost nothing but the store's time, and people wait for their next step."""
PATIENCE = 10.0
MOST_FAILURES = 1000
RETRY_AFTER = 5.0

State = Literal["queued", "running"]

log = logging.getLogger("moot.runs")


@dataclass(slots=True, eq=False)
class _Going:
    """A deliberation in the hands of a task of this process."""

    wish: Literal["look", "go"] | None
    """What is to be done next: look whether it can go on, or go on whatever it waits for."""
    state: State | None
    """None while the task only looks."""
    task: "asyncio.Task[None]"


class Runs:
    """The deliberations that this process works on."""

    def __init__(
        self, service: Service, *, watch: Watch, at_once: int = 8, queue: int = 100, patience: float = PATIENCE
    ) -> None:
        self._service = service
        self._store = service.store
        self._watch = watch
        self._paid = asyncio.Semaphore(at_once)
        self._free = asyncio.Semaphore(FREE_AT_ONCE)
        self._most = at_once + queue
        self._patience = patience
        self._going: dict[str, _Going] = {}
        self._kept_places = 0
        self._cancelling: set[str] = set()
        self._failed: dict[str, MootError] = {}
        self._stopping = False

    async def start(self) -> None:
        """Go on with what an earlier process left."""
        for deliberation in await self._store.to_go_on_with():
            self._wish(deliberation, "go")

    def go_on(self, deliberation: str) -> None:
        """Go on with a deliberation in the background, which is wanted again from now on.

        Raises:
            ServerBusy: when as many wait as may, or the process stops.
        """
        self._check_open()
        if deliberation not in self._going:
            self._check_room()
        self._wish(deliberation, "go")

    @contextmanager
    def place(self) -> Generator[Callable[[str], None], None, None]:
        """Keep a place while a deliberation is created, and give what goes on with it then; none is created in vain.

        Raises:
            ServerBusy: as for `go_on`.
        """
        self._check_open()
        self._check_room()
        self._kept_places += 1
        try:
            yield lambda deliberation: self._wish(deliberation, "go")
        finally:
            self._kept_places -= 1

    def advance(self, deliberation: str) -> None:
        """Go on in the background with a deliberation where nothing waits any more, unless it was cancelled.

        It is never refused: while the deliberation runs, it is looked at once more afterwards.
        """
        self._wish(deliberation, "look")

    async def cancel(self, deliberation: str) -> bool:
        """Stop a deliberation, which is not wanted from now on; return whether this process had it.

        Nothing more is spent on it. What it had journaled is kept, and `go_on` goes on with it.
        """
        self._cancelling.add(deliberation)
        try:
            going = self._going.get(deliberation)
            if going:
                going.task.cancel()
            if await self._store.served(deliberation):
                await self._store.set_wanted(deliberation, wanted=False)
            await self.finished(deliberation)
            return going is not None
        finally:
            self._cancelling.discard(deliberation)

    async def finished(self, deliberation: str) -> None:
        """Return once this process no longer works on the deliberation."""
        while going := self._going.get(deliberation):
            await asyncio.wait([going.task])

    async def stop(self) -> None:
        """Stop everything, and return when all have stopped. What runs is wanted still.

        Nothing more is sent; the calls in flight have some seconds to be answered and journaled.
        """
        self._stopping = True
        tasks = [going.task for going in self._going.values()]
        for going in self._going.values():
            if going.state != "running":
                going.task.cancel()
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=self._patience)
            for task in late:
                task.cancel()
            await asyncio.wait(tasks)

    def state(self, deliberation: str) -> State | None:
        """Whether a deliberation runs here, or waits for its turn."""
        going = self._going.get(deliberation)
        return going.state if going else None

    def failed(self, deliberation: str) -> MootError | None:
        """Return why a deliberation last stopped here, where that was not as it should be."""
        return self._failed.get(deliberation)

    @property
    def stopping(self) -> bool:
        """Whether nothing more is begun here."""
        return self._stopping

    @property
    def running(self) -> int:
        """How many run here."""
        return sum(going.state == "running" for going in self._going.values())

    @property
    def queued(self) -> int:
        """How many wait here for their turn."""
        return sum(going.state == "queued" for going in self._going.values())

    def _check_open(self) -> None:
        if self._stopping:
            raise ServerBusy(problem="the server is stopping", retry_after=RETRY_AFTER)

    def _check_room(self) -> None:
        if self.running + self.queued + self._kept_places >= self._most:
            raise ServerBusy(
                problem="the server has as many deliberations waiting as it takes", retry_after=RETRY_AFTER
            )

    def _wish(self, deliberation: str, wish: Literal["look", "go"]) -> None:
        # The next process goes on with what is wanted still; a cancelled one is not to be gone on with at all.
        if self._stopping or deliberation in self._cancelling:
            return
        going = self._going.get(deliberation)
        if going is None:
            task = asyncio.get_running_loop().create_task(self._serve(deliberation), name=f"moot run {deliberation}")
            going = self._going[deliberation] = _Going(wish, "queued" if wish == "go" else None, task)
            task.add_done_callback(lambda _: self._forget(deliberation, going))
        elif going.wish != "go":
            # One that runs has perhaps looked already at what has just been filled.
            going.wish = "look" if going.state else wish

    async def _serve(self, deliberation: str) -> None:
        going = self._going[deliberation]
        try:
            # Between the last look at the wish and its being forgotten nothing else can happen: no wish is lost.
            while (wish := going.wish) and not self._stopping:
                going.wish = None
                await self._serve_once(deliberation, going, wish)
                going.state = None
        finally:
            self._forget(deliberation, going)
            self._watch.wake()

    async def _serve_once(self, deliberation: str, going: _Going, wish: Literal["look", "go"]) -> None:
        try:
            if await self._is_wanted(deliberation, wish):
                going.state = "queued"
                await self._in_turn(deliberation, going)
        except (AlreadyEnded, AlreadyRunning, Fenced, Stopped) as left:
            log.info("deliberation %s is left alone: %s", deliberation, type(left).__name__)
        except Exception as error:
            self._keep_failure(deliberation, error)

    async def _is_wanted(self, deliberation: str, wish: Literal["look", "go"]) -> bool:
        served = await self._store.served(deliberation)
        if wish == "go":
            if served and not served.wanted:
                await self._store.set_wanted(deliberation, wanted=True)
            return True
        return (served is None or served.wanted) and await self._service.is_due(deliberation)

    async def _in_turn(self, deliberation: str, going: _Going) -> None:
        header = await self._store.header(deliberation)
        async with self._paid if len(header.panel) else self._free:
            going.state = "running"
            self._failed.pop(deliberation, None)
            progress = self._watch.progress_of(deliberation)
            await self._service.go_on(deliberation, progress=progress, stopping=lambda: self._stopping)

    def _keep_failure(self, deliberation: str, error: Exception) -> None:
        if isinstance(error, MootError):
            # Other messages may quote what was asked, and a log is read by others than the one who asked.
            log.error(
                "deliberation %s stopped: %s", deliberation, error if isinstance(error, StoreError) else error.code
            )
            kept = error.with_traceback(None)
        else:
            where = "".join(traceback.format_tb(error.__traceback__))
            log.error("deliberation %s broke off: %s\n%s", deliberation, type(error).__name__, where)
            kept = RunBroke(deliberation=deliberation, kind=type(error).__name__)
        self._failed[deliberation] = kept
        if len(self._failed) > MOST_FAILURES:
            del self._failed[next(iter(self._failed))]

    def _forget(self, deliberation: str, going: _Going) -> None:
        # A task that is cancelled before its first turn never comes to its own end.
        if self._going.get(deliberation) is going:
            del self._going[deliberation]
