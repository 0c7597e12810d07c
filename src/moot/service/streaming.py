"""A function of the library in two further forms: one that blocks, and one that yields what happens as it happens."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from moot.core.errors import UsageError
from moot.core.ports import Progress, ProgressEvent
from moot.service.results import Result
from moot.service.service import no_progress

P = ParamSpec("P")
T = TypeVar("T")


Event = ProgressEvent
"""What a stream yields and a callback hears."""


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
) -> Callable[P, AsyncGenerator[ProgressEvent | Result, None]]:
    """Return the function as a stream of events with the result as its last; leaving the stream stops the run."""

    @wraps(function)
    async def events(*args: Any, **options: Any) -> AsyncGenerator[ProgressEvent | Result, None]:
        heard: asyncio.Queue[ProgressEvent | None] = asyncio.Queue()
        progress: Progress = options.pop("progress", no_progress)

        def hear(event: ProgressEvent) -> None:
            progress(event)
            heard.put_nowait(event)

        run = asyncio.ensure_future(cast("Any", function)(*args, progress=hear, **options))
        run.add_done_callback(lambda _: heard.put_nowait(None))
        try:
            while (event := await heard.get()) is not None:
                yield event
            yield run.result()
        finally:
            run.cancel()
            await asyncio.wait([run])

    return cast("Callable[P, AsyncGenerator[ProgressEvent | Result, None]]", _named(events, name, words))


def _named(call: T, name: str, words: str) -> T:
    """The function under its own name, with its own words."""
    for attribute, value in (("__name__", name), ("__qualname__", name), ("__doc__", words)):
        setattr(call, attribute, value)
    return call
