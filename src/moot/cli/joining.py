"""`--join`: a person at the terminal fills the open steps that a deliberation waits for, whatever its protocol."""

import json
import sys
from collections.abc import Iterator, Mapping
from getpass import getuser
from typing import Any, Literal, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from rich.console import Console
from rich.text import Text

from moot.cli.running import execute
from moot.core.calls import Reply
from moot.core.errors import BadSubmission, UsageError
from moot.core.ports import OpenStep
from moot.gateway.gateway import GatewayOptions
from moot.protocols import find_protocol
from moot.service.orders import Result
from moot.service.service import Service
from moot.views.words import harmless, one_line

LONGEST_SHOWN = 4_000
"""Characters of one part of what a step shows."""


def fill_open_step(result: Result, reach: GatewayOptions) -> bool:
    """Let the person at the terminal fill the first step that waits; False where nobody answers.

    Raises:
        UsageError: where nobody knows who the person is.
    """
    who = _person()
    waiting = [step for step in result.waiting if step.state == "open" or step.agent == who]
    if not waiting:
        return False
    step = waiting[0]
    shape = _shape(result, step)
    _show(step)
    while True:
        try:
            given = {name: value for name, value in _asked(shape) if value is not None}
        except EOFError:
            typer.echo(f"\nleft open; go on with: moot resume {result.id} --join", err=True)
            return False
        try:
            execute(lambda service: _submit(service, result.id, step, who, given), options=reach)  # noqa: B023
        except BadSubmission as bad:
            typer.echo(str(bad), err=True)
        else:
            return True


async def _submit(service: Service, deliberation: str, step: OpenStep, who: str, reply: Mapping[str, Any]) -> None:
    now = await service.show(deliberation)
    if not any(item.step == step.step and item.agent == who for item in now.waiting):
        await service.take(deliberation, step.step, who)
    await service.submit(deliberation, step.step, who, reply)


def _shape(result: Result, step: OpenStep) -> type[Reply]:
    row = find_protocol(result.record.header.protocol)
    return next(shape for shape in row.submissions if shape.__name__ == step.reply_type)


def _show(step: OpenStep) -> None:
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print()
    for name, value in step.context.items():
        text = harmless(value if isinstance(value, str) else str(value))[:LONGEST_SHOWN]
        console.print(Text.assemble((f"{harmless(name)}: ", "dim"), text))
    console.print(Text(one_line(step.title, 300), style="bold"))


def _asked(shape: type[Reply]) -> Iterator[tuple[str, Any]]:
    for name, field in shape.model_fields.items():
        words = field.description or name.replace("_", " ")
        answer = _line(f"{words}{_choices(field)}: ")
        while not answer and field.is_required() and not _is_list(field):
            answer = _line(f"{words}{_choices(field)}: ")
        yield name, _typed(field, answer) if answer else [] if _is_list(field) else None


def _typed(field: FieldInfo, answer: str) -> Any:
    """Return what was typed as the field takes it: a number for a number, several texts for a list."""
    if _is_list(field):
        return [part.strip() for part in answer.split(";") if part.strip()]
    if field.annotation not in (int, float, bool):
        return answer
    try:
        return json.loads(answer)
    except ValueError:
        return answer


def _is_list(field: FieldInfo) -> bool:
    return get_origin(field.annotation) in (tuple, list)


def _line(words: str) -> str:
    """Ask on stderr: what is printed on stdout is the result and nothing else."""
    typer.echo(words, nl=False, err=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()


def _choices(field: FieldInfo) -> str:
    if get_origin(field.annotation) is Literal:
        listed = "/".join(str(choice) for choice in get_args(field.annotation))
        return f" ({listed})"
    if _is_list(field):
        return " (several with ; between them, enter: none)"
    return "" if field.is_required() else " (enter: nothing)"


def _person() -> str:
    try:
        return getuser()
    except (KeyError, OSError):
        raise UsageError("nobody knows who you are here: set LOGNAME in the environment.") from None
