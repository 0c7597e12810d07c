"""What a server does again and again beside its requests, and what of it resumes runs that nobody resumed."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

from moot.core.errors import MootError

SECONDS = 5.0

log = logging.getLogger("moot.web")


async def again(
    work: Callable[[], Awaitable[None]],
    *,
    every: float,
    doing: str,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Do some work again and again, until cancelled. A store that fails is asked again; one line says since when."""
    failing = False
    while True:
        await pause(every)
        try:
            await work()
            failing = False
        except Exception as error:
            if not failing:
                log.error("%s: %s", doing, error if isinstance(error, MootError) else type(error).__name__)  # noqa: TRY400
            failing = True


async def sweep(
    due: Iterable[Callable[[], Awaitable[list[str]]]],
    resume_if_due: Callable[[str], None],
    *,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Resume, now and then, what waits for nobody any more and what nobody has resumed.

    A submitter's process may have died before it could; and whoever held a step may have let go of it unfilled.
    """

    async def resume() -> None:
        for look in due:
            for deliberation in await look():
                resume_if_due(deliberation)

    await again(resume, every=SECONDS, doing="sweeping", pause=pause)
