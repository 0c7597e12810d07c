"""`/offers` and `/deliberations/plan`: what may be asked, and what an order would come to before anybody is asked."""

from fastapi import APIRouter

from moot.service.asking import plan_order
from moot.service.reading.offers import read_offers
from moot.web.access import AnyCaller, AskingCaller
from moot.web.api.bodies.offers import OffersView, OrderPlanView
from moot.web.api.bodies.sent import NewDeliberation
from moot.web.serving import Here
from moot.web.starting import limits_of

router = APIRouter(tags=["deliberations"])


@router.get("/offers")
async def list_offers(serving: Here, caller: AnyCaller) -> OffersView:
    """Show what may be asked: protocols with their settings, members, limits, and the caller's scopes."""
    offers = await read_offers(serving.service, limits_of(caller, serving), caller.scopes)
    return OffersView.of(offers, serving.limits.body)


@router.post("/deliberations/plan")
async def plan_deliberation(new: NewDeliberation, serving: Here, caller: AskingCaller) -> OrderPlanView:
    """Say who would be asked, why, and what it is expected to take; or every refusal, each at its field.

    Nothing is stored and nobody is asked.
    """
    return OrderPlanView.of(await plan_order(serving.service, new.order(), limits_of(caller, serving)))
