"""The use cases: ask, resume, replay, fork, show, export, contest, submit. Wiring and nothing else.

What needs neither a gateway nor a protocol is read from the parts of `store`.
"""

import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from moot.configuration import Configuration
from moot.core.budget import Budget, Spent
from moot.core.calls import Reply
from moot.core.errors import (
    AlreadyEnded,
    AlreadyRunning,
    ForkChangesHistory,
    NotFound,
    ProtocolNotInstalled,
    UnknownProtocol,
    UsageError,
)
from moot.core.events import Header, Started, call_facts, event_from
from moot.core.ports import Begun, Clock, OpenStep, Progress, ProgressEvent
from moot.core.protocol import ProtocolSpec
from moot.core.record import Record, spent_on
from moot.core.verdict import Status, Verdict
from moot.gateway.backends import check_providers
from moot.gateway.gateway import Gateway
from moot.protocols import find_protocol
from moot.runtime.dispatch import Allowance, Stopping, Unlimited, World, never_stopping
from moot.runtime.fork import fork_position
from moot.runtime.house import Paused
from moot.runtime.replay import Replayed, replay
from moot.runtime.run import check_version, deliberate
from moot.service.contests import Contest, contest, suppositions, uncontest
from moot.service.extending import extension
from moot.service.limits.days import KeyAllowance, read_day_limits
from moot.service.orders import Fork, Order, Plan, ReadFiles, outside_agent, shaped
from moot.service.planning import Planner, Protocols
from moot.service.protocol_part import protocol_part
from moot.service.reading.recent import Recent
from moot.service.results import Result
from moot.service.tracing import NoTracing, Tracing
from moot.store.lists import Summary
from moot.store.queue.jobs import NewJob
from moot.store.queue.names import Lane
from moot.store.served import Served
from moot.store.store import Store
from moot.views.files import exported, files
from moot.views.formats import Format
from moot.views.markdown import markdown
from moot.views.page import page
from moot.views.pretty import pretty

Created = Callable[[str], None]
"""Hears the id of a new deliberation."""


def ignore_id(deliberation: str) -> None:
    """Hear of a new deliberation and say nothing."""


def no_progress(event: ProgressEvent) -> None:
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
        tracing: Tracing | None = None,
    ) -> None:
        self.store = store
        self.gateway = gateway
        self.find_protocol = protocols
        self.arguments = Recent()
        """Arguments that were looked into lately: a large one takes seconds to read."""
        self.verdicts = Recent()
        """Verdicts that were read lately: one may carry megabytes."""
        self.at_hand: Callable[[str], bool] = lambda deliberation: False
        """Whether this process is about to run a deliberation that it does not hold yet: a server sets it."""
        self._clock = clock
        self._environ = environ
        self._embedder = gateway.embedder(embeddings)
        self._tracing = tracing or NoTracing()
        self.planner = Planner(
            gateway,
            protocols=protocols,
            environ=environ,
            local=local,
            embedder=self._embedder,
            read_files=read_files,
            defaults=defaults,
        )

    # Running a deliberation

    async def ask(
        self, order: Order | Plan, *, on_progress: Progress = no_progress, on_created: Created = ignore_id
    ) -> Result:
        """Return what a new deliberation comes to. `on_created` hears its id before anything is sent.

        Raises:
            UsageError: for anything in the order that cannot be used.
        """
        plan = order if isinstance(order, Plan) else await self.planner.plan(order)
        # Before it is created: a model that cannot be had leaves no deliberation behind.
        await self.gateway.start(plan.panel.models)
        deliberation = await self.start(plan)
        on_created(deliberation)
        return await self.run(deliberation, on_progress=on_progress)

    async def start(self, plan: Plan, *, served: Served | None = None, lane: Lane | None = None) -> str:
        """Return the id of a new deliberation that has been planned; nothing is sent before `run`.

        With a lane, it waits there for a worker that runs it.
        """
        return await self._create(self.planner.header(plan), served, lane)

    async def run(
        self,
        deliberation: str,
        *,
        on_progress: Progress = no_progress,
        on_created: Created = ignore_id,
        stopping: Stopping = never_stopping,
    ) -> Result:
        """Return what a deliberation comes to from wherever it stands. Once `stopping`, it sends nothing more.

        `on_created` hears its id once it is certain that it can be run.

        Raises:
            AlreadyEnded, ProtocolNotInstalled, ProtocolVersionChanged: as for `resume`.
            Stopped: when it was about to send something, and is to stop; its calls in flight are journaled.
        """
        header, spec = await self.check_resumable(deliberation)
        on_created(deliberation)
        spent = spent_on(call_facts((await self.store.journals.read(deliberation)).attempts))
        on_progress(ProgressEvent("begun", begun=_begun(deliberation, header, spec, spent)))
        await self.gateway.start(header.panel.models)
        allowance = await self._allowance(deliberation)
        world = World(self.gateway.model, self._embedder, self._clock, on_progress, stopping, allowance=allowance)
        with self._tracing.of(deliberation, header) as trace:
            work = partial(deliberate, spec, header, world=trace.listening(world), budget=header.budget)
            trace.end(await self._held(deliberation, work))
        return await self._result(deliberation)

    async def _held(self, deliberation: str, work: Callable[..., Awaitable[Verdict]]) -> Status:
        """Run a deliberation while this process holds it, and return where it stands then."""
        status: Status | None = None
        # Somebody may fill the last step while this process holds the run, and so cannot go on with it.
        while status is None or (status is Status.PAUSED and await self.store.steps.is_due(deliberation)):
            try:
                async with self.store.hold(deliberation) as hold:
                    await hold.set_status(Status.RUNNING.value)
                    try:
                        verdict = await work(journal=hold.journal, steps=hold.steps)
                    except Paused:
                        status = Status.PAUSED
                        await hold.set_status(status.value)
                    else:
                        status = verdict.status
                        await hold.end(verdict)
            except AlreadyRunning:
                if status is None:
                    raise
                break
        return status

    async def resume(
        self, prefix: str, *, on_progress: Progress = no_progress, on_created: Created = ignore_id
    ) -> Result:
        """Return what a stopped deliberation comes to when it goes on. `on_created` hears its whole id.

        Raises:
            AlreadyEnded: for one that has come to its verdict.
            ProtocolNotInstalled: for one whose protocol is not here.
            ProtocolVersionChanged, PluginChanged: for one that another version of its protocol or of a plugin began.
        """
        deliberation = await self.store.deliberations.resolve(prefix)
        return await self.run(deliberation, on_progress=on_progress, on_created=on_created)

    async def extend(
        self, prefix: str, budget: Budget, *, on_progress: Progress = no_progress, on_created: Created = ignore_id
    ) -> Result:
        """Return what a deliberation that its budget ended comes to with larger limits, as a new one; the old stays.

        Raises:
            UsageError: for one that has not ended, or where a limit is no larger.
            NothingRefused: for one that the budget refused nothing.
        """
        further = await self.plan_extension(prefix, budget)
        try:
            return await self.fork(prefix, further, on_progress=on_progress, on_created=on_created)
        except ForkChangesHistory as changed:
            # With more to spend, the protocol asks for more at once from that place on.
            further = await self.plan_extension(prefix, budget, at=changed.position)
        return await self.fork(prefix, further, on_progress=on_progress, on_created=on_created)

    async def plan_extension(self, prefix: str, budget: Budget, *, at: int | None = None) -> Fork:
        """Return the fork that goes on where the budget ended a deliberation, or earlier, with larger limits.

        Raises:
            UsageError, NothingRefused: as for `extend`.
        """
        deliberation = await self.store.deliberations.resolve(prefix)
        status = Status((await self.store.deliberations.summary(deliberation)).status)
        if not status.ended:
            raise UsageError(f"{deliberation} has not ended; `moot resume {deliberation}` goes on within its budget.")
        header = await self.store.deliberations.header(deliberation)
        journaled = await self.store.journals.read(deliberation)
        return extension(deliberation, header, journaled, budget, exhausted=status is Status.EXHAUSTED, at=at)

    async def resume_if_due(self, prefix: str, *, on_progress: Progress = no_progress) -> bool:
        """Resume a deliberation where nothing waits any more, and return whether that was so.

        Where another process is at it, it is left to that.
        """
        deliberation = await self.store.deliberations.resolve(prefix)
        if not await self.store.steps.is_due(deliberation):
            return False
        try:
            await self.run(deliberation, on_progress=on_progress)
        except (AlreadyRunning, AlreadyEnded):
            return False
        return True

    async def check_resumable(self, deliberation: str) -> tuple[Header, ProtocolSpec]:
        """Return header and protocol of a deliberation that can be gone on with.

        Raises:
            AlreadyEnded, ProtocolNotInstalled, ProtocolVersionChanged, PluginChanged: for one that cannot.
        """
        summary = await self.store.deliberations.summary(deliberation)
        if Status(summary.status).ended:
            raise AlreadyEnded(deliberation=deliberation, status=summary.status)
        header, spec = await self.check_replayable(deliberation)
        check_providers(header.backends, self.planner.backends(header.panel))
        return header, spec

    async def check_replayable(self, deliberation: str) -> tuple[Header, ProtocolSpec]:
        """Return header and protocol of a deliberation that was begun by the protocol, data and plugins that are here.

        Raises:
            ProtocolNotInstalled, ProtocolVersionChanged, DataChanged, PluginChanged: for one that was not.
        """
        header = await self.store.deliberations.header(deliberation)
        spec = self._protocol_of(deliberation, header.protocol, header.data)
        check_version(spec, header)
        return header, spec

    # Going another way, and going through it again

    async def fork(
        self, prefix: str, fork: Fork, *, on_progress: Progress = no_progress, on_created: Created = ignore_id
    ) -> Result:
        """Return what the deliberation comes to when it goes another way from a step on."""
        child = await self.plan_fork(prefix, fork)
        await self.gateway.start(child.panel.models)
        deliberation = await self._create(child)
        on_created(deliberation)
        try:
            return await self.run(deliberation, on_progress=on_progress)
        except ForkChangesHistory:
            # There is no such other way, and nothing was sent on it.
            await self.store.deliberations.delete(deliberation)
            raise

    async def start_fork(
        self,
        prefix: str,
        fork: Fork,
        *,
        served: Served | None = None,
        lane: Lane | None = None,
        within: Budget = Budget(),  # noqa: B008 (frozen)
    ) -> str:
        """Return the id of a new deliberation that goes another way from a step on, as `start` does.

        `within` is what it and all that it comes from may take together, where it is served.

        Raises:
            UsedUp: where they would hold more.
        """
        return await self._create(await self.plan_fork(prefix, fork), served, lane, within)

    async def replay(self, prefix: str) -> Replayed:
        """Return proof that the stored run gives the same record again, without the network."""
        deliberation = await self.store.deliberations.resolve(prefix)
        header = await self.store.deliberations.header(deliberation)
        return await replay(
            self._protocol_of(deliberation, header.protocol, header.data),
            header,
            journaled=await self.store.journals.read(deliberation),
            steps=await self.store.steps.search(deliberation=deliberation),
            events=[text for _, text in await self.store.deliberations.events(deliberation)],
            clock=self._clock,
        )

    async def plan_fork(self, prefix: str, fork: Fork) -> Header:
        """Return the header of the deliberation that a fork would be; nothing is stored.

        Raises:
            UsageError: for anything in the fork that cannot be used.
        """
        parent = await self.store.deliberations.resolve(prefix)
        header = await self.store.deliberations.header(parent)
        self._protocol_of(parent, header.protocol, header.data)
        steps = await self.store.steps.search(deliberation=parent)
        position = fork_position(fork.at, await self.store.journals.read(parent), steps)
        return await self.planner.forked(parent, header, fork, position)

    async def check_day(self, key: str) -> None:
        """Do nothing where a key may spend something still today.

        Raises:
            DayUsedUp: where it may not.
        """
        await self.store.spending.check(key, read_day_limits(self._environ))

    async def _allowance(self, deliberation: str) -> Allowance:
        served = await self.store.served.read(deliberation)
        if served is None or served.owner is None:
            return Unlimited()
        return KeyAllowance(self.store.spending, served.owner, read_day_limits(self._environ))

    async def _create(
        self,
        header: Header,
        served: Served | None = None,
        lane: Lane | None = None,
        within: Budget = Budget(),  # noqa: B008 (frozen)
    ) -> str:
        deliberation = new_id()
        if served is None:
            await self.store.deliberations.create(deliberation, header)
        else:
            job = NewJob.of(header, served.owner, lane) if lane else None
            await self.store.served.create(deliberation, header, served, job, within)
        return deliberation

    def _protocol_of(self, deliberation: str, name: str, made_from: Mapping[str, str] | None = None) -> ProtocolSpec:
        try:
            return self.find_protocol(name)
        except UnknownProtocol:
            origin = (made_from or {}).get(f"protocol {name}", "")
            raise ProtocolNotInstalled(deliberation=deliberation, protocol=name, origin=origin) from None

    # What is stored

    async def show(self, prefix: str) -> Result:
        """Return a stored deliberation as it stands."""
        return await self._result(await self.store.deliberations.resolve(prefix))

    async def _result(self, deliberation: str) -> Result:
        summary = await self.store.deliberations.summary(deliberation)
        events = tuple(event_from(text) for _, text in await self.store.deliberations.events(deliberation))
        # A process that dies before the first step may leave a deliberation without events.
        record = Record(events or (Started(await self.store.deliberations.header(deliberation)),))
        if Status(summary.status).ended:
            return Result(deliberation, record, Status(summary.status), record.spent)
        journaled = await self.store.journals.read(deliberation)
        steps = await self.store.steps.search(deliberation=deliberation)
        return Result(
            deliberation,
            record,
            Status(summary.status),
            spent=spent_on(call_facts(journaled.attempts)),
            waiting=tuple(step for step in steps if step.state == "taken" or (step.state == "open" and step.waits)),
            stalled=bool(stalled := await self.stalled([summary])),
            stopped=bool(await self.stopped(stalled)),
        )

    async def stalled(self, rows: Iterable[Summary]) -> frozenset[str]:
        """Return the ids of those that count as running while no process works on them: `resume` goes on."""
        running = [row.id for row in rows if row.status == Status.RUNNING.value]
        waiting = await self.store.queue.states(running) if self.store.queue else {}
        left = [id_ for id_ in running if id_ not in waiting and not self.at_hand(id_)]
        return frozenset([id_ for id_ in left if not await self.store.is_held(id_)])

    async def stopped(self, stalled: Collection[str]) -> frozenset[str]:
        """Return those of the stalled that were stopped at a server: cancelled, or left by whoever waited for them."""
        return frozenset(await self.store.served.unwanted(stalled)) if stalled else frozenset()

    async def export(self, prefix: str, form: Format) -> Mapping[str, str]:
        """Return the deliberation in a format, as file names and texts.

        Where its protocol is not here, its report and its own files are left out, and a line says so.
        """
        shown = await self.show(prefix)
        own = protocol_part(shown.record, self.find_protocol)
        if form == "md":
            return {f"{shown.id}.md": markdown(shown.id, shown.record, own.report, own.narrator)}
        if form == "html":
            return {f"{shown.id}.html": page(shown.id, shown.record, own.report, own.narrator, own.panes)}
        journaled = await self.store.journals.read(shown.id)
        everything = exported(shown.json(), shown.record, journaled.attempts, await self.store.acts.read(shown.id))
        if form == "json":
            return {f"{shown.id}.json": f"{pretty(everything)}\n"}
        return {**files(shown.id, shown.record, everything, own.report, own.narrator), **own.files}

    async def contest(self, prefix: str, claim: str, *, author: str, reason: str) -> Contest:
        """Refute a claim of a stored graph; return what stands before and after (ruling I4). No model is called."""
        return await contest(self.store, await self.show(prefix), claim, author=author, reason=reason)

    async def uncontest(self, prefix: str, claim: str, *, author: str) -> Contest:
        """Take back the latest contest of a claim; return what stands before and after."""
        return await uncontest(self.store, await self.show(prefix), claim, author=author)

    async def suppositions(self, prefix: str) -> Sequence[Contest]:
        """Return what would stand if a sentence that the answer's lines start from were wrong, for each of them."""
        return await suppositions(self.store, await self.show(prefix))

    # Open steps

    async def submit(self, prefix: str, step: str, agent: str, reply: Mapping[str, Any]) -> None:
        """Put a reply into an open step; the deliberation goes on with `resume_if_due`, or with `resume`.

        Raises:
            BadSubmission: for one of the wrong shape; the step stays taken.
        """
        deliberation = await self.store.deliberations.resolve(prefix)
        shape = await self.shape(await self.store.steps.read(deliberation, step))
        await self.store.steps.submit(deliberation, step, outside_agent(agent), shaped(step, shape, reply))

    async def shape(self, step: OpenStep) -> type[Reply]:
        """Return the shape that an open step takes.

        Raises:
            ProtocolNotInstalled: for a step of a protocol that is not here.
            NotFound: for a step that another version of the protocol opened.
        """
        protocol = (await self.store.deliberations.summary(step.deliberation)).protocol
        return shape_of(self._protocol_of(step.deliberation, protocol), step)


def _begun(deliberation: str, header: Header, spec: ProtocolSpec, spent: Spent) -> Begun:
    expected = spec.expected(header.question, header.panel, spec.settings.model_validate(header.settings))
    return Begun(deliberation, header.question.text, spec.name, header.budget, expected, spent)


def shape_of(spec: ProtocolSpec, step: OpenStep) -> type[Reply]:
    """Return the shape that an open step of a protocol takes.

    Raises:
        NotFound: for a step that another version of the protocol opened.
    """
    shapes = {shape.__name__: shape for shape in spec.submissions}
    if step.reply_type not in shapes:
        see = f"{spec.name} is another version now, and `moot fork` starts anew from any step"
        raise NotFound(what="shape", name=step.reply_type, see=see)
    return shapes[step.reply_type]


def new_id() -> str:
    """Return an id that no deliberation has."""
    return secrets.token_hex(5)
