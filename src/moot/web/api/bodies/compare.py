"""Deliberations side by side, as callers get them."""

from typing import Any

from pydantic import BaseModel, Field

from moot.core.canonical import plain
from moot.core.moments import iso_moment
from moot.methods.argued import SharedClaim
from moot.service.comparing.values import (
    ComparedDeliberation,
    ComparedSetting,
    ForkPoint,
    PanelShare,
    SameAnswer,
    SideBySide,
    TakenFactors,
)
from moot.web.api.bodies.common import Moment


class ComparedView(BaseModel):
    """One deliberation beside the base."""

    id: str
    question: str
    documents: list[str]
    protocol: str
    protocol_version: int
    mode: str | None
    status: str = Field(examples=["complete"])
    stalled: bool
    started: Moment
    stop_reason: str
    answer: str | None
    same_answer: SameAnswer | None = Field(description="as the base's, and who decided; null for the base itself")
    confidence: dict[str, Any] = Field(description="value, basis, and what it means; never compare across bases")
    dissent: list[Any]
    caveats: list[str]
    missing: list[str] = Field(description="who is missing where, and why, in words")
    turnout: str = Field(description="how many of those asked answered, where somebody did not")
    cost: dict[str, Any] = Field(description="calls, and as far as known usd, tokens_in, tokens_out; `unknown` counts")
    seconds: float | None = Field(description="null while it has not ended")
    factors: TakenFactors = Field(description="to the base; null where it is not wholly known of both")
    panel: list[PanelShare]
    parent: str | None
    forks: int
    contests: int
    claims: int | None = Field(description="of its argument; null where it has none")
    claims_left_out: int = Field(description="of its claims, how many are not compared, since there are too many")
    no_argument: str
    absence: str

    @classmethod
    def of(cls, one: ComparedDeliberation) -> "ComparedView":
        """Return a column as callers see it."""
        facts = {name: getattr(one, name) for name in cls.model_fields if name != "cost"}
        cost = {name: value for name, value in plain(one.spent).items() if name != "seconds"}
        meaning = one.confidence.basis.meaning if one.confidence.basis else ""
        told = {
            "status": one.status.value,
            "started": iso_moment(one.started),
            "confidence": {**plain(one.confidence), "meaning": meaning},
            "dissent": plain(one.dissent),
            "cost": cost,
        }
        return cls.model_validate({**facts, **told})


class CompareView(BaseModel):
    """Two to six deliberations side by side; cells and values are in the order of `deliberations`."""

    base: str
    deliberations: list[ComparedView]
    same_question: bool
    several_bases: bool = Field(description="whether confidences were measured by different means")
    settings: list[ComparedSetting] = Field(description="those that differ; null for a protocol without it")
    claims: list[SharedClaim] = Field(description="a cell is null where there is no argument")
    claims_total: int
    forks: list[ForkPoint]

    @classmethod
    def of(cls, comparison: SideBySide, start: int, limit: int) -> "CompareView":
        """Return a comparison as callers see it."""
        return cls(
            base=comparison.base,
            deliberations=[ComparedView.of(one) for one in comparison.columns],
            same_question=comparison.same_question,
            several_bases=comparison.several_bases,
            settings=list(comparison.settings),
            claims=list(comparison.claims[start : start + limit]),
            claims_total=len(comparison.claims),
            forks=list(comparison.forks),
        )
