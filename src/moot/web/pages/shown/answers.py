"""An answer and all that stands around it: the same for the page and for the stream that keeps it up."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from moot.core.errors import NotFound, RecordError
from moot.core.events import Header
from moot.core.panes import Panes
from moot.core.protocol import ProtocolSpec
from moot.service.contests import contest_lines
from moot.service.reading.folds import FoldedRecord
from moot.service.results import Result
from moot.views.pane_html import stages_html, standing_html, why_html
from moot.views.words import coda_rows, missing_rows, other_caveats, setting_value_words, turnout_words
from moot.web.pages.heading import Heading
from moot.web.pages.shown.budgets import BudgetRow, budget_rows
from moot.web.pages.shown.happened import CallsDrawn, PhaseRows, calls_drawn, last_phases
from moot.web.pages.shown.panel import SeatDoing, SeatRow, seat_rows, seats_doing
from moot.web.pages.shown.panes import drawn, pane_links
from moot.web.pages.turns import TurnForm, turns_of
from moot.web.serving import Serving

ANSWER_PARTS = {
    "part-stages": "parts/stages.html",
    "part-waiting": "parts/waiting.html",
    "part-answer": "parts/answer.html",
    "part-why": "parts/why.html",
    "part-time": "parts/time.html",
    "part-happened": "parts/happened.html",
    "part-panel": "parts/panel.html",
    "part-budget": "parts/budget.html",
}
"""The templates that a stream renders anew, by the id of the element that each fills."""


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What the parts of an answer's page are rendered from."""

    folded: FoldedRecord
    panes: Panes
    stages: Markup
    standing: Markup
    why: Markup
    turns: tuple[TurnForm, ...]
    """What waits for somebody whom the reader may stand in for."""
    seats: tuple[SeatRow, ...]
    budget: tuple[BudgetRow, ...]
    phases: tuple[PhaseRows, ...]
    calls: CallsDrawn | None
    failure: str
    """Why its latest run stopped, where that was not as it should be, or what keeps it from one."""
    contests: tuple[str, ...]
    coda: tuple[tuple[str, str], ...]
    caveats: tuple[str, ...]
    missing: tuple[str, ...]
    turnout: str


async def answer_view(serving: Serving, heading: Heading, folded: FoldedRecord) -> AnswerView:
    """Return what the parts of an answer's page are rendered from."""
    head, verdict = heading.head, heading.head.verdict
    stopped = await serving.runs.standing(head.id)
    panes, links = folded.panes, pane_links(heading, folded)
    doing = doing_now(serving, head.id)
    return AnswerView(
        folded=folded,
        panes=panes,
        stages=drawn(stages_html(panes.stages, links)),
        standing=drawn(standing_html(panes.standing, links)),
        why=drawn(why_html(panes.why, links)),
        turns=await _turns(serving, heading),
        seats=seat_rows(head.header, folded.seats, doing, ended=head.status.ended),
        budget=budget_rows(head, folded, sum(each.under_way for each in doing)),
        phases=last_phases(folded),
        calls=calls_drawn(folded),
        failure="" if head.status.ended else stopped.words,
        contests=await _contests(serving, heading, folded),
        coda=tuple(coda_rows(verdict)) if verdict else (),
        caveats=tuple(other_caveats(verdict)) if verdict else (),
        missing=tuple(missing_rows(verdict, folded.part.narrator)) if verdict else (),
        turnout=turnout_words(verdict) if verdict else "",
    )


def doing_now(serving: Serving, id_: str) -> tuple[SeatDoing, ...]:
    """Return what each seat does at present, as far as this process runs the deliberation."""
    return seats_doing(serving.watch.being_asked(id_), serving.watch.last_heard(id_), serving.clock.now())


def calls_now(serving: Serving, id_: str) -> tuple[tuple[str, int], ...]:
    """Return the steps whose answers are awaited, and how often each was asked: what panel and budget count alike."""
    return tuple((each.step, each.tries) for each in serving.watch.being_asked(id_))


async def _turns(serving: Serving, heading: Heading) -> tuple[TurnForm, ...]:
    try:
        return await turns_of(serving, heading)
    except (RecordError, NotFound):
        # Nobody can fill a step of a protocol that is not here, or that another version opened.
        return ()


async def _contests(serving: Serving, heading: Heading, folded: FoldedRecord) -> tuple[str, ...]:
    head = heading.head
    if head.verdict is None or folded.record.verdict is None:
        return ()
    shown = Result(head.id, folded.record, head.status, head.spent)
    return tuple(await contest_lines(serving.store, shown))


def changed_settings(header: Header, spec: ProtocolSpec | None) -> Mapping[str, str]:
    """Return the settings that differ from what the protocol has by itself; all of them where it is not here."""
    own: Mapping[str, Any] = {}
    if spec:
        fields = spec.settings.model_fields
        own = {name: field.get_default(call_default_factory=True) for name, field in fields.items()}
    return {
        name: setting_value_words(value)
        for name, value in header.settings.items()
        if name not in own or _plain(own[name]) != _plain(value)
    }


def _plain(value: Any) -> Any:
    """A value as the header keeps it: lists for tuples, words for names."""
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value
