"""The runs of a folder: each folder of results in it is one, by its name, and is read anew only where it changed."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from moot.core.errors import BadEvaluation, NotFound, UsageError
from moot.evals.figures.metrics import Expense, expense
from moot.evals.figures.outcomes import ItemLine, item_lines
from moot.evals.items.items import ArmRow
from moot.evals.report.folder import summary_of
from moot.evals.report.summary import EvalSummary
from moot.evals.runs.harness import Finished, finished
from moot.evals.runs.results import RUN, FolderState, Results, RunInfo

MOST_READ = 8
"""Runs whose rows are kept in memory; a run of some thousand rows takes some megabytes."""


@dataclass(frozen=True, slots=True)
class RunTotals:
    """What a list says of a run; what cannot be read has a problem and no figures."""

    name: str
    state: FolderState
    info: RunInfo | None = None
    expense: Expense | None = None
    problem: str = ""

    @property
    def planned(self) -> int:
        """How many answers a whole run has."""
        return self.info.items * len(self.info.arms) if self.info else 0

    @property
    def is_whole(self) -> bool:
        """Whether every arm was asked every item, or nothing can be said."""
        return not self.expense or self.expense.items >= self.planned

    @property
    def started(self) -> str | None:
        """When it was begun, in ISO 8601; None where the run does not say it so."""
        try:
            moment = datetime.fromisoformat(self.info.started if self.info else "")
        except ValueError:
            return None
        return moment.isoformat(timespec="seconds") if moment.tzinfo else None

    @property
    def changed(self) -> float:
        """When something was written last, in seconds since the epoch."""
        return max((moment for _, moment, _ in self.state), default=0) / 1e9


@dataclass(frozen=True, eq=False)
class EvalRun:
    """One run as it stood when it was read."""

    totals: RunTotals
    done: Finished
    summary: EvalSummary

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.totals.name

    @property
    def info(self) -> RunInfo:
        """What was run."""
        return self.done.info

    @cached_property
    def lines(self) -> Sequence[ItemLine]:
        """The items in the order in which they were asked, each with its rows."""
        return item_lines(self.done.rows)

    @cached_property
    def by_arm(self) -> dict[str, list[ArmRow]]:
        """The rows of each arm, of those without any too."""
        arms: dict[str, list[ArmRow]] = {arm.arm: [] for arm in self.summary.arms}
        for row in self.done.rows:
            arms[row.arm].append(row)
        return arms

    def row(self, arm: str, item: str) -> ArmRow:
        """Return what an arm made of an item.

        Raises:
            NotFound: where it was not asked.
        """
        match = next((row for row in self.by_arm.get(arm, []) if row.item == item), None)
        if match is None:
            raise NotFound(what=f"answer of {arm[:100]!r} to", name=item[:100], see="the run's page has those that are")
        return match


class EvalShelf:
    """The runs of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._totals: dict[str, RunTotals] = {}
        self._read: OrderedDict[str, EvalRun] = OrderedDict()

    def names(self) -> list[str]:
        """Return the names of all runs; none where there is no such folder."""
        try:
            return sorted(each.name for each in self.folder.iterdir() if (each / RUN).is_file())
        except OSError:
            return []

    def listed(self) -> list[RunTotals]:
        """Return all runs, the latest first."""
        names = self.names()
        self._totals = {name: totals for name, totals in self._totals.items() if name in set(names)}
        rows = [self._total(name) for name in names]
        return sorted(rows, key=lambda row: (row.started or "", row.name), reverse=True)

    def results(self, name: str) -> Results:
        """Return the folder of a run.

        Raises:
            NotFound: for a name that no run has; a path is none.
        """
        # Only a name that the folder itself tells is ever joined to its path.
        if name not in self.names():
            raise NotFound(what="evaluation", name=name[:100], see="the list of evaluations has those that are here")
        return Results(self.folder / name)

    def read(self, name: str) -> EvalRun:
        """Return a run with its rows and figures.

        Raises:
            NotFound: for a name that no run has.
            BadEvaluation: where it cannot be read.
        """
        results = self.results(name)
        state, known = results.state(), self._read.get(name)
        if known and known.totals.state == state:
            self._read.move_to_end(name)
            return known
        run = _read(name, results, state)
        self._read[name] = run
        self._read.move_to_end(name)
        self._totals[name] = run.totals
        while len(self._read) > MOST_READ:
            self._read.popitem(last=False)
        return run

    def _total(self, name: str) -> RunTotals:
        state, known = Results(self.folder / name).state(), self._totals.get(name)
        if known is None or known.state != state:
            try:
                known = self.read(name).totals
            except UsageError as error:
                known = RunTotals(name, state, problem=str(error))
            self._totals[name] = known
        return known


def _read(name: str, results: Results, state: FolderState) -> EvalRun:
    try:
        done = finished(results, "not yet, or the run was stopped")
        return EvalRun(RunTotals(name, state, done.info, expense(done.rows)), done, summary_of(done))
    except (UsageError, ValueError, ArithmeticError) as error:
        # Where the folder lies on the server is nothing for whoever looks at it from elsewhere.
        raise BadEvaluation(name=name, problem=str(error).replace(str(results.folder), name)) from None
