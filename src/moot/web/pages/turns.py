"""A person's turn: a step that a deliberation waits for, as a form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from moot.core.errors import BadSubmission, NotFound
from moot.core.ports import OpenStep
from moot.core.telling import reply_rows
from moot.web.access import REVIEWER
from moot.web.pages.forms import Form
from moot.web.pages.heading import DeliberationHeading, Heading
from moot.web.pages.rendering import render
from moot.web.pages.schema_form import FormField, fields_of, problems_by_field, values_of_form
from moot.web.serving import Here, Serving

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class TurnForm:
    """An open step that the reader may fill."""

    step: OpenStep
    address: str
    context: tuple[tuple[str, str], ...]
    """What it is about, by name."""
    fields: tuple[FormField, ...]
    problems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What was wrong with what was sent, by field; what belongs to no field has no name."""

    @property
    def holder(self) -> str:
        """Who has it at present; empty where nobody does."""
        return self.step.agent or "" if self.step.state == "taken" else ""


async def turns_of(serving: Serving, heading: Heading) -> tuple[TurnForm, ...]:
    """Return the steps that a deliberation waits for and its reader may fill."""
    if heading.head.status.ended:
        return ()
    reader = None if heading.caller.has(REVIEWER) else heading.caller.prefix
    steps = await serving.open_steps.waiting(heading.head.id, for_agent=reader)
    return tuple([await _turn(serving, heading, step, {}) for step in steps])


@router.get("/d/{id}/turns/{step:path}")
async def show_turn(request: Request, heading: DeliberationHeading, serving: Here, step: str) -> HTMLResponse:
    """Show a step with its form."""
    turn = await _turn(serving, heading, await _entitled(serving, heading, step), {})
    return render(request, "turn.html", **heading.context("answer", turn=turn))


@router.post("/d/{id}/turns/{step:path}")
async def fill_turn(request: Request, heading: DeliberationHeading, serving: Here, step: str, form: Form) -> Response:
    """Put what was written into a step; what is wrong with it comes back at its field, with nothing lost."""
    asked = await _entitled(serving, heading, step)
    schema = await _schema(serving, asked)
    taken = await serving.open_steps.take(asked, heading.caller.name)
    try:
        await serving.open_steps.fill(taken, heading.caller.name, values_of_form(schema, form))
    except BadSubmission as bad:
        given = {name: form.whole(name) for name in schema.get("properties", {})}
        turn = await _turn(serving, heading, taken, given, problems_by_field(bad.problems, tuple(given)))
        return render(request, "turn.html", status=422, **heading.context("answer", turn=turn))
    return RedirectResponse(heading.path, status_code=303)


async def _entitled(serving: Serving, heading: Heading, step: str) -> OpenStep:
    asked = await serving.open_steps.find(heading.head.id, step)
    heading.caller.check_may_fill(asked, heading.head.owner)
    if asked.state in ("done", "gone"):
        raise NotFound(what="open step", name=step, see="somebody has filled it already, or the run has gone on")
    return asked


async def _schema(serving: Serving, step: OpenStep) -> Mapping[str, Any]:
    return (await serving.service.shape(step)).model_json_schema(by_alias=True)


async def _turn(
    serving: Serving,
    heading: Heading,
    step: OpenStep,
    given: Mapping[str, str],
    problems: Mapping[str, tuple[str, ...]] | None = None,
) -> TurnForm:
    fields = fields_of(await _schema(serving, step), given)
    return TurnForm(step, f"{heading.path}/turns/{step.step}", tuple(reply_rows(step.context)), fields, problems or {})
