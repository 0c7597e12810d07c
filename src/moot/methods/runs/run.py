"""One run: who was asked in which form, and what the program reads of the reply."""

from dataclasses import dataclass
from typing import Any

from moot.methods.programs import Program
from moot.methods.recomputing import Recomputed
from moot.methods.runs.forms import Form

NOT_STATED = "The documents do not say."
NOT_KNOWN = "It is not known."
"""What every abstention is read as, with documents and without, so that abstaining runs vote for one thing (I13)."""

ABSTENTIONS = (NOT_STATED, NOT_KNOWN)


@dataclass(frozen=True, slots=True)
class Run:
    """What a run answers, or why it has no vote; and what was recomputed of it."""

    id: str
    seat: str
    form: Form
    step: str = ""
    """The step under which it was asked."""
    sight: int = 0
    """Which part of the documents it was shown: the first, or what came next (I20)."""
    text: str = ""
    answer: str = ""
    problem: str = ""
    equations: tuple[Recomputed, ...] = ()
    program: Program | None = None
    assumed: tuple[str, ...] = ()
    """Numbers of its program that stand neither in the question nor in a document (I18)."""
    argument: Any = None
    """A reply in the form `graph`, as it was read."""
    came: bool = False
    """Whether there was a reply."""

    @property
    def abstains(self) -> bool:
        """Whether its answer is that there is none."""
        return self.answer in ABSTENTIONS

    @property
    def is_unusable(self) -> bool:
        """Whether a reply came that has no vote: of one that never came the runtime knows why."""
        return self.came and not self.answer

    @property
    def refuted(self) -> tuple[Recomputed, ...]:
        """Its equations that are false."""
        return tuple(item for item in self.equations if item.verdict == "false")
