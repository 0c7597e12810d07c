"""What is kept of an item: figures, never a text of the data set or of a reply.

An answer is kept only where it is a number; of any other there is a part of its SHA-256.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from moot.core.errors import UsageError
from moot.evals.runs.results import Lines


@dataclass(frozen=True, slots=True)
class RunFacts:
    """One reply of the pool, as the program reads it."""

    form: str
    group: int | None
    """The number of its answer's group among those of the whole pool, most votes first; None without an answer."""
    right: bool
    lenient: bool
    abstains: bool
    answer: str
    tokens_out: int | None
    steps: int = 0
    """Assignments of its program."""
    assumed: int = 0
    """Numbers of its program that are given nowhere."""
    true_sums: int = 0
    false_sums: int = 0
    sentences: int | None = None
    naming: int | None = None
    """Its sentences that name an entity or a number; None where nothing was cited."""
    covered: int | None = None
    """Those of them that the documents cover (I12)."""
    has_line: bool | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one arm comes to on one item."""

    replies: int
    tokens_in: int | None
    tokens_out: int | None
    right: bool
    lenient: bool
    abstained: bool = False
    tied: bool = False
    votes: int = 0
    second: int = 0
    confidence: float | None = None
    agree: bool | None = None
    """Whether the two ways of asking come to the same answer."""
    width: int | None = None
    resilience: int | None = None
    status: str = ""
    seconds: float | None = None
    unasked: int = 0
    """Replies that it wanted and nobody drew."""

    @property
    def tokens(self) -> int | None:
        """Tokens in and out together."""
        return None if self.tokens_in is None or self.tokens_out is None else self.tokens_in + self.tokens_out


@dataclass(frozen=True, slots=True)
class Row:
    """One item of one stage."""

    stage: str
    item: str
    dataset: str
    kind: str
    abstain_item: bool
    rules: str
    """A digest of the rules by which it was read."""
    runs: tuple[RunFacts, ...] = ()
    votes: Mapping[str, tuple[Outcome, ...]] = field(default_factory=dict)
    """What the first 1, 2, 3 … replies come to, in each order in which they may be drawn."""
    arms: Mapping[str, Outcome] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    """What the replies of each form took."""
    loads: tuple[float, ...] = ()
    cores: int = 1
    drawn: str = ""
    """The day on which it was sampled."""
    reread: bool = False
    """Whether it was read again from the record, when nobody could be asked for what an arm lacks."""

    @property
    def is_whole(self) -> bool:
        """Whether every arm has what it wants."""
        return not any(arm.unasked for arm in self.arms.values())


_ROW = TypeAdapter(Row)


class Rows:
    """The file of rows: whole lines are added, and the latest of an item counts."""

    def __init__(self, path: Path) -> None:
        self._lines = Lines(path)
        self.path = path

    def mend(self) -> None:
        """Cut off a line that a killed process left unfinished."""
        self._lines.mend()

    def add(self, row: Row) -> None:
        """Add a row; when this returns, it is on the disk."""
        self._lines.add(_ROW.dump_python(row, mode="json"))

    def read(self) -> list[Row]:
        """Return the latest row of every item, in the order in which the items were first written.

        Raises:
            UsageError: for a line that is no row.
        """
        told, problems = self._lines.read()
        if problems:
            raise UsageError(f"{self.path}: {problems[0]}; take the line out, and `run --reread` writes it again.")
        rows: dict[tuple[str, str], Row] = {}
        for number, line in enumerate(told, 1):
            try:
                row = _ROW.validate_python(line)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(map(str, first["loc"]))
                raise UsageError(
                    f"{self.path}, line {number}: {where}: {first['msg']}; `run --reread` writes all rows anew."
                ) from None
            rows[row.stage, row.item] = row
        return list(rows.values())

    def replace(self, rows: Iterable[Row]) -> None:
        """Write these rows and no others, whole or not at all."""
        draft = Lines(self.path.with_suffix(".draft"))
        draft.path.unlink(missing_ok=True)
        draft.path.parent.mkdir(parents=True, exist_ok=True)
        draft.path.touch()
        for row in rows:
            draft.add(_ROW.dump_python(row, mode="json"))
        draft.path.replace(self.path)
