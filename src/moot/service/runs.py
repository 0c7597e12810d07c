"""Deliberations in the background of one process: so many at a time, each by one task, resumed after a restart.

What a server has begun is wanted until it has ended or somebody cancels it. A process that stops, or is killed, leaves
it wanted, and the next one resumes it from its journal. Who runs a deliberation is settled by the store's lock: where
another process has it, it is left to that.
"""

import asyncio
import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Literal

from moot.core.errors import (
    AlreadyEnded,
    AlreadyRunning,
    DayUsedUp,
    Fenced,
    MootError,
    ServerBusy,
    StoreError,
    WorkersDied,
)
from moot.runtime.dispatch import Stopped
from moot.service.background.ends import RunStanding, State, lacked, told_failure
from moot.service.background.looks import LaterLooks
from moot.service.service import Service
from moot.service.watching import Watch
from moot.store.queue.names import Lane
from moot.store.queue.workers import Workforce

FREE_AT_ONCE = 4
"""Deliberations without members cost nothing but the store's time, and people wait for their next step."""
MOST_TAKEN_UP = 3
"""How often a server that starts takes up a deliberation at which servers died, before it is left alone."""
PATIENCE = 10.0
MOST_FAILURES = 1000
RETRY_AFTER = 5.0

log = logging.getLogger("moot.runs")


@dataclass(slots=True, eq=False)
class _Job:
    """A deliberation in the hands of a task of this process."""

    request: Literal["check", "run"] | None
    """What is to be done next: look whether it is due, or run whatever it waits for."""
    state: State | None
    """None while the task only looks."""
    task: "asyncio.Task[None]"


class Runs:
    """The deliberations that this process works on."""

    lane: Lane | None = None
    """Nothing is put into a queue."""

    def __init__(
        self,
        service: Service,
        *,
        watch: Watch,
        at_once: int = 8,
        queue: int = 100,
        patience: float = PATIENCE,
        looks: Callable[[Callable[[str], None]], LaterLooks] = LaterLooks,
    ) -> None:
        self._service = service
        self._store = service.store
        self._watch = watch
        self._paid = asyncio.Semaphore(at_once)
        self._free = asyncio.Semaphore(FREE_AT_ONCE)
        self._most = at_once + queue
        self._patience = patience
        self._jobs: dict[str, _Job] = {}
        self._kept_places = 0
        self._cancelling: set[str] = set()
        self._failed: dict[str, MootError] = {}
        self._left: set[str] = set()
        self._one_at_a_time = asyncio.Lock()
        self._stopping = False
        self._looks = looks(self.resume_if_due)
        service.at_hand = lambda deliberation: self.state(deliberation) is not None

    async def start(self) -> None:
        """Resume what an earlier process left."""
        left = await self._store.served.to_resume()
        self._left.update(left)
        for deliberation in left:
            self._request(deliberation, "run")

    async def want(self, deliberation: str) -> None:
        """Run a deliberation in the background, as `resume` does."""
        self.resume(deliberation)

    def resume(self, deliberation: str) -> None:
        """Run a deliberation in the background from wherever it stands; it is wanted again from now on.

        Raises:
            ServerBusy: when as many wait as may, or the process stops.
        """
        self._check_open()
        if deliberation not in self._jobs:
            self._check_room()
        self._request(deliberation, "run")

    @contextmanager
    def reserve(self) -> Generator[Callable[[str], None], None, None]:
        """Keep a place while a deliberation is created, and give what runs it then; none is created in vain.

        Raises:
            ServerBusy: as for `resume`.
        """
        self._check_open()
        self._check_room()
        self._kept_places += 1
        try:
            yield lambda deliberation: self._request(deliberation, "run")
        finally:
            self._kept_places -= 1

    def resume_if_due(self, deliberation: str) -> None:
        """Run a deliberation in the background where nothing waits any more, unless it was cancelled.

        It is never refused: while the deliberation runs, it is looked at once more afterwards.
        """
        self._request(deliberation, "check")

    async def cancel(self, deliberation: str) -> bool:
        """Stop a deliberation, which is not wanted from now on; return whether this process had it.

        Nothing more is spent on it. What it had journaled is kept, and `resume` goes on from it.
        """
        self._cancelling.add(deliberation)
        self._looks.forget(deliberation)
        try:
            job = self._jobs.get(deliberation)
            if job:
                job.task.cancel()
            if await self._store.served.read(deliberation):
                await self._store.served.set_wanted(deliberation, wanted=False)
            await self.finished(deliberation)
            return job is not None
        finally:
            self._cancelling.discard(deliberation)

    async def cancel_unwanted(self) -> None:
        """Stop what runs here and is wanted no longer: it was cancelled elsewhere, or its caller's key revoked."""
        running = {deliberation: job for deliberation, job in self._jobs.items() if job.state == "running"}
        for deliberation in await self._store.served.unwanted(running) if running else ():
            # One that was resumed meanwhile is another job.
            if self._jobs.get(deliberation) is running[deliberation]:
                log.info("deliberation %s is wanted no longer", deliberation)
                await self.cancel(deliberation)

    async def finished(self, deliberation: str) -> None:
        """Return once this process no longer works on the deliberation."""
        while job := self._jobs.get(deliberation):
            await asyncio.wait([job.task])

    async def stop(self) -> None:
        """Stop everything, and return when all have stopped. What runs is wanted still.

        Nothing more is sent; the calls in flight have some seconds to be answered and journaled.
        """
        self._stopping = True
        self._looks.close()
        taken_up = list(self._left)
        tasks = [job.task for job in self._jobs.values()]
        for job in self._jobs.values():
            if job.state != "running":
                job.task.cancel()
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=self._patience)
            for task in late:
                task.cancel()
            await asyncio.wait(tasks)
        if taken_up:
            with suppress(MootError):
                await self._store.served.put_down(taken_up)

    def state(self, deliberation: str) -> State | None:
        """Whether a deliberation runs here, or waits for its turn."""
        job = self._jobs.get(deliberation)
        return job.state if job else None

    def failed(self, deliberation: str) -> MootError | None:
        """Return why a deliberation last stopped here, where that was not as it should be."""
        return self._failed.get(deliberation)

    async def standing(self, deliberation: str) -> RunStanding:
        """Return whether a deliberation runs here, and why it last stopped here."""
        failed = self._failed.get(deliberation)
        goes_on = isinstance(failed, StoreError | DayUsedUp)
        return RunStanding(self.state(deliberation), failed.code if failed else "", str(failed or ""), goes_on)

    @property
    def workforce(self) -> Workforce | None:
        """There are no workers: this process does it."""
        return None

    @property
    def lacks_workers(self) -> bool:
        """It lacks none."""
        return False

    @property
    def leaves_some(self) -> bool:
        """It leaves nothing to others."""
        return False

    @property
    def stopping(self) -> bool:
        """Whether nothing more is begun here."""
        return self._stopping

    @property
    def running(self) -> int:
        """How many run here."""
        return sum(job.state == "running" for job in self._jobs.values())

    @property
    def queued(self) -> int:
        """How many wait here for their turn."""
        return sum(job.state == "queued" for job in self._jobs.values())

    def _check_open(self) -> None:
        if self._stopping:
            raise ServerBusy(problem="the server is stopping", retry_after=RETRY_AFTER)

    def _check_room(self) -> None:
        if self.running + self.queued + self._kept_places >= self._most:
            raise ServerBusy(
                problem="the server has as many deliberations waiting as it takes", retry_after=RETRY_AFTER
            )

    def _request(self, deliberation: str, request: Literal["check", "run"]) -> None:
        # The next process resumes what is wanted still; a cancelled one is not to be resumed at all.
        if self._stopping or deliberation in self._cancelling:
            return
        job = self._jobs.get(deliberation)
        if job is None:
            task = asyncio.get_running_loop().create_task(self._serve(deliberation), name=f"moot run {deliberation}")
            job = self._jobs[deliberation] = _Job(request, "queued" if request == "run" else None, task)
            task.add_done_callback(lambda _: self._forget(deliberation, job))
        elif job.request != "run":
            # One that runs has perhaps looked already at what has just been filled.
            job.request = "check" if job.state else request

    async def _serve(self, deliberation: str) -> None:
        job = self._jobs[deliberation]
        try:
            # Between the last look at a request and its being forgotten nothing else can happen: no request is lost.
            while (request := job.request) and not self._stopping:
                job.request = None
                await self._serve_once(deliberation, job, request)
                job.state = None
        finally:
            self._forget(deliberation, job)
            self._watch.run_over(deliberation)

    async def _serve_once(self, deliberation: str, job: _Job, request: Literal["check", "run"]) -> None:
        try:
            if await self._is_wanted(deliberation, request):
                job.state = "queued"
                await self._in_turn(deliberation, job)
        except (AlreadyEnded, AlreadyRunning, Fenced, Stopped) as left:
            self._looks.forget(deliberation)
            log.info("deliberation %s is left alone: %s", deliberation, type(left).__name__)
        except (OSError, StoreError, DayUsedUp) as error:
            self._keep_want(deliberation, error)
        except Exception as error:
            self._keep_failure(deliberation, error)

    async def _is_wanted(self, deliberation: str, request: Literal["check", "run"]) -> bool:
        served = await self._store.served.read(deliberation)
        if request == "run":
            if served and not served.wanted:
                await self._store.served.set_wanted(deliberation, wanted=True)
            return True
        return (served is None or served.wanted) and await self._store.steps.is_due(deliberation)

    async def _in_turn(self, deliberation: str, job: _Job) -> None:
        header = await self._store.deliberations.header(deliberation)
        async with self._paid if len(header.panel) else self._free:
            if await self._store.served.unwanted([deliberation]):
                return
            job.state = "running"
            self._failed.pop(deliberation, None)
            await (self._run_left if deliberation in self._left else self._run)(deliberation)
            self._looks.forget(deliberation)

    async def _run(self, deliberation: str) -> None:
        on_progress = self._watch.progress_of(deliberation)
        await self._service.run(deliberation, on_progress=on_progress, stopping=lambda: self._stopping)

    async def _run_left(self, deliberation: str) -> None:
        """Run what an earlier process left; what processes died at by itself, and after a few of them no more."""
        times = await self._store.served.taken_up(deliberation)
        if times >= MOST_TAKEN_UP:
            await self._store.served.set_wanted(deliberation, wanted=False)
            raise WorkersDied(deliberation=deliberation, times=times)
        async with self._one_at_a_time if times else nullcontext():
            await self._store.served.take_up(deliberation)
            try:
                await self._run(deliberation)
            except Exception:
                await self._put_down(deliberation)
                raise
            await self._put_down(deliberation)

    async def _put_down(self, deliberation: str) -> None:
        self._left.discard(deliberation)
        await self._store.served.put_down([deliberation])

    def _keep_want(self, deliberation: str, error: OSError | MootError) -> None:
        self._keep_failure(deliberation, lacked(deliberation, error))
        if not self._stopping:
            log.info("deliberation %s is looked at again in %d s", deliberation, self._looks.put(deliberation))

    def _keep_failure(self, deliberation: str, error: Exception) -> None:
        self._failed[deliberation] = told_failure(deliberation, error)
        if len(self._failed) > MOST_FAILURES:
            del self._failed[next(iter(self._failed))]

    def _forget(self, deliberation: str, job: _Job) -> None:
        # A task that is cancelled before its first turn never comes to its own end.
        if self._jobs.get(deliberation) is job:
            del self._jobs[deliberation]
