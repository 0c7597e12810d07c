"""Streams of pages that are looked at once a second: what has changed since is sent, as the page has it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import Request

from moot.web.access import caller_of
from moot.web.cookies import session_text
from moot.web.pages.assets import digest
from moot.web.serving import Serving
from moot.web.streams import PING_SECONDS

EVERY = 1.0
SIGNED_OUT = "You have been signed out here:"


@dataclass(frozen=True, slots=True)
class PageLook:
    """What a page shows now, by the ids of its elements; `is_over` where it will not change any more."""

    parts: Mapping[str, str]
    is_over: bool = False
    news: Mapping[str, Any] = field(default_factory=dict)
    """What goes with the parts that have changed, such as a title."""
    gone: str = ""
    """Why there is nothing to look at any more."""


async def followed_texts(
    request: Request, serving: Serving, look: Callable[[], Awaitable[PageLook]]
) -> AsyncIterator[str]:
    """Yield what a page is told: the parts that have changed, until it is over, gone, or the server stops."""
    yield event_text("hello", {"version": digest()})
    sent: dict[str, str] = {}
    spoke = serving.clock.monotonic()
    while True:
        if serving.runs.stopping:
            yield event_text("stopping", {})
            return
        seen = await look() if await is_there(request, serving) else PageLook({}, gone=SIGNED_OUT)
        if seen.gone:
            yield event_text("gone", {"words": seen.gone})
            return
        changed = {id_: html for id_, html in seen.parts.items() if sent.get(id_) != html}
        sent |= changed
        now = serving.clock.monotonic()
        if changed or now - spoke >= PING_SECONDS:
            spoke = now
            yield event_text("parts", {**seen.news, "parts": changed}) if changed else event_text("ping", {})
        if seen.is_over:
            yield event_text("end", {})
            return
        await asyncio.sleep(EVERY)


async def is_there(request: Request, serving: Serving) -> bool:
    """Return whether the reader's key or session still opens something."""
    session = session_text(request.scope, request.headers, https=serving.limits.https)
    if session is not None:
        return await serving.sessions.find(session) is not None
    return await serving.keys.holder(caller_of(request).prefix) is not None


def event_text(name: str, data: Any, *, id_: int | None = None) -> str:
    """Return one event of a stream."""
    # One line: JSON escapes every line break within a text.
    place = "" if id_ is None else f"id: {id_}\n"
    return f"{place}event: {name}\ndata: {json.dumps(data)}\n\n"
