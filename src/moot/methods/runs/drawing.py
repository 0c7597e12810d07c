"""Runs are drawn wave by wave until the vote is decided, and shown more of the documents where they abstain.

Rulings I17 and I20. A wave is one blind round; runs of one form at one seat are several replies to one prompt.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.calls import Ask, Message, Missing, Reply
from moot.core.deliberation import Deliberation
from moot.core.question import Question
from moot.methods.runs.counting import Count, counted
from moot.methods.runs.forms import Form
from moot.methods.runs.run import Run
from moot.methods.runs.seating import alike_runs, seated_runs
from moot.methods.sampling import WAVE, Sampling, next_wave
from moot.methods.search import Narrowed, Passages, first_shown, next_shown


@dataclass(frozen=True, slots=True)
class Way:
    """How runs are asked and read: the forms, when enough were drawn, and what each form takes."""

    forms: tuple[Form, ...]
    sampling: Sampling
    passages: Passages
    messages: Callable[[Form, Narrowed], tuple[Message, ...]]
    reply: Callable[[Form], type[Reply]]
    read: Callable[[Run, Any], Run]
    """A run with what its reply brings, or why there is none."""
    temperature: float
    max_tokens: Callable[[Form], int]
    reserve: int = 0
    """Calls that are kept for later where the budget allows (I3)."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """All runs, counted, and how much of the documents they were shown."""

    count: Count
    shown: Narrowed

    @property
    def dropped(self) -> tuple[Missing, ...]:
        """The replies that came and have no vote, and why."""
        runs = self.count.runs
        return tuple(Missing(run.seat, run.step, "unusable", run.problem) for run in runs if run.is_unusable)


async def drawn(question: Question, deliberation: Deliberation, way: Way) -> Drawn:
    """Draw runs until it is decided; the record says after each wave how the votes stand."""
    shown = first_shown(question, deliberation.panel, way.passages)
    count, wave, sight = Count(), 0, 0
    await _note_shown(question, deliberation, shown)
    while True:
        further = next_shown(shown, deliberation.panel, way.passages) if count.abstains else None
        size = _size(way, count, deliberation, is_new=further is not None)
        if not size:
            return Drawn(count, shown)
        if further:
            shown, sight = further, sight + 1
            await _note_shown(question, deliberation, shown)
        wave += 1
        runs = seated_runs(way.forms, size, wave, len(count.runs), sight, deliberation.panel)
        answered = await _asked(runs, shown, deliberation, way)
        count = counted([*count.runs, *answered], question)
        candidates = [{"answer": item.answer, "runs": [run.id for run in item.runs]} for item in count.candidates]
        await deliberation.note("counted", {"wave": wave, "asked": len(count.runs), "candidates": candidates})
        if any(run.problem == "budget" for run in answered):
            return Drawn(count, shown)


def calls_left(deliberation: Deliberation) -> int | None:
    """Return how many calls the budget still allows."""
    limit = deliberation.budget.calls
    return None if limit is None else max(0, limit - deliberation.spent.calls)


def _size(way: Way, count: Count, deliberation: Deliberation, *, is_new: bool) -> int:
    """How many runs come next: what is shown anew is read by a whole wave, whatever was decided over less (I20).

    Where the budget allows a run and the reserve, no later wave takes the reserve (I3).
    """
    left = calls_left(deliberation)
    if left is not None and (count.runs or left > way.reserve):
        left = max(0, left - way.reserve)
    if is_new:
        return WAVE if left is None else min(WAVE, left)
    return next_wave(way.sampling, count.tally, left)


async def _asked(runs: Sequence[Run], shown: Narrowed, deliberation: Deliberation, way: Way) -> list[Run]:
    """The runs of one wave with their replies, all in flight together, each in a fresh context."""
    groups = alike_runs(runs)
    asks = [
        Ask(
            first.step,
            first.seat,
            way.messages(first.form, shown),
            way.reply(first.form),
            way.temperature,
            way.max_tokens(first.form),
            n=1 + len(others),
        )
        for first, *others in groups
    ]
    replies = await deliberation.ask_all(asks)
    in_order = [run for group in groups for run in group]
    read = {run.id: way.read(run, reply) for run, reply in zip(in_order, replies, strict=True)}
    return [read[run.id] for run in runs]


async def _note_shown(question: Question, deliberation: Deliberation, shown: Narrowed) -> None:
    if not (shown.is_all and len(shown.shown) == shown.of):
        await deliberation.note("shown", {"paragraphs": shown.names(question.documents), "of": shown.of})
