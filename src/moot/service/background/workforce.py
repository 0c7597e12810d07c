"""Who works on what waits, as people and programs read it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from moot.core.errors import BadSetting, UsageError
from moot.core.moments import iso_moment
from moot.service.configuring import read_configuration
from moot.settings import BadValue, ProductSettings
from moot.store.queue.workers import KnownWorker, Workforce
from moot.store.store import Store

NOT_POSTGRES = (
    "workers need PostgreSQL, and this database is the file {where}; set MOOT_DATABASE to "
    "postgresql://USER:PASSWORD@HOST/NAME for the server and for each worker."
)
NOBODY = "no worker; `moot worker` starts one on any machine that reaches the database."


@dataclass(frozen=True, slots=True)
class WorkforceReading:
    """All workers of a database, and what waits for them."""

    force: Workforce
    silent: float
    """Seconds without a sign of life after which a worker counts as dead."""

    def state(self, worker: KnownWorker) -> str:
        """Return what a worker is about, in a word."""
        if worker.silent >= self.silent:
            return "silent"
        if worker.draining:
            return "draining"
        return "working" if worker.doing else "idle"

    @property
    def left(self) -> Mapping[str, int]:
        """What waits and no living worker can run, by queue."""
        return self.force.left(self.silent)

    def json(self) -> dict[str, Any]:
        """Return it as programs read it."""
        return {
            "workers": [self._worker_json(worker) for worker in self.force.workers],
            "waiting": dict(self.force.waiting),
            "left": dict(self.left),
        }

    def lines(self) -> list[str]:
        """Return it as people read it, a line each."""
        lines = [line for worker in self.force.workers for line in self._worker_lines(worker)]
        if not self.force.living(self.silent):
            lines.append(NOBODY)
        waiting = sum(self.force.waiting.values())
        if waiting:
            lines.append(f"{waiting} {'waits' if waiting == 1 else 'wait'} for a worker.")
        return [*lines, *self.left_lines()]

    def left_lines(self) -> list[str]:
        """Return what is left although somebody works, a line each: of nobody, all is."""
        return [_left_words(queue, jobs) for queue, jobs in self.force.missed(self.silent).items()]

    def _worker_json(self, worker: KnownWorker) -> dict[str, Any]:
        return {
            "id": worker.id,
            "name": worker.name,
            "moot": worker.moot,
            "state": self.state(worker),
            "queues": list(worker.queues),
            "at_once": worker.at_once,
            "since": iso_moment(worker.since),
            "silent": round(worker.silent, 1),
            "doing": [{"id": doing.deliberation, "seconds": round(doing.seconds, 1)} for doing in worker.doing],
        }

    def _worker_lines(self, worker: KnownWorker) -> list[str]:
        head = (
            f"{worker.id}  {worker.name}  {self.state(worker)}  {len(worker.doing)} of {worker.at_once}  "
            f"{', '.join(worker.lanes)}  Moot {worker.moot}  since {iso_moment(worker.since)}, "
            f"seen {worker.silent:.0f} s ago"
        )
        return [head, *(f"    {doing.deliberation} for {doing.seconds:.0f} s" for doing in worker.doing)]


def _left_words(queue: str, jobs: int) -> str:
    """Return what is left for want of a worker that can run it."""
    lane, protocol, version, form = queue.split(":")
    return (
        f"{jobs} of {protocol} {version} ({lane}) left: no worker has this version of the protocol and works on "
        f"`{lane}` (run format {form})."
    )


async def read_workforce(environ: Mapping[str, str]) -> WorkforceReading:
    """Return the workers of the database that an environment names.

    Raises:
        UsageError: where it is not PostgreSQL.
    """
    settings = ProductSettings.read(read_configuration(environ).for_a_server().environment(environ))
    store = Store.open(settings.database)
    try:
        if store.workers is None:
            raise UsageError(NOT_POSTGRES.format(where=store.where))
        return WorkforceReading(await store.workers.look(), silence_of(settings))
    finally:
        await store.close()


def silence_of(settings: ProductSettings) -> float:
    """Return the seconds without a sign of life after which a worker counts as dead.

    Raises:
        BadSetting: for what is no number of seconds.
    """
    try:
        return settings.number("worker_silent") or 10.0
    except BadValue as bad:
        raise BadSetting(name=bad.name, problem=bad.problem) from None
