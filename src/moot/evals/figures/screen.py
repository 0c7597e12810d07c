"""The grounding screen: does a member answer from the documents, from memory, or not at all? (interrogation 2)

Fifty items of Moot's own (ruling V1): facts that were invented, facts that contradict what everybody knows, and
questions that the documents do not settle. Temperature 0, one call an item, graded by pattern.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from moot.core.errors import UsageError
from moot.core.question import Document
from moot.evals.figures.forms import Forms
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

FLOOR = 0.5
"""Of the items: a member that is right in a smaller share is recommended to nobody."""

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


def recommended(members: Sequence[Screened], forms: Mapping[str, Forms] | None = None) -> tuple[Screened | None, str]:
    """Return the member to use by default, and why; nobody where no one reaches the floor.

    Most right, then most read at once in its best form (interrogation 4.3), then least from memory, then cheapest,
    then quickest. It is the paper's one decision that the screen feeds (interrogation 2).
    """
    formed = forms or {}

    def preference(one: Screened) -> tuple[float, ...]:
        return _preference(one, formed.get(one.member))

    lacks = {one.member: _lack(one, formed.get(one.member)) for one in members}
    passing = [one for one in members if not lacks[one.member]]
    if not passing:
        most = min(members, key=preference)
        told = f"{most.member} is best with {most.right.right} of {most.right.of} right"
        return None, f"{told}, but {lacks[most.member]}"
    best = min(passing, key=preference)
    words = f"{best.right.right} of {best.right.of} right ({best.shares['memorized'].right} from memory)"
    others = sorted((one for one in members if one is not best), key=preference)
    if not others:
        return best, f"{words}; it was the only one screened"
    second = others[0]
    if preference(second) < preference(best):
        return best, f"{words}; {second.member} has {second.right.right} right, but {lacks[second.member]}"
    if best.right.right == second.right.right:
        decided = "how well it keeps to a form, what it takes from memory and its cost"
        return best, f"{words}, as many as {second.member}; {decided} decided"
    if best.right.low <= second.right.high:
        return best, f"{words}, but the interval overlaps that of {second.member} ({second.right.right} right)"
    return best, f"{words}; {second.member} comes next with {second.right.right}, outside its interval"


def _lack(one: Screened, forms: Forms | None) -> str:
    """What a member lacks to be recommended."""
    if (one.right.value or 0.0) < FLOOR:
        return f"{100 * FLOOR:.0f} % are the floor"
    return forms.why if forms and forms.recommended is None else ""


def _preference(one: Screened, forms: Forms | None) -> tuple[float, ...]:
    return (
        -(one.right.value or 0.0),
        -forms.at_once if forms else 0.0,
        one.shares["memorized"].right,
        float("inf") if one.known_usd.whole is None else one.known_usd.whole,
        one.seconds,
    )


def _screened(member: str, rows: Sequence[ScreenRow]) -> Screened:
    counts = Counter(row.label for row in rows)
    return Screened(
        member=member,
        items=len(rows),
        right=proportion(sum(row.right for row in rows), len(rows)),
        shares={label: proportion(counts[label], len(rows)) for label in LABELS},
        failed=sum(bool(row.problem) for row in rows),
        calls=sum(row.calls for row in rows),
        known_usd=known(row.usd for row in rows),
        seconds=sum(row.seconds for row in rows),
    )
