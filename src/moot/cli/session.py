"""Running a use case from the command line: the service opened and closed, Ctrl-C, exit codes."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import typer

from moot.core.errors import Interrupted
from moot.core.verdict import Status
from moot.gateway.embedded.progress import ShowProgress
from moot.gateway.gateway import GatewayOptions
from moot.service.opening import open_service
from moot.service.results import Result
from moot.service.service import Service

T = TypeVar("T")

COMPLETE, FAILURE, DEGRADED = 0, 1, 3
_EXIT = {Status.COMPLETE: COMPLETE, Status.CLOSED: COMPLETE, Status.CANCELLED: Interrupted.exit_code}


@dataclass(slots=True)
class Begun:
    """The deliberation that a command has begun, once there is one."""

    id: str | None = None
    joined: bool = False
    """Whether a person takes part."""

    def __call__(self, deliberation: str) -> None:
        """Hear its id."""
        self.id = deliberation

    @property
    def go_on(self) -> str | None:
        """The command that goes on with it."""
        return f"moot resume {self.id}{' --join' if self.joined else ''}" if self.id else None


class Session:
    """A service that is open: use cases run in it one after the other, and between them a person may be asked."""

    def __init__(self, runner: asyncio.Runner, service: Service) -> None:
        self._runner = runner
        self._service = service

    def run(self, use_case: Callable[[Service], Awaitable[T]]) -> T:
        """Return what a use case returns."""

        async def awaited() -> T:
            return await use_case(self._service)

        return self._runner.run(awaited())


def exit_code(result: Result) -> int:
    """Return 0 for a complete answer, 1 for none, 3 for one that is less than complete or not there yet (ruling G9)."""
    has_none = result.status.ended and not (result.record.verdict and result.record.verdict.answer)
    return _EXIT.get(result.status, FAILURE if has_none else DEGRADED)


def execute(
    use_case: Callable[[Service], Awaitable[T]],
    *,
    options: GatewayOptions | None = None,
    begun: Begun | None = None,
    fetching: ShowProgress | None = None,
) -> T:
    """Return what a use case returns.

    Raises:
        Interrupted: on Ctrl-C, with the command that goes on.
    """
    with session(options=options, begun=begun, fetching=fetching) as service:
        return service.run(use_case)


@contextmanager
def session(
    *,
    options: GatewayOptions | None = None,
    begun: Begun | None = None,
    fetching: ShowProgress | None = None,
) -> Generator[Session, None, None]:
    """Give a service that is opened once for a whole command, and close it.

    Raises:
        Interrupted: on Ctrl-C, with the command that goes on.
    """
    try:
        with asyncio.Runner() as runner:
            stack = AsyncExitStack()
            opening = open_service(os.environ, options=options, fetching=fetching)
            service = runner.run(stack.enter_async_context(opening))
            try:
                yield Session(runner, service)
            finally:
                runner.run(stack.aclose())
    except KeyboardInterrupt:
        raise Interrupted(go_on=begun.go_on if begun else None) from None


def print_json(value: Any) -> None:
    """Print one JSON value for machines."""
    typer.echo(json.dumps(value, ensure_ascii=False))
