"""Agents that wait for work: one look at the board serves them all, however many wait."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from moot.core.errors import MootError
from moot.store.steps import OpenPlace

LONGEST_WAIT = 30.0
LOOK_SECONDS = 0.25
LOOKED_AT = 500
"""Slots that one look reads."""
OFFERED = 50
"""Of these, how many an agent may choose among."""

log = logging.getLogger("moot.work")


@dataclass(frozen=True, slots=True)
class WorkWanted:
    """Who looks for work, and of which kind."""

    agent: str
    role: str | None
    labels: Mapping[str, str]

    def fits(self, place: OpenPlace) -> bool:
        """Whether the agent may take a slot, and wants one of its kind."""
        return (
            self.agent not in place.taken_by
            and self.role in (None, place.role)
            and self.labels.items() <= place.labels.items()
        )


class WorkWaiters:
    """The agents of one server that wait for work, and the one who looks for them."""

    def __init__(
        self,
        open_places: Callable[[int], Awaitable[list[OpenPlace]]],
        choose: Callable[[str, Sequence[OpenPlace]], OpenPlace | None],
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._open_places = open_places
        self._choose = choose
        self._pause = pause
        self._waiting: dict[asyncio.Future[OpenPlace | None], WorkWanted] = {}
        self._looking: asyncio.Task[None] | None = None
        self._stopped = False

    async def wait(self, wanted: WorkWanted, seconds: float) -> OpenPlace | None:
        """Return a slot that the agent may take, as soon as there is one; None where there is none in that time."""
        if self._stopped:
            return None
        found: asyncio.Future[OpenPlace | None] = asyncio.get_running_loop().create_future()
        self._waiting[found] = wanted
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_on(), name="moot work")
        try:
            async with asyncio.timeout(seconds):
                return await found
        except TimeoutError:
            return None
        finally:
            self._waiting.pop(found, None)

    def stop(self) -> None:
        """Tell everybody that there is no work any more."""
        self._stopped = True
        for found in list(self._waiting):
            if not found.done():
                found.set_result(None)

    async def _look_on(self) -> None:
        failing = False
        while self._waiting:
            try:
                self._offer(await self._open_places(LOOKED_AT))
                failing = False
            except Exception as error:
                # They go on waiting; one line says since when there was nothing to see.
                if not failing:
                    log.error("looking for work: %s", error if isinstance(error, MootError) else type(error).__name__)  # noqa: TRY400
                failing = True
            await self._pause(LOOK_SECONDS)

    def _offer(self, places: Sequence[OpenPlace]) -> None:
        """Offer what is open to those who wait, the one who came first first."""
        for found, wanted in list(self._waiting.items()) if places else ():
            fitting = [place for place in places if wanted.fits(place)][:OFFERED]
            chosen = self._choose(wanted.agent, fitting)
            if chosen is not None and not found.done():
                found.set_result(chosen)
                del self._waiting[found]
