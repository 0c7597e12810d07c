"""Waiting for a deliberation on behalf of a client, for as long as the client waits: to leave is to cancel."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from fastapi import Request
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from moot.core.errors import MootError, NoAnswer, ServerBusy
from moot.core.ports import ProgressEvent
from moot.core.verdict import Status
from moot.service.background.ends import NO_WORKER_CODE
from moot.service.orders import Order
from moot.service.reading.brief import read_brief
from moot.service.results import Result
from moot.service.watching import StreamEnd, Subscription
from moot.web.access import Caller
from moot.web.chat.failures import error_object
from moot.web.chat.progress import progress_line
from moot.web.chat.replies import DONE, ChatFrame, event
from moot.web.problems import status_of, words_of
from moot.web.serving import Serving
from moot.web.starting import earlier_start, go_on, start
from moot.web.streams import LARGEST, PING_SECONDS, TextStream

RETRY_AFTER = 5.0
PING = ": still here\n\n"


async def begin(order: Order, serving: Serving, caller: Caller, request: Request) -> str:
    """Start a deliberation for a chat; the same request again goes on with the one that it started."""
    earlier = await earlier_start(request, serving)
    if earlier is None:
        return await start(order, serving, caller, request)
    if not Status((await serving.store.deliberations.summary(earlier)).status).ended:
        await go_on(earlier, serving, caller)
    return earlier


class AwaitedDeliberation:
    """A deliberation that a client waits for."""

    def __init__(self, deliberation: str, serving: Serving, *, is_repeatable: bool) -> None:
        """One that is repeatable can be asked for again by the same request, and outlives a server that stops."""
        self.deliberation = deliberation
        self._serving = serving
        self._is_repeatable = is_repeatable
        # Past every event: what was said is of no concern here, only what happens and the end.
        self._heard: Subscription = serving.watch.subscribe(deliberation, LARGEST)

    async def progress(self, ping: float = PING_SECONDS) -> AsyncIterator[ProgressEvent | None]:
        """Yield what happens until nothing more will by itself; None where nothing has for a while."""
        finishing = asyncio.ensure_future(self._serving.runs.finished(self.deliberation))
        pending = asyncio.ensure_future(anext(self._heard))
        is_here = True
        try:
            while True:
                waits = {pending, finishing} if is_here else {pending}
                done, _ = await asyncio.wait(waits, timeout=ping, return_when=asyncio.FIRST_COMPLETED)
                if pending in done:
                    try:
                        heard = pending.result()
                    except StopAsyncIteration:
                        return
                    if isinstance(heard, StreamEnd):
                        return
                    if isinstance(heard, ProgressEvent):
                        yield heard
                    pending = asyncio.ensure_future(anext(self._heard))
                elif finishing in done:
                    is_here = False
                    if await self._rests():
                        return
                elif not is_here and await self._rests():
                    return
                else:
                    yield None
        finally:
            pending.cancel()
            finishing.cancel()

    async def result(self) -> Result:
        """Return what it came to.

        Raises:
            NoAnswer: where it stopped before its end.
            ServerBusy: where the server stops, or lacks something that it may have again.
        """
        result = await read_brief(self._serving.service, self.deliberation)
        if result.status.ended:
            return result
        if self._serving.runs.stopping:
            raise ServerBusy(problem="the server is stopping", retry_after=RETRY_AFTER)
        standing = await self._serving.runs.standing(self.deliberation)
        if standing.goes_on or standing.code == NO_WORKER_CODE:
            raise ServerBusy(problem=standing.words, retry_after=RETRY_AFTER)
        reason = standing.words or result.stop_reason or "it was stopped"
        raise NoAnswer(deliberation=self.deliberation, status=result.status.value, reason=reason)

    async def leave(self) -> None:
        """Cancel it: nobody waits for it any more."""
        if not (self._serving.runs.stopping and self._is_repeatable):
            await self._serving.runs.cancel(self.deliberation)

    def close(self) -> None:
        """Hear nothing more of it."""
        self._heard.close()

    async def _rests(self) -> bool:
        """Whether it has stopped short of its end, and no process has it or will take it."""
        standing = await self._serving.runs.standing(self.deliberation)
        if standing.state is not None:
            return standing.code == NO_WORKER_CODE
        summary = await self._serving.store.deliberations.summary(self.deliberation)
        status = Status(summary.status)
        return status is Status.PAUSED or bool(await self._serving.service.stalled([summary]))


class ChatStream(TextStream):
    """A reply in parts: progress as reasoning, then the answer."""

    opening = ""

    def __init__(self, awaited: AwaitedDeliberation, frame: ChatFrame, *, usage: bool) -> None:
        super().__init__(self._parts(frame, usage=usage), awaited.close)
        self._awaited = awaited
        self._is_over = False

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the reply; a client that leaves before its end has cancelled it."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            if not self._is_over:
                await self._awaited.leave()

    async def _parts(self, frame: ChatFrame, *, usage: bool) -> AsyncIterator[str]:
        yield frame.chunk({"role": "assistant", "content": ""})
        async for happened in self._awaited.progress():
            if happened is None:
                yield PING
            elif line := progress_line(happened):
                yield frame.chunk({"reasoning_content": f"{line}\n"})
        try:
            result = await self._awaited.result()
            content, refusal = frame.said(result)
        except MootError as error:
            yield event(error_object(status_of(error), error.code, words_of(error, "chat")))
            if isinstance(error, NoAnswer):
                self._is_over = True
                return
            # An answer that breaks off is kept for nobody: the same request again goes on.
            raise ConnectionAbortedError(error.code) from None
        self._is_over = True
        yield frame.chunk({"content": content} if refusal is None else {"refusal": refusal})
        yield frame.chunk({}, ended=True, moot=frame.about(result))
        if usage:
            yield frame.usage_chunk(result)
        yield DONE


async def whole_reply(
    awaited: AwaitedDeliberation, frame: ChatFrame, client_left: Callable[[], Awaitable[None]]
) -> dict[str, object] | None:
    """Return the reply once there is one; None where the client has left, which cancels it.

    Raises:
        NoAnswer, ServerBusy, StoreError: as for `AwaitedDeliberation.result`.
    """
    ending = asyncio.ensure_future(_reply(awaited, frame))
    leaving = asyncio.ensure_future(client_left())
    try:
        await asyncio.wait((ending, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not ending.done():
            await awaited.leave()
            return None
        return ending.result()
    except ServerBusy:
        await awaited.leave()
        raise
    finally:
        ending.cancel()
        leaving.cancel()
        awaited.close()


async def _reply(awaited: AwaitedDeliberation, frame: ChatFrame) -> dict[str, object]:
    async for _ in awaited.progress():
        pass
    return frame.whole(await awaited.result())
