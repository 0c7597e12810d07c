"""Putting the items of the forms to members: a row for each member, item and form, written down at once."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from moot.evals.arms.forms import FORM
from moot.evals.arms.table import Arm
from moot.evals.figures.forms import FORMS_BESIDE, FormRow, forms_for, read_form_rows
from moot.evals.items.items import ArmRow, Item
from moot.evals.runs.results import Lines
from moot.evals.runs.told import arm_row, told_of
from moot.methods.runs import Form


class FormSheet:
    """The file of the forms: a row for each member, item and form, beside the file of the screen."""

    def __init__(self, out: Path, members: Sequence[str], items: Sequence[Item]) -> None:
        file = out.with_name(f"{out.name}{FORMS_BESIDE}")
        self._lines, self._items = Lines(file), {item.id: item for item in items}
        self._lines.mend()
        self._asked = {(item.id, form) for item in items for form in forms_for(item)}
        forms = dict.fromkeys(form for item in items for form in forms_for(item))
        self.arms = {
            _form_arm(member, form): Arm(
                _form_arm(member, form), replace(FORM, unattended={"form": form}), members=(member,)
            )
            for member in members
            for form in forms
        }
        self._named = {_form_arm(member, form): (member, form) for member in members for form in forms}
        self.rows = [row for row in read_form_rows(file) if (row.item, row.form) in self._asked]

    @property
    def totals(self) -> dict[str, int]:
        """How many items each arm has."""
        return {name: sum(asked == form for _, asked in self._asked) for name, (_, form) in self._named.items()}

    @property
    def arm_rows(self) -> list[ArmRow]:
        """The rows so far, as the harness counts them."""
        return [_form_arm_row(row, self._items[row.item]) for row in self.rows]

    def jobs(self) -> Iterator[tuple[Arm, Item]]:
        """Give what there is to ask, item by item."""
        for item in self._items.values():
            for name, (_, form) in self._named.items():
                if (item.id, form) in self._asked:
                    yield self.arms[name], item

    def end(self, row: ArmRow) -> ArmRow:
        """Write what a member made of an item in a form."""
        told = _form_row(row, *self._named[row.arm])
        self._lines.add(told)
        self.rows.append(told)
        return row


def _form_arm(member: str, form: Form) -> str:
    return f"{member} as {form}"


def _form_row(row: ArmRow, member: str, form: Form) -> FormRow:
    return FormRow(
        member=member,
        form=form,
        right=row.correct,
        at_once=bool(row.detail.get("at_once")),
        claims=row.detail.get("claims", 0),
        covered=row.detail.get("covered", 0),
        **told_of(row),
    )


def _form_arm_row(row: FormRow, item: Item) -> ArmRow:
    arm, abstained = _form_arm(row.member, row.form), item.abstain and row.right
    return arm_row(row, arm, item.dataset, abstained=abstained, abstain_item=item.abstain)
