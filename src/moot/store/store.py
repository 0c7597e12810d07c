"""The store: what the rest of Moot reads and writes deliberations through."""

import asyncio
import builtins
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection

from moot.core.canonical import canonical, storable
from moot.core.events import Header
from moot.core.ports import Clock, Journaled, OpenStep, StepState
from moot.store import acts, deliberations, steps
from moot.store import served as serving
from moot.store.acts import Act
from moot.store.callers import Callers
from moot.store.database import Database, connect, named_errors
from moot.store.deliberations import Summary
from moot.store.hold import Hold
from moot.store.journal import journaled
from moot.store.locks import Locks, Release, locks_for
from moot.store.migrations import migrate
from moot.store.served import Served
from moot.store.watched import Reached, standing
from moot.store.writer import Fence, Writer

T = TypeVar("T")

KNOWN = 10_000
"""Whole ids that are remembered to be there; what is done with one that is gone refuses it by itself."""


class Store(Callers):
    """Deliberations, their events, journals, open steps and acts, in one database; and what a server's callers have."""

    def __init__(self, database: Database, writer: Writer, locks: Locks, clock: Clock) -> None:
        super().__init__(database, writer, clock)
        self._locks = locks
        self._known: set[str] = set()

    @classmethod
    def open(cls, url: str, *, clock: Clock) -> "Store":
        """Return the store at `sqlite:///PATH` or `postgresql://…`, brought to today's schema.

        Raises:
            DatabaseUnusable: for a damaged file, an unreachable server, or a schema of a newer Moot.
            DiskFull: where there is no room for the tables.
            ExtraMissing: for PostgreSQL without its driver.
        """
        database = connect(url)
        try:
            with named_errors(database.where):
                migrate(database.writing, where=database.where, clock=clock)
        except BaseException:
            database.dispose()
            raise
        return cls(database, Writer(database), locks_for(database), clock)

    @property
    def where(self) -> str:
        """The place of the database, without its password."""
        return self._database.where

    async def close(self) -> None:
        """Commit what is queued and close every connection."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self.stop_changes()
        self.writer.close()
        self._locks.close()
        self._database.dispose()

    # Deliberations

    async def create(self, deliberation: str, header: Header, *, served: Served | None = None) -> None:
        """Write a new deliberation; it counts as running from now. A fork gets its parent's past with it.

        `served` says whom a server runs it for.

        Raises:
            NotFound: for a fork of a deliberation that does not exist.
            StoreError: for an id that is taken, or a request that has begun a deliberation already.
        """
        started = self._clock.now()

        def create(connection: Connection) -> None:
            if served:
                serving.check(connection, served, started)
            deliberations.create(connection, deliberation, header, started)
            if served:
                serving.add(connection, deliberation, served)

        await self.writer.run(
            create,
            touches=(header.parent.id,) if header.parent else (),
            alone=f"served/{served.request}" if served and served.request else None,
        )

    async def resolve(self, prefix: str) -> str:
        """Return the one id that begins with the prefix.

        Raises:
            NotFound: where none does, or several do.
        """
        if prefix in self._known:
            return prefix
        found = await self._database.read(lambda connection: deliberations.resolve(connection, storable(prefix)))
        if len(self._known) >= KNOWN:
            self._known.clear()
        self._known.add(found)
        return found

    async def header(self, deliberation: str) -> Header:
        """Return what was settled before the first step."""
        return await self._database.read(lambda connection: deliberations.header(connection, deliberation))

    async def summary(self, deliberation: str) -> Summary:
        """Return a deliberation in one line."""
        return await self._database.read(lambda connection: deliberations.summary(connection, deliberation))

    async def list(
        self,
        limit: int | None = None,
        protocol: str | None = None,
        *,
        status: str | None = None,
        owner: str | None = None,
        before: int | None = None,
    ) -> builtins.list[Summary]:
        """Return the deliberations in one line each, newest first, and only those that fit.

        `owner` is the prefix of the key that a server runs them for. `before` is a number of a summary: its page ended
        there.
        """
        return await self._database.read(
            lambda connection: deliberations.newest(
                connection, limit=limit, protocol=protocol, status=status, owner=owner, before=before
            )
        )

    async def counts(self) -> dict[tuple[str, str], int]:
        """Return how many deliberations there are, by protocol and status."""
        return await self._database.read(deliberations.counts)

    async def waiting_for_nobody(self, protocol: str) -> builtins.list[str]:
        """Return the deliberations of a protocol that have not ended although no step of theirs is to be filled."""
        return await self._database.read(lambda connection: steps.waiting_for_nobody(connection, protocol))

    async def events(
        self, deliberation: str, after: int = -1, limit: int | None = None
    ) -> builtins.list[tuple[int, str]]:
        """Return the run events past a seq, in order, up to a limit."""
        return await self._database.read(
            lambda connection: deliberations.events(connection, deliberation, after, limit)
        )

    async def standing(self, watched: Collection[str]) -> dict[str, Reached]:
        """Return where each of the deliberations stands; one that is gone is left out."""
        return await self._database.read(lambda connection: standing(connection, watched))

    async def journal(self, deliberation: str) -> Journaled:
        """Return the journal as it stands; whoever runs the deliberation is not disturbed."""
        return await self._database.read(lambda connection: journaled(connection, deliberation))

    async def delete(self, deliberation: str) -> None:
        """Delete a deliberation with everything that belongs to it.

        Raises:
            AlreadyRunning: while somebody holds it.
        """
        async with self._locked(deliberation):
            await self.writer.run(
                lambda connection: deliberations.remove(connection, deliberation), touches=(deliberation,)
            )
        self._known.discard(deliberation)
        await asyncio.to_thread(self._locks.forget, deliberation)

    async def is_held(self, deliberation: str) -> bool:
        """Whether a live process works on the deliberation."""
        return await asyncio.to_thread(self._locks.is_taken, deliberation)

    @asynccontextmanager
    async def hold(self, deliberation: str) -> AsyncGenerator[Hold, None]:
        """Hold the deliberation as the one who may write its journal.

        Raises:
            AlreadyRunning: while another holder lives.
        """
        async with self._locked(deliberation):
            epoch, active = await self.writer.run(
                lambda connection: deliberations.take_over(connection, deliberation), touches=(deliberation,)
            )
            yield Hold(self._database, self.writer, Fence(deliberation, epoch, active), self._clock)

    @asynccontextmanager
    async def _locked(self, deliberation: str) -> AsyncGenerator[None, None]:
        await self._database.read(lambda connection: deliberations.require(connection, deliberation))
        taking = asyncio.ensure_future(asyncio.to_thread(self._locks.take, deliberation))
        try:
            release = await asyncio.shield(taking)
        except asyncio.CancelledError:
            taking.add_done_callback(_give_back)
            raise
        try:
            yield
        finally:
            await asyncio.shield(asyncio.ensure_future(asyncio.to_thread(release)))

    # Acts

    async def act(
        self, deliberation: str, *, kind: str, author: str, data: Any, at: int | None, undoes: int | None = None
    ) -> int:
        """Write an act about a run event, or about the whole run, and return its seq."""
        made = self._clock.now()
        return await self.writer.run(
            lambda connection: acts.add(
                connection, deliberation, kind=kind, author=author, data=data, at=at, undoes=undoes, made=made
            ),
            touches=(deliberation,),
        )

    async def acts(self, deliberation: str) -> builtins.list[Act]:
        """Return the acts on a deliberation, in order."""
        return await self._database.read(lambda connection: acts.read(connection, deliberation))

    # Open steps, for people and outside agents

    async def open_steps(
        self,
        *,
        deliberation: str | None = None,
        role: str | None = None,
        state: StepState | None = None,
        labels: Mapping[str, str] | None = None,
        agent: str | None = None,
        limit: int | None = None,
    ) -> builtins.list[OpenStep]:
        """Return the steps that fit, oldest first; with an agent, only those that it may take."""
        now = self._clock.now()
        return await self._database.read(
            lambda connection: steps.search(
                connection,
                now,
                deliberation=deliberation,
                role=role,
                state=state,
                labels=labels or {},
                agent=agent,
                limit=limit,
            )
        )

    async def waiting_steps(
        self,
        *,
        unlabelled: str,
        deliberation: str | None = None,
        closed_roles: Collection[str] = (),
        own_roles: Collection[str] = (),
        owner: str | None = None,
        after: int = 0,
        limit: int | None = None,
    ) -> builtins.list[OpenStep]:
        """Return the steps without a label that runs wait for, oldest first, past a number.

        None of them is of a closed role, and those of `own_roles` are in deliberations that the owner began.
        """
        now = self._clock.now()
        return await self._database.read(
            lambda connection: steps.waiting(
                connection,
                now,
                deliberation=deliberation,
                unlabelled=unlabelled,
                closed_roles=closed_roles,
                own_roles=own_roles,
                owner=owner,
                after=after,
                limit=limit,
            )
        )

    async def is_waiting(self, deliberation: str) -> bool:
        """Whether the deliberation waits for a step: one that somebody holds, or one that must be filled."""
        now = self._clock.now()
        return await self._database.read(lambda connection: steps.is_waiting(connection, deliberation, now))

    async def is_due(self, deliberation: str) -> bool:
        """Whether the deliberation can go on: it has not ended, and waits for nothing."""
        now = self._clock.now()
        return await self._database.read(lambda connection: steps.is_due(connection, deliberation, now))

    async def step(self, deliberation: str, step: str) -> OpenStep:
        """Return one step as it stands."""
        now = self._clock.now()
        return (await self._database.read(lambda connection: steps.read(connection, deliberation, [step], now)))[0]

    async def take(self, deliberation: str, step: str, agent: str, *, lease: float = steps.LEASE) -> OpenStep:
        """Give the step to the agent for the seconds of the lease; taking one's own step again renews it.

        Raises:
            StepGone: when somebody else has it, or it is done.
            OneAnswerPerAgent: when the agent has another step of its group.
        """
        return await self._write_step(
            deliberation,
            lambda connection: steps.take(connection, deliberation, step, agent, self._clock.now(), lease),
        )

    async def renew(self, deliberation: str, step: str, agent: str, *, lease: float = steps.LEASE) -> OpenStep:
        """Give the agent a new lease on the step that it holds.

        Raises:
            NotYourStep, LeaseExpired, StepGone: when it does not hold it.
        """
        return await self._write_step(
            deliberation,
            lambda connection: steps.renew(connection, deliberation, step, agent, self._clock.now(), lease),
        )

    async def release(self, deliberation: str, step: str, agent: str) -> None:
        """Give the step back.

        Raises:
            NotYourStep, StepGone: when the agent does not have it.
        """
        await self._write_step(
            deliberation, lambda connection: steps.release(connection, deliberation, step, agent, self._clock.now())
        )

    async def submit(self, deliberation: str, step: str, agent: str, reply: Mapping[str, Any]) -> None:
        """Put the agent's reply into the step that it holds.

        Raises:
            NotYourStep, LeaseExpired, StepGone: when it does not hold it, or no longer.
        """
        text = canonical(reply)
        await self._write_step(
            deliberation,
            lambda connection: steps.submit(connection, deliberation, step, agent, text, self._clock.now()),
        )

    # What a server runs, and for whom

    async def served(self, deliberation: str) -> Served | None:
        """Return whom a server runs the deliberation for; None for one of the command line."""
        return await self._database.read(lambda connection: serving.read(connection, deliberation))

    async def served_by_request(self, request: str) -> str | None:
        """Return the deliberation that a request began, for the day that requests are remembered."""
        now = self._clock.now()
        return await self._database.read(lambda connection: serving.by_request(connection, request, now))

    async def set_wanted(self, deliberation: str, wanted: bool) -> None:
        """Write whether a server that starts is to go on with the deliberation.

        Raises:
            NotFound: for one that no server runs.
        """
        await self.writer.run(
            lambda connection: serving.set_wanted(connection, deliberation, wanted), touches=(deliberation,)
        )

    async def to_go_on_with(self) -> builtins.list[str]:
        """Return what a server that starts goes on with: wanted, and running or waiting for nobody, oldest first."""
        return await self._database.read(serving.to_go_on_with)

    async def _write_step(self, deliberation: str, work: Callable[[Connection], T]) -> T:
        return await self.writer.run(work, touches=(deliberation,))


def _give_back(taking: asyncio.Future[Release]) -> None:
    if not taking.cancelled() and taking.exception() is None:
        taking.result()()
