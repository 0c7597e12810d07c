"""Between the rows of a screen and those that the harness counts: what both tell of an answer."""

from typing import Any, Protocol

from moot.evals.items.items import ArmRow


class AnswerRow(Protocol):
    """A row of a screen: who answered what, and what it took."""

    @property
    def answer(self) -> str | None:
        """What was answered, if anything."""
        ...

    @property
    def right(self) -> bool:
        """Whether that is right."""
        ...


SHARED = ("item", "answer", "calls", "tokens_in", "tokens_out", "usd", "seconds", "problem")


def told_of(row: ArmRow) -> dict[str, Any]:
    """Return what a row of a screen keeps of the harness's own."""
    return {name: getattr(row, name) for name in SHARED} | {"deliberation": next(iter(row.deliberations), "")}


def arm_row(row: AnswerRow, arm: str, dataset: str, *, abstained: bool, abstain_item: bool) -> ArmRow:
    """Return a row of a screen as the harness counts it."""
    return ArmRow(
        arm=arm,
        dataset=dataset,
        correct=row.right,
        abstained=abstained,
        abstain_item=abstain_item,
        status="complete" if row.answer is not None else "failed",
        confidence=None,
        basis=None,
        support_width=None,
        **{name: getattr(row, name) for name in SHARED},
    )
