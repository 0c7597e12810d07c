"""Every attempt of a record in a row, and what they took together by seat, model and phase."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from moot.core.budget import Spent
from moot.core.events import Answered, CallFacts, Embedded, Unanswered
from moot.core.record import Record, spent_on
from moot.core.telling import Narrator

CSV_COLUMNS = (
    *("event", "step", "seat", "model", "phase", "attempt", "state", "tries", "seconds"),
    *("tokens_in", "tokens_out", "usd", "problem"),
)

_FORMULA = re.compile(r"^[=+\-@\t\r]")


@dataclass(frozen=True, slots=True)
class CallRow:
    """One attempt: whose, at what, and what became of it."""

    event: int
    step: str
    seat: str
    model: str
    phase: str
    call: CallFacts

    @property
    def failed(self) -> bool:
        """Whether it brought nothing that could be used."""
        return self.call.state != "reply"


@dataclass(frozen=True, slots=True)
class CallSum:
    """What the attempts of one seat, model or phase took."""

    name: str
    spent: Spent


def call_rows(record: Record, narrator: Narrator) -> tuple[CallRow, ...]:
    """Return every attempt in the order of the record."""
    return tuple(_rows(record, narrator))


def _rows(record: Record, narrator: Narrator) -> Iterator[CallRow]:
    for seq, event in enumerate(record.events):
        if isinstance(event, Answered | Unanswered | Embedded):
            backend = isinstance(event, Embedded)
            seat, model = ("", event.backend) if backend else (event.seat, event.model)
            phase = narrator.phase(event.step)
            yield from (CallRow(seq, event.step, seat, model, phase, call) for call in event.calls)


def call_sums(rows: Iterable[CallRow], by: Literal["seat", "model", "phase"]) -> tuple[CallSum, ...]:
    """Return what the rows took, by what they have in common, in the order in which that comes."""
    grouped: dict[str, list[CallFacts]] = {}
    for row in rows:
        grouped.setdefault(getattr(row, by), []).append(row.call)
    return tuple(CallSum(each, spent_on(calls)) for each, calls in grouped.items())


def csv_cells(row: CallRow) -> list[str]:
    """Return a row for a table of other programs; no text in it is taken for a formula there."""
    call = row.call
    named: list[object] = [row.event, row.step, row.seat, row.model, row.phase, call.attempt, call.state, call.tries]
    figures: list[object] = [f"{call.seconds:.3f}", call.tokens_in, call.tokens_out, call.usd, call.problem]
    return [csv_cell(cell) for cell in (*named, *figures)]


def csv_cell(value: object) -> str:
    """Return a value for a table of other programs; no text is taken for a formula there, and None is empty."""
    text = "" if value is None else str(value)
    return f"'{text}" if _FORMULA.match(text) else text
