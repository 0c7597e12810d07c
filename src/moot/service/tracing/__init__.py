"""Traces of deliberations, their steps and their calls, by the GenAI conventions of OpenTelemetry.

A run is handed models and an ear for its progress; a trace listens at these two and at nothing else, so that no
protocol knows of it. `spans` makes the spans, and is imported only where traces are sent.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from moot.core.events import Header
from moot.core.verdict import Status
from moot.runtime.dispatch import World


class Trace(Protocol):
    """What is traced of one run."""

    def listening(self, world: World) -> World:
        """Return the world of a run with the trace's ears in it."""
        ...

    def end(self, status: Status) -> None:
        """Hear what the run came to, for now."""
        ...


class Tracing(Protocol):
    """Where traces are made."""

    def of(self, deliberation: str, header: Header) -> AbstractContextManager[Trace]:
        """Give the trace of a run, which ends with the block."""
        ...

    async def close(self) -> None:
        """Send what has not been sent."""
        ...


class NoTracing:
    """Nothing is traced, and it costs nothing."""

    def of(self, deliberation: str, header: Header) -> AbstractContextManager[Trace]:
        """Give what hears nothing."""
        return nullcontext(self)

    def listening(self, world: World) -> World:
        """Return the world as it is."""
        return world

    def end(self, status: Status) -> None:
        """Hear it and do nothing."""

    async def close(self) -> None:
        """Do nothing: there is nothing to send."""
