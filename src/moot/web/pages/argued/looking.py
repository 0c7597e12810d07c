"""A reader at an argument: what its address names is read, and what it names in vain is said."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Depends

from moot.core.errors import NotFound
from moot.service.reading.acts import read_acts
from moot.service.reading.arguments import DeliberationArgument, read_argument
from moot.service.service import Service
from moot.web.pages.argued.drawer import ArgumentIndex
from moot.web.pages.argued.page import ArgumentPage
from moot.web.pages.argued.shelf import ArgumentShelf, Shelf
from moot.web.pages.argued.state import ArgumentState
from moot.web.pages.heading import DeliberationHeading, Heading
from moot.web.serving import Here


@dataclass(frozen=True, slots=True)
class ArgumentLooking:
    """A reader at the argument of a deliberation."""

    service: Service
    heading: Heading
    shelf: ArgumentShelf

    async def at(self, state: ArgumentState) -> ArgumentPage | DeliberationArgument:
        """Return the argument as the address asks for it; what it names and there is not, is said and left out."""
        problem = ""
        try:
            read, index = await self._read(state.refute, state.candidate)
        except NotFound as error:
            problem = f"{error} So nothing is supposed, and the answer is looked at."
            state = replace(state, refute=(), candidate="")
            read, index = await self._read((), "")
        if index is None:
            return read
        # What is supposed may have been named by words, and is named by ids from here on.
        now = self.service.store.clock.now()
        return ArgumentPage(read, replace(state, refute=index.argument.supposed), index, now, problem)

    async def drawn(self, state: ArgumentState, written: Callable[[ArgumentPage], str]) -> str:
        """Return the drawing as a text.

        Raises:
            NotFound: where there is nothing to draw.
        """
        looked_at = await self.at(state)
        if isinstance(looked_at, DeliberationArgument):
            see = looked_at.absence or "it has no claims"
            raise NotFound(what="drawing of", name=self.heading.head.id, see=see)
        return await asyncio.to_thread(written, looked_at)

    async def _read(self, refute: tuple[str, ...], candidate: str) -> tuple[DeliberationArgument, ArgumentIndex | None]:
        head = self.heading.head
        acts = tuple((one.act.seq, one.undone_by) for one in await read_acts(self.service, head.id))
        key = (head.id, head.events, head.status, acts, refute, candidate)

        async def work_out() -> tuple[DeliberationArgument, ArgumentIndex | None]:
            read = await read_argument(self.service, head.id, refute, conclusion=candidate or None)
            argument = read.argument
            if argument is None or not argument.claims:
                return read, None
            return read, ArgumentIndex(argument, tuple(one for one in read.acts if one.counts))

        return await self.shelf.read(key, work_out)


def _looking(heading: DeliberationHeading, serving: Here, shelf: Shelf) -> ArgumentLooking:
    return ArgumentLooking(serving.service, heading, shelf)


Looking = Annotated[ArgumentLooking, Depends(_looking)]
