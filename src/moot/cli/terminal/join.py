"""`--join`: a person at the terminal fills the open steps that a deliberation waits for, whatever its protocol."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from getpass import getuser
from typing import Any, Literal, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from rich.console import Console

from moot.cli.session import Session
from moot.cli.terminal.claims import show_flag, show_slot
from moot.cli.terminal.progress import ShownProgress
from moot.core.calls import Reply
from moot.core.errors import BadSubmission, UsageError
from moot.core.ports import OpenStep, Progress
from moot.service.board import Board
from moot.service.open_steps import OpenSteps, kind_of
from moot.service.orders import shaped
from moot.service.results import Result
from moot.service.service import Created, Service
from moot.views.outline import outlined

Given = Mapping[str, Any]


def take_part(result: Result, here: Session, on_progress: ShownProgress) -> Result:
    """Return what a deliberation comes to when the person at the terminal fills the steps that wait for one.

    Raises:
        UsageError: where nobody knows who the person is.
    """
    while result.waiting:
        who = _person()
        step = next((step for step in result.waiting if step.state == "open" or step.agent == who), None)
        if step is None or not _fill(step, who, here, on_progress):
            break
        result = here.run(here.service.show(result.id))
    return result


def _fill(step: OpenStep, who: str, here: Session, on_progress: ShownProgress) -> bool:
    """Ask for what a step wants until it fits, and go on; False where nobody answers."""
    shape = here.run(here.service.shape(step))
    problem = ""
    while True:
        with on_progress.hidden():
            if problem:
                _say([problem])
            else:
                _show(step)
            given = _given(shape)
        if given is None:
            _say(["", f"left open; go on with: moot resume {step.deliberation} --join"])
            return False
        try:
            shaped(step.step, shape, given)
            on_stored = partial(_acknowledge, here, who, given, shape.model_validate(given))
            here.run(_put(here.service, step, who, given, on_progress, on_stored))
        except BadSubmission as bad:
            problem = str(bad)
        else:
            return True


def _given(shape: type[Reply]) -> Given | None:
    """Return what is typed for a shape; None where nobody is there."""
    try:
        return {name: value for name, value in _asked(shape) if value is not None}
    except EOFError:
        return None


def _acknowledge(here: Session, who: str, given: Given, kept: Reply, deliberation: str) -> None:
    """Tell the person what is kept of what was said, and what is not."""
    here.on_created(deliberation)
    said = {name: value for name, value in kept.model_dump(exclude_unset=True).items() if value not in ("", [], ())}
    _say(outlined({f"{who} says": said}, _width()) if said else [f"{who} passes"])
    for name, value in said.items():
        if isinstance(value, str) and len(value) < len(given[name]):
            _say([f"({name.replace('_', ' ')}: the first {len(value)} letters are kept)"])


async def _put(
    service: Service, step: OpenStep, who: str, given: Given, on_progress: Progress, on_stored: Created
) -> None:
    """Put what was given where it belongs, by the rules of the board where the step is the board's."""
    board, steps = Board(service), OpenSteps(service)
    match kind_of(step):
        case "flag":
            decided = (given.get("decision", ""), given.get("note", ""))
            await board.clear(step.deliberation, who, *decided, on_progress=on_progress, on_stored=on_stored)
        case "slot":
            await board.take(step.deliberation, step.step, who)
            await board.done(step.deliberation, step.step, who, given, on_progress=on_progress, on_stored=on_stored)
        case "step":
            await steps.take(step, who)
            await steps.fill(step, who, given, on_progress=on_progress, on_stored=on_stored)


def _show(step: OpenStep) -> None:
    """Show a flag and a slot as the board does, and any other step as its protocol gives it."""
    on_stderr = Console(stderr=True, highlight=False, soft_wrap=True)
    _say([""])
    match kind_of(step):
        case "flag":
            show_flag(step, on_stderr)
        case "slot":
            show_slot(step, on_stderr)
        case "step":
            _say([*outlined(step.context, _width()), ""])
            _say(outlined({f"for {step.role}": step.title}, _width()))


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


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line, err=True)


def _width() -> int:
    return Console(stderr=True).width


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
