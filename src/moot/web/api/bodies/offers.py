"""What may be asked here, and what an order would come to."""

from dataclasses import replace
from typing import Any

from pydantic import BaseModel, Field

from moot.service.asking import OrderPlan
from moot.service.reading.offers import AskingOffers
from moot.views.surfaces import said_to


class BudgetView(BaseModel):
    """Limits of a deliberation; null where there is none."""

    calls: int | None
    tokens: int | None
    usd: float | None
    seconds: float | None


class ProtocolOfferView(BaseModel):
    """A protocol that a question can be put to."""

    name: str = Field(examples=["spiral"])
    version: int
    summary: str
    basis: str | None = Field(description="what its confidence is measured by; null where it gives none")
    confidence: str = Field(description="what its confidence means")
    settings: dict[str, Any] = Field(description="the JSON schema of its settings, with their defaults")
    seats: int = Field(description="how many seats it has where one member is named")
    fewest: int | None = Field(description="how many members it needs, with its settings as they are by default")
    budget: BudgetView
    asks_people: bool = Field(description="whether it has steps that people or outside agents fill")
    origin: str = Field(description="where it comes from, where it is not Moot's own")


class MemberOfferView(BaseModel):
    """A member that the caller may name."""

    spec: str = Field(examples=["openai:gpt-5-mini"])
    provider: str
    model: str
    leaves_machine: bool
    usd_in: float | None = Field(description="dollars for a million tokens in; null where nobody knows")
    usd_out: float | None
    context: int | None = Field(description="tokens that prompt and reply may have together")
    problem: str = Field(description="why it cannot be asked now; empty where it can")


class LimitsView(BaseModel):
    """What the server lets any one deliberation of the caller take."""

    members: list[str]
    calls: int | None
    usd: float | None
    is_free: bool = Field(description="whether the caller may go beyond a protocol's own budget")


class OffersView(BaseModel):
    """All that a caller needs to know before asking."""

    protocols: list[ProtocolOfferView]
    broken: list[str] = Field(description="why each of the other installed protocols cannot be used")
    with_documents: str = Field(description="the protocol that is used with documents where none is named")
    without_documents: str
    members: list[MemberOfferView]
    usual_members: list[str] = Field(description="who is asked where nobody is named")
    why_usual: str
    limits: LimitsView
    most_members: int
    most_documents: int
    most_bytes: int = Field(description="of the body of a request, documents included")
    scopes: list[str] = Field(description="the caller's")

    @classmethod
    def of(cls, offers: AskingOffers, most_bytes: int) -> "OffersView":
        """Return what is offered as callers see it."""
        return cls.model_validate({**offers.json(), "most_bytes": most_bytes})


class SeatView(BaseModel):
    """A seat of a panel and the model in it."""

    name: str
    model: str


class ExpectedView(BaseModel):
    """What an order is expected to take."""

    calls: int
    tokens_in: int
    tokens_out: int
    longest: int = Field(description="tokens of the longest prompt, with the room for its reply")
    note: str


class RefusalView(BaseModel):
    """Why an order is refused, at the field that is to be changed."""

    field: str = Field(description="as the body names it; empty where it is none of it", examples=["settings.rounds"])
    code: str
    problem: str


class OrderPlanView(BaseModel):
    """What an order would come to: everything else is null where it is refused."""

    refusals: list[RefusalView] = Field(description="every reason why it is refused; none where it would be taken")
    protocol: str | None = None
    protocol_version: int | None = None
    members: list[SeatView] | None = Field(default=None, description="who would be asked")
    why: str | None = Field(default=None, description="why these, where the caller named nobody")
    settings: dict[str, Any] | None = None
    budget: BudgetView | None = None
    expected: ExpectedView | None = None
    usd: float | None = Field(default=None, description="the expected price; null where a model's is not known")
    known_usd: float | None = Field(default=None, description="what of the price is known")
    unmeasured: list[str] | None = Field(
        default=None, description="models that are sent a large prompt although nobody knows how much they can read"
    )

    @classmethod
    def of(cls, planned: OrderPlan) -> "OrderPlanView":
        """Return a plan as callers see it."""
        refusals = [replace(one, problem=said_to("program", one.problem)) for one in planned.refusals]
        return cls.model_validate(replace(planned, refusals=tuple(refusals)).json())
