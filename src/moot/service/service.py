"""The use cases: ask, resume, replay, fork, show, export, delete, and the open steps. Wiring and nothing else."""

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from moot.configuration import Configuration
from moot.core.calls import Reply
from moot.core.errors import AlreadyEnded, AlreadyRunning, ForkChangesHistory, NotFound
from moot.core.events import Header, Started, call_facts, event_from
from moot.core.ports import Clock, OpenStep, Progress
from moot.core.protocol import ProtocolSpec
from moot.core.record import Record, spent_on
from moot.core.verdict import Status
from moot.gateway.discovery import Discovered
from moot.gateway.gateway import Gateway
from moot.protocols import find_protocol
from moot.runtime.dispatch import Stopping, World, never_stopping
from moot.runtime.fork import fork_position
from moot.runtime.house import Paused
from moot.runtime.replay import Replayed, replay
from moot.runtime.run import check_version, deliberate
from moot.service.contests import Contest, contest, contest_lines, suppositions, uncontest
from moot.service.orders import Fork, Order, Plan, outside_agent, shaped
from moot.service.planning import Planner, Protocols, ReadFiles
from moot.service.results import Result
from moot.store.served import Served
from moot.store.store import Store, Summary
from moot.views.files import exported, files
from moot.views.markdown import markdown
from moot.views.page import page

Format = Literal["md", "json", "html", "files"]

Created = Callable[[str], None]
"""Hears the id of a new deliberation."""


def ignore_id(deliberation: str) -> None:
    """Hear of a new deliberation and say nothing."""


def no_progress(kind: str, step: str, seat: str, note: str = "") -> None:
    """Hear of progress and say nothing."""


class Service:
    """Moot, wired to a store and a gateway. Without `read_files`, no setting may name a path."""

    def __init__(
        self,
        store: Store,
        gateway: Gateway,
        *,
        clock: Clock,
        environ: Mapping[str, str],
        local: bool = False,
        embeddings: str | None = None,
        protocols: Protocols = find_protocol,
        read_files: ReadFiles | None = None,
        defaults: Configuration = Configuration(),  # noqa: B008 (frozen)
    ) -> None:
        self.store = store
        self.gateway = gateway
        self._clock = clock
        self._embedder = gateway.embedder(embeddings)
        self._protocols = protocols
        self._planner = Planner(
            gateway,
            protocols=protocols,
            environ=environ,
            local=local,
            embedder=self._embedder,
            read_files=read_files,
            defaults=defaults,
        )

    async def plan(self, order: Order) -> Plan:
        """Return the order resolved: protocol, members, settings, budget, and what it is expected to take.

        Raises:
            UsageError: for anything in it that cannot be used.
        """
        return await self._planner.plan(order)

    def row_for(self, order: Order) -> ProtocolSpec:
        """Return the protocol that an order is carried out by.

        Raises:
            UnknownProtocol: where it names none.
        """
        return self._planner.row_for(order)

    async def usual_members(self) -> Discovered:
        """Return who is asked where an order names nobody, and why."""
        return await self._planner.usual_members()

    async def ask(self, order: Order, *, progress: Progress = no_progress, created: Created = ignore_id) -> Result:
        """Return what a new deliberation comes to. `created` hears its id before anything is sent."""
        return await self.carry_out(await self.plan(order), progress=progress, created=created)

    async def carry_out(self, plan: Plan, *, progress: Progress = no_progress, created: Created = ignore_id) -> Result:
        """Return what a deliberation comes to that has been planned."""
        await self.gateway.start(plan.panel.models)
        deliberation = await self.begin(plan)
        created(deliberation)
        return await self._run(deliberation, progress)

    async def begin(self, plan: Plan, *, served: Served | None = None) -> str:
        """Return the id of a new deliberation that has been planned; nothing is sent before `go_on`."""
        return await self._create(self._planner.header(plan), served)

    async def fork(
        self, prefix: str, fork: Fork, *, progress: Progress = no_progress, created: Created = ignore_id
    ) -> Result:
        """Return what the deliberation comes to when it goes another way from a step on."""
        child = await self._forked(prefix, fork)
        await self.gateway.start(child.panel.models)
        deliberation = await self._create(child)
        created(deliberation)
        try:
            return await self._run(deliberation, progress)
        except ForkChangesHistory:
            # There is no such other way, and nothing was sent on it.
            await self.store.delete(deliberation)
            raise

    async def begin_fork(self, prefix: str, fork: Fork, *, served: Served | None = None) -> str:
        """Return the id of a new deliberation that goes another way from a step on; `go_on` goes on with it."""
        return await self._create(await self._forked(prefix, fork), served)

    async def _forked(self, prefix: str, fork: Fork) -> Header:
        parent = await self.store.resolve(prefix)
        steps = await self.store.open_steps(deliberation=parent)
        position = fork_position(fork.at, await self.store.journal(parent), steps)
        return await self._planner.forked(parent, await self.store.header(parent), fork, position)

    async def resume(self, prefix: str, *, progress: Progress = no_progress, created: Created = ignore_id) -> Result:
        """Return what a stopped deliberation comes to when it goes on.

        Raises:
            AlreadyEnded: for one that has come to its verdict.
            ProtocolVersionChanged: for one that another version of its protocol began.
        """
        deliberation = await self.store.resolve(prefix)
        header = await self.check_resumable(deliberation)
        created(deliberation)
        await self.gateway.start(header.panel.models)
        return await self._run(deliberation, progress)

    async def go_on(
        self, deliberation: str, *, progress: Progress = no_progress, stopping: Stopping = never_stopping
    ) -> Result:
        """Return what a deliberation comes to from wherever it stands. Once `stopping`, it sends nothing more.

        Raises:
            AlreadyEnded, ProtocolVersionChanged: as for `resume`.
            Stopped: when it was about to send something, and is to stop; its calls in flight are journaled.
        """
        header = await self.check_resumable(deliberation)
        await self.gateway.start(header.panel.models)
        return await self._run(deliberation, progress, stopping)

    async def replay(self, prefix: str) -> Replayed:
        """Return proof that the stored run gives the same record again, without the network."""
        deliberation = await self.store.resolve(prefix)
        header = await self.store.header(deliberation)
        return await replay(
            self._protocols(header.protocol),
            header,
            journaled=await self.store.journal(deliberation),
            steps=await self.store.open_steps(deliberation=deliberation),
            events=[text for _, text in await self.store.events(deliberation)],
            clock=self._clock,
        )

    async def _create(self, header: Header, served: Served | None = None) -> str:
        deliberation = new_id()
        await self.store.create(deliberation, header, served=served)
        return deliberation

    async def check_resumable(self, deliberation: str) -> Header:
        """Return the header of a deliberation that can be gone on with.

        Raises:
            AlreadyEnded, ProtocolVersionChanged: for one that cannot.
        """
        summary = await self.store.summary(deliberation)
        if Status(summary.status).ended:
            raise AlreadyEnded(deliberation=deliberation, status=summary.status)
        header = await self.store.header(deliberation)
        check_version(self._protocols(header.protocol), header)
        return header

    async def show(self, prefix: str) -> Result:
        """Return a stored deliberation as it stands."""
        deliberation = await self.store.resolve(prefix)
        return await self._result(deliberation)

    async def list(self) -> list[Summary]:
        """Return every stored deliberation, newest first."""
        return await self.store.list()

    async def left_alone(self, rows: Iterable[Summary]) -> frozenset[str]:
        """Return the ids of those that count as running while no process works on them: `resume` goes on."""
        running = [row.id for row in rows if row.status == Status.RUNNING.value]
        return frozenset([id_ for id_ in running if not await self.store.is_held(id_)])

    async def delete(self, prefix: str) -> str:
        """Delete a deliberation and all that belongs to it; return its id."""
        deliberation = await self.store.resolve(prefix)
        await self.store.delete(deliberation)
        return deliberation

    async def export(self, prefix: str, form: Format) -> Mapping[str, str]:
        """Return the deliberation in a format, as file names and texts."""
        shown = await self.show(prefix)
        row = self._protocols(shown.record.header.protocol)
        report = row.report(shown.record) if row.report and shown.record.verdict else ""
        if form == "md":
            return {f"{shown.id}.md": markdown(shown.id, shown.record, report)}
        if form == "html":
            return {f"{shown.id}.html": page(shown.id, shown.record, report)}
        journaled = await self.store.journal(shown.id)
        everything = exported(shown.json(), shown.record, journaled.attempts, await self.store.acts(shown.id))
        if form == "json":
            return {f"{shown.id}.json": json.dumps(everything, ensure_ascii=False, indent=2, sort_keys=True) + "\n"}
        own = row.files(shown.record) if row.files else {}
        return {**files(shown.id, shown.record, everything, report), **own}

    async def contest(self, prefix: str, claim: str, *, author: str, reason: str) -> Contest:
        """Refute a claim of a stored graph; return what stands before and after (ruling I4). No model is called."""
        return await contest(self.store, await self.show(prefix), claim, author=author, reason=reason)

    async def uncontest(self, prefix: str, claim: str, *, author: str) -> Contest:
        """Take back the latest contest of a claim; return what stands before and after."""
        return await uncontest(self.store, await self.show(prefix), claim, author=author)

    async def suppositions(self, prefix: str) -> Sequence[Contest]:
        """Return what would stand if a sentence that the answer's lines start from were wrong, for each of them."""
        return await suppositions(self.store, await self.show(prefix))

    async def contests(self, shown: Result) -> Sequence[str]:
        """Return what people contest of a deliberation, and what then stands, one line each."""
        return await contest_lines(self.store, shown)

    async def take(self, prefix: str, step: str, agent: str, *, lease: float = 300) -> OpenStep:
        """Give an open step to a person or an outside agent."""
        deliberation = await self.store.resolve(prefix)
        return await self.store.take(deliberation, step, outside_agent(agent), lease=lease)

    async def renew(self, prefix: str, step: str, agent: str, *, lease: float = 300) -> OpenStep:
        """Give whoever holds an open step a new lease on it."""
        deliberation = await self.store.resolve(prefix)
        return await self.store.renew(deliberation, step, outside_agent(agent), lease=lease)

    async def release(self, prefix: str, step: str, agent: str) -> None:
        """Take an open step back from the one who holds it."""
        await self.store.release(await self.store.resolve(prefix), step, outside_agent(agent))

    async def submit(self, prefix: str, step: str, agent: str, reply: Mapping[str, Any]) -> None:
        """Put a reply into an open step; the deliberation goes on with `advance`, or with `resume`.

        Raises:
            BadSubmission: for one of the wrong shape; the step stays taken.
        """
        deliberation = await self.store.resolve(prefix)
        shape = await self.shape(deliberation, step)
        await self.store.submit(deliberation, step, outside_agent(agent), shaped(step, shape, reply))

    async def shape(self, prefix: str, step: str) -> type[Reply]:
        """Return the shape that an open step takes."""
        deliberation = await self.store.resolve(prefix)
        asked = await self.store.step(deliberation, step)
        return self.shape_of((await self.store.summary(deliberation)).protocol, asked)

    def shape_of(self, protocol: str, step: OpenStep) -> type[Reply]:
        """Return the shape that an open step of a protocol takes.

        Raises:
            NotFound: for a step that another version of the protocol opened.
        """
        shapes = {shape.__name__: shape for shape in self._protocols(protocol).submissions}
        if step.reply_type not in shapes:
            see = f"{protocol} is another version now, and `moot fork` starts anew from any step"
            raise NotFound(what="shape", name=step.reply_type, see=see)
        return shapes[step.reply_type]

    async def advance(self, prefix: str, *, progress: Progress = no_progress) -> bool:
        """Go on with a deliberation where nothing waits any more, and return whether that was so.

        Where another process is at it, it is left to that.
        """
        deliberation = await self.store.resolve(prefix)
        if not await self.is_due(deliberation):
            return False
        try:
            await self.resume(deliberation, progress=progress)
        except (AlreadyRunning, AlreadyEnded):
            return False
        return True

    async def is_due(self, deliberation: str) -> bool:
        """Whether the deliberation can go on: it has not ended, and nothing waits any more."""
        return await self.store.is_due(deliberation)

    async def _run(self, deliberation: str, progress: Progress, stopping: Stopping = never_stopping) -> Result:
        await self._run_until_it_waits(deliberation, progress, stopping)
        while await self._is_paused(deliberation) and not await self.store.is_waiting(deliberation):
            # Somebody filled the last step while this process held the run, and so could not go on with it.
            try:
                await self._run_until_it_waits(deliberation, progress, stopping)
            except AlreadyRunning:
                break
        return await self._result(deliberation)

    async def _run_until_it_waits(self, deliberation: str, progress: Progress, stopping: Stopping) -> None:
        async with self.store.hold(deliberation) as hold:
            header = await self.store.header(deliberation)
            world = World(self.gateway.model, self._embedder, self._clock, progress, stopping)
            await hold.set_status(Status.RUNNING.value)
            try:
                verdict = await deliberate(
                    self._protocols(header.protocol),
                    header,
                    journal=hold.journal,
                    steps=hold.steps,
                    world=world,
                    budget=header.budget,
                )
                status = verdict.status
            except Paused:
                status = Status.PAUSED
            await hold.set_status(status.value)

    async def _is_paused(self, deliberation: str) -> bool:
        return (await self.store.summary(deliberation)).status == Status.PAUSED.value

    async def _waiting(self, deliberation: str) -> tuple[OpenStep, ...]:
        steps = await self.store.open_steps(deliberation=deliberation)
        return tuple(step for step in steps if step.state == "taken" or (step.state == "open" and step.waits))

    async def _result(self, deliberation: str) -> Result:
        summary = await self.store.summary(deliberation)
        events = tuple(event_from(text) for _, text in await self.store.events(deliberation))
        # A process that dies before the first step may leave a deliberation without events.
        record = Record(events or (Started(await self.store.header(deliberation)),))
        if Status(summary.status).ended:
            return Result(deliberation, record, Status(summary.status), record.spent)
        journaled = await self.store.journal(deliberation)
        return Result(
            deliberation,
            record,
            Status(summary.status),
            spent=spent_on(call_facts(journaled.attempts)),
            waiting=await self._waiting(deliberation),
            left_alone=bool(await self.left_alone([summary])),
        )


def new_id() -> str:
    """Return an id that no deliberation has."""
    return secrets.token_hex(5)
