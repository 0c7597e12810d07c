"""Live progress of an evaluation: for each arm how far it is, how much was right, what it has cost."""

import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from typing_extensions import override

from moot.cli.terminal.consoles import err
from moot.cli.terminal.progress import Board, LiveProgress, PlainProgress
from moot.cli.terminal.standing import Standing
from moot.evals.items.items import ArmRow
from moot.evals.runs.harness import Listener
from moot.gateway.embedded.progress import ShowProgress
from moot.service.service import no_progress
from moot.views.words import counted, one_line, usd_words


@dataclass(slots=True)
class Tally:
    """One arm so far."""

    total: int
    done: int = 0
    right: int = 0
    failed: int = 0
    calls: int = 0
    usd: float = 0.0
    unpriced: int = 0

    def add(self, row: ArmRow) -> None:
        """Count a row."""
        self.done += 1
        self.right += row.correct
        self.failed += bool(row.problem)
        self.calls += row.calls
        self.usd += row.usd or 0.0
        self.unpriced += row.usd is None

    def words(self) -> str:
        """Return how the arm stands."""
        share = f"{100 * self.right / self.done:.0f} %" if self.done else "nothing yet"
        failed = f", {self.failed} failed" if self.failed else ""
        calls, usd = counted(self.calls, "call"), usd_words(self.usd, self.unpriced, "item", of=self.done)
        return f"{self.done} of {self.total}, {self.right} right ({share}){failed}; {calls}, {usd}"


@dataclass(slots=True)
class Tallies:
    """All arms so far, as a terminal shows them above what is under way."""

    board: Board
    arms: dict[str, Tally] = field(default_factory=dict)

    def __rich__(self) -> RenderableType:
        table = Table.grid(padding=(0, 2))
        for name, tally in self.arms.items():
            table.add_row(one_line(name, 40), tally.words())
        return Group(table, self.board)


class ShownListener(Listener):
    """Hears how an evaluation goes, and shows it."""

    def __init__(self, tallies: Tallies, *, lines: bool) -> None:
        self._tallies = tallies
        self._lines = lines

    @override
    def found(self, why: str) -> None:
        """Say who answers."""
        sys.stderr.write(f"{why}\n")

    @override
    def begun(self, totals: Mapping[str, int], rows: Sequence[ArmRow]) -> None:
        """Count what is there already."""
        self._tallies.arms = {arm: Tally(total) for arm, total in totals.items()}
        for row in rows:
            if row.arm in self._tallies.arms:
                self._tallies.arms[row.arm].add(row)
        if rows and self._lines:
            sys.stderr.write(f"{counted(len(rows), 'row')} of an earlier run are there and not asked again\n")

    @override
    def ended(self, row: ArmRow) -> None:
        """Count a row, and say it where nobody sees the block."""
        tally = self._tallies.arms[row.arm]
        tally.add(row)
        if self._lines:
            came = "failed" if row.problem else "right" if row.correct else "wrong"
            why = f" ({one_line(row.problem, 120)})" if row.problem else ""
            sys.stderr.write(f"{one_line(row.arm, 60)} {one_line(row.item, 60)}: {came}{why}; {tally.words()}\n")


@contextmanager
def shown_evaluation() -> Generator[tuple[Listener, ShowProgress], None, None]:
    """Give what hears of an evaluation and of weights being fetched; nothing of it goes to stdout."""
    console = err()
    tallies = Tallies(Board(Standing()))
    if not console.is_terminal:
        listener = ShownListener(tallies, lines=True)
        listener.progress = no_progress
        yield listener, PlainProgress().fetch
        return
    listener = ShownListener(tallies, lines=False)
    with Live(tallies, console=console, refresh_per_second=8, transient=True) as live:
        listener.progress = heard = LiveProgress(tallies.board, live, keeps=False)
        yield listener, heard.fetch
