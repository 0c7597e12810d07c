"""What streams send, rendered once for all who look at the same page with the same rights."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from moot.core.verdict import Status
from moot.service.reading.folds import REST, FoldedRecord
from moot.web.access import ADMIN, REVIEWER
from moot.web.pages.forms import fresh_once
from moot.web.pages.heading import Heading
from moot.web.pages.rendering import part
from moot.web.pages.shown.answers import ANSWER_PARTS, answer_view, calls_now
from moot.web.pages.shown.panes import ROUNDS_PARTS, panes_shown
from moot.web.serving import Serving

MOST_KEPT = 256
SHELL_PARTS = {
    "part-actions": "parts/actions.html",
    "part-facts": "parts/facts.html",
    "part-tabs": "parts/tabs.html",
}
"""What every page of a deliberation has above its tab."""


@dataclass(frozen=True, slots=True, eq=False)
class RenderedPage:
    """The parts of a page by the ids of their elements."""

    heading: Heading
    folded: FoldedRecord | None
    parts: Mapping[str, str]
    calls: tuple[tuple[str, int], ...]
    """What was under way when it was rendered."""
    due: float
    """The moment of the monotonic clock before which it is not rendered again."""


@dataclass(slots=True, eq=False)
class _Place:
    once: str = field(default_factory=fresh_once)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    page: RenderedPage | None = None


class Renderings:
    """The pages that streams keep up."""

    def __init__(self) -> None:
        self._places: OrderedDict[tuple[Any, ...], _Place] = OrderedDict()

    async def page(
        self, serving: Serving, heading: Heading, tab: str, chosen: Mapping[str, str], folded: FoldedRecord | None
    ) -> RenderedPage:
        """Return a page's parts; those that were rendered from the same are not rendered again."""
        key = (heading.head.id, tab, tuple(sorted(chosen.items())), _rights(heading))
        place = self._places.setdefault(key, _Place())
        self._places.move_to_end(key)
        if len(self._places) > MOST_KEPT:
            self._places.popitem(last=False)
        async with place.lock:
            known = place.page
            is_same = known and known.heading.head is heading.head and known.folded is folded
            if known and is_same and known.calls == calls_now(serving, heading.head.id):
                return known
            place.page = await _rendered(serving, heading, tab, chosen, folded, place.once)
            return place.page


def _rights(heading: Heading) -> tuple[Any, ...]:
    """What readers must have in common to be shown the same."""
    caller = heading.caller
    name = caller.name if heading.head.status is Status.PAUSED else ""
    reader = None if caller.has(REVIEWER) else caller.prefix
    return heading.may_steer, heading.may_ask, caller.has(ADMIN), reader, name


async def _rendered(
    serving: Serving,
    heading: Heading,
    tab: str,
    chosen: Mapping[str, str],
    folded: FoldedRecord | None,
    once: str,
) -> RenderedPage:
    began, calls = serving.clock.monotonic(), calls_now(serving, heading.head.id)
    context = heading.context(tab, once=once)
    templates = dict(SHELL_PARTS)
    if folded and tab == "answer":
        templates |= ANSWER_PARTS
        context["view"] = await answer_view(serving, heading, folded)
    elif folded and tab == "rounds":
        templates |= ROUNDS_PARTS
        context["note"] = folded.panes.note
        context["shown"] = await asyncio.to_thread(panes_shown, heading, folded, chosen)
    parts = await asyncio.to_thread(lambda: {id_: part(name, **context) for id_, name in templates.items()})
    ended = serving.clock.monotonic()
    return RenderedPage(heading, folded, parts, calls, ended + REST * (ended - began))
