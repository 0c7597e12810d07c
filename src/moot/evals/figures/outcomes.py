"""How each item came out in each arm, item by item."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from moot.evals.items.items import ArmRow

Outcome = Literal["right", "wrong", "abstained", "failed"]


def outcome_of(row: ArmRow) -> Outcome:
    """Return how an item came out; an abstention in its place is right, and no answer at all is a failure."""
    if row.correct:
        return "right"
    if row.answer is None:
        return "failed"
    return "abstained" if row.abstained else "wrong"


@dataclass(frozen=True, slots=True)
class ItemLine:
    """One item with the rows of the arms that were asked it."""

    item: str
    dataset: str
    rows: Mapping[str, ArmRow]

    @property
    def outcomes(self) -> frozenset[Outcome]:
        """The ways in which it came out."""
        return frozenset(map(outcome_of, self.rows.values()))

    @property
    def is_divided(self) -> bool:
        """Whether some arms were right and others were not."""
        return len({row.correct for row in self.rows.values()}) > 1


def item_lines(rows: Iterable[ArmRow]) -> Sequence[ItemLine]:
    """Return the items in the order in which they were first asked."""
    lines: dict[tuple[str, str], dict[str, ArmRow]] = {}
    for row in rows:
        lines.setdefault((row.dataset, row.item), {})[row.arm] = row
    return [ItemLine(item, dataset, its_rows) for (dataset, item), its_rows in lines.items()]
