"""In which form should a member be asked? (ruling I9; interrogation 4.3: compliance feeds the choice)

Seven items of Moot's own over short documents, with numbers and names, each asked in three ways: `plain`, its second
way (`program` where the answer is a number, else `numbered`), and `graph`. A reply that cannot be read is wrong, and
agrees with nothing.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from moot.evals.figures.metrics import Proportion, proportion
from moot.evals.items.formats import own
from moot.evals.items.grading import normalise
from moot.evals.items.items import Item
from moot.evals.runs.results import Lines
from moot.methods.runs import Form
from moot.methods.runs.forms import second_way
from moot.methods.sameness import same_answer
from moot.methods.search import setting_of
from moot.methods.votes import number_asked

Way = Literal["plain", "second", "graph"]
WAYS: tuple[Way, ...] = ("plain", "second", "graph")
WAY_WORDS = {"plain": "plain", "second": "numbered or program", "graph": "graph"}

FORMS_BESIDE = ".forms"
"""What is added to the name of a screen's file for that of its forms."""

AT_ONCE, RIGHT = 0.75, 0.5
"""The floor of a form: it is not recommended below these shares of replies, read at once and right."""


@dataclass(frozen=True, slots=True)
class FormRow:
    """What one member made of one item in one form: a line of the results."""

    member: str
    form: Form
    item: str
    right: bool
    at_once: bool
    """Whether its first reply could be read."""
    claims: int
    covered: int
    answer: str | None
    calls: int
    tokens_in: int | None
    tokens_out: int | None
    usd: float | None
    seconds: float
    deliberation: str
    problem: str = ""

    @property
    def way(self) -> Way:
        """Which of the three ways of asking its form is."""
        return "second" if self.form in ("numbered", "program") else self.form


@dataclass(frozen=True, slots=True)
class Formed:
    """What one way of asking came to with one member."""

    way: Way
    right: Proportion
    at_once: Proportion
    covered: Proportion
    """Claims of its replies that a sentence, the question or a computation covers."""

    @property
    def passes(self) -> bool:
        """Whether it reaches the floor."""
        return (self.at_once.value or 0.0) >= AT_ONCE and (self.right.value or 0.0) >= RIGHT


@dataclass(frozen=True, slots=True)
class Forms:
    """What all forms came to with one member, and which it should be asked in; none where none reaches the floor."""

    member: str
    ways: tuple[Formed, ...]
    agree: Proportion
    """Items on which free text and the second way give the same answer (G12)."""
    recommended: str | None
    why: str

    @property
    def in_shape(self) -> Proportion:
        """Replies that were at once in the shape asked for, in the form that the member keeps to best (4.3)."""
        best = max(self.ways, key=lambda item: (item.passes, _share(item.at_once)), default=None)
        return best.at_once if best else proportion(0, 0)


_ROWS = TypeAdapter(FormRow)


def form_items(limit: int | None = None) -> list[Item]:
    """Return the items, or the first of them."""
    text = resources.files("moot.evals").joinpath("data", "forms.jsonl").read_text(encoding="utf-8")
    return [own(json.loads(line), line) for line in text.splitlines()][:limit]


def forms_for(item: Item) -> tuple[Form, ...]:
    """Return the forms in which an item is asked."""
    question = item.asked()
    second = second_way(number_asked(question), question)
    return ("plain", *((second,) if second else ()), "graph")


def read_form_rows(path: Path) -> list[FormRow]:
    """Return the rows of a file of forms; none where there is no file.

    Raises:
        UsageError: for a file that holds anything else.
    """
    return Lines(path).rows(_ROWS, "forms")


def formed(rows: Iterable[FormRow]) -> dict[str, Forms]:
    """Return what the forms came to with each member, in the order of the rows."""
    by_member: dict[str, list[FormRow]] = {}
    for row in rows:
        by_member.setdefault(row.member, []).append(row)
    return {member: _forms(member, mine) for member, mine in by_member.items()}


def _forms(member: str, rows: Sequence[FormRow]) -> Forms:
    ways = tuple(_formed(way, mine) for way in WAYS if (mine := [row for row in rows if row.way == way]))
    recommended, why = recommended_form(ways)
    return Forms(member, ways, ways_agree(rows), recommended, why)


def _formed(way: Way, rows: Sequence[FormRow]) -> Formed:
    return Formed(
        way,
        proportion(sum(row.right for row in rows), len(rows)),
        proportion(sum(row.at_once for row in rows), len(rows)),
        proportion(sum(row.covered for row in rows), sum(row.claims for row in rows)),
    )


def recommended_form(ways: Sequence[Formed]) -> tuple[str | None, str]:
    """Return the value of the setting `form` to use, and why: most right, then most read at once, then most covered.

    Where free text is best and its second way holds too, or the other way round, it is both: they check each other.
    """
    passing = [item for item in ways if item.passes]
    if not passing:
        floor = f"{100 * AT_ONCE:.0f} % read at once and {100 * RIGHT:.0f} % right"
        return None, f"no form reaches the floor of {floor}"
    best = max(passing, key=lambda item: (_share(item.right), _share(item.at_once), _share(item.covered)))
    told = f"{best.right.right} of {best.right.of} right, {best.at_once.right} read at once"
    if best.way == "graph":
        return "graph", told
    if {item.way for item in passing} >= {"plain", "second"}:
        return "both", f"{WAY_WORDS[best.way]} has {told}; the other way holds too"
    return ("plain", told) if best.way == "plain" else ("numbered", f"{told}; a program where a number is asked for")


def ways_agree(rows: Iterable[FormRow]) -> Proportion:
    """Return on how many items free text and its second way give the same answer; what is unreadable never agrees."""
    items = {item.id: item for item in form_items()}
    answers: dict[str, dict[Way, str | None]] = {}
    for row in rows:
        answers.setdefault(row.item, {})[row.way] = row.answer
    pairs = [
        (name, said["plain"], said["second"]) for name, said in answers.items() if {"plain", "second"} <= set(said)
    ]
    same = sum(_is_same(items[name], one, other) for name, one, other in pairs if name in items)
    return proportion(same, len(pairs))


def _is_same(item: Item, one: str | None, other: str | None) -> bool:
    if not one or not other:
        return False
    if item.kind == "number":
        return normalise(item.kind, one) == normalise(item.kind, other) != ""
    return same_answer(one, other, setting=setting_of(item.asked())).outcome == "same"


def _share(part: Proportion) -> float:
    return part.value or 0.0
