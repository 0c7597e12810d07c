"""Server-sent events: run events with an id, to go on from; progress without one, to look at and forget."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from moot.core.canonical import plain
from moot.core.errors import BadSetting
from moot.core.moments import event_with_iso_moments, iso_moment
from moot.core.ports import ProgressEvent
from moot.service.reading.in_flight import BeingAsked, number_in
from moot.service.watching import EventHeard, Heard, StreamEnd, Subscription

PING_SECONDS = 15.0
SEND_SECONDS = 30.0
"""A client that takes nothing for so long is let go; it may come back with Last-Event-ID."""

RETRY_MS = 1000
LARGEST = 2**62


class TextStream(Response):
    """Texts of an event stream, sent as they come."""

    media_type = "text/event-stream"
    opening = f"retry: {RETRY_MS}\n\n"
    """What is sent before the first text."""

    def __init__(
        self, texts: AsyncIterator[str], closed: Callable[[], None], *, patience: float = SEND_SECONDS
    ) -> None:
        """`closed` is called once nothing more is sent, also where nothing was."""
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._texts = texts
        self._closed = closed
        self._patience = patience

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until there is no more, the client leaves, or it takes nothing any more."""
        sending = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(has_left(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError, TimeoutError, OSError):
                await sending
            self._closed()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await self._part(send, self.opening)
        async for text in self._texts:
            await self._part(send, text)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _part(self, send: Send, text: str) -> None:
        async with asyncio.timeout(self._patience):
            await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


class EventStream(TextStream):
    """What a subscription hears, as an event stream."""

    def __init__(
        self,
        heard: Subscription,
        now: Sequence[BeingAsked] = (),
        *,
        ping: float = PING_SECONDS,
        patience: float = SEND_SECONDS,
    ) -> None:
        """`now` is told first: whoever was asked before the stream began."""
        super().__init__(_told(heard, now, ping), heard.close, patience=patience)


def last_seen(header: str | None, after: int | None = None) -> int:
    """Return the seq after which a client wants to go on: the value of Last-Event-ID, else `after`, or none seen.

    Raises:
        BadSetting: for one that this server never sent.
    """
    if header is None or not header.strip():
        return -1 if after is None else after
    text = header.strip()
    if not (text.isascii() and text.isdigit() and int(text) < LARGEST):
        raise BadSetting(name="Last-Event-ID", problem="it is the id of an event of this stream, a whole number")
    return int(text)


async def _told(subscription: Subscription, now: Sequence[BeingAsked], ping: float) -> AsyncIterator[str]:
    yield now_text(now)
    pending = asyncio.ensure_future(anext(subscription))
    try:
        while True:
            done, _ = await asyncio.wait((pending,), timeout=ping)
            if not done:
                yield ": still here\n\n"
                continue
            try:
                heard = pending.result()
            except StopAsyncIteration:
                return
            yield _text(heard)
            pending = asyncio.ensure_future(anext(subscription))
    finally:
        pending.cancel()


def _text(heard: Heard) -> str:
    if isinstance(heard, EventHeard):
        return f"id: {heard.seq}\nevent: run\ndata: {_run_text(heard.text)}\n\n"
    if isinstance(heard, ProgressEvent):
        return f"event: progress\ndata: {_json(told_progress(heard))}\n\n"
    if isinstance(heard, StreamEnd):
        return f"event: end\ndata: {_json({'status': heard.status})}\n\n"
    raise TypeError(f"{type(heard).__name__} is nothing that a stream tells of")


def _run_text(text: str) -> str:
    """A run event as it is stored, with its moments as programs read them."""
    return _json(event_with_iso_moments(json.loads(text))) if '"calls":' in text else text


def now_text(now: Sequence[BeingAsked]) -> str:
    """Return the event that says who is being asked at this moment, by the process that serves the stream."""
    told = [
        {
            "seat": one.seat,
            "step": one.step,
            "model": one.model,
            "state": one.state,
            "since": iso_moment(one.since),
            "tokens": one.tokens,
            "try": one.tries,
        }
        for one in now
    ]
    return f"event: now\ndata: {_json(told)}\n\n"


def told_progress(progress: ProgressEvent) -> dict[str, Any]:
    """Return what is under way, as JSON. What was said is told by the run event, once its round is over."""
    facts = plain(progress)
    told = {name: facts[name] for name in ("kind", "step", "seat", "note", "phase")}
    told |= {name: facts[name] for name in ("spent", "begun") if facts[name]}
    match progress.kind:
        case "spent" if progress.spent:
            spent = progress.spent
            known = [count for count in (spent.tokens_in, spent.tokens_out) if count is not None]
            told |= {"calls": spent.calls, "usd": spent.usd, "tokens": sum(known) if known else None}
        case "tokens":
            told["tokens"] = number_in(progress.note)
        case "retrying":
            told["try"] = number_in(progress.note)
    return told


def _json(value: Any) -> str:
    # One line: JSON escapes every line break within a text.
    return json.dumps(value, ensure_ascii=True)


async def has_left(receive: Receive) -> None:
    """Return once the client has closed its connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
