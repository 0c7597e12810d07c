"""What an evaluation or a screen would take: every item is planned with every arm, and nobody is asked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from typing_extensions import override

from moot.core.errors import DocumentsTooLong
from moot.evals.arms.table import Arm, ArmContext, chosen_arms
from moot.evals.figures.forms import form_items
from moot.evals.figures.screen import read_rows, screen_items
from moot.evals.items.datasets import Dataset
from moot.evals.items.items import Item
from moot.evals.runs.budget import RunLimits, check_limits
from moot.evals.runs.forming import FormSheet
from moot.evals.runs.harness import Access, EvalOrder, Listener, check_items, opened, run_context
from moot.evals.runs.results import Results
from moot.evals.runs.screening import screen_arms
from moot.service.configuring import read_configuration
from moot.service.estimates import Estimate, estimate_of
from moot.service.orders import Plan


@dataclass(frozen=True, slots=True)
class Estimated:
    """What each arm or member would take, and who would answer and why."""

    parts: tuple[Estimate, ...]
    why: str = ""
    too_long: int = 0
    """Items that do not fit a member's context: nobody would be asked them."""


class _Heard(Listener):
    why = ""

    @override
    def found(self, why: str) -> None:
        """Keep who answers, and why."""
        self.why = self.why or why


async def estimate_run(
    order: EvalOrder, dataset: Dataset, results: Results, *, reach: Access, limits: RunLimits
) -> Estimated:
    """Return what is left to ask of an evaluation, by arm.

    Raises:
        UsageError: for what cannot be run.
    """
    items, heard = list(dataset.items), _Heard()
    check_items(items, dataset)
    check_limits(limits)
    arms = chosen_arms(order.arms)
    configuration = read_configuration(reach.environ)
    defaults = configuration.settings if order.defaults is None else order.defaults
    configuration = configuration.for_arms(defaults, "the settings of moot.toml")
    done = {(row.arm, row.item) for row in results.rows()[0]} if results.exists else set()
    async with opened(reach, None, configuration) as service:
        context = await run_context(order, arms, items[0], service, results, heard, limits.usd)
        jobs = [(arm.name, arm, item) for arm in arms.values() for item in items if (arm.name, item.id) not in done]
        return await _estimated(jobs, context, heard)


async def estimate_screen(
    members: Sequence[str], out: Path, *, reach: Access, limits: RunLimits, limit: int | None, forms: bool
) -> Estimated:
    """Return what is left to ask of a screen, by member.

    Raises:
        UsageError: for members that cannot be asked.
    """
    items, heard = screen_items(limit), _Heard()
    check_limits(limits)
    async with opened(reach, None) as service:
        context = ArmContext(service, ())
        arms = await screen_arms(members, items[0], replace(context, usd=limits.usd), heard)
        sheet = FormSheet(out, tuple(arms), form_items(limit) if forms else [])
        done = {(row.member, row.item) for row in read_rows(out)} | {(row.arm, row.item) for row in sheet.arm_rows}
        asked = [(name, arm, item.as_item()) for name, arm in arms.items() for item in items]
        formed = [(arm.members[0], arm, item) for arm, item in sheet.jobs()]
        left = [job for job in (*asked, *formed) if (job[1].name, job[2].id) not in done]
        return await _estimated(left, context, heard)


async def _estimated(jobs: Iterable[tuple[str, Arm, Item]], context: ArmContext, heard: _Heard) -> Estimated:
    plans: dict[str, list[Plan]] = {}
    too_long = 0
    for name, arm, item in jobs:
        try:
            plans.setdefault(name, []).append(await arm.plan(item, context))
        except DocumentsTooLong:
            too_long += 1
    parts = tuple(estimate_of(name, planned) for name, planned in plans.items())
    return Estimated(parts, heard.why, too_long)
