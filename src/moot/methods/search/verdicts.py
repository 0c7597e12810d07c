"""What may be said of an answer where a panel was shown a part of the documents (ruling I20)."""

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from functools import wraps
from typing import Any, Protocol, TypeVar

from moot.core.deliberation import Deliberation
from moot.core.question import Question
from moot.core.verdict import Status, Verdict
from moot.methods.abstaining import is_abstention
from moot.methods.sameness import sentences_of
from moot.methods.search.showing import Passages, shown_question

NOT_IN_WHAT_WAS_SHOWN = "what was shown does not say"

MOST_SENTENCES = 2
"""Of an answer that only abstains; whoever writes more says something."""

SETTLED = (Status.COMPLETE, Status.FORCED, Status.PARTIAL)
"""Ends that give the answer as the panel's; the others keep their names."""


class Narrows(Protocol):
    """Settings that say how much of the documents is shown."""

    @property
    def passages(self) -> Passages:
        """What is shown of the documents."""
        ...


S = TypeVar("S", bound=Narrows)


def over_what_was_shown(verdict: Verdict, caveats: tuple[str, ...]) -> Verdict:
    """Return the verdict with what a reader must know of what was shown; without caveats that was everything.

    That a part of the documents does not say is `partial`: the rest may.
    """
    if not caveats:
        return verdict
    verdict = replace(verdict, caveats=(*verdict.caveats, *caveats))
    if verdict.status not in SETTLED or not _abstains(verdict.answer or ""):
        return verdict
    return replace(verdict, status=Status.PARTIAL, stop_reason=f"{NOT_IN_WHAT_WAS_SHOWN}; {verdict.stop_reason}")


def asked_over_what_is_shown(
    run: Callable[[Question, Deliberation, S], Awaitable[Verdict]],
) -> Callable[[Question, Deliberation, S], Coroutine[Any, Any, Verdict]]:
    """Return a protocol that only ever reads what its setting `passages` shows, and whose verdict says so."""

    @wraps(run)
    async def shown_run(question: Question, deliberation: Deliberation, settings: S) -> Verdict:
        shown, caveats = await shown_question(question, deliberation, settings.passages)
        return over_what_was_shown(await run(shown, deliberation, settings), caveats)

    return shown_run


def _abstains(answer: str) -> bool:
    return len(sentences_of(answer)) <= MOST_SENTENCES and is_abstention(answer)
