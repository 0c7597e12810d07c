"""Streams that keep pages up: what has changed of a page, rendered by the templates that made it.

What is sent of a deliberation comes from its run events, so that nobody sees what a round has brought before its last
member is in; of what is under way, only who is asked and for how long.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response

from moot.core.canonical import plain
from moot.core.errors import NotFound
from moot.core.ports import ProgressEvent
from moot.core.verdict import Status
from moot.service.watching import EventHeard, StreamEnd, Subscription
from moot.views.words import MEANING
from moot.web.access import REVIEWER, AnyCaller
from moot.web.pages.assets import digest
from moot.web.pages.heading import DeliberationHeading, Heading, heading_of
from moot.web.pages.rendering import part, serving_of
from moot.web.pages.shown.answers import calls_now, doing_now
from moot.web.pages.shown.following import SIGNED_OUT, PageLook, event_text, followed_texts, is_there
from moot.web.pages.shown.panes import choices_of
from moot.web.pages.shown.renderings import RenderedPage, Renderings
from moot.web.serving import Here
from moot.web.streams import LARGEST, PING_SECONDS, TextStream, last_seen

PACE = 0.25
"""Seconds between two updates of a page at least."""
LOOK = 1.0
"""Seconds after which something is said of those who are being asked, and after which the reader is looked for."""
MOST_ROWS = 200

Tab = Literal["answer", "argument", "rounds", "transcript", "calls", "record", "fork"]
FOLDED_TABS = ("answer", "rounds")

DELETED = "This deliberation has been deleted:"
STOPPED = "It was stopped."
NOW = {Status.RUNNING: "It goes on.", Status.PAUSED: "It waits for somebody."}
"""What is said where one that has not ended stands otherwise than before."""

router = APIRouter(include_in_schema=False)


@router.get("/d/{id}/live")
async def watch_deliberation(
    request: Request,
    heading: DeliberationHeading,
    serving: Here,
    tab: Annotated[Tab, Query()] = "answer",
    after: Annotated[int | None, Query(ge=-1, lt=LARGEST)] = None,
    last_event_id: Annotated[str | None, Header(max_length=100)] = None,
) -> Response:
    """Stream what changes of a page; who comes back to one that has ended, having heard all, is told nothing more."""
    last = heading.head.events - 1
    if last_event_id and heading.head.status.ended and last_seen(last_event_id, after) >= last:
        return Response(status_code=204)
    # The whole page is sent first, with all that it has missed.
    heard = serving.watch.subscribe(heading.head.id, last)
    return TextStream(_WatchedPage(request, heading, tab, heard).texts(), heard.close)


@router.get("/live")
async def watch_list(
    request: Request,
    serving: Here,
    caller: AnyCaller,
    ids: Annotated[list[str], Query(alias="d", max_length=MOST_ROWS)],
) -> Response:
    """Stream the rows of a list that change, at most once a second."""

    async def look() -> PageLook:
        rows = await request.app.state.rows.read(ids)
        listed = [row for row in rows if caller.has(REVIEWER) or row.summary.owner == caller.prefix]
        parts = {
            f"row-{row.summary.id}": part("parts/list_row.html", row=row, now=serving.clock.now()) for row in listed
        }
        return PageLook(parts, is_over=all(Status(row.summary.status).ended for row in listed))

    return TextStream(followed_texts(request, serving, look), lambda: None)


class _WatchedPage:
    """One page in one tab of somebody's browser."""

    def __init__(self, request: Request, heading: Heading, tab: str, heard: Subscription) -> None:
        self._request = request
        self._serving = serving_of(request)
        self._heading = heading
        self._tab = tab
        self._chosen = choices_of(request.query_params)
        self._heard = heard
        self._woken = asyncio.Event()
        self._sent: dict[str, str] = {}
        self._calls: tuple[tuple[str, int], ...] = ()
        self._announced = Announced()
        self._is_due, self._has_ended, self._is_cut, self._is_over = True, False, False, False
        self._next_page = self._next_look = self._spoke = 0.0

    async def texts(self) -> AsyncIterator[str]:
        """Yield what the page is told, until there is no more to tell."""
        yield event_text("hello", {"version": digest()})
        listening = asyncio.ensure_future(self._listen())
        try:
            while not self._is_over:
                for text in await self._news():
                    self._spoke = self._now
                    yield text
                await self._wait()
        finally:
            listening.cancel()

    @property
    def _now(self) -> float:
        return self._serving.clock.monotonic()

    async def _listen(self) -> None:
        async for heard in self._heard:
            # What is spent changes the budget; who speaks is said when it is looked for.
            spends = isinstance(heard, ProgressEvent) and heard.kind in ("spent", "begun")
            self._is_due = self._is_due or spends or isinstance(heard, EventHeard | StreamEnd)
            self._has_ended = self._has_ended or isinstance(heard, StreamEnd)
            self._woken.set()
        self._is_cut = not self._has_ended
        self._woken.set()

    async def _wait(self) -> None:
        next_look = self._next_look if not self._is_due else min(self._next_look, self._next_page)
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, next_look - self._now)):
                # While it is too early for the page, what is heard meanwhile changes nothing.
                await (self._woken.wait() if not self._is_due else asyncio.sleep(LOOK))
        self._woken.clear()

    async def _news(self) -> list[str]:
        try:
            return await self._told()
        except NotFound:
            return self._ending("gone", words=DELETED)

    async def _told(self) -> list[str]:
        texts = await self._changes() if self._is_due and self._now >= self._next_page else []
        if self._has_ended and not self._is_due:
            return [*texts, *self._ending("end", status=self._heading.head.status)]
        if self._is_cut:
            return [
                *texts,
                *(self._ending("stopping") if self._serving.runs.stopping else self._ending("gone", words=DELETED)),
            ]
        return [*texts, *(await self._look() if self._now >= self._next_look else [])]

    def _ending(self, name: str, **data: Any) -> list[str]:
        self._is_over = True
        return [event_text(name, data)]

    async def _look(self) -> list[str]:
        self._next_look = self._now + LOOK
        if not await is_there(self._request, self._serving):
            return self._ending("gone", words=SIGNED_OUT)
        await self._compare()
        doing = [plain(each) for each in doing_now(self._serving, self._heading.head.id)]
        text = json.dumps(doing)
        if text != self._sent.get("now"):
            self._sent["now"] = text
            return [event_text("now", doing)]
        return [event_text("ping", {})] if self._now - self._spoke >= PING_SECONDS else []

    async def _compare(self) -> None:
        """Make the page due where no event tells of a change: a run was left or gone on with, or a call came back."""
        shown = self._heading.head
        head = await self._serving.folds.head(shown.id, self._heard.at, has_ended=self._has_ended)
        if (head.status, head.stalled) != (shown.status, shown.stalled):
            # What was said since of those who were asked stands in the panel, and is to be taken back.
            self._sent.pop("part-panel", None)
            self._is_due = True
        # Panel and budget count the same calls, and change together; what was shown may have been spent since.
        before, self._calls = self._calls, calls_now(self._serving, shown.id)
        self._is_due = self._is_due or self._calls != before or head.spent != shown.spent

    async def _changes(self) -> list[str]:
        page = await self._page()
        folded = page.folded
        # A record that takes long to fold may not have been folded as far as it has been heard.
        self._is_due = folded is not None and folded.last < self._heard.at
        self._next_page = max(self._now + PACE, page.due, folded.due if folded else 0.0)
        changed = {id_: html for id_, html in page.parts.items() if self._sent.get(id_) != html}
        self._sent |= changed
        words = self._announced.news(page)
        if not changed and not words:
            return []
        head = page.heading.head
        seq = folded.last if folded else head.events - 1
        told = {"seq": seq, "events": seq + 1, "status": head.status, "title": page.heading.title, "say": words}
        return [event_text("parts", {**told, "parts": changed}, id_=seq)]

    async def _page(self) -> RenderedPage:
        folds, id_ = self._serving.folds, self._heading.head.id
        folded = await folds.read(id_, self._heard.at) if self._tab in FOLDED_TABS else None
        last = folded.last if folded else self._heard.at
        head = await folds.head(id_, last, has_ended=self._has_ended)
        self._heading = heading_of(head, self._heading.caller)
        renderings: Renderings = self._request.app.state.renderings
        return await renderings.page(self._serving, self._heading, self._tab, self._chosen, folded)


class Announced:
    """What a reader who does not see the page has been told: a sentence for a stage, a status, the end."""

    def __init__(self) -> None:
        self._stage: str | None = None
        self._status: Status | None = None
        self._stalled = False

    def news(self, page: RenderedPage) -> str:
        """Return what is to be said now; nothing at first, since the page has just been read."""
        head = page.heading.head
        status, stalled = head.status, head.stalled
        stages = page.folded.panes.stages if page.folded else ()
        stage = next((each.words for each in stages if each.state == "now"), "")
        words = ""
        if self._status is not None and (status, stalled) != (self._status, self._stalled):
            going = STOPPED if stalled else NOW.get(status, "")
            words = f"It has ended: {MEANING[status]}." if status.ended else going
        elif self._stage is not None and stage and stage != self._stage:
            words = f"{stage} has begun."
        self._stage, self._status, self._stalled = stage, status, stalled
        return words
