"""Deliberations and their open steps, as callers get them."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from moot.core.calls import Reply
from moot.core.canonical import plain
from moot.core.ports import OpenStep
from moot.service.background.ends import RunStanding
from moot.service.contests import Contest
from moot.service.listing import ListedDeliberation
from moot.service.open_steps import line_json, step_json
from moot.service.reading.acts import ActReading
from moot.service.results import Result
from moot.web.api.bodies.addresses import address_of
from moot.web.api.bodies.common import OLD_NAME_OF_STALLED, Moment
from moot.web.api.bodies.reading import ActView
from moot.web.api.paging import Page


class DeliberationLine(BaseModel):
    """A deliberation in one line; what it came to is null until it has ended."""

    id: str
    protocol: str
    status: str
    question: str
    started: Moment
    ended: Moment | None
    parent: str | None = Field(description="the deliberation it was forked from")
    owner: str | None = Field(description="the name of the key that it is run for; null for one of the command line")
    models: list[str]
    answer: str | None
    confidence: float | None
    basis: str | None = Field(description="what the confidence was measured by")
    calls: int
    tokens: int | None = Field(description="in and out, as far as known; null where nothing is")
    usd: float | None = Field(description="as far as known; null where nothing is")
    seconds: float | None
    forks: int
    contests: int = Field(description="contests of its claims that nobody has taken back")
    stalled: bool = Field(description="it counts as running and no process works on it")

    @classmethod
    def of(cls, listed: ListedDeliberation) -> "DeliberationLine":
        """Return a row of a list as callers see it."""
        told, spent = listed.json(), listed.cost
        known = [count for count in (spent.tokens_in, spent.tokens_out) if count is not None]
        took = {"calls": spent.calls, "tokens": sum(known) if known else None, "usd": spent.usd}
        return cls.model_validate({**told, **took})


class DeliberationPage(Page[DeliberationLine]):
    """Some of the deliberations that fit, and how many do."""

    total: int


class OpenStepLine(BaseModel):
    """A step that a person or an agent may fill, in short."""

    deliberation_id: str
    step: str = Field(examples=["turn/1"])
    kind: Literal["step", "slot", "flag"] = Field(description="a slot and a flag are the board's, and are filled there")
    role: str = Field(examples=["person"])
    title: str
    state: Literal["open", "taken", "done", "gone"]
    agent: str | None = Field(description="who has it, or filled it")
    lease_until: Moment | None
    address: str = Field(
        description="where it is read, or, of the board, taken or cleared",
        examples=["/api/v1/deliberations/0123456789/open-steps/turn~1"],
    )

    @classmethod
    def of(cls, step: OpenStep) -> "OpenStepLine":
        """Return an open step as a list has it."""
        return cls(**line_json(step), address=address_of(step))


class OpenStepView(OpenStepLine):
    """A step that whoever is entitled may fill: what it is about, and the shape of the reply."""

    context: dict[str, Any] = Field(description="what the one who fills it gets to see, fixed when the step opened")
    reply_schema: dict[str, Any] = Field(description="the JSON schema that `reply` must fit")

    @classmethod
    def whole(cls, step: OpenStep, shape: type[Reply]) -> "OpenStepView":
        """Return an open step as the one who may fill it sees it."""
        return cls(**step_json(step, shape), address=address_of(step))


class DeliberationView(BaseModel):
    """A deliberation as it stands: what `moot ask --json` prints, and where it is."""

    id: str
    protocol: str
    question: str
    status: str = Field(examples=["complete"])
    stop_reason: str
    answer: str | None
    confidence: dict[str, Any] = Field(description="value, basis, and what it means")
    dissent: list[Any]
    caveats: list[Any]
    asked: int | None = Field(description="how many seats, runs or slots were asked for what decides")
    answered: int | None
    missing: list[Any] = Field(description="by cause: reason, detail, and seats with their steps")
    cost: dict[str, Any] = Field(
        description="calls, seconds, and as far as known usd, tokens_in, tokens_out; `unknown` counts calls"
    )
    backends: dict[str, Any]
    detail: dict[str, Any]
    here: Literal["queued", "running"] | None = Field(description="whether this server, or a worker, is at it")
    problem: str | None = Field(description="why its latest run did not come to its end, or what keeps it from one")
    stalled: bool = Field(description="it counts as running and nobody works on it; resume goes on")
    left_alone: bool = OLD_NAME_OF_STALLED
    waiting: list[OpenStepLine] = Field(description="what it waits for, and where that is filled")
    acts: list[ActView] = Field(description="what people did to it afterwards: contests, and what took them back")

    @classmethod
    def of(
        cls,
        shown: Result,
        standing: RunStanding,
        acts: Sequence[ActReading],
    ) -> "DeliberationView":
        """Return a deliberation as callers see it."""
        return cls(
            **shown.json(),
            acts=[ActView.of(act) for act in acts],
            question=shown.record.header.question.text,
            here=standing.state,
            problem=standing.problem,
            stalled=shown.stalled,
            left_alone=shown.stalled,
            waiting=[OpenStepLine.of(step) for step in shown.waiting],
        )


class ContestView(BaseModel):
    """What a contest changes."""

    id: str
    node: str
    claim: str
    before: dict[str, Any]
    after: dict[str, Any]

    @classmethod
    def of(cls, made: Contest) -> "ContestView":
        """Return a contest as callers see it."""
        return cls.model_validate(plain(made))
