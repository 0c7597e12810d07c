"""Running a use case from the command line: the service opened and closed, Ctrl-C, exit codes."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import typer

from moot.core.errors import Interrupted
from moot.core.verdict import Status
from moot.gateway.embedded.progress import ShowProgress
from moot.gateway.gateway import GatewayOptions
from moot.service.opening import open_service
from moot.service.orders import Result
from moot.service.service import Service

T = TypeVar("T")

COMPLETE, FAILURE, DEGRADED = 0, 1, 3
_EXIT = {Status.COMPLETE: COMPLETE, Status.CLOSED: COMPLETE, Status.CANCELLED: Interrupted.exit_code}


@dataclass(slots=True)
class Begun:
    """The deliberation that a command has begun, once there is one."""

    id: str | None = None

    def __call__(self, deliberation: str) -> None:
        """Hear its id."""
        self.id = deliberation


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
    try:
        return asyncio.run(_within(use_case, options, fetching))
    except KeyboardInterrupt:
        raise Interrupted(go_on=f"moot resume {begun.id}" if begun and begun.id else None) from None


def print_json(value: Any) -> None:
    """Print one JSON value for machines."""
    typer.echo(json.dumps(value, ensure_ascii=False))


async def _within(
    use_case: Callable[[Service], Awaitable[T]], options: GatewayOptions | None, fetching: ShowProgress | None
) -> T:
    async with open_service(os.environ, options=options, fetching=fetching) as service:
        return await use_case(service)
