"""A deliberation in the hands of the one process that runs it. Every write is conditional on its epoch."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection

from moot.core.calls import Outcome
from moot.core.canonical import canonical
from moot.core.deliberation import Invitation
from moot.core.errors import LeaseExpired, NotYourStep, OneAnswerPerAgent, StepGone
from moot.core.ports import Clock, Journal, OpenStep, Steps
from moot.core.verdict import Verdict
from moot.store import deliberations, journal
from moot.store import steps as open_steps
from moot.store.database import Database
from moot.store.journal import HeldJournal
from moot.store.writer import Fence, Writer

T = TypeVar("T")


class Hold:
    """What the runner of a deliberation writes through."""

    def __init__(self, database: Database, writer: Writer, fence: Fence, clock: Clock) -> None:
        self._writer = writer
        self._fence = fence
        self._clock = clock
        self.journal: Journal = HeldJournal(database, writer, fence, clock)
        self.steps: Steps = HeldSteps(database, writer, fence, clock)

    @property
    def epoch(self) -> int:
        """How many times the deliberation has been taken, this time included."""
        return self._fence.epoch

    async def set_status(self, status: str) -> None:
        """Write where the deliberation stands."""
        deliberation = self._fence.deliberation
        await self._writer.run(
            lambda connection: deliberations.set_status(connection, deliberation, status), fence=self._fence
        )

    async def end(self, verdict: Verdict) -> None:
        """Write what the deliberation came to, and that it has ended."""
        deliberation, now = self._fence.deliberation, self._clock.now()
        await self._writer.run(
            lambda connection: deliberations.end(connection, deliberation, verdict, now), fence=self._fence
        )


class HeldSteps:
    """The open steps of one deliberation, for the process that holds it: the port `Steps`."""

    def __init__(self, database: Database, writer: Writer, fence: Fence, clock: Clock) -> None:
        self._database = database
        self._writer = writer
        self._fence = fence
        self._clock = clock
        self._id = fence.deliberation

    async def open(self, invitations: Sequence[tuple[int, Invitation[Any]]]) -> None:
        """Open the steps that are not there yet, all or none."""
        await self._write(lambda connection: open_steps.open_all(connection, self._id, invitations))

    async def read(self, steps: Sequence[str]) -> list[OpenStep]:
        """Return the steps as they stand, in the order asked for."""
        return await self._database.read(
            lambda connection: open_steps.read(connection, self._id, steps, self._clock.now())
        )

    async def take(self, step: str, agent: str) -> bool:
        """Give the step to an agent of the house; one that it holds already it keeps."""
        return await self._granted(
            lambda connection: open_steps.take(connection, self._id, step, agent, self._clock.now(), open_steps.LEASE)
        )

    async def submit(self, step: str, agent: str, reply: Mapping[str, Any]) -> bool:
        """Put the agent's reply into the step; False where somebody else has it or has filled it."""
        text = canonical(reply)
        # The reply is paid for: a lease that ran out meanwhile forfeits it only if somebody took the step.
        return await self._granted(
            lambda connection: open_steps.submit(connection, self._id, step, agent, text, self._clock.now(), late=True)
        )

    async def release(self, step: str, agent: str) -> None:
        """Give the step back, if the agent still has it."""
        await self._granted(lambda connection: open_steps.release(connection, self._id, step, agent, self._clock.now()))

    async def leave(self, outcome: Outcome) -> bool:
        """Journal why the run goes on without a step, unless somebody has it or has filled it."""

        def leave(connection: Connection) -> None:
            open_steps.require_open(connection, self._id, outcome.step, self._clock.now())
            journal.conclude(connection, self._id, outcome)

        return await self._granted(leave)

    async def _granted(self, work: Callable[[Connection], object]) -> bool:
        try:
            await self._write(work)
        except (StepGone, OneAnswerPerAgent, NotYourStep, LeaseExpired):
            return False
        return True

    async def _write(self, work: Callable[[Connection], T]) -> T:
        return await self._writer.run(work, fence=self._fence)
