"""The run: stage by stage, item by item, each to a row on the disk. It may be killed at any moment and goes on."""

import os
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.evidence.asking import both_forms, pool_prompts, vote_order
from benchmarks.evidence.bank import Pooled, bank_of
from benchmarks.evidence.draw import find_with_draw
from benchmarks.evidence.outcomes import (
    Sample,
    first_replies,
    in_order,
    outcome_of,
    run_facts,
    samples_of,
    vote_over,
)
from benchmarks.evidence.plan import ArmOrder, Plan, Stage
from benchmarks.evidence.planning import rules_digest
from benchmarks.evidence.rows import Outcome, Row, Rows
from benchmarks.evidence.sampling import Begun, Sampler, seconds_by_form
from filelock import FileLock, Timeout

from moot.core.budget import Budget
from moot.core.errors import UsageError
from moot.core.record import Record
from moot.evals.arms.table import item_seed
from moot.evals.items.items import Item
from moot.evals.runs.harness import Access
from moot.gateway.members import parse_members
from moot.methods.runs import Form
from moot.service.opening import open_service
from moot.service.orders import Order
from moot.service.service import Service

RECORD = "record.db"
POOL_CALLS = 40
"""What a protocol over the pool may ask for: its waves, and those over further paragraphs."""


def load_now() -> float:
    """Return the machine's load over the last minute."""
    return os.getloadavg()[0]


@dataclass(frozen=True, slots=True)
class Watch:
    """What the run looks at beside the model, and who hears of it."""

    load: Callable[[], float] = load_now
    seconds: Callable[[], float] = time.monotonic
    today: Callable[[], str] = lambda: time.strftime("%Y-%m-%d")
    cores: int = field(default_factory=lambda: os.cpu_count() or 1)
    told: Callable[[str], None] = lambda line: None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What this process is to do: these stages, for so many minutes, or reading anew what was sampled."""

    stages: tuple[str, ...] = ()
    minutes: float | None = None
    reread: bool = False


class Work:
    """One process at the benchmark: the member behind a sampler, and protocols over the pool behind a reader."""

    def __init__(self, plan: Plan, sampler: Sampler, reader: Service, pooled: Pooled, watch: Watch) -> None:
        self._plan = plan
        self._sampler = sampler
        self._reader = reader
        self._pooled = pooled
        self._watch = watch
        self._rules = rules_digest(plan.current_rules)

    async def row(self, stage: Stage, name: str, item: Item) -> Row | None:
        """Return what comes of an item in a stage; None where it was not sampled, and nobody may be asked."""
        loads = [self._watch.load()]
        orders = [order for order in self._plan.arms if order.stage == stage.name and not order.pooled]
        live = {order.arm: await self._live(order, name, item) for order in orders}
        arms = {arm: outcome for arm, outcome in live.items() if outcome}
        loads.append(self._watch.load())
        prompts = pool_prompts(item.asked(), self._plan.member, self._plan.replies)
        records = await self._sampler.pool(name, item, prompts)
        if len(arms) < len(live) or not records:
            return None
        row = Row(stage.name, name, item.dataset, item.kind, item.abstain, self._rules, arms=arms)
        row = await self._read(row, stage, item, records)
        return replace(
            row,
            seconds=seconds_by_form(records[0]),
            loads=tuple(round(load, 2) for load in (*loads, self._watch.load())),
            cores=self._watch.cores,
            drawn=self._watch.today(),
        )

    async def _read(self, row: Row, stage: Stage, item: Item, records: list[Record]) -> Row:
        """The row with what the pool comes to, and the protocols over it."""
        forms = both_forms(item.asked())
        order = vote_order(forms, stage.beside)
        await self._extend(row, item, records, order)
        pooled = {
            arm.arm: await self._over_pool(arm, row.item, item, records)
            for arm in self._plan.arms
            if arm.stage == stage.name and arm.pooled
        }
        samples = self._samples(item, records)
        drawn = in_order(samples, order)
        alone = {name: samples.get(form, [])[: self._plan.replies] for name, form in zip(ALONE, forms, strict=False)}
        votes = {name: first_replies(each, item) for name, each in {**alone, BOTH: drawn}.items()}
        return replace(row, runs=run_facts(drawn, item), votes=votes, arms={**row.arms, **pooled})

    async def _extend(self, row: Row, item: Item, records: list[Record], order: Sequence[Form]) -> None:
        """Draw more of the pool's own replies where an arm took more tokens than those that are there."""
        drawn = in_order(self._samples(item, records), order)
        dearest = max((arm.tokens or 0 for arm in row.arms.values()), default=0)
        more = (len(order) - len(drawn)) // 2
        if more > 0 and drawn and (vote_over(drawn, item).tokens or 0) < dearest:
            prompts = pool_prompts(item.asked(), self._plan.member, more)
            await self._sampler.extend(row.item, item, records, prompts)

    def _samples(self, item: Item, records: Sequence[Record]) -> dict[Form, list[Sample]]:
        prompts = pool_prompts(item.asked(), self._plan.member, self._plan.replies)
        return samples_of(item.asked(), prompts, bank_of(records))

    async def _live(self, order: ArmOrder, name: str, item: Item) -> Outcome | None:
        """What a protocol comes to that asks the member itself; None where it has not ended."""
        key = f"{order.stage}/{order.arm}/{name}"
        result = await self._sampler.deliberated(key, item, order.protocol, order.settings, order.calls)
        return outcome_of(result, item) if result and result.status.ended else None

    async def _over_pool(self, order: ArmOrder, name: str, item: Item, records: list[Record]) -> Outcome:
        self._pooled.deal(bank_of(records), self._sampler.further(name, item, records))
        wanted = Order(
            question=item.asked(),
            protocol=order.protocol,
            members=(self._plan.member,),
            settings=order.settings,
            budget=Budget(calls=order.calls or POOL_CALLS),
            seed=item_seed(self._plan.seed, order.protocol, name),
        )
        result = await self._reader.ask(wanted)
        # What the pool was read for took no time that would say anything.
        return replace(outcome_of(result, item, self._pooled.unasked), seconds=None)


ALONE, BOTH = ("plain", "second"), "both"
"""The orders of votes: free text alone, the second form alone, and both as `vote` draws them."""


async def run(
    plan: Plan, items: Mapping[str, Item], rows: Rows, folder: Path, reach: Access, wanted: Wanted, watch: Watch
) -> bool:
    """Bring every item of the stages to its row, as far as the minutes go; return whether all are there."""
    with held(folder):
        rows.mend()
        async with opened(plan, folder, reach, watch, live=not wanted.reread) as work:
            if wanted.reread:
                return await reread(plan, items, rows, work, watch)
            return await _go_on(plan, items, rows, work, wanted, watch)


async def _go_on(plan: Plan, items: Mapping[str, Item], rows: Rows, work: Work, wanted: Wanted, watch: Watch) -> bool:
    begun = watch.seconds()
    done = {(row.stage, row.item) for row in rows.read() if row.is_whole or not row.reread}
    for stage in [plan.stage(name) for name in wanted.stages] or plan.stages:
        for number, name in enumerate(stage.items, 1):
            if (stage.name, name) in done:
                continue
            if wanted.minutes is not None and watch.seconds() - begun >= 60 * wanted.minutes:
                watch.told(f"{stage.name}: stopped after {wanted.minutes:g} minutes; the same command goes on")
                return False
            started = watch.seconds()
            if row := await work.row(stage, name, items[name]):
                rows.add(row)
            took = f"{watch.seconds() - started:.0f} s, load {watch.load():.1f}"
            watch.told(f"{stage.name} {number} of {len(stage.items)}: {name}, {took}")
    return True


async def reread(plan: Plan, items: Mapping[str, Item], rows: Rows, work: Work, watch: Watch) -> bool:
    """Write every row anew from the replies in the record, by today's rules; nobody is asked.

    A row whose replies are not in this record, since it was sampled elsewhere, stays as it was.

    Raises:
        UsageError: where the record has the replies of none.
    """
    before = {(row.stage, row.item): row for row in rows.read()}
    after: list[Row] = []
    for stage in plan.stages:
        for name in stage.items:
            old = before.get((stage.name, name))
            if not (row := await work.row(stage, name, items[name])):
                after += [old] if old else []
            else:
                kept = {part: getattr(old, part) for part in ("loads", "cores", "drawn")} if old else {}
                after.append(replace(row, reread=True, **kept))
    if not any(row is not before.get((row.stage, row.item)) for row in after):
        raise UsageError("the record has the replies of no row, so nothing was read again; name another by --record.")
    rows.replace(after)
    watch.told(f"{sum(row.reread for row in after)} items read again, {sum(not row.reread for row in after)} kept")
    return True


@asynccontextmanager
async def opened(plan: Plan, folder: Path, reach: Access, watch: Watch, *, live: bool) -> AsyncGenerator[Work, None]:
    """Give the workplace: the record of what is asked, and a passing one for protocols over the pool."""
    # The plan is fixed beforehand: what somebody has in a moot.toml is no part of it.
    fixed = {**reach.environ, "MOOT_CONFIG": "none"}
    record = {**fixed, "MOOT_DATABASE": f"sqlite:///{(folder / RECORD).resolve().as_posix()}"}
    pooled = Pooled()
    with tempfile.TemporaryDirectory() as passing:
        aside = {**fixed, "MOOT_DATABASE": f"sqlite:///{(Path(passing) / RECORD).as_posix()}"}
        async with (
            open_service(
                record, options=reach.options, fetching=reach.fetching, models=reach.models, protocols=find_with_draw
            ) as service,
            open_service(aside, options=reach.options, models={plan.member: pooled}) as reader,
        ):
            check_pooled(reader, plan.member, pooled)
            yield Work(plan, Sampler(service, Begun(folder), plan, live=live), reader, pooled, watch)


def check_pooled(reader: Service, member: str, pooled: Pooled) -> None:
    """Do nothing where the pool answers for the member.

    Raises:
        UsageError: where the member itself would be asked what the pool should answer.
    """
    if any(reader.gateway.model(each.spec) is not pooled for each in parse_members((member,))):
        raise UsageError(f"{member!r} is not the full name of a member; write the plan anew.")


class held:  # noqa: N801 (a context, used as a word)
    """Hold the folder as the one process that writes to it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(folder / ".lock", timeout=0)

    def __enter__(self) -> None:
        try:
            self._lock.acquire()
        except Timeout:
            raise UsageError(
                f"another process is at {self._folder}; wait for it, or choose another with --record."
            ) from None

    def __exit__(self, *_: object) -> None:
        self._lock.release()
