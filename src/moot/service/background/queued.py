"""Deliberations that wait for workers, for a server that runs none itself: the same face as `Runs`."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

from moot.core.errors import MootError, ServerBusy
from moot.core.ports import Clock
from moot.service.background.ends import NO_WORKER_CODE, RunStanding, State
from moot.service.background.news import heard_by
from moot.service.background.worker import QueueWorker
from moot.service.service import Service
from moot.service.watching import Watch
from moot.store.queue.jobs import NewJob, Queue
from moot.store.queue.names import LANES, Lane, lane_of, queue_name
from moot.store.queue.news import listen
from moot.store.queue.workers import Workers, Workforce

LOOK_SECONDS = 1.0
SWEEP_SECONDS = 5.0
UNSEEN_SECONDS = 30.0
"""Without a sign of life of any worker for so long, people are told."""
STOP_SECONDS = 5.0
"""For a worker to let go of what was cancelled, or to come to the end of what calls no model."""
RETRY_AFTER = 5.0

NO_WORKER = (
    "it waits for a worker, and none has been seen for {seconds:.0f} s; `moot worker` starts one on any machine "
    "that reaches the database"
)
NOT_SERVED = (
    "it waits for a worker that works on `{lane}`, and those that run do not; `moot worker --queues {lane}` starts one"
)
NOT_CAPABLE = (
    "it waits for a worker that has {protocol} {version}; those that run have other versions of Moot or of the protocol"
)

log = logging.getLogger("moot.runs")


class QueuedRuns:
    """The deliberations of one PostgreSQL database, run by whichever worker takes them; perhaps by this process too."""

    lane: Lane | None = "now"
    """Somebody waits for what is asked of a server."""

    def __init__(
        self,
        service: Service,
        queue: Queue,
        workers: Workers,
        *,
        watch: Watch,
        clock: Clock,
        most: int = 100,
        silent: float = 10.0,
        worker: QueueWorker | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._service = service
        self._store = service.store
        self._queue = queue
        self._workers = workers
        self._watch = watch
        self._clock = clock
        self._most = most
        self._silent = silent
        self._worker = worker
        self._pause = pause
        self._force = Workforce()
        self._seen = clock.monotonic()
        self._told = False
        self._missed: frozenset[str] = frozenset()
        self._kept_places = 0
        self._stopping = False
        self._tasks: set[asyncio.Task[None]] = set()
        self.listening = asyncio.Event()
        """Set once what workers tell is heard."""

    async def start(self) -> None:
        """Look who works, put in what nobody knows of, and go on doing so; where this process works too, begin."""
        await self.look()
        self._begin(self._again(self.look, LOOK_SECONDS))
        self._begin(self._again(self.sweep, SWEEP_SECONDS))
        self._begin(
            listen(self._store.url, heard_by(self._watch), own=self._store.session, listening=self.listening.set)
        )
        if self._worker:
            self._begin(self._worker.run())
            await self._worker.ready.wait()
            await self.look()

    async def want(self, deliberation: str) -> None:
        """Have a deliberation run by a worker, from wherever it stands; it is wanted again from now on.

        Raises:
            ServerBusy: when as many wait as may, or the process stops.
        """
        self._check_open()
        self._check_room()
        await self._put(deliberation)

    @contextmanager
    def reserve(self) -> Generator[Callable[[str], None], None, None]:
        """Keep a place while a deliberation is created, which puts it in.

        Raises:
            ServerBusy: as for `want`.
        """
        self._check_open()
        self._check_room()
        self._kept_places += 1
        try:
            yield lambda _: None
        finally:
            self._kept_places -= 1

    def resume_if_due(self, deliberation: str) -> None:
        """Have a deliberation run where nothing waits any more, unless it was cancelled. It is never refused."""
        if not self._stopping:
            self._begin(self._put_if_due(deliberation))

    async def cancel(self, deliberation: str) -> bool:
        """Take a deliberation out, which is not wanted from now on; return whether it was in.

        Whoever runs it hears of it at once. What it had journaled is kept, and `want` goes on from it.
        """
        was_in = await self._queue.take_out(deliberation)
        await self.finished(deliberation)
        return was_in

    async def cancel_unwanted(self) -> None:
        """Take out what is wanted no longer: its caller's key was revoked."""
        for deliberation in await self._queue.unwanted():
            log.info("deliberation %s is wanted no longer", deliberation)
            await self._queue.take_out(deliberation)

    async def finished(self, deliberation: str) -> None:
        """Return once no worker has the deliberation and none is to, or none has come to its end after some seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                while await self._queue.states([deliberation]) and not self.lacks_workers:
                    await self._pause(0.05)

    async def stop(self) -> None:
        """Take nothing more, and let go of what a worker of this process runs. What waits is wanted still."""
        self._stopping = True
        if self._worker:
            await self._worker.stop()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def standing(self, deliberation: str) -> RunStanding:
        """Return whether a deliberation waits or runs, and what keeps it from it."""
        state = (await self._queue.states([deliberation])).get(deliberation)
        lack = await self._lack(deliberation, state)
        if lack:
            return RunStanding(state, NO_WORKER_CODE, lack)
        stop = await self._queue.stop_of(deliberation)
        return RunStanding(state, stop.code, stop.message, stop.goes_on) if stop else RunStanding(state)

    @property
    def workforce(self) -> Workforce:
        """The workers, as they were seen last."""
        return self._force

    @property
    def lacks_workers(self) -> bool:
        """Whether no worker has been seen for long."""
        return self._clock.monotonic() - self._seen >= UNSEEN_SECONDS

    @property
    def leaves_some(self) -> bool:
        """Whether there is something that none of those who work can run."""
        return bool(self._missed)

    @property
    def stopping(self) -> bool:
        """Whether nothing more is put in here."""
        return self._stopping

    @property
    def running(self) -> int:
        """How many workers run, of whatever server."""
        return self._force.doing

    @property
    def queued(self) -> int:
        """How many wait for workers, of whatever server."""
        return sum(self._force.waiting.values())

    async def look(self) -> None:
        """See who works and what waits; where nobody has worked for long, say so once."""
        self._force = await self._workers.look()
        if self._force.living(self._silent):
            self._seen, self._told = self._clock.monotonic(), False
        elif self.lacks_workers and not self._told:
            self._told = True
            log.warning(
                "no worker has been seen for %d s, and %d deliberations wait; `moot worker` starts one",
                UNSEEN_SECONDS,
                self.queued,
            )
        self._tell_missed()

    def _tell_missed(self) -> None:
        missed = self._force.missed(self._silent)
        if missed.keys() - self._missed:
            what = ", ".join(f"{jobs} in {queue}" for queue, jobs in sorted(missed.items()))
            log.warning("no worker can run what waits: %s; `moot workers` says why", what)
        self._missed = frozenset(missed)

    async def sweep(self) -> None:
        """Put in what is wanted and in no queue: whoever was to put it in has died."""
        for deliberation in await self._store.served.put_left():
            log.info("deliberation %s was in no queue, and is put in", deliberation)

    async def _lack(self, deliberation: str, state: State | None) -> str:
        if state != "queued":
            return ""
        if self.lacks_workers:
            return NO_WORKER.format(seconds=UNSEEN_SECONDS)
        served = {queue for worker in self._force.living(self._silent) for queue in worker.queues}
        queue = await self._queue.queue_of(deliberation)
        if not served or queue is None or queue in served:
            return ""
        header = await self._store.deliberations.header(deliberation)
        name, version = header.protocol, header.protocol_version
        if served & {queue_name(lane, name, version) for lane in LANES}:
            return NOT_SERVED.format(lane=lane_of(queue))
        return NOT_CAPABLE.format(protocol=name, version=version)

    async def _put(self, deliberation: str, *, revive: bool = True) -> None:
        header = await self._store.deliberations.header(deliberation)
        served = await self._store.served.read(deliberation)
        await self._queue.put(deliberation, NewJob.of(header, served.owner if served else None), revive=revive)

    async def _put_if_due(self, deliberation: str) -> None:
        try:
            if await self._store.steps.is_due(deliberation):
                await self._put(deliberation, revive=False)
        except MootError as error:
            # The next sweep puts it in.
            log.error("deliberation %s is not put in: %s", deliberation, error.code)  # noqa: TRY400

    async def _again(self, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Do something over and over. A store that fails is asked again; one line says since when."""
        failing = False
        while True:
            await self._pause(seconds)
            try:
                await work()
                failing = False
            except MootError as error:
                if not failing:
                    log.error("the queue: %s", error)  # noqa: TRY400
                failing = True

    def _begin(self, work: Awaitable[None]) -> None:
        async def run() -> None:
            await work

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _check_open(self) -> None:
        if self._stopping:
            raise ServerBusy(problem="the server is stopping", retry_after=RETRY_AFTER)

    def _check_room(self) -> None:
        if self.queued + self._kept_places >= self._most:
            raise ServerBusy(problem="as many deliberations wait for workers as may", retry_after=RETRY_AFTER)
