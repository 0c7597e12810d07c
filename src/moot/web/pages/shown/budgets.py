"""What was spent against what may be."""

from collections.abc import Callable
from dataclasses import dataclass

from moot.service.reading.folds import FoldedRecord
from moot.service.reading.heads import DeliberationHead
from moot.views.words import counted
from moot.web.pages.figures import added, compact, dollars, duration


@dataclass(frozen=True, slots=True)
class BudgetRow:
    """One limit, and how near it is."""

    name: str
    words: str
    spent: float
    limit: float | None
    aside: str = ""

    @property
    def share(self) -> float | None:
        """How much of the limit is spent, 1 at most; None without a limit."""
        if self.limit is None:
            return None
        return min(1.0, self.spent / self.limit) if self.limit else 1.0


def budget_rows(head: DeliberationHead, folded: FoldedRecord, under_way: int) -> tuple[BudgetRow, ...]:
    """Return calls, tokens, dollars and seconds; the calls `under_way` are reserved and take their share of the bar."""
    budget, spent = head.header.budget, head.spent
    tokens = added((spent.tokens_in, spent.tokens_out))
    # A head may be older than what is under way: no call of the record is counted as such.
    calls = max(folded.tries, spent.calls - under_way)
    lacking = max(spent.unknown.tokens_in, spent.unknown.tokens_out)
    unknown = f"{counted(lacking, 'call')} unknown" if lacking and tokens is not None else ""
    priced = f"{counted(spent.unknown.usd, 'call')} without a price" if spent.unknown.usd else ""
    return (
        BudgetRow("Calls", _calls(calls, under_way, budget.calls), calls + under_way, budget.calls),
        BudgetRow("Tokens", _of(compact(tokens), budget.tokens, compact), tokens or 0, budget.tokens, unknown),
        BudgetRow(
            "Dollars",
            _of(dollars(spent.usd, spent.unknown.usd), budget.usd, dollars),
            spent.usd or 0,
            budget.usd,
            priced,
        ),
        BudgetRow("Time", _of(duration(folded.seconds), budget.seconds, duration), folded.seconds, budget.seconds),
    )


def _calls(spent: int, under_way: int, limit: int | None) -> str:
    if not under_way:
        return _of(compact(spent), limit, compact)
    words = f"{compact(spent)} spent, {compact(under_way)} under way"
    return words if limit is None else f"{words}, of {compact(limit)}"


def _of(spent: str, limit: float | None, words: Callable[[float], str]) -> str:
    return spent if limit is None else f"{spent} of {words(limit)}"
