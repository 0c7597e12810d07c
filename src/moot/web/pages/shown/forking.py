"""The form of a fork: from which step on, and what is to be other there."""

from dataclasses import dataclass, field

from moot.core.budget import Budget
from moot.core.errors import BadSetting
from moot.core.events import Answered, Filled, Unanswered
from moot.service.reading.folds import FoldedRecord
from moot.web.pages.forms import SentForm

MOST_STEPS = 500
LONGEST_NUMBER = 18


@dataclass(frozen=True, slots=True)
class ForkForm:
    """What somebody has written into the form."""

    at: str = ""
    members: tuple[str, ...] = ()
    seed: int | None = None
    budget: Budget = field(default_factory=Budget)

    @classmethod
    def sent(cls, form: SentForm) -> "ForkForm":
        """Return what a form says.

        Raises:
            BadSetting: for a seed or a limit that is no whole number.
        """
        members = tuple(name.strip() for name in form.text("members").split(",") if name.strip())
        return cls(form.text("at"), members, _whole(form, "seed"), Budget(calls=_whole(form, "calls")))


def asked_steps(folded: FoldedRecord) -> tuple[str, ...]:
    """Return the steps that a fork may leave from, in order; of very many, the last."""
    asked = (event for event in folded.record.events if isinstance(event, Answered | Unanswered | Filled))
    return tuple(dict.fromkeys(event.step for event in asked))[-MOST_STEPS:]


def _whole(form: SentForm, name: str) -> int | None:
    text = form.text(name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER):
        raise BadSetting(name=name, problem=f"{text[:40]!r} is no whole number")
    return int(text)
