"""The evaluations that a server shows: read off its event loop, and for streams at most as often as they bear."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from moot.core.errors import NotFound
from moot.core.ports import Clock
from moot.evals.items.items import ArmRow
from moot.evals.runs.records import read_kept
from moot.evals.runs.results import Results
from moot.evals.runs.shelf import EvalRun, EvalShelf, RunTotals
from moot.service.protocol_part import ProtocolPart
from moot.service.reading.folds import REST
from moot.service.results import Result

T = TypeVar("T")

EVERY = 1.0
"""Seconds after which a run that is followed is looked at again; after a long reading, more."""
MOST_FOLLOWED = 256


class Evaluations:
    """The runs below a folder. They are written by other processes, and only read here."""

    def __init__(self, folder: Path, environ: Mapping[str, str], clock: Clock) -> None:
        self._shelf = EvalShelf(folder)
        self._environ = environ
        self._clock = clock
        self._lock = asyncio.Lock()
        self._followed: dict[Any, tuple[float, Any]] = {}

    @property
    def folder(self) -> Path:
        """The folder that the runs are in."""
        return self._shelf.folder

    async def listed(self) -> Sequence[RunTotals]:
        """Return all runs, the latest first."""
        return await self._do(self._shelf.listed)

    async def read(self, name: str) -> EvalRun:
        """Return a run as it stands.

        Raises:
            NotFound, BadEvaluation: where there is none, or it cannot be read.
        """
        fresh = await self._do(lambda: self._shelf.read(name))
        if name in self._followed:
            # A stream must not take a page back to what it was before it was loaded.
            self._followed[name] = (self._followed[name][0], fresh)
        return fresh

    async def list_followed(self) -> Sequence[RunTotals]:
        """Return all runs as they were a moment ago: once for all who look on."""
        return await self._follow("", self._shelf.listed)

    async def follow(self, name: str) -> EvalRun:
        """Return a run as it was a moment ago: once for all who look on.

        Raises:
            NotFound, BadEvaluation: where there is none, or it cannot be read.
        """
        return await self._follow(name, lambda: self._shelf.read(name))

    async def record(self, run: EvalRun, row: ArmRow) -> tuple[Result, ProtocolPart]:
        """Return the deliberation behind a row, from the run's own record.

        Raises:
            NotFound: where there is none.
        """
        if not row.deliberations:
            raise NotFound(what="deliberation behind", name=row.item[:100], see="the row says why it has none")
        results: Results = await self._do(lambda: self._shelf.results(run.name))
        return await read_kept(results, row.deliberations[-1], self._environ)

    async def _follow(self, key: str, read: Callable[[], T]) -> T:
        due, known = self._followed.get(key, (0.0, None))
        began = self._clock.monotonic()
        if known is not None and began < due:
            return known
        fresh = await self._do(read)
        ended = self._clock.monotonic()
        if len(self._followed) >= MOST_FOLLOWED:
            self._followed.clear()
        self._followed[key] = (ended + max(EVERY, REST * (ended - began)), fresh)
        return fresh

    async def _do(self, read: Callable[[], T]) -> T:
        async with self._lock:
            return await asyncio.to_thread(read)
