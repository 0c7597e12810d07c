"""Putting the screen to members: one call an item, written down at once, resumed where it stopped.

The items of the forms come after the fifty, in a file of their own beside the first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from moot.evals.arms.protocols import SCREEN
from moot.evals.arms.table import Arm, ArmContext
from moot.evals.figures.forms import FormRow, form_items
from moot.evals.figures.screen import Label, ScreenItem, ScreenRow, read_rows, screen_items
from moot.evals.items.items import ArmRow
from moot.evals.runs.budget import RunBudget, RunLimits, check_limits
from moot.evals.runs.forming import FormSheet
from moot.evals.runs.harness import Access, Listener, opened, work
from moot.evals.runs.results import Lines
from moot.evals.runs.told import arm_row, told_of


@dataclass(frozen=True, slots=True)
class Done:
    """A screen as far as it has come."""

    rows: tuple[ScreenRow, ...]
    forms: tuple[FormRow, ...]
    items: int
    unasked: int
    """Pairs of member and item, and of these in a form, that the budget left unasked."""
    why_unasked: str


async def screen(
    members: Sequence[str],
    out: Path,
    *,
    reach: Access,
    limits: RunLimits = RunLimits(),  # noqa: B008 (frozen)
    limit: int | None = None,
    forms: bool = True,
    listener: Listener | None = None,
) -> Done:
    """Return the rows of every member on every item, and on those of the forms, asked now or found in the files.

    Raises:
        UsageError: for members that cannot be asked, or a file that holds something else.
    """
    items, listener = screen_items(limit), listener or Listener()
    check_limits(limits)
    sheet = Sheet(out, {item.id: item for item in items})
    async with opened(reach, sheet.database) as service:
        context = ArmContext(service, (), begun=sheet.begun(), created=sheet.begin, progress=listener.progress)
        arms = await screen_arms(members, items[0], replace(context, usd=limits.usd), listener)
        form_sheet = FormSheet(out, tuple(arms), form_items(limit) if forms else [])
        done = [row for row in (*sheet.arm_rows, *form_sheet.arm_rows) if row.arm in (*arms, *form_sheet.arms)]
        listener.begun({**dict.fromkeys(arms, len(items)), **form_sheet.totals}, done)
        known = {(row.arm, row.item) for row in done}
        jobs = ((arm, item.as_item()) for item in items for arm in arms.values())
        run_budget = RunBudget(limits, done)
        for asked, sink in ((jobs, sheet), (form_sheet.jobs(), form_sheet)):
            left = ((arm, item) for arm, item in asked if (arm.name, item.id) not in known)
            await work(left, context, run_budget, limits.concurrency, sink, listener)
    rows = tuple(row for row in sheet.rows if row.member in arms)
    form_rows = tuple(row for row in form_sheet.rows if row.member in arms)
    unasked = len(arms) * len(items) - len(rows) + sum(form_sheet.totals.values()) - len(form_rows)
    return Done(rows, form_rows, len(items), unasked, run_budget.ended)


class Sheet:
    """The file of a screen: a row for each answer, and beside it what has begun and the record of it."""

    def __init__(self, out: Path, items: Mapping[str, ScreenItem]) -> None:
        self._items = items
        self._lines, self._begun = Lines(out), Lines(out.with_name(f"{out.name}.begun"))
        out.parent.mkdir(parents=True, exist_ok=True)
        for file in (self._lines, self._begun):
            file.mend()
        self.database = f"sqlite:///{out.with_name(f'{out.name}.db').resolve().as_posix()}"
        self.rows = [row for row in read_rows(out) if row.item in items]

    @property
    def arm_rows(self) -> list[ArmRow]:
        """The rows so far, as the harness counts them."""
        return [_arm_row(row, self._items[row.item]) for row in self.rows]

    def begun(self) -> dict[tuple[str, str], str]:
        """Return the deliberations that have begun, by member and item."""
        return {(line["arm"], line["item"]): line["deliberation"] for line in self._begun.read()[0]}

    def begin(self, arm: str, item: str, deliberation: str) -> None:
        """Write that a member is about to be asked an item."""
        self._begun.add({"arm": arm, "item": item, "deliberation": deliberation})

    def end(self, row: ArmRow) -> ArmRow:
        """Write what a member answered, and what kind of answer it is; return the row with what it is worth."""
        labelled = _screen_row(row, self._items[row.item])
        self._lines.add(labelled)
        self.rows.append(labelled)
        return _arm_row(labelled, self._items[row.item])


async def screen_arms(
    members: Sequence[str], first: ScreenItem, context: ArmContext, listener: Listener
) -> dict[str, Arm]:
    """Return an arm for each distinct member, planned on one item: nothing is asked of anybody if one cannot be."""
    plan = await Arm("screen", SCREEN).plan(first.as_item(), replace(context, members=tuple(members)))
    if plan.why:
        listener.found(plan.why)
    arms = {model: Arm(model, SCREEN, members=(model,)) for model in plan.panel.models}
    for arm in arms.values():
        await arm.plan(first.as_item(), context)
    return arms


def _screen_row(row: ArmRow, item: ScreenItem) -> ScreenRow:
    label: Label = "other" if row.answer is None else item.label(row.answer)
    return ScreenRow(member=row.arm, kind=item.kind, label=label, right=label == item.right, **told_of(row))


def _arm_row(row: ScreenRow, item: ScreenItem) -> ArmRow:
    is_abstained, is_unsettled = row.label == "abstained", item.grounded is None
    return arm_row(row, row.member, "screen", abstained=is_abstained, abstain_item=is_unsettled)
