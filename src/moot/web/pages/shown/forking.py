"""The form of a fork: from which step on, and what is to be other there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from moot.core.budget import Budget
from moot.core.events import Answered, Filled, Unanswered
from moot.service.asking import Refusal
from moot.service.orders import Fork
from moot.service.reading.folds import FoldedRecord
from moot.web.pages.forms import SentForm

MOST_STEPS = 500
LONGEST_NUMBER = 18
SETTING = "set."


@dataclass(frozen=True, slots=True)
class ForkForm:
    """What somebody has written into the form."""

    at: str = ""
    members: str = ""
    seed: str = ""
    calls: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def sent(cls, form: SentForm) -> "ForkForm":
        """Return what a form says."""
        given = {name.removeprefix(SETTING): form.whole(name) for name in form.fields if name.startswith(SETTING)}
        return cls(form.text("at"), form.text("members"), form.text("seed"), form.text("calls"), given)

    def fork(self, settings: Mapping[str, Any]) -> tuple[Fork, tuple[Refusal, ...]]:
        """Return what is to be other, without the numbers that are none, and a refusal for each of those."""
        refusals: list[Refusal] = []
        members = tuple(name.strip() for name in self.members.split(",") if name.strip())
        budget = Budget(calls=_whole("budget.calls", self.calls, refusals))
        return Fork(self.at, members, settings, budget, _whole("seed", self.seed, refusals)), tuple(refusals)


def asked_steps(folded: FoldedRecord) -> tuple[str, ...]:
    """Return the steps that a fork may leave from, in order; of very many, the last."""
    asked = (event for event in folded.record.events if isinstance(event, Answered | Unanswered | Filled))
    return tuple(dict.fromkeys(event.step for event in asked))[-MOST_STEPS:]


def _whole(name: str, text: str, refusals: list[Refusal]) -> int | None:
    if not text:
        return None
    if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER:
        return int(text)
    refusals.append(Refusal(name, "bad_setting", f"{text[:40]!r} is no whole number; give one, or leave it empty."))
    return None
