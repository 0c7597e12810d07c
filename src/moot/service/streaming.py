"""A function of the library in two further forms: one that blocks, and one that yields what happens as it happens."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from moot.core.errors import UsageError
from moot.core.ports import Progress, ProgressKind
from moot.service.results import Result
from moot.service.service import no_progress

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Event:
    """Something under way: who is asked, who answered, what was spent so far. It is never stored."""

    kind: ProgressKind
    step: str
    seat: str
    note: str = ""


def blocking(function: Callable[P, Coroutine[Any, Any, T]], *, name: str, words: str) -> Callable[P, T]:
    """Return the function for a program that has no event loop; where one runs, it says what to write instead."""

    @wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> T:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(function(*args, **options))
        awaited = name.removesuffix("_sync")
        raise UsageError(f"an event loop runs here already, as in a notebook; write `await {awaited}(...)`.")

    return _named(call, name, words)


def streaming(
    function: Callable[P, Coroutine[Any, Any, Result]], *, name: str, words: str
) -> Callable[P, AsyncGenerator[Event | Result, None]]:
    """Return the function as a stream of events with the result as its last; leaving the stream stops the run."""

    @wraps(function)
    async def events(*args: Any, **options: Any) -> AsyncGenerator[Event | Result, None]:
        heard: asyncio.Queue[Event | None] = asyncio.Queue()
        progress: Progress = options.pop("progress", no_progress)

        def hear(kind: ProgressKind, step: str, seat: str, note: str = "") -> None:
            progress(kind, step, seat, note)
            heard.put_nowait(Event(kind, step, seat, note))

        run = asyncio.ensure_future(cast("Any", function)(*args, progress=hear, **options))
        run.add_done_callback(lambda _: heard.put_nowait(None))
        try:
            while (event := await heard.get()) is not None:
                yield event
            yield run.result()
        finally:
            run.cancel()
            await asyncio.wait([run])

    return cast("Callable[P, AsyncGenerator[Event | Result, None]]", _named(events, name, words))


def _named(call: T, name: str, words: str) -> T:
    """The function under its own name, with its own words."""
    for attribute, value in (("__name__", name), ("__qualname__", name), ("__doc__", words)):
        setattr(call, attribute, value)
    return call
