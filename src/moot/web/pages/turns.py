"""A person's turn: a step that a deliberation waits for, as a form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from moot.core.errors import BadSubmission, NotFound
from moot.core.ports import OpenStep
from moot.core.telling import reply_rows
from moot.web.access import REVIEWER
from moot.web.pages.forms import Form, SentForm
from moot.web.pages.heading import DeliberationHeading, Heading
from moot.web.pages.rendering import render
from moot.web.pages.schema_form import FormField, fields_of, problems_by_field, values_of_form
from moot.web.serving import Here, Serving

SKIPS = "pass"
"""The button that fills it with nothing."""
NOTHING_SAID = "nothing is written yet: write something and send it, or pass"
WHOSE = {"person": "for whoever asked", "reviewer": "for a reviewer"}
"""Words for the roles that are for people."""

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class TurnForm:
    """An open step that the reader may fill."""

    step: OpenStep
    address: str
    context: tuple[tuple[str, str], ...]
    """What it is about, by name."""
    fields: tuple[FormField, ...]
    may_pass: bool = False
    """Whether it may be filled with nothing."""
    problems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What was wrong with what was sent, by field; what belongs to no field has no name."""

    @property
    def whose(self) -> str:
        """Who may fill it, in words."""
        return WHOSE.get(self.step.role, f"for a {self.step.role}")

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
    said = values_of_form(schema, form)
    passes = _may_pass(schema) and bool(form.text(SKIPS))
    if _may_pass(schema) and not passes and not said:
        return await _refused(
            request, serving, heading, asked, form, [(next(iter(schema["properties"])), NOTHING_SAID)]
        )
    taken = await serving.open_steps.take(asked, heading.caller.name)
    try:
        await serving.open_steps.fill(taken, heading.caller.name, {} if passes else said)
    except BadSubmission as bad:
        return await _refused(request, serving, heading, taken, form, bad.problems)
    query = urlencode({"sent": asked.step, **({"passed": "true"} if passes else {})}, safe="/")
    return RedirectResponse(f"{heading.path}?{query}", status_code=303)


async def _refused(
    request: Request,
    serving: Serving,
    heading: Heading,
    step: OpenStep,
    form: SentForm,
    problems: Sequence[tuple[str, str]],
) -> HTMLResponse:
    """The form again, with what is wrong at its field and nothing lost."""
    given = {name: form.whole(name) for name in (await _schema(serving, step)).get("properties", {})}
    turn = await _turn(serving, heading, step, given, problems_by_field(problems, tuple(given)))
    return render(request, "turn.html", status=422, **heading.context("answer", turn=turn))


async def _entitled(serving: Serving, heading: Heading, step: str) -> OpenStep:
    asked = await serving.open_steps.find(heading.head.id, step)
    heading.caller.check_may_fill(asked, heading.head.owner)
    if asked.state in ("done", "gone"):
        raise NotFound(what="open step", name=step, see="somebody has filled it already, or the run has gone on")
    return asked


async def _schema(serving: Serving, step: OpenStep) -> Mapping[str, Any]:
    return (await serving.service.shape(step)).model_json_schema(by_alias=True)


def _may_pass(schema: Mapping[str, Any]) -> bool:
    """Return whether all of a reply may be left out: nothing at all passes the turn."""
    return bool(schema.get("properties")) and not schema.get("required")


async def _turn(
    serving: Serving,
    heading: Heading,
    step: OpenStep,
    given: Mapping[str, str],
    problems: Mapping[str, tuple[str, ...]] | None = None,
) -> TurnForm:
    schema = await _schema(serving, step)
    context, address = tuple(reply_rows(step.context)), f"{heading.path}/turns/{step.step}"
    return TurnForm(step, address, context, fields_of(schema, given), _may_pass(schema), problems or {})
