"""So many requests at a time. The others wait in line, and what runs in the background is not starved by them.

Every request hops between threads and the event loop several times; where hundreds are under way, each hop of everybody
waits behind all of them. A stream gives its turn back when it begins to answer.
"""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

AT_ONCE = 16
GIVE_BACK = "give_turn_back"
"""The name in a request's state of what gives its turn back before it is answered."""


class Turns:
    """Lets requests through in the order in which they came."""

    def __init__(self, app: ASGIApp, at_once: int = AT_ONCE) -> None:
        self._app = app
        self._turns = asyncio.Semaphore(at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on when it is its turn."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        await self._turns.acquire()
        held = True

        def give_back() -> None:
            nonlocal held
            if held:
                held = False
                self._turns.release()

        # Whoever waits for something to happen holds nobody up.
        scope.setdefault("state", {})[GIVE_BACK] = give_back

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start":
                give_back()
            await send(message)

        try:
            await self._app(scope, receive, answering)
        finally:
            give_back()
