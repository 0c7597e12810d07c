"""The service that a command works with: opened once, closed at its end; Ctrl-C, exit codes."""

import asyncio
import json
import os
from collections.abc import Coroutine, Generator
from contextlib import AsyncExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from moot.core.canonical import harmless_json
from moot.core.errors import Interrupted
from moot.core.verdict import Status
from moot.gateway.gateway import GatewayOptions
from moot.service.opening import open_service
from moot.service.results import Result
from moot.service.service import Service

if TYPE_CHECKING:
    from moot.cli.terminal.progress import ShownProgress

T = TypeVar("T")

COMPLETE, FAILURE, DEGRADED = 0, 1, 3
_EXIT = {Status.COMPLETE: COMPLETE, Status.CLOSED: COMPLETE, Status.CANCELLED: Interrupted.exit_code}


class Session:
    """A service that is open: use cases run in it one after the other, and between them a person may be asked."""

    def __init__(self, runner: asyncio.Runner, service: Service, *, joined: bool) -> None:
        """`joined` says whether a person takes part."""
        self.service = service
        self._runner = runner
        self._joined = joined
        self._created: str | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what a use case of the service returns."""
        return self._runner.run(work)

    def on_created(self, deliberation: str) -> None:
        """Hear the id of the deliberation that the command spends on."""
        self._created = deliberation

    def bring_protocol(self, reference: str | None) -> None:
        """Let the service find a protocol of the user's own, by its name, from a file or a module.

        Raises:
            BadReference: where there is none.
        """
        if reference is not None:
            self.service.find_protocol(reference)

    @property
    def way_on(self) -> str | None:
        """The command that goes on with what was begun, once there is something."""
        return f"moot resume {self._created}{' --join' if self._joined else ''}" if self._created else None


@contextmanager
def session(
    options: GatewayOptions | None = None, on_progress: "ShownProgress | None" = None, *, joined: bool = False
) -> Generator[Session, None, None]:
    """Give a service that is opened once for a whole command, and close it.

    Raises:
        Interrupted: on Ctrl-C, with the command that goes on.
    """
    here: Session | None = None
    try:
        with asyncio.Runner() as runner:
            stack = AsyncExitStack()
            opening = open_service(os.environ, options=options, fetching=on_progress.fetch if on_progress else None)
            here = Session(runner, runner.run(stack.enter_async_context(opening)), joined=joined)
            try:
                yield here
            finally:
                runner.run(stack.aclose())
    except KeyboardInterrupt:
        raise Interrupted(go_on=here.way_on if here else None) from None


def exit_code(result: Result) -> int:
    """Return 0 for a complete answer, 1 for none, 3 for one that is less than complete or not there yet (ruling G9)."""
    has_none = result.status.ended and not (result.record.verdict and result.record.verdict.answer)
    return _EXIT.get(result.status, FAILURE if has_none else DEGRADED)


def print_json(value: Any) -> None:
    """Print one JSON value for machines."""
    typer.echo(harmless_json(json.dumps(value, ensure_ascii=False)))
