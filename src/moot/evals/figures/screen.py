"""The grounding screen: does a member answer from the documents, from memory, or not at all? (interrogation 2)

Fifty items of Moot's own (ruling V1): facts that were invented, facts that contradict what everybody knows, and
questions that the documents do not settle. Temperature 0, one call an item, graded by pattern.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from moot.core.errors import UsageError
from moot.core.question import Document
from moot.evals.figures.forms import FormRow
from moot.evals.figures.goals import ScreenCost
from moot.evals.figures.metrics import Known, Proportion, known, proportion
from moot.evals.items.items import Item
from moot.evals.runs.results import Lines

Kind = Literal["invented", "counterfactual", "unsettled"]
Label = Literal["grounded", "memorized", "abstained", "other"]
LABELS: tuple[Label, ...] = ("grounded", "memorized", "abstained", "other")

_VERBS = (
    r"(?:say|state|mention|specify|tell|give|provide|contain|include|indicate|settle|reveal|answer|list|record|know)"
)
_PARTICIPLES = (
    r"(?:stated|said|mentioned|specified|told|given|provided|contained|included|indicated|settled|known|listed|named|"
    r"recorded|found|available|clear|possible)"
)
ABSTAINING = (
    rf"\b(?:do|does|did)(?: not|n['\u2019]t)(?: \w+)? {_VERBS}\b"
    rf"|\b(?:not|never|nowhere|isn['\u2019]t)(?: \w+)? {_PARTICIPLES}\b"
    r"|\b(?:cannot|can not|can['\u2019]t|could not|couldn['\u2019]t|unable to|impossible to)(?: \w+){0,2} "
    r"(?:say|tell|know|answer|determined?|answered|known|found)\b"
    r"|\bno (?:information|mention|answer|data|indication)\b"
    r"|\b(?:unknown|unclear|undetermined|insufficient|not enough)\b"
)
"""How an answer says that the documents do not settle it."""

DENIED = r"(?<!\bnot )(?<!\bnot in )(?<!\bnot by )(?<!\bnot at )(?<!\brather than )(?<!\binstead of )"
"""What stands before words that an answer denies: `in Lyon, not in Paris` does not answer `Paris`."""


class Marked(BaseModel):
    """One kind of answer: the pattern that knows it, and an example."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    example: str
    pattern: str = ABSTAINING


class ScreenItem(BaseModel):
    """One item. Where the documents do not settle the question, no answer is grounded and abstaining is right."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    kind: Kind
    question: str
    documents: tuple[Document, ...]
    memorized: Marked
    abstained: Marked
    grounded: Marked | None = None

    @property
    def right(self) -> Label:
        """The label of the right answer."""
        return "abstained" if self.grounded is None else "grounded"

    @cached_property
    def _patterns(self) -> dict[Label, re.Pattern[str]]:
        patterns: dict[Label, str] = {"abstained": self.abstained.pattern}
        patterns["memorized"] = f"{DENIED}(?:{self.memorized.pattern})"
        if self.grounded:
            patterns["grounded"] = f"{DENIED}(?:{self.grounded.pattern})"
        return {label: re.compile(pattern, re.IGNORECASE) for label, pattern in patterns.items()}

    def label(self, answer: str) -> Label:
        """Return what the answer is; one that fits no pattern, or several, is `other`."""
        fitting = [label for label, pattern in self._patterns.items() if pattern.search(answer)]
        return fitting[0] if len(fitting) == 1 else "other"

    def as_item(self) -> Item:
        """Return the item as an arm is asked it."""
        return Item(self.id, "screen", self.question, "", "free", self.documents, abstain=self.grounded is None)


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """What one member made of one item: a line of the results. An answer that never came is `other`, with why."""

    member: str
    item: str
    kind: Kind
    label: Label
    right: bool
    answer: str | None
    calls: int
    tokens_in: int | None
    tokens_out: int | None
    usd: float | None
    seconds: float
    deliberation: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Screened:
    """What the screen says of one member."""

    member: str
    items: int
    unsettled: int
    """Items whose documents do not settle the question: as many are right for whoever always abstains."""
    right: Proportion
    shares: dict[Label, Proportion]
    failed: int
    calls: int
    known_usd: Known
    seconds: float


_ROWS = TypeAdapter(ScreenRow)


def screen_items(limit: int | None = None) -> list[ScreenItem]:
    """Return the items; a limited list takes the kinds in turn, so that each is there."""
    text = resources.files("moot.evals").joinpath("data", "screen.jsonl").read_text(encoding="utf-8")
    items = [ScreenItem.model_validate(json.loads(line)) for line in text.splitlines()]
    if limit is None:
        return items
    if limit < 1:
        raise UsageError("a screen needs at least one item; give --limit 1 or more.")
    place = Counter[Kind]()
    turns: dict[str, int] = {}
    for item in items:
        turns[item.id] = place[item.kind]
        place[item.kind] += 1
    return sorted(items, key=lambda item: turns[item.id])[:limit]


def read_rows(path: Path) -> list[ScreenRow]:
    """Return the rows of a file of screen results; none where there is no file.

    Raises:
        UsageError: for a file that holds anything else.
    """
    return Lines(path).rows(_ROWS, "screen results")


def screened(rows: Iterable[ScreenRow]) -> list[Screened]:
    """Return what the screen says of each member, in the order of the rows."""
    by_member: dict[str, list[ScreenRow]] = {}
    for row in rows:
        by_member.setdefault(row.member, []).append(row)
    return [_screened(member, mine) for member, mine in by_member.items()]


def cost_of_screen(rows: Sequence[ScreenRow], forms: Iterable[FormRow] = ()) -> ScreenCost:
    """Return what a screen and the forms beside it cost, and how much of it was run.

    A member that never answered was not screened, however often it was asked.
    """
    members, answering = {row.member for row in rows}, {row.member for row in rows if row.answer is not None}
    items = {item.id for item in screen_items()}
    asked = {(row.member, row.item) for row in rows if row.item in items and row.member in answering}
    spent = known(row.usd for row in (*rows, *forms))
    return ScreenCost(len(members), spent.whole, len(asked), len(members) * len(items))


def _screened(member: str, rows: Sequence[ScreenRow]) -> Screened:
    counts = Counter(row.label for row in rows)
    return Screened(
        member=member,
        items=len(rows),
        unsettled=sum(row.kind == "unsettled" for row in rows),
        right=proportion(sum(row.right for row in rows), len(rows)),
        shares={label: proportion(counts[label], len(rows)) for label in LABELS},
        failed=sum(bool(row.problem) for row in rows),
        calls=sum(row.calls for row in rows),
        known_usd=known(row.usd for row in rows),
        seconds=sum(row.seconds for row in rows),
    )
