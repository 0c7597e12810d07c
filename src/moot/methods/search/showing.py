"""How much of the documents a panel is shown, by a protocol's setting `passages` (ruling I20)."""

from typing import Annotated, Literal

from pydantic import Field

from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.question import Question
from moot.methods.search.narrowing import Narrowed, first_of, further, narrowed

Passages = Annotated[
    Literal["auto", "all"] | Annotated[int, Field(ge=0, le=10_000)],
    Field(
        description="what is shown of the documents: auto: what a small member reads well; all; or so many paragraphs"
    ),
]

READS_WELL = {"embedded": 600}
"""Tokens of documents that members of a provider read well; any other reads all that fits."""


def reads_well(panel: Panel) -> int | None:
    """Return how many tokens of documents everybody on a panel reads well: all are shown the same."""
    providers = {model.partition(":")[0] for model in panel.models}
    return min((READS_WELL[provider] for provider in providers if provider in READS_WELL), default=None)


def first_shown(question: Question, panel: Panel, passages: Passages) -> Narrowed:
    """Return what a panel is shown first."""
    if passages == "auto":
        return narrowed(question.text, question.documents, reads_well(panel))
    if passages == "all" or not passages:
        return narrowed(question.text, question.documents, None)
    return first_of(question.text, question.documents, passages)


def first_question(question: Question, panel: Panel, passages: Passages) -> Question:
    """Return the question over what a panel is shown first."""
    return showing(question, first_shown(question, panel, passages))


def next_shown(before: Narrowed, panel: Panel, passages: Passages) -> Narrowed | None:
    """Return what a panel is shown when that was not enough; None where all was shown, or so many were asked for."""
    tokens = reads_well(panel) if passages == "auto" else None
    return None if tokens is None else further(before, tokens)


def showing(question: Question, shown: Narrowed) -> Question:
    """Return the question over what is shown alone."""
    return question.model_copy(update={"documents": shown.over(question.documents)})


async def shown_question(
    question: Question, deliberation: Deliberation, passages: Passages
) -> tuple[Question, tuple[str, ...]]:
    """Return the question as a panel is shown it once, and the caveat where that is not all; the record says which."""
    shown = first_shown(question, deliberation.panel, passages)
    if shown.is_all:
        return question, ()
    await deliberation.note("shown", {"paragraphs": shown.names(question.documents), "of": shown.of})
    return showing(question, shown), (f"{shown.caveat}.",)
