"""The forms in which a run may be asked, and how many runs of a wave are asked in each (rulings I9 and I17)."""

from collections.abc import Mapping, Sequence
from typing import Literal

from moot.core.question import Question
from moot.methods.votes import NumberAsked

Form = Literal["plain", "numbered", "program", "graph"]
Forms = Literal["auto", "plain", "numbered", "program", "both"]

FORM_WORDS: Mapping[Form, str] = {
    "plain": "free text",
    "numbered": "numbered sentences",
    "program": "programs",
    "graph": "graphs",
}


def forms_of(wanted: Forms, asked: NumberAsked, question: Question) -> tuple[Form, ...]:
    """Return the forms of the runs; `auto` is free text, and programs too where the answer is a number."""
    if wanted in ("auto", "both"):
        second = second_way(asked, question) if wanted == "both" or asked.is_number else None
        return ("plain", second) if second else ("plain",)
    # Without documents there are no sentences that could be cited.
    return ("plain",) if wanted == "numbered" and not question.documents else (wanted,)


def second_way(asked: NumberAsked, question: Question) -> Form | None:
    """Return the second way of asking: a program for a number, numbered sentences over documents, else none."""
    if asked.is_number:
        return "program"
    return "numbered" if question.documents else None


def wave_forms(forms: Sequence[Form], size: int, wave: int) -> tuple[Form, ...]:
    """Return the form of each run of a wave: half in each, equal ones side by side.

    Every second wave begins with the other form, so that of several members none is always asked in the same.
    """
    first, second, *_ = [*forms, *forms]
    halves = ((first,) * (size - size // 2), (second,) * (size // 2))
    return sum(halves if wave % 2 else halves[::-1], ())
