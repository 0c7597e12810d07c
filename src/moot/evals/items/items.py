"""The values of an evaluation: an item with its gold answer, and what one arm made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from moot.core.question import Document, Question

AnswerKind = Literal["number", "span", "boolean", "label", "free"]
"""How the set's authors grade: by final number, normalised span, yes or no, a label, or closeness to known answers."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question with its gold answer. `abstain` marks an item whose documents do not settle it."""

    id: str
    dataset: str
    question: str
    answer: str
    kind: AnswerKind
    documents: tuple[Document, ...] = ()
    aliases: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    """Known wrong answers, where the set has them."""
    abstain: bool = False
    form: str = ""
    """The form asked for, such as `a number`."""

    def asked(self) -> Question:
        """Return the question as an arm gets it: the gold answer never goes with it."""
        return Question(text=self.question, documents=self.documents, form=self.form)


@dataclass(frozen=True, slots=True)
class Grade:
    """What an answer is worth. An arm that failed is graded wrong, never left out."""

    correct: bool
    abstained: bool
    normalised: str


@dataclass(frozen=True, slots=True)
class ArmRow:
    """One arm's result on one item: a line of the raw results. Unknown cost is None, never guessed."""

    arm: str
    item: str
    dataset: str
    answer: str | None
    correct: bool
    abstained: bool
    abstain_item: bool
    status: str
    confidence: float | None
    basis: str | None
    support_width: int | None
    calls: int
    tokens_in: int | None
    tokens_out: int | None
    usd: float | None
    seconds: float
    deliberations: tuple[str, ...] = ()
    votes: tuple[str, ...] = ()
    """The normalised answers of the arm's independent samples, where it has several."""
    problem: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)
