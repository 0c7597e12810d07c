"""What a client hears while a deliberation goes on, and how one that is taken back is stopped."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio
from mcp.server.mcpserver import Context

from moot.core.ports import Progress, ProgressEvent, ProgressKind
from moot.mcp_server.answering import Payload
from moot.service.service import Created
from moot.views.words import one_line

TOLD: frozenset[ProgressKind] = frozenset(("asking", "retrying", "answered", "missing", "noted"))
MOST_WAITING = 100
LONGEST_NOTICE = 200
STOP_SECONDS = 30.0
"""How long a call that was taken back may take to stop; what it would send is stopped at once."""


@dataclass(slots=True)
class Latest:
    """The deliberation that was begun last, once there is one: a client that lost a call may not know its id."""

    id: str = ""


class Notices:
    """Progress as MCP notices, sent one after the other; those that a slow client has no room for are left out."""

    def __init__(self, context: Context, latest: Latest) -> None:
        self._context = context
        self._latest = latest
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()

    def on_created(self, deliberation: str) -> None:
        """Tell the client the id, before anything else: a call that it takes back is never answered."""
        self._latest.id = deliberation
        self._put(f"deliberation {deliberation} has begun; cut off, it goes on with resume={deliberation}")

    def on_progress(self, event: ProgressEvent) -> None:
        """Hear of something under way."""
        if event.kind in TOLD:
            self._put(one_line(f"{event.kind} {event.seat} {event.phase} {event.note or event.said}", LONGEST_NOTICE))

    async def send(self) -> None:
        """Send what there is until the end."""
        sent = 0
        while (message := await self._waiting.get()) is not None:
            sent += 1
            await self._context.report_progress(sent, message=message)

    def end(self) -> None:
        """Let nothing come after what waits."""
        self._waiting.put_nowait(None)

    def _put(self, message: str) -> None:
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put_nowait(message)


async def watched(context: Context, latest: Latest, work: Callable[[Progress, Created], Awaitable[Payload]]) -> Payload:
    """Return what the work comes to, with notices while it goes on; taken back, it stops before this returns."""
    notices = Notices(context, latest)
    sending = asyncio.ensure_future(notices.send())
    working = asyncio.ensure_future(work(notices.on_progress, notices.on_created))
    try:
        await asyncio.wait([working])
        notices.end()
        await asyncio.wait([sending])
    finally:
        sending.cancel()
        working.cancel()
        # The client's cancelling would reach into every further wait, and what has been begun must be ended in order.
        with anyio.move_on_after(STOP_SECONDS, shield=True):
            await asyncio.wait([sending, working])
    return working.result()
