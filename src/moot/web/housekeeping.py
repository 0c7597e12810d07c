"""Resuming, now and then, claims of people whose last submitter's process died before it could."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from moot.core.errors import MootError

SECONDS = 5.0

log = logging.getLogger("moot.web")


async def sweep(
    due_claims: Callable[[], Awaitable[list[str]]],
    resume_if_due: Callable[[str], None],
    *,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Resume what is due, until it is cancelled. A store that fails is asked again; one line says since when."""
    failing = False
    while True:
        await pause(SECONDS)
        try:
            for claim in await due_claims():
                resume_if_due(claim)
            failing = False
        except Exception as error:
            if not failing:
                log.error("sweeping: %s", error if isinstance(error, MootError) else type(error).__name__)  # noqa: TRY400
            failing = True
