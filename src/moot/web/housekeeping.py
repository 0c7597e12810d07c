"""Going on, now and then, with claims of people whose last submitter's process died before it could."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from moot.core.errors import MootError

SECONDS = 5.0

log = logging.getLogger("moot.web")


async def sweep(
    left: Callable[[], Awaitable[list[str]]],
    advance: Callable[[str], None],
    *,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Advance what is left, until it is cancelled. A store that fails is asked again; one line says since when."""
    failing = False
    while True:
        await pause(SECONDS)
        try:
            for claim in await left():
                advance(claim)
            failing = False
        except Exception as error:
            if not failing:
                log.error("sweeping: %s", error if isinstance(error, MootError) else type(error).__name__)  # noqa: TRY400
            failing = True
