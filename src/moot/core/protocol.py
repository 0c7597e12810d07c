"""A row of the table of protocols: all that the rest of Moot needs to know of one."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pydantic import BaseModel, ConfigDict

from moot.core.budget import Budget, Expectation
from moot.core.calls import Reply
from moot.core.confidence import Basis
from moot.core.data_files import digests
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.panes import Panes
from moot.core.question import Question
from moot.core.record import Record
from moot.core.telling import PLAIN, Telling
from moot.core.verdict import Verdict


class Settings(BaseModel):
    """What a protocol lets its user choose. An unknown name is an error, a wrong type is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class ProtocolSpec:
    """One protocol. Raise `version` whenever a stored run would come out otherwise; the golden records insist."""

    name: str
    version: int
    summary: str
    run: Callable[[Question, Deliberation, Any], Awaitable[Verdict]]
    settings: type[Settings]
    seats: int
    """How many seats it has where the user names one model."""
    minimum: int | Callable[[Any], int]
    """Below this many members it does not start; a function of the settings where these decide. With 0, and nobody
    named, it has no panel: people and outside agents do all of it."""
    budget: Budget
    expected: Callable[[Question, Panel, Any], Expectation]
    submissions: tuple[type[Reply], ...] = ()
    """The shapes that its open steps take."""
    report: Callable[[Record], str] | None = None
    """Its own part of the Markdown view."""
    data: Callable[[Any], Mapping[str, str]] | None = None
    """The texts of the data files that a run with these settings is made from, by name."""
    uses: Callable[[Any], Mapping[str, str]] | None = None
    """The plugins that a run with these settings uses, such as `oracle chemistry`, with the origin of each."""
    files: Callable[[Record], Mapping[str, str]] | None = None
    """Its own files in `export --format files`."""
    telling: Telling = PLAIN
    """Its own words for its steps, replies and notes."""
    panes: Callable[[Record], Panes] | None = None
    """What a page shows of its record, one that still runs too; without it, what any record tells."""
    basis: Basis | None = None
    """What its confidence is measured by; None where it gives none."""
    argued: Callable[[Record], Mapping[str, Any] | None] | None = None
    """The argument of a record that has not ended, as its verdict's detail will have it: `graph`, `candidates`, and
    `rank_by`. None as long as there is none."""
    quorum: Fraction = Fraction(2, 3)
    """The share of those asked who must have answered for `complete` (ruling G8)."""
    unattended: Mapping[str, Any] = field(default_factory=dict)
    """Settings for a run that nobody attends, such as an evaluation: with them it waits for no person."""
    origin: str = ""
    """Where it comes from where it is not Moot's own: a package and its version, or a file and its digest."""

    def fewest(self, settings: Settings) -> int:
        """Return how many members a run with these settings needs at least."""
        return self.minimum if isinstance(self.minimum, int) else self.minimum(settings)

    def made_from(self, settings: Settings) -> dict[str, str]:
        """Return what a run with these settings is made from beside Moot: data files by SHA-256, plugins by origin."""
        own = {f"protocol {self.name}": self.origin} if self.origin else {}
        return {
            **(digests(self.data(settings)) if self.data else {}),
            **own,
            **(self.uses(settings) if self.uses else {}),
        }
