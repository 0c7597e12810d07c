"""Running arms over items: resumable, within a budget for the whole run, with nothing paid twice (ruling V3).

Items go in the outer loop and arms in the inner one, so that a run which stops early has asked all arms the same.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from moot.configuration import Configuration
from moot.core.errors import BadSetting, DocumentsTooLong, UsageError
from moot.core.near_names import did_you_mean
from moot.core.ports import Model, Progress
from moot.evals.arms.protocols import find_eval_protocol
from moot.evals.arms.table import FRONTIER, Arm, ArmContext, chosen_arms
from moot.evals.items.datasets import Dataset
from moot.evals.items.items import ArmRow, Item
from moot.evals.runs.budget import RunBudget, RunLimits, check_limits, dearest_usd
from moot.evals.runs.results import Results, RunInfo, differences, items_digest
from moot.gateway.embedded.progress import ShowProgress
from moot.gateway.gateway import GatewayOptions
from moot.gateway.members import parse_members
from moot.service.background.handing import handed_over
from moot.service.background.queued import UNSEEN_SECONDS
from moot.service.configuring import read_configuration
from moot.service.opening import open_service
from moot.service.service import Service, no_progress

EVALS = "evals"
"""Whose turns the items of evaluations take at the workers."""


@dataclass(frozen=True, slots=True)
class EvalOrder:
    """What is to be evaluated, and how. It is kept with the results, and holds for all of them."""

    data: str
    arms: tuple[str, ...]
    members: tuple[str, ...] = ()
    limit: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Mapping[str, Any]] | None = None
    """Settings by protocol, where neither an arm nor `settings` has them; None takes those of moot.toml."""
    calls_per_item: int | None = None
    frontier: str | None = None
    seed: int = 0
    screen: str = ""
    command: str = ""
    started: str = ""


@dataclass(frozen=True, slots=True)
class Access:
    """How models are reached, and who hears of it."""

    environ: Mapping[str, str]
    options: GatewayOptions | None = None
    models: Mapping[str, Model] | None = None
    """Ready-made models by member string."""
    fetching: ShowProgress | None = None
    workers: bool = False
    """Whether workers run the items, over the user's own PostgreSQL database, and not this process."""


class Listener:
    """Hears how an evaluation goes, and says nothing."""

    progress: Progress = staticmethod(no_progress)

    def found(self, why: str) -> None:
        """Hear who answers where nobody was named, and why; nothing has been sent."""

    def begun(self, totals: Mapping[str, int], rows: Sequence[ArmRow]) -> None:
        """Hear how many items each arm has, and which rows are there already."""

    def ended(self, row: ArmRow) -> None:
        """Hear of an item that an arm has ended."""


class Sink(Protocol):
    """Where rows go."""

    def end(self, row: ArmRow) -> ArmRow:
        """Write the row of an item that an arm has ended; return it as it counts."""
        ...


@dataclass(frozen=True, slots=True)
class Finished:
    """An evaluation as far as it has come."""

    folder: Path
    info: RunInfo
    rows: tuple[ArmRow, ...]
    problems: tuple[str, ...]
    """What is missing or could not be read; none of it is left out of a denominator in silence."""
    unasked: int
    """Pairs of arm and item that the budget left unasked."""


def opened(
    reach: Access, database: str | None, configuration: Configuration | None = None
) -> AbstractAsyncContextManager[Service]:
    """Give a service whose record lies beside the results, and which knows the arms' protocols too.

    Without a database of its own, it is the user's: for whoever keeps nothing.
    """
    configuration = configuration or read_configuration(reach.environ).for_arms({}, "")
    return open_service(
        {**reach.environ, "MOOT_DATABASE": database} if database else reach.environ,
        options=reach.options,
        fetching=reach.fetching,
        models=reach.models,
        protocols=find_eval_protocol,
        configuration=configuration,
    )


async def run(
    order: EvalOrder,
    dataset: Dataset,
    results: Results,
    *,
    reach: Access,
    limits: RunLimits = RunLimits(),  # noqa: B008 (frozen)
    listener: Listener | None = None,
) -> Finished:
    """Return what came of an evaluation that begins in a folder, or goes on there.

    Raises:
        UsageError: for what cannot be run, or would be mixed with other results; nothing was spent.
    """
    items, listener = list(dataset.items), listener or Listener()
    check_items(items, dataset)
    check_limits(limits)
    arms = chosen_arms(order.arms)
    if results.exists:
        results.info()
    configuration = read_configuration(reach.environ)
    if order.defaults is None:
        order = replace(order, defaults=configuration.settings)
    configuration = configuration.for_arms(order.defaults or {}, "the settings of moot.toml")
    database = None if reach.workers else results.database
    with results.held():
        async with opened(reach, database, configuration) as service, AsyncExitStack() as stack:
            context = await run_context(order, arms, items[0], service, results, listener, limits.usd)
            concurrency = limits.concurrency
            if reach.workers:
                workers = await stack.enter_async_context(handed_over(service, EVALS))
                context = replace(context, workers=workers)
                concurrency = max(concurrency, await workers.places(UNSEEN_SECONDS))
            info = _settled(order, dataset, arms, context.members, results)
            rows, _ = results.rows()
            totals = dict.fromkeys(info.arms, len(items))
            listener.begun(totals, rows)
            jobs = _jobs(items, arms, {(row.arm, row.item) for row in rows})
            run_budget = RunBudget(limits, rows)
            await work(jobs, context, run_budget, concurrency, results, listener)
    return finished(results, run_budget.ended)


def finished(results: Results, why_unasked: str = "") -> Finished:
    """Return a folder's results as they stand, with all that is missing named."""
    info = results.info()
    rows, problems = results.rows()
    counts = Counter(row.arm for row in rows)
    missing = {arm: info.items - counts[arm] for arm in info.arms if counts[arm] < info.items}
    why = why_unasked or f"the run was stopped; `moot evals resume {results.folder}` goes on"
    told = [f"{arm}: {short} of {info.items} items were not asked ({why})" for arm, short in missing.items()]
    everything = (*info.problems, *problems, *told)
    return Finished(results.folder, info, tuple(rows), everything, sum(missing.values()))


async def work(
    jobs: Iterator[tuple[Arm, Item]],
    context: ArmContext,
    run_budget: RunBudget,
    concurrency: int,
    sink: Sink,
    listener: Listener,
) -> None:
    """Bring every job to its row, so many at a time, as long as the budget lasts."""

    async def worker() -> None:
        for arm, item in jobs:
            if run_budget.ended or not await _job(arm, item, context, run_budget, sink, listener):
                return

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(worker())
    except ExceptionGroup as failed:
        # The first has stopped the others; one such failure says it all.
        raise failed.exceptions[0] from None


async def _job(
    arm: Arm, item: Item, context: ArmContext, run_budget: RunBudget, sink: Sink, listener: Listener
) -> bool:
    """Bring one arm to its row on one item; False where the budget forbids it."""
    key, share = (arm.name, item.id), run_budget.share()
    mine = context if share is None else replace(context, usd=max(share, 1e-9))
    try:
        plan = await arm.plan(item, mine)
    except DocumentsTooLong:
        plan = None
    if plan:
        prices = [context.service.gateway.model(model).price for model in plan.panel.models]
        if not run_budget.admits(key, plan, share, dearest_usd(plan, prices)):
            return False
    row = await arm(item, mine)
    run_budget.settle(key, row)
    listener.ended(sink.end(row))
    return True


def _jobs(items: Sequence[Item], arms: Mapping[str, Arm], done: set[tuple[str, str]]) -> Iterator[tuple[Arm, Item]]:
    return ((arm, item) for item in items for arm in arms.values() if (arm.name, item.id) not in done)


async def run_context(
    order: EvalOrder,
    arms: Mapping[str, Arm],
    first: Item,
    service: Service,
    results: Results,
    listener: Listener,
    usd: float | None,
) -> ArmContext:
    """Return what the arms share, once every arm has been planned on the first item: nothing wrong is begun."""
    known = {name for arm in arms.values() for name in arm.row.settings.model_fields}
    if strange := next((name for name in order.settings if name not in known), None):
        meant = did_you_mean(strange, known)
        there = ", ".join(sorted(known))
        raise BadSetting(name=strange, problem=f"none of these arms has it; {meant}they have {there}")
    members = order.members or (results.info().members if results.exists else ())
    context = ArmContext(
        service=service,
        members=tuple(member.spec for member in parse_members(members)),
        settings=order.settings,
        calls=order.calls_per_item,
        frontier=order.frontier,
        seed=order.seed,
        begun=results.begun(),
        created=results.begin,
        progress=listener.progress,
    )
    for arm in arms.values():
        try:
            plan = await arm.plan(first, replace(context, usd=usd))
        except DocumentsTooLong:
            continue
        if not context.members and arm.name != FRONTIER:
            listener.found(plan.why)
            context = replace(context, members=plan.panel.models)
    return context


def _settled(
    order: EvalOrder, dataset: Dataset, arms: Mapping[str, Arm], members: tuple[str, ...], results: Results
) -> RunInfo:
    """Return what the folder says of its run, written now or found to fit; arms may be added, nothing else changes."""
    info = RunInfo(
        data=order.data,
        dataset=dataset.name,
        digest=items_digest(dataset.items),
        items=len(dataset.items),
        members=members,
        arms={arm.name: arm.row.version for arm in arms.values()},
        seed=order.seed,
        limit=order.limit,
        settings=order.settings,
        defaults=order.defaults or {},
        calls_per_item=order.calls_per_item,
        frontier=order.frontier,
        screen=order.screen,
        problems=tuple(str(problem) for problem in dataset.problems),
        command=order.command,
        started=order.started,
    )
    if results.exists:
        stored = results.info()
        if told := differences(stored, info):
            raise UsageError(
                f"{results.folder} holds results of another run: {'; '.join(told)}. Nothing was mixed: choose another "
                f"--out, or go on as it was with `moot evals resume {results.folder}`."
            )
        more = {"frontier": stored.frontier or info.frontier, "screen": info.screen or stored.screen}
        info = replace(stored, arms={**stored.arms, **info.arms}, **more)
    results.write_info(info)
    return info


def check_items(items: Sequence[Item], dataset: Dataset) -> None:
    """Do nothing where there are items that can be told apart.

    Raises:
        UsageError: where there are none, or two have one id.
    """
    if not items:
        why = f": {dataset.problems[0]}" if dataset.problems else ""
        more = f" (and {len(dataset.problems) - 1} more)" if len(dataset.problems) > 1 else ""
        raise UsageError(f"there is no item to ask in {dataset.name}{why}{more}; nothing was spent.")
    twice = [name for name, count in Counter(item.id for item in items).items() if count > 1]
    if twice:
        raise UsageError(
            f"{len(twice)} ids of {dataset.name} are given to several items ({twice[0]!r}); make them differ."
        )
